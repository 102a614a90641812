internal import Synchronization

/// Work of a command that may take long: it says on standard error every ten seconds how far it is.
package struct LongWork: Sendable {
  private let interval: Duration
  private let tell: @Sendable (String) -> Void

  package init(
    every interval: Duration = .seconds(10), tell: @escaping @Sendable (String) -> Void = { complain($0) }
  ) {
    self.interval = interval
    self.tell = tell
  }

  /// - Parameter body: the work. It calls `reach` with a count, and words for what was counted, whenever there is
  ///   something new.
  package func run<Result>(
    _ body: (_ reach: @escaping @Sendable (_ count: Int, _ what: String) -> Void) async throws -> Result
  ) async rethrows -> Result {
    let reached = Reached()
    let (interval, tell) = (interval, tell)
    let teller = Task {
      while !Task.isCancelled {
        try await Task.sleep(for: interval)
        if let line = reached.line { tell(line) }
      }
    }
    defer { teller.cancel() }
    return try await body { reached.note($0, $1) }
  }
}

/// How far the work is.
private final class Reached: Sendable {
  private let last = Mutex<(count: Int, what: String)?>(nil)

  var line: String? {
    guard let (count, what) = last.withLock({ $0 }) else { return nil }
    return "… \(count) \(what)"
  }

  func note(_ count: Int, _ what: String) { last.withLock { $0 = (count, what) } }
}
