internal import Synchronization

/// Requests that this process end. The first one begins an orderly end; after a second one, the process ends at once.
final class EndRequest: Sendable {
  private let state = Mutex(State.none)
  private let failure = Mutex(false)
  private let (requests, report) = AsyncStream<String>.makeStream()

  private enum State {
    case none
    case requested
  }

  /// Called for every signal, and by a process that gives up.
  ///
  /// - Parameter failing: whether the process ends because of a failure and not on request.
  /// - Returns: whether it was the first request.
  func make(_ reason: String, failing: Bool = false) -> Bool {
    let isFirst = state.withLock { state in
      defer { state = .requested }
      return state == .none
    }
    if isFirst {
      failure.withLock { $0 = failing }
      report.yield(reason)
      report.finish()
    }
    return isFirst
  }

  var isFailure: Bool { failure.withLock { $0 } }
  var isMade: Bool { state.withLock { $0 == .requested } }

  /// Waits until the process is asked to end, and returns the reason.
  func wait() async -> String {
    for await reason in requests { return reason }
    return "the wait was cancelled"
  }
}
