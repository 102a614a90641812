public import RPC
internal import Storage

/// Lets a call's handler wait until any process commits to the database.
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
  /// Subscribes to commits. Each commit from now on ends a wait, also one that begins later.
  public func commits(_ context: CallContext) -> CommitWaiting { CommitWaiting(database.watchCommits(), context) }
}
