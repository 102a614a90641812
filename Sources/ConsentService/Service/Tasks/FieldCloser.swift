internal import ConsentContract
internal import RPC
internal import ServicePolicy
internal import Storage

/// Closes the fields that were signed with, in SignatureService: right after the commit that signs, and by a job of the
/// same commit if that did not succeed or did not happen.
struct FieldCloser: Sendable {
  static let kind = "consent.close-field"

  let database: Database
  let signatures: any SignatureFields

  /// The job waits a while, since usually it finds the field closed.
  static func enqueue(_ fieldID: String, _ transaction: Transaction) throws {
    try transaction.enqueue(kind, Array(fieldID.utf8), id: "close-\(fieldID)", after: .seconds(5))
  }

  var handler: JobHandler {
    // A field that is closed with another revision, or was made for something else, stays so.
    .lasting(Self.kind, until: .finalVerdicts) { job in
      try await close(String(decoding: job.payload, as: UTF8.self), job.scope)
    }
  }

  /// Closes the field of a signature that was just given. That it could not be closed now changes nothing: the
  /// signature stands, and the job goes on.
  func closeNow(_ input: SignatureInput?, _ context: CallContext) async {
    guard case .drawn(let drawn) = input?.image, let tenant = Tenant(context.identity.tenant) else { return }
    try? await close(drawn.fieldID, database.scope(tenant))
  }

  private func close(_ fieldID: String, _ scope: Scope) async throws {
    guard let pin = try await scope.read({ try PinStore.pin(of: fieldID, $0) }) else { return }
    try await signatures.close(fieldID, with: pin.revision, madeFor: pin.place, tenant: scope.tenant)
  }
}
