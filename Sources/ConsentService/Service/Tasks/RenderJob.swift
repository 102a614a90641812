internal import Base
internal import ConsentContract
internal import ConsentDomain
internal import RPC
internal import ServicePolicy
package import Storage
internal import Wire

/// Renders the images of a record's signatures, after the record was made and after each counter-signature. The job is
/// retried while SignatureService cannot be reached, however long that takes.
package struct RenderJob: Sendable {
  static let kind = "consent.render"

  private let signatures: any SignatureFields

  package init(signatures: any SignatureFields) {
    self.signatures = signatures
  }

  /// The name of the vault's item for the image of a signature.
  static func item(_ recordID: String, _ signatureID: String) -> String { "image/\(recordID)/\(signatureID)" }

  /// The image of a signature, verified against its commitment; nil while it is not rendered.
  static func image(
    of signature: RecordSignature, on record: ConsentRecord, _ snapshot: Snapshot
  ) throws -> CommittedBytes? {
    let secrets = try RecordStore.secrets(record.recordID, of: record.subjectID, snapshot)
    let commitment = secrets.signatures.first { $0.signatureID == signature.signatureID }?.imageCommitment ?? ""
    return try snapshot.committed(
      item(record.recordID, signature.signatureID), of: record.subjectID, commitment, hash: signature.imageHash)
  }

  package var handler: JobHandler {
    .lasting(Self.kind) { job in try await run(job) }
  }

  private func run(_ job: Job) async throws {
    let id = String(decoding: job.payload, as: UTF8.self)
    let (record, secrets) = try await job.scope.read { snapshot in
      let record = try RecordStore.head(id, snapshot)
      return (record, try RecordStore.secrets(id, of: record.subjectID, snapshot))
    }
    var images: [String: [UInt8]] = [:]
    var failure: (any Error)?
    for signature in record.signatures where signature.imageHash.isEmpty {
      let typed = secrets.signatures.first { $0.signatureID == signature.signatureID }?.typed
      do {
        images[signature.signatureID] = try await picture(of: signature, typed, tenant: job.scope.tenant)
      } catch let status as Status where status.isRefusal(by: "subject_erased") {
        // There is nothing left to draw.
      } catch {
        failure = failure ?? error
      }
    }
    let rendered = images
    if let failure {
      // The images that could be drawn are stored now: nobody has to wait for one that could not.
      try await job.scope.write { transaction in try Self.store(rendered, of: id, transaction) }
      throw failure
    }
    try await job.finish { transaction in try Self.store(rendered, of: id, transaction) }
  }

  /// The picture of a signature, from the revision that was signed with; nil for a signature without drawing or typing.
  private func picture(
    of signature: RecordSignature, _ typed: TypedSignature?, tenant: Tenant
  ) async throws -> [UInt8]? {
    guard signature.fieldID.isEmpty else {
      return try await signatures.picture(
        ofSaved: signature.savedSignatureID, hash: signature.strokesHash, tenant: tenant)
    }
    guard let typed else { return nil }
    return try await signatures.picture(ofTyped: typed, tenant: tenant)
  }

  private static func store(_ images: [String: [UInt8]], of id: String, _ transaction: Transaction) throws {
    var record = try RecordStore.locked(id, transaction)
    let subject = try Subject.stored(record.subjectID)
    // The subject was erased meanwhile, so the image is not needed any more.
    if try transaction.vault.isErased(subject) { return }
    let known = record.history.count
    var secrets = try RecordStore.secrets(id, of: record.subjectID, transaction)
    // Another job of the same record may have stored them meanwhile.
    let missing = record.signatures.enumerated().compactMap { index, signature in
      signature.imageHash.isEmpty ? images[signature.signatureID].map { (index, signature.signatureID, $0) } : nil
    }
    if missing.isEmpty { return }
    for (index, signatureID, image) in missing {
      // The same typed name always gives the same picture, so a plain hash would reveal the name to whoever tries
      // names.
      let commitment = try transaction.commit(image, as: "signature image", item(id, signatureID), of: subject)
      record.signatures[index].imageHash = commitment.digest.hex
      secrets.change(signatureID) { $0.imageCommitment = commitment.id }
    }
    record.append(RecordEntry(kind: .rendered, at: Timestamp(transaction.now), actor: "system"))
    try RecordStore.saveSecrets(secrets, of: record, transaction)
    try RecordStore.save(record, known: known, transaction)
    try transaction.noteEntries(of: record, known: known, by: "system")
  }
}
