internal import Synchronization

/// A task that waits until its process has joined the bus, or learns that it never can.
final class ReadyWait: Sendable {
  private let state = Mutex(State())

  private struct State {
    var continuation: CheckedContinuation<Void, any Error>?
    var outcome: Result<Void, any Error>?
  }

  /// Whether the wait has ended.
  var isOver: Bool { state.withLock { $0.outcome != nil } }

  /// Ends the wait; only the first call counts.
  func end(_ outcome: Result<Void, any Error>) {
    let continuation = state.withLock { state -> CheckedContinuation<Void, any Error>? in
      guard state.outcome == nil else { return nil }
      state.outcome = outcome
      defer { state.continuation = nil }
      return state.continuation
    }
    continuation?.resume(with: outcome)
  }

  /// Returns when `end` was called, or throws when the task is cancelled before that.
  func value() async throws {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let outcome = state.withLock { state in
          if state.outcome == nil { state.continuation = continuation }
          return state.outcome
        }
        if let outcome { continuation.resume(with: outcome) }
      }
    } onCancel: {
      end(.failure(CancellationError()))
    }
  }
}
