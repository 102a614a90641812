internal import Base
internal import ServicePolicy
internal import Storage

/// Finds what erasures and merges owe together and no job does: a process of an earlier version hears of a merge and
/// queues nothing, and a job may have been given up.
enum OwedErasures {
  private static let pageSize = 100

  /// What fails for one keeps no other waiting: the first failure is thrown at the end.
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

  /// Whether somebody who was merged into an account is not erased: hardly ever, and to look takes no lock.
  private static func isOwing(_ account: Subject, _ snapshot: Snapshot) throws -> Bool {
    try MergedAccounts.ended(into: account.id, snapshot).contains { name in
      guard let former = Subject(name) else { return false }
      return try !snapshot.vault.isErased(former)
    }
  }
}
