internal import ServicePolicy
internal import Storage

/// Carries legal holds to the other services that store the subject's personal data. Each service has a job of its own,
/// so that one that cannot be reached does not delay the other.
struct HoldJob: Sendable {
  private static let signatureKind = "consent.hold-signatures"
  private static let accountKind = "consent.hold-account"
  /// The reason that the other services put on record; the true reason stays in this service.
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

  /// Sends the other service the present state of the hold, and repeats that until the state has not changed while it
  /// was sent. So of two jobs for one subject, the one that ends last leaves the right state.
  private func carry(_ job: Job, to other: (String, Bool) async throws -> Void) async throws {
    guard let subject = Subject(String(decoding: job.payload, as: UTF8.self)) else { return }
    var told: Bool?
    while case let isHeld = try await Self.isHeld(subject, job.scope), isHeld != told {
      try await other(subject.id, isHeld)
      told = isHeld
    }
  }

  /// Whether a subject is held; false for an erased one. The other services are told so too: a hold that is left there
  /// would block the erasure.
  private static func isHeld(_ subject: Subject, _ scope: Scope) async throws -> Bool {
    try await scope.read { snapshot in
      try !snapshot.vault.isErased(subject) && snapshot.vault.isHeld(subject)
    }
  }
}
