import Base
internal import Bus
import HealthContract
import RPC
import Synchronization

/// Follows the health of services for all watchers at once: takes a snapshot whenever the router says that it may have
/// changed.
final class HealthBoard: Sendable {
  typealias Health = HealthCheckResponse.ServingStatus

  private enum Look {
    case none
    case underWay
    /// The health has changed during the look, so another one is needed.
    case outdated
  }

  private let router: any RouterView
  private let watchers = Subscribers<[String: Health]>()
  private let look = Mutex(Look.none)
  /// The health that watchers were told last.
  private let told = Mutex<[String: Health]>([:])

  init(_ router: any RouterView) {
    self.router = router
    router.followHealth { [weak self] in self?.lookAgain() }
  }

  /// The health of every announced service, and of the gateway itself under the empty name.
  func health() async -> [String: Health] {
    let snapshot = await router.snapshot()
    var health: [String: Health] = ["": snapshot.isLeaving ? .notServing : .serving]
    for service in snapshot.services { health[service.name] = .notServing }
    for instance in snapshot.instances where !instance.isLeaving && !instance.isSuspect && !instance.isWedged {
      for service in instance.services where health[service] != nil { health[service] = .serving }
    }
    return health
  }

  /// The health at first, and then each change. All watchers are told the same, so that none keeps a state that the
  /// others have never seen.
  func watch() -> AsyncStream<[String: Health]> {
    let stream = watchers.subscribe()
    lookAgain()
    return stream
  }

  /// Takes a snapshot, unless nobody watches. If one is being taken, it may have missed the change, so another one
  /// follows.
  private func lookAgain() {
    guard !watchers.isEmpty else { return }
    let begins = look.withLock { look in
      defer { look = look == .none ? .underWay : .outdated }
      return look == .none
    }
    guard begins else { return }
    Task {
      repeat { tell(await health()) } while goesOn()
    }
  }

  private func goesOn() -> Bool {
    look.withLock { look in
      look = look == .outdated ? .underWay : .none
      return look == .underWay
    }
  }

  /// Snapshots are taken one at a time, so that nobody is told a state older than the one they know.
  private func tell(_ health: [String: Health]) {
    let isNew = told.withLock { told in
      defer { told = health }
      return told != health
    }
    if isNew { watchers.tell(health) } else { watchers.tellNewcomers(health) }
  }
}
