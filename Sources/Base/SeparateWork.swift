/// Work in parts of which none holds up the others: each is tried, and the first failure is thrown at the end.
public struct SeparateWork {
  private var failure: (any Error)?

  public init() {}

  /// Does one part; false when it failed. Throws only when the task is cancelled.
  @discardableResult
  public mutating func attempt(_ part: () async throws -> Void) async throws -> Bool {
    try Task.checkCancellation()
    do {
      try await part()
      return true
    } catch {
      failure = failure ?? error
      return false
    }
  }

  public func finish() throws {
    if let failure { throw failure }
  }
}
