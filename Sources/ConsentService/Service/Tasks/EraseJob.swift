internal import Base
internal import ServicePolicy
package import Storage

/// Continues an erasure in other services that store the subject's personal data: a job for each of them, so that one
/// that cannot be reached keeps no other from erasing. It goes on until they have erased, also while a hold of their
/// own is on the subject.
package struct EraseJob: Sendable {
  private static let signatureKind = "consent.erase"
  private static let dueAccountsKind = "consent.find-accounts-to-erase"
  private static let accountKind = "consent.erase-account"
  private static let mergedKind = "consent.erase-merged"
  /// The rule by which a service refuses to erase whom it holds; it erases once that hold is lifted.
  private static let hold = "legal_hold"

  private let signatures: any SignatureFields
  private let accounts: any SubjectAccounts

  package init(signatures: any SignatureFields, accounts: any SubjectAccounts) {
    self.signatures = signatures
    self.accounts = accounts
  }

  /// Queues both, once the subject is erased here. Nothing keeps a second job from being queued for one subject: asking
  /// again is how an erasure that was given up begins anew, and erasing what is erased changes nothing.
  static func enqueue(for subject: Subject, _ transaction: Transaction) throws {
    for kind in [signatureKind, dueAccountsKind] { try transaction.enqueue(kind, Array(subject.id.utf8)) }
  }

  /// Queues the erasure of the accounts that are due, once that of the subject is committed: of two erasures at the
  /// same time neither sees the other, and the job of the later one sees both.
  private static func findAccounts(_ job: Job) async throws {
    guard let subject = Subject(String(decoding: job.payload, as: UTF8.self)) else { return }
    try await job.finish { transaction in
      for account in try accounts(concerning: subject, transaction) {
        try transaction.enqueue(accountKind, Array(account.utf8))
      }
    }
  }

  /// The accounts to erase now. AccountService erases with an account those that were merged into it, and nobody but
  /// its person acts on what is on record under these: it waits until nothing is kept here under any of them.
  private static func accounts(concerning subject: Subject, _ snapshot: Snapshot) throws -> [String] {
    try MergedAccounts.names(of: subject.id, snapshot).filter { name in
      let ended = try MergedAccounts.ended(into: name, snapshot)
      guard name == subject.id || ended.contains(subject.id) else { return false }
      guard let account = Subject(name), try snapshot.vault.isErased(account) else { return false }
      return try ended.allSatisfy { try !Retention.isKept($0, snapshot) }
    }
  }

  /// Queues the erasure of identifiers that were merged into one whose erasure was requested, whichever comes first.
  /// Both the request and the merge queue it: of two at the same time neither sees the other, and the job of the later
  /// one sees both.
  static func enqueue(forMergedInto subject: Subject, _ transaction: Transaction) throws {
    try transaction.enqueue(mergedKind, Array(subject.id.utf8))
  }

  /// The same for identifiers that may have no job. It is queued once a day at most, also if the job is given up, and
  /// not while one of them is held: none would be erased.
  static func enqueueOwed(by account: Subject, _ transaction: Transaction) throws {
    let owed = try Self.owed(by: account, transaction)
    guard let first = owed.first, try owed.allSatisfy({ try !transaction.vault.isHeld($0) }) else { return }
    let day = CalendarDay(of: transaction.now)
    try transaction.enqueue(mergedKind, Array(account.id.utf8), id: "\(mergedKind)/\(day)/\(account)/\(first)")
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
      .lasting(Self.signatureKind, passing: [Self.hold]) { job in
        try await signatures.erase(String(decoding: job.payload, as: UTF8.self), tenant: job.scope.tenant)
      },
      .lasting(Self.dueAccountsKind) { job in try await Self.findAccounts(job) },
      .lasting(Self.accountKind, passing: [Self.hold]) { job in
        try await accounts.erase(String(decoding: job.payload, as: UTF8.self), tenant: job.scope.tenant)
      },
      .lasting(Self.mergedKind, passing: [Self.hold]) { job in try await Self.eraseMerged(job) },
    ]
  }
}
