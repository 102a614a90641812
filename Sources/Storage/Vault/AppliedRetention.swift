internal import Base

extension Scope {
  /// Erases the subjects whose retention periods have ended. Returns how many. If the erasure of one subject fails, the
  /// others are erased all the same, and the first failure is thrown at the end.
  ///
  /// - Parameters:
  ///   - isExempt: whether a subject is left for later, where only somebody else can tell; called once for a subject
  ///     that is due, before the transaction. If it fails, the subject is left, and its failure counts as that of the
  ///     erasure.
  ///   - isSpared: whether a subject is left for later; called in the transaction that would erase it. If any subject
  ///     was erased in a pass, it is called again for those that were spared.
  ///   - alongside: further changes for each erased subject, made in the same transaction.
  @discardableResult
  public func applyRetention(
    exempting isExempt: @Sendable (Subject) async throws -> Bool = { _ in false },
    sparing isSpared: @escaping @Sendable (Subject, Transaction) throws -> Bool = { _, _ in false },
    alongside: @escaping @Sendable (Transaction, Subject) throws -> Void = { _, _ in }
  ) async throws -> Int {
    let retention = AppliedRetention(scope: self, isSpared: isSpared, alongside: alongside)
    var work = SeparateWork()
    var (count, failed) = (0, Set<Subject>())
    var exempt: [Subject: Bool] = [:]
    var before = -1
    while count > before {
      before = count
      var place = ""
      while case let due = try await retention.due(after: place), let last = due.last {
        for subject in due where exempt[subject] == nil {
          exempt[subject] = true
          try await work.attempt { exempt[subject] = try await isExempt(subject) }
        }
        let (start, wanted) = (place, due.filter { !failed.contains($0) && exempt[$0] == false })
        // All of a page in one transaction, since each transaction that erases waits until answers are taken back and
        // files are scrubbed. If it fails, each subject is tried alone.
        let isDone = try await work.attempt {
          let erased = try await retention.erase(wanted, after: start)
          count += erased
        }
        for subject in wanted where !isDone {
          let isTried = try await work.attempt {
            let erased = try await retention.erase([subject], after: start)
            count += erased
          }
          if !isTried { failed.insert(subject) }
        }
        place = last.id
      }
    }
    try work.finish()
    return count
  }
}

/// The steps of erasing a tenant's subjects whose retention periods have ended.
private struct AppliedRetention: Sendable {
  private static let pageSize = 50

  let scope: Scope
  let isSpared: @Sendable (Subject, Transaction) throws -> Bool
  let alongside: @Sendable (Transaction, Subject) throws -> Void

  func due(after place: String) async throws -> [Subject] {
    try await scope.read { try $0.vault.due(at: $0.now, after: place, limit: Self.pageSize) }
  }

  /// Erases those subjects of a page that are still due. Returns how many.
  func erase(_ wanted: [Subject], after place: String) async throws -> Int {
    guard !wanted.isEmpty else { return 0 }
    return try await scope.write { transaction in
      let due = try transaction.vault.due(at: transaction.now, after: place, limit: Self.pageSize)
      var count = 0
      for subject in due where try wanted.contains(subject) && !isSpared(subject, transaction) {
        try transaction.vault.erase(subject, by: "storage", reason: "retention")
        try alongside(transaction, subject)
        count += 1
      }
      return count
    }
  }
}
