internal import Base
internal import Bus
internal import ConsentContract
internal import ServicePolicy
internal import Storage

/// Copies of consents as files: for those whose they are, and for whoever was handed one.
extension RecordHandlers {
  func getSignedCopy(_ request: GetSignedCopyRequest, context: CallContext) async throws -> GetSignedCopyResponse {
    let wanted = try await data.disclose(context, of: Self.head(request.recordID)) {
      [evidence] snapshot, record, disclosure in
      guard let stored = try CopyStore.verified(record, snapshot), let copy = stored.copy else {
        throw Refusal(
          .precondition, "no_signed_copy", field: "record_id",
          "record '\(record.recordID)' has no document that was agreed to")
      }
      disclosure.note(record, for: "signed copy")
      let file = try CopyStore.file(of: stored, record, snapshot)
      guard request.withEvidence else {
        let paper = file == nil ? try CopyReader.paper(of: record, isSoFar: true, snapshot) : nil
        return Wanted(copy: copy, file: file, paper: paper)
      }
      guard file != nil else {
        throw Refusal(
          .precondition, "not_sealed", field: "with_evidence",
          "the copy of record '\(record.recordID)' is not sealed yet, so there is nothing to add evidence to")
      }
      _ = try evidence.required()
      let full = try RecordStore.record(record.recordID, snapshot)
      return Wanted(
        copy: copy, file: file, paper: try CopyReader.paper(of: record, snapshot),
        evidence: try RecordEvidence(of: full, snapshot))
    }
    return try await answer(wanted, request.recordID, try context.tenant())
  }

  /// What a call for a copy found.
  private struct Wanted: Sendable {
    let copy: SignedCopy
    let file: CommittedBytes?
    /// What is to be laid out.
    let paper: CopyPaper?
    var evidence: RecordEvidence?
  }

  private func answer(_ wanted: Wanted, _ recordID: String, _ tenant: Tenant) async throws -> GetSignedCopyResponse {
    let type = "application/pdf"
    guard let paper = wanted.paper else {
      return GetSignedCopyResponse(
        contentType: type, content: wanted.file?.bytes ?? [], copy: wanted.copy, sealed: true,
        salt: wanted.file?.salt ?? [])
    }
    guard let evidence = wanted.evidence, let file = wanted.file else {
      let content = try await copies.papers.compose(paper, tenant: tenant)
      return GetSignedCopyResponse(contentType: type, content: content, copy: wanted.copy)
    }
    var full = copies.sealable(paper, wanted.copy.verificationID)
    full.attachments = [
      CopyAttachment(
        name: "evidence.json", mediaType: "application/json", description: "Evidence, for assent verify evidence",
        bytes: try await bundle(evidence, about: recordID, earlier: [], of: tenant)),
      CopyAttachment(
        name: "signed-copy.pdf", mediaType: type, description: "The signed copy on record", bytes: file.bytes),
    ]
    let sealed = try await copies.sealed(full, tenant)
    return GetSignedCopyResponse(contentType: type, content: sealed.bytes, copy: wanted.copy, sealed: true)
  }

  /// Open to anybody who has the identifier: it cannot be guessed, and what it leads to names nobody.
  func checkSignedCopy(
    _ request: CheckSignedCopyRequest, context: CallContext
  ) async throws -> CheckSignedCopyResponse {
    guard let id = VerificationID(request.verificationID) else { throw Self.unknown }
    guard request.sha256.isEmpty || request.sha256.utf8.count == 64, let digest = Hex.decode(request.sha256) else {
      throw Refusal(
        .invalid, "bad_digest", field: "sha256", "sha256 is no SHA-256 in 64 hexadecimal digits")
    }
    return try await data.database.scope(id.tenant).read(within: context.patience) { snapshot in
      guard let stored = try CopyStore.copy(named: id, snapshot), var copy = stored.copy else { throw Self.unknown }
      let record = try RecordStore.head(stored.recordID, snapshot)
      try CopyStore.verify([stored], of: record, snapshot)
      let isErased = try snapshot.vault.isErased(try Subject.checked(record.subjectID))
      copy.reason = ""
      return CheckSignedCopyResponse(
        copy: copy, erased: isErased,
        comparison: try Self.compare(digest, with: stored.files, isErased: isErased, snapshot))
    }
  }

  private static let unknown = Refusal(
    .notFound, "unknown_verification", field: "verification_id", "there is no document with this verification_id")

  private static func compare(
    _ digest: [UInt8], with files: [SealedFile], isErased: Bool, _ snapshot: Snapshot
  ) throws -> CopyComparison {
    guard !digest.isEmpty else { return .unspecified }
    guard !isErased else { return .erased }
    for (index, file) in files.enumerated() {
      let opening = try snapshot.vault.opening(of: file.commitment)
      guard opening.digest.hex == file.hash else {
        throw DatabaseError(.corrupt, "a commitment of a signed copy is not the one on record: it was altered")
      }
      if opening.value == digest { return index == files.count - 1 ? .same : .earlier }
    }
    return .different
  }
}
