import Base
internal import Bus
import HealthContract
import RPC
import Synchronization

/// Looks at the router once for everybody who watches, each time that the router says that the health of services may
/// have changed.
final class HealthBoard: Sendable {
  typealias Health = HealthCheckResponse.ServingStatus

  private enum Look {
    case none
    case underWay
    /// Something changed while it was under way.
    case outdated
  }

  private let router: any RouterView
  private let watchers = Subscribers<[String: Health]>()
  private let look = Mutex(Look.none)
  /// What the watchers were told last.
  private let told = Mutex<[String: Health]>([:])

  init(_ router: any RouterView) {
    self.router = router
    router.followHealth { [weak self] in self?.lookAgain() }
  }

  /// The health of every service that was announced, and of the gateway itself under the empty name.
  func health() async -> [String: Health] {
    let snapshot = await router.snapshot()
    var health: [String: Health] = ["": snapshot.isDraining ? .notServing : .serving]
    for service in snapshot.services { health[service.name] = .notServing }
    for instance in snapshot.instances where !instance.isLeaving && !instance.isSuspect && !instance.isWedged {
      for service in instance.services where health[service] != nil { health[service] = .serving }
    }
    return health
  }

  /// The health that the first look finds, and then each change. All watchers are told the same, so that none keeps a
  /// state that the others never heard of.
  func watch() -> AsyncStream<[String: Health]> {
    let stream = watchers.subscribe()
    lookAgain()
    return stream
  }

  /// Looks at the router, unless nobody watches. A look that is under way may have missed what is new, so another one
  /// follows it.
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

  /// Only one look at a time is under way, so nobody is told something older than what they know.
  private func tell(_ health: [String: Health]) {
    let isNew = told.withLock { told in
      defer { told = health }
      return told != health
    }
    if isNew { watchers.tell(health) } else { watchers.tellNewcomers(health) }
  }
}
