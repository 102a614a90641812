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

  /// Queues both. Nothing keeps a second job from being queued for one subject: asking again is how an erasure that was
  /// given up begins anew, and erasing what is erased changes nothing.
  static func enqueue(for subject: Subject, _ transaction: Transaction) throws {
    for kind in [signatureKind, accountKind] { try transaction.enqueue(kind, Array(subject.id.utf8)) }
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
