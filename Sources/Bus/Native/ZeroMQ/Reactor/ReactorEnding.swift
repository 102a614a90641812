internal import Synchronization

/// How a reactor ended, for tasks that wait for its end.
final class ReactorEnding: Sendable {
  private struct State {
    var result: Result<Void, any Error>?
    var waiting: [CheckedContinuation<Void, any Error>] = []
  }

  private let state = Mutex(State())

  func set(_ result: Result<Void, any Error>) {
    let waiting = state.withLock { state in
      state.result = result
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume(with: result) }
  }

  func value() async throws {
    try await withCheckedThrowingContinuation { continuation in
      let result = state.withLock { state in
        if state.result == nil { state.waiting.append(continuation) }
        return state.result
      }
      if let result { continuation.resume(with: result) }
    }
  }
}
