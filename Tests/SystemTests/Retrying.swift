import RPC
import TestSupport
import Testing

/// Repeats a call while a process is away, under one key if it has one.
func retrying<Answer>(
  _ key: String = "", sourceLocation: SourceLocation = #_sourceLocation, _ call: (CallOptions) async throws -> Answer
) async throws -> Answer {
  let options = CallOptions(
    deadline: .seconds(20), idempotencyKey: key.isEmpty ? .none : .given(key), waitsForReady: true)
  func attempt() async throws -> Result<Answer, Status> {
    do {
      return .success(try await call(options))
    } catch let status as Status where isPassing(status) {
      return .failure(status)
    }
  }
  return try await eventually("a call succeeds \(key)", await attempt(), sourceLocation: sourceLocation) { outcome in
    if case .success = outcome { true } else { false }
  }.get()
}

/// Whether a call that failed so may be made again: nothing is known to be wrong with it.
func isPassing(_ status: Status) -> Bool {
  [.unavailable, .deadlineExceeded, .cancelled].contains(status.code)
}
