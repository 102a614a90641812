internal import Synchronization

/// Retries work that has failed and must be done in the end, with growing pauses until it succeeds. However often it is
/// requested, only one attempt at a time is scheduled.
final class LaterWork: Sendable {
  private let isAhead = Mutex(false)

  func begin(_ work: @escaping @Sendable () async throws -> Void) {
    guard claim() else { return }
    Task {
      var pause = Duration.seconds(1)
      while true {
        try? await Task.sleep(for: pause)
        // A request from here on may come too late for this attempt, so it schedules another one.
        isAhead.withLock { $0 = false }
        do {
          try await work()
          return
        } catch {
          if (error as? DatabaseError)?.code == .closed { return }
          guard claim() else { return }
        }
        pause = min(pause * 2, .seconds(60))
      }
    }
  }

  /// Claims the next attempt. Returns false if one is scheduled already.
  private func claim() -> Bool {
    isAhead.withLock { isAhead in
      defer { isAhead = true }
      return !isAhead
    }
  }
}
