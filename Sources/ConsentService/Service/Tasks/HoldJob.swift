internal import ServicePolicy
internal import Storage

/// Carries legal holds to the other services that store the subject's personal data: a job for each of them, so that
/// one that cannot be reached keeps the other from nothing.
struct HoldJob: Sendable {
  private static let signatureKind = "consent.hold-signatures"
  private static let accountKind = "consent.hold-account"
  /// The reason that the other services put on record: the true one stays here.
  static let reason = "a legal hold in ConsentService"

  private let signatures: any SignatureFields
  private let accounts: any SubjectAccounts

  init(signatures: any SignatureFields, accounts: any SubjectAccounts) {
    self.signatures = signatures
    self.accounts = accounts
  }

  static func enqueue(for subject: Subject, _ transaction: Transaction) throws {
    for kind in [signatureKind, accountKind] { try transaction.enqueue(kind, Array(subject.id.utf8)) }
  }

  var handlers: [JobHandler] {
    [
      .lasting(Self.signatureKind) { job in
        try await carry(job) { try await signatures.hold($0, $1, tenant: job.scope.tenant) }
      },
      .lasting(Self.accountKind) { job in
        try await carry(job) { try await accounts.hold($0, $1, tenant: job.scope.tenant) }
      },
    ]
  }

  /// Tells the other service what is so now, until it was told nothing that has changed meanwhile: of two jobs for one
  /// subject, whichever ends last leaves the truth.
  private func carry(_ job: Job, to other: (String, Bool) async throws -> Void) async throws {
    guard let subject = Subject(String(decoding: job.payload, as: UTF8.self)) else { return }
    var told: Bool?
    while case let isHeld = try await Self.isHeld(subject, job.scope), isHeld != told {
      try await other(subject.id, isHeld)
      told = isHeld
    }
  }

  /// An erased subject is held no longer. The other services are told so: a hold that is left there would keep the
  /// erasure from them.
  private static func isHeld(_ subject: Subject, _ scope: Scope) async throws -> Bool {
    try await scope.read { snapshot in
      try !snapshot.vault.isErased(subject) && snapshot.vault.isHeld(subject)
    }
  }
}
