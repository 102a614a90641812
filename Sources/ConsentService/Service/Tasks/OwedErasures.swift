internal import Base
internal import ServicePolicy
internal import Storage

/// Finds merged identifiers that are to be erased and have no job: a process of an earlier release queues none when it
/// learns of a merge, and a job may have been given up.
enum OwedErasures {
  private static let pageSize = 100

  /// Queues the missing jobs. A failure for one account does not stop the others; the first failure is thrown at the
  /// end.
  static func queue(in scope: Scope) async throws {
    var work = SeparateWork()
    var place = ""
    while case let page = try await Self.page(after: place, scope), let last = page.last {
      for account in page {
        try await work.attempt {
          guard try await scope.read({ try isOwing(account, $0) }) else { return }
          try await scope.write { try EraseJob.enqueueOwed(by: account, $0) }
        }
      }
      place = last.id
    }
    try work.finish()
  }

  private static func page(after place: String, _ scope: Scope) async throws -> [Subject] {
    try await scope.read { try AskedErasures.withFormers(after: place, limit: pageSize, $0) }
  }

  /// Whether an identifier that was merged into an account is not erased yet. This is rare, so it is read first without
  /// a lock.
  private static func isOwing(_ account: Subject, _ snapshot: Snapshot) throws -> Bool {
    try MergedAccounts.ended(into: account.id, snapshot).contains { name in
      guard let former = Subject(name) else { return false }
      return try !snapshot.vault.isErased(former)
    }
  }
}
