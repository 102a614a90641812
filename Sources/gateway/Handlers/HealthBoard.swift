import Base
import Bus
import HealthContract
import Synchronization

/// Looks at the router once for everybody who watches, and wakes them when the health of a service has changed. While
/// nobody watches it does not look.
final class HealthBoard: Sendable {
  typealias Health = HealthCheckResponse.ServingStatus

  private struct State {
    var watchers: [Int: AsyncStream<Void>.Continuation] = [:]
    var nextWatcher = 0
    var seen: [String: Health] = [:]
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

  /// Yields at once, and then whenever the health of any service has changed.
  func changes() -> AsyncStream<Void> {
    let (stream, changed) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    changed.yield()
    let number = state.withLock { state in
      state.nextWatcher += 1
      state.watchers[state.nextWatcher] = changed
      if state.looking == nil { state.looking = Task { await look() } }
      return state.nextWatcher
    }
    changed.onTermination = { [self] _ in leave(number) }
    return stream
  }

  private func leave(_ number: Int) {
    state.withLock { state in
      state.watchers[number] = nil
      guard state.watchers.isEmpty else { return }
      state.looking?.cancel()
      state.looking = nil
    }
  }

  private func look() async {
    while !Task.isCancelled {
      let health = await health()
      let watchers = state.withLock { state in
        guard state.seen != health else { return [AsyncStream<Void>.Continuation]() }
        state.seen = health
        return Array(state.watchers.values)
      }
      for watcher in watchers { watcher.yield() }
      try? await Task.sleep(for: Self.interval)
    }
  }
}
