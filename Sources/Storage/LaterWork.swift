internal import Synchronization

/// Retries work that has failed and must be done in the end, with growing pauses until it succeeds. However often it is
/// requested, one attempt runs at a time, and at most one more is scheduled behind it.
package final class LaterWork: Sendable {
  private enum State {
    case idle
    /// An attempt is scheduled and has not begun: it does what is requested now as well.
    case scheduled
    case running
    /// Requested again during an attempt, which may have begun too early to do that too.
    case requestedAgain
  }

  private let state = Mutex(State.idle)
  private let wait: @Sendable (Duration) async -> Void

  /// - Parameter wait: makes the pauses ahead of the attempts.
  package init(waiting wait: @escaping @Sendable (Duration) async -> Void = { try? await Task.sleep(for: $0) }) {
    self.wait = wait
  }

  /// Schedules an attempt, unless one that has not begun is scheduled already.
  ///
  /// - Parameter work: what to do; the same at each request.
  package func begin(_ work: @escaping @Sendable () async throws -> Void) {
    let isFirst = state.withLock { state in
      switch state {
      case .idle:
        state = .scheduled
        return true
      case .running:
        state = .requestedAgain
        return false
      case .scheduled, .requestedAgain: return false
      }
    }
    guard isFirst else { return }
    Task { await run(work) }
  }

  private func run(_ work: @Sendable () async throws -> Void) async {
    var pause = Self.firstPause
    while true {
      await wait(pause)
      state.withLock { $0 = .running }
      var hasFailed = false
      do {
        try await work()
        pause = Self.firstPause
      } catch {
        if (error as? DatabaseError)?.code == .closed { return state.withLock { $0 = .idle } }
        hasFailed = true
        pause = min(pause * 2, .seconds(60))
      }
      let goesOn = state.withLock { state in
        state = hasFailed || state == .requestedAgain ? .scheduled : .idle
        return state == .scheduled
      }
      guard goesOn else { return }
    }
  }

  private static let firstPause = Duration.seconds(1)
}
