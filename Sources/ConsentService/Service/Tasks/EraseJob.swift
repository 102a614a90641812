package import Storage

/// Continues an erasure in other services that store the subject's personal data.
package struct EraseJob: Sendable {
  static let kind = "consent.erase"

  private let signatures: any SignatureFields

  package init(signatures: any SignatureFields) {
    self.signatures = signatures
  }

  package var handler: JobHandler {
    JobHandler(Self.kind) { job in
      try await signatures.erase(String(decoding: job.payload, as: UTF8.self), tenant: job.scope.tenant)
    }
  }
}
