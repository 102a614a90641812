/// Work in independent parts: each is tried even if others fail, and the first failure is thrown at the end.
public struct SeparateWork {
  private var failure: (any Error)?

  public init() {}

  /// Does one part; returns false when it fails. Throws only when the task has been cancelled before.
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
