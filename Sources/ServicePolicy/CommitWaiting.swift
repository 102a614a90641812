public import RPC
internal import Storage

/// Waits, during a call, for commits of any process.
public struct CommitWaiting {
  private var commits: AsyncStream<Void>.Iterator
  private let context: CallContext

  fileprivate init(_ commits: AsyncStream<Void>, _ context: CallContext) {
    self.commits = commits.makeAsyncIterator()
    self.context = context
  }

  /// Returns when something may have been committed since the last call. Other calls may use the handler's slot
  /// meanwhile.
  ///
  /// - Parameter resume: how a caller continues elsewhere when this process ends.
  public mutating func next(resume: @autoclosure () -> String) async throws {
    try Task.checkCancellation()
    context.slot.waits()
    let signal: Void? = await commits.next(isolation: #isolation)
    context.slot.resumes()
    try Task.checkCancellation()
    if signal == nil { throw Status(.unavailable, rule: "shutting_down", "this process ends; \(resume())") }
  }
}

extension ServiceDatabase {
  /// Begins to listen: commits from now on end a wait.
  public func commits(_ context: CallContext) -> CommitWaiting { CommitWaiting(database.watchCommits(), context) }
}
