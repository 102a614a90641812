import Base
internal import Bus
import HealthContract
import RPC
import Synchronization

/// Looks at the router once for everybody who watches, each time that the router says that the health of services may
/// have changed.
final class HealthBoard: Sendable {
  typealias Health = HealthCheckResponse.ServingStatus

  private struct State {
    var watchers: [Int: AsyncStream<[String: Health]>.Continuation] = [:]
    var nextWatcher = 0
    /// What all watchers were told last; nil before the first look.
    var seen: [String: Health]?
    var look = Look.none
  }

  private enum Look {
    case none
    case underWay
    /// Something changed while it was under way.
    case outdated
  }

  private let router: any RouterView
  private let state = Mutex(State())

  init(_ router: any RouterView) {
    self.router = router
    router.followHealth { [weak self] in self?.look() }
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

  /// What a look found, and then what each later look finds that differs. Everybody is told the same, so that nobody
  /// keeps what the others never heard of.
  func watch() -> AsyncStream<[String: Health]> {
    let (stream, watcher) = AsyncStream.makeStream(of: [String: Health].self, bufferingPolicy: .bufferingNewest(1))
    let number = state.withLock { state in
      state.nextWatcher += 1
      state.watchers[state.nextWatcher] = watcher
      if let seen = state.seen { watcher.yield(seen) }
      return state.nextWatcher
    }
    watcher.onTermination = { [self] _ in leave(number) }
    look()
    return stream
  }

  private func leave(_ number: Int) {
    state.withLock { state in
      state.watchers[number] = nil
      // What changes while nobody watches is not looked at.
      if state.watchers.isEmpty { state.seen = nil }
    }
  }

  /// Looks at the router, unless nobody watches. A look that is under way may have missed what is new, so another one
  /// follows it.
  private func look() {
    let begins = state.withLock { state in
      guard !state.watchers.isEmpty else { return false }
      defer { state.look = state.look == .none ? .underWay : .outdated }
      return state.look == .none
    }
    guard begins else { return }
    Task {
      repeat { tell(await health()) } while goesOn()
    }
  }

  private func goesOn() -> Bool {
    state.withLock { state in
      state.look = state.look == .outdated ? .underWay : .none
      return state.look == .underWay
    }
  }

  private func tell(_ health: [String: Health]) {
    state.withLock { state in
      guard !state.watchers.isEmpty, state.seen != health else { return }
      state.seen = health
      for watcher in state.watchers.values { watcher.yield(health) }
    }
  }
}
