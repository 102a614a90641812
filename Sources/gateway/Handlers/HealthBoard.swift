import Base
internal import Bus
import HealthContract
import RPC
import Synchronization

/// Looks at the router once for everybody who watches, and tells them when the health of a service has changed. While
/// nobody watches it does not look.
final class HealthBoard: Sendable {
  typealias Health = HealthCheckResponse.ServingStatus

  private struct State {
    var watchers: [Int: AsyncStream<[String: Health]>.Continuation] = [:]
    var nextWatcher = 0
    /// What all watchers were told last; nil before the first look.
    var seen: [String: Health]?
    var looking: Task<Void, Never>?
  }

  private let router: any RouterView
  private let state = Mutex(State())

  /// How soon a change is seen; liveness itself is not known any sooner.
  private static let interval = Duration.milliseconds(500)

  init(_ router: any RouterView) {
    self.router = router
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
      if state.looking == nil { state.looking = Task { await look() } }
      return state.nextWatcher
    }
    watcher.onTermination = { [self] _ in leave(number) }
    return stream
  }

  private func leave(_ number: Int) {
    state.withLock { state in
      state.watchers[number] = nil
      guard state.watchers.isEmpty else { return }
      state.looking?.cancel()
      (state.looking, state.seen) = (nil, nil)
    }
  }

  private func look() async {
    while !Task.isCancelled {
      let health = await health()
      state.withLock { state in
        // Within the lock, since leaving cancels there.
        guard !Task.isCancelled, state.seen != health else { return }
        state.seen = health
        for watcher in state.watchers.values { watcher.yield(health) }
      }
      try? await Task.sleep(for: Self.interval)
    }
  }
}
