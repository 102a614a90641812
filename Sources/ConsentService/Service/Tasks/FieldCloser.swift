internal import ConsentContract
internal import RPC
internal import ServicePolicy
internal import Storage

/// Closes in SignatureService the fields that were signed with: right after the commit of the signature, and by a job
/// of the same commit in case that fails or is never reached.
struct FieldCloser: Sendable {
  static let kind = "consent.close-field"

  let database: Database
  let signatures: any SignatureFields

  /// Queues the job with a delay, since `closeNow` has usually closed the field by then.
  static func enqueue(_ fieldID: String, _ transaction: Transaction) throws {
    try transaction.enqueue(kind, Array(fieldID.utf8), id: "close-\(fieldID)", after: .seconds(5))
  }

  var handler: JobHandler {
    // SignatureService refuses for good if the field is closed with another revision or was made for something else.
    .lasting(Self.kind, until: .finalVerdicts) { job in
      try await close(String(decoding: job.payload, as: UTF8.self), job.scope)
    }
  }

  /// Closes the field of a signature that was just given. A failure changes nothing: the signature is on record, and
  /// the job closes the field later.
  func closeNow(_ input: SignatureInput?, _ context: CallContext) async {
    guard case .drawn(let drawn) = input?.image, let tenant = Tenant(context.identity.tenant) else { return }
    try? await close(drawn.fieldID, database.scope(tenant))
  }

  private func close(_ fieldID: String, _ scope: Scope) async throws {
    guard let pin = try await scope.read({ try PinStore.pin(of: fieldID, $0) }) else { return }
    try await signatures.close(fieldID, with: pin.revision, madeFor: pin.place, tenant: scope.tenant)
  }
}
