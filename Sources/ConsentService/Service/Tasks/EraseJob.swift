internal import Bus
internal import ServicePolicy
package import Storage

/// Continues an erasure in other services that store the subject's personal data: a job for each of them, so that one
/// that cannot be reached keeps no other from erasing. It goes on until they have erased, also while a hold of their own
/// is on the subject.
package struct EraseJob: Sendable {
  private static let signatureKind = "consent.erase"
  private static let accountKind = "consent.erase-account"

  private let signatures: any SignatureFields
  private let accounts: any SubjectAccounts

  package init(signatures: any SignatureFields, accounts: any SubjectAccounts) {
    self.signatures = signatures
    self.accounts = accounts
  }

  /// Queues both, once the subject is erased here. Nothing keeps a second job from being queued for one subject: asking
  /// again is how an erasure that was given up begins anew, and erasing what is erased changes nothing.
  static func enqueue(for subject: Subject, _ transaction: Transaction) throws {
    try transaction.enqueue(signatureKind, Array(subject.id.utf8))
    for account in try accounts(concerning: subject, transaction) {
      try transaction.enqueue(accountKind, Array(account.utf8))
    }
  }

  /// The accounts to erase now. AccountService erases with an account those that were merged into it, and nobody but
  /// its person acts on what is on record under these: it waits until nothing is kept here under any of them.
  private static func accounts(concerning subject: Subject, _ snapshot: Snapshot) throws -> [String] {
    try MergedAccounts.names(of: subject.id, snapshot).filter { name in
      let ended = try MergedAccounts.ended(into: name, snapshot)
      guard name == subject.id || ended.contains(subject.id) else { return false }
      guard let account = Subject(name), try snapshot.vault.isErased(account) else { return false }
      return try ended.allSatisfy { try !isKept($0, snapshot) }
    }
  }

  private static func isKept(_ name: String, _ snapshot: Snapshot) throws -> Bool {
    guard let subject = Subject(name) else { return false }
    return try snapshot.vault.knows(subject) && !snapshot.vault.isErased(subject)
  }

  package var handlers: [JobHandler] {
    [
      JobHandler(Self.signatureKind) { job in
        try await erase(job) { try await signatures.erase($0, tenant: job.scope.tenant) }
      },
      JobHandler(Self.accountKind) { job in
        try await erase(job) { try await accounts.erase($0, tenant: job.scope.tenant) }
      },
    ]
  }

  /// What is held in the other service is erased there once that hold is lifted.
  private func erase(_ job: Job, in other: (String) async throws -> Void) async throws {
    try await job.last(passing: { $0.isOutage || $0.isRefusal(by: "legal_hold") }) {
      try await other(String(decoding: job.payload, as: UTF8.self))
    }
  }
}
