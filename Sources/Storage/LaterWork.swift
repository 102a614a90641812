internal import Synchronization

/// Work that failed and has to be done in the end: it is tried again with growing pauses until it succeeds, one attempt
/// after the other, however often it is asked for.
final class LaterWork: Sendable {
  private let isAhead = Mutex(false)

  func begin(_ work: @escaping @Sendable () async throws -> Void) {
    guard claim() else { return }
    Task {
      var pause = Duration.seconds(1)
      while true {
        try? await Task.sleep(for: pause)
        // Whoever asks from here on may come too late for this attempt, and gets one of their own.
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

  /// False when another attempt is ahead already.
  private func claim() -> Bool {
    isAhead.withLock { isAhead in
      defer { isAhead = true }
      return !isAhead
    }
  }
}
