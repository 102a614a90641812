internal import Base
internal import ServicePolicy
package import Storage

/// Carries an erasure to the other services that store the subject's personal data. Each service has a job of its own,
/// which is retried until that service has erased, also while a legal hold of that service blocks it.
///
/// Somebody who has roles is erased in other services by an administrator of the tenant only: account and signatures
/// wait until the roles are removed. Whoever administers one study can make anybody a subject of it.
package struct EraseJob: Sendable {
  private static let signatureKind = "consent.erase"
  private static let dueAccountsKind = "consent.find-accounts-to-erase"
  private static let accountKind = "consent.erase-account"
  private static let mergedKind = "consent.erase-merged"
  /// The rule of a refusal to erase somebody under legal hold; the erasure succeeds once the hold is lifted.
  private static let hold = "legal_hold"
  /// The rule of a refusal to erase somebody who has roles; the erasure succeeds once these are removed.
  static let rolesRule = "has_roles"

  private let signatures: any SignatureFields
  private let accounts: any SubjectAccounts

  package init(signatures: any SignatureFields, accounts: any SubjectAccounts) {
    self.signatures = signatures
    self.accounts = accounts
  }

  /// Queues the jobs for both services, after the subject was erased here. One subject may have several: repeating the
  /// call restarts an erasure that was given up, and erasing twice changes nothing.
  static func enqueue(for subject: Subject, _ transaction: Transaction) throws {
    for kind in [signatureKind, dueAccountsKind] { try transaction.enqueue(kind, Array(subject.id.utf8)) }
  }

  /// Queues the erasure of the accounts that are due. This is a job of its own that runs after the subject's erasure
  /// was committed: two erasures at the same time do not see each other, but the job of the later one sees both.
  private static func findAccounts(_ job: Job) async throws {
    guard let subject = Subject(String(decoding: job.payload, as: UTF8.self)) else { return }
    try await job.finish { transaction in
      for account in try accounts(concerning: subject, transaction) {
        try transaction.enqueue(accountKind, Array(account.utf8))
      }
    }
  }

  /// The accounts to erase now. With an account, AccountService also erases those that were merged into it, and nobody
  /// but the account's person can use what is on record under these. So an account is not erased while data are kept
  /// here under any of them.
  private static func accounts(concerning subject: Subject, _ snapshot: Snapshot) throws -> [String] {
    try MergedAccounts.names(of: subject.id, snapshot).filter { name in
      let ended = try MergedAccounts.ended(into: name, snapshot)
      guard name == subject.id || ended.contains(subject.id) else { return false }
      guard let account = Subject(name), try snapshot.vault.isErased(account) else { return false }
      return try ended.allSatisfy { try !Retention.isKept($0, snapshot) }
    }
  }

  /// Queues the erasure of identifiers that were merged into one whose erasure was requested. Both the request and the
  /// merge queue this job, whichever comes first: at the same time they do not see each other, but the job of the later
  /// one sees both.
  static func enqueue(forMergedInto subject: Subject, _ transaction: Transaction) throws {
    try transaction.enqueue(mergedKind, Array(subject.id.utf8))
  }

  /// Erases all identifiers that were merged into one whose erasure was requested and that are not erased yet; while
  /// one is held, none.
  private static func eraseMerged(_ job: Job) async throws {
    guard let account = Subject(String(decoding: job.payload, as: UTF8.self)) else { return }
    try await job.finish { transaction in
      let owed = try Self.owed(by: account, transaction)
      for subject in owed where try transaction.vault.isHeld(subject) {
        throw Refusal(.precondition, hold, "'\(subject.id)' is held, and with it whoever was merged with it")
      }
      for subject in owed {
        try transaction.vault.eraseAhead(of: subject, by: "system", reason: "request")
        try Retention.followErasure(of: subject, by: "system", transaction)
      }
    }
  }

  private static func owed(by account: Subject, _ transaction: Transaction) throws -> [Subject] {
    let accounts = try [account.id] + MergedAccounts.successors(of: account.id, transaction)
    // Whatever was merged into one of them was merged into the last one, too.
    guard let last = try accounts.filter({ try AskedErasures.isAsked(of: $0, transaction) }).last else { return [] }
    return try MergedAccounts.ended(into: last, transaction).compactMap { Subject($0) }.filter { subject in
      try !transaction.vault.isErased(subject)
    }
  }

  package var handlers: [JobHandler] {
    [
      .lasting(Self.signatureKind, passing: [Self.hold, Self.rolesRule]) { job in
        let subject = String(decoding: job.payload, as: UTF8.self)
        guard try await !accounts.hasRoles(subject, tenant: job.scope.tenant) else {
          throw Refusal(.precondition, Self.rolesRule, "'\(subject)' has roles, and what they have signed is kept")
        }
        try await signatures.erase(subject, tenant: job.scope.tenant)
      },
      .lasting(Self.dueAccountsKind) { job in try await Self.findAccounts(job) },
      .lasting(Self.accountKind, passing: [Self.hold, Self.rolesRule]) { job in
        try await accounts.erase(String(decoding: job.payload, as: UTF8.self), tenant: job.scope.tenant)
      },
      .lasting(Self.mergedKind, passing: [Self.hold]) { job in try await Self.eraseMerged(job) },
    ]
  }
}
