internal import Bus
package import Storage

/// Continues an erasure in other services that store the subject's personal data: a job for each of them, so that one
/// that cannot be reached keeps no other from erasing. It goes on until they have erased, also while a hold of their own
/// is on the subject.
package struct EraseJob: Sendable {
  static let signatureKind = "consent.erase"
  static let accountKind = "consent.erase-account"

  private let signatures: any SignatureFields
  private let accounts: any SubjectAccounts

  package init(signatures: any SignatureFields, accounts: any SubjectAccounts) {
    self.signatures = signatures
    self.accounts = accounts
  }

  package var handlers: [JobHandler] {
    [
      .lasting(Self.signatureKind, while: Self.isPassing) { job in
        try await signatures.erase(String(decoding: job.payload, as: UTF8.self), tenant: job.scope.tenant)
      },
      .lasting(Self.accountKind, while: Self.isPassing) { job in
        try await accounts.erase(String(decoding: job.payload, as: UTF8.self), tenant: job.scope.tenant)
      },
    ]
  }

  private static func isPassing(_ code: StatusCode) -> Bool { code.isOutage || code == .failedPrecondition }
}
