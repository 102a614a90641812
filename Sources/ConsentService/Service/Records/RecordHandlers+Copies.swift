internal import Base
internal import ConsentContract
internal import RPC
internal import ServicePolicy
internal import Storage

/// Signed copies: given out to those who may read the record, and checked for anybody who was handed one.
extension RecordHandlers {
  func getSignedCopy(_ request: GetSignedCopyRequest, context: CallContext) async throws -> GetSignedCopyResponse {
    let wanted = try await data.disclose(context, of: Self.head(request.recordID)) {
      [evidence] snapshot, record, disclosure in
      try RecordStore.verify([try record.withCopies(snapshot)], snapshot)
      guard let whole = try CopyStore.copy(of: CopyName(record.recordID), snapshot) else {
        throw Refusal(
          .precondition, "no_signed_copy", field: "record_id",
          "record '\(record.recordID)' has no document that was agreed to")
      }
      disclosure.note(record, for: "signed copy")
      var wanted = try Self.wanted(request, whole, record, snapshot)
      let signed = record.signed(on: wanted.stored)
      guard request.withEvidence else {
        if wanted.file == nil { wanted.paper = try CopyReader.paper(of: signed, isSoFar: true, snapshot) }
        return wanted
      }
      guard wanted.file != nil else {
        throw Refusal(
          .precondition, "not_sealed", field: "with_evidence",
          "the copy of record '\(record.recordID)' is not sealed yet, so there is nothing to add evidence to")
      }
      _ = try evidence.required()
      let full = try RecordStore.record(record.recordID, snapshot)
      wanted.paper = try CopyReader.paper(of: signed, snapshot)
      wanted.evidence = try RecordEvidence(of: full, snapshot)
      return wanted
    }
    return try await answer(wanted, request.recordID, try context.tenant())
  }

  /// The copy that a call asks for, with its file if one is sealed.
  private struct Wanted: Sendable {
    let stored: StoredCopy
    let part: CopyName.Part
    let file: CommittedBytes?
    /// The paper that is to be laid out; nil if the sealed file is returned as it is.
    var paper: CopyPaper?
    var evidence: RecordEvidence?

    var copy: SignedCopy { stored.copy ?? SignedCopy() }
  }

  /// The whole copy if its file is sealed and the call does not ask for the participant's; else the participant's copy
  /// if that is sealed; else the whole copy without a file.
  private static func wanted(
    _ request: GetSignedCopyRequest, _ whole: StoredCopy, _ record: ConsentRecord, _ snapshot: Snapshot
  ) throws -> Wanted {
    guard request.beforeCorrection == 0 else {
      let part: CopyName.Part = request.participantCopy ? .participant : .whole
      let stored = request.participantCopy ? try CopyStore.copy(of: CopyName(record.recordID, part), snapshot) : whole
      guard !request.withEvidence, let stored,
        let file = try CopyStore.file(
          of: stored, beforeCorrection: request.beforeCorrection, part, record, snapshot)
      else {
        throw Refusal(
          .precondition, "no_earlier_copy", field: "before_correction",
          "record '\(record.recordID)' has no file that was sealed before correction \(request.beforeCorrection)")
      }
      return Wanted(stored: stored, part: part, file: file)
    }
    if !request.participantCopy, let file = try CopyStore.file(of: whole, .whole, record, snapshot) {
      return Wanted(stored: whole, part: .whole, file: file)
    }
    let early = try CopyStore.copy(of: CopyName(record.recordID, .participant), snapshot)
    if let early, let file = try CopyStore.file(of: early, .participant, record, snapshot) {
      return Wanted(stored: early, part: .participant, file: file)
    }
    guard !request.participantCopy else {
      throw Refusal(
        .precondition, "no_participant_copy", field: "participant_copy",
        "record '\(record.recordID)' has no sealed file on which others had still to sign")
    }
    // Laying the document out for a reader would end a process as well.
    let copies = [whole, early].compactMap { $0?.copy }
    guard !copies.contains(where: \.endsProcesses) else {
      throw CopyProblem.lost(isLast: copies.contains(where: \.wasGivenUp))
    }
    return Wanted(stored: whole, part: .whole, file: nil)
  }

  private func answer(_ wanted: Wanted, _ recordID: String, _ tenant: Tenant) async throws -> GetSignedCopyResponse {
    let type = "application/pdf"
    let isParticipants = wanted.part == .participant
    guard let paper = wanted.paper else {
      return GetSignedCopyResponse(
        contentType: type, content: wanted.file?.bytes ?? [], copy: wanted.copy, sealed: true,
        salt: wanted.file?.salt ?? [], participantCopy: isParticipants)
    }
    guard let evidence = wanted.evidence, let file = wanted.file else {
      let content = try await copies.composed(paper, tenant)
      return GetSignedCopyResponse(contentType: type, content: content, copy: wanted.copy)
    }
    var full = paper
    full.isSealable = true
    full.attachments += [
      CopyAttachment(
        name: "evidence.json", mediaType: "application/json", description: "Evidence, for assent verify evidence",
        bytes: try await bundle(evidence, about: recordID, earlier: [], of: tenant)),
      CopyAttachment(
        name: "signed-copy.pdf", mediaType: type, description: "The signed copy on record", bytes: file.bytes),
    ]
    let sealed = try await copies.sealed(full, tenant)
    var copy = SignedCopy(state: .sealed, verificationID: wanted.copy.verificationID)
    sealed.describe(in: &copy, at: clock.now)
    // This file is not stored, so no job will add a time stamp to it.
    copy.reason = ""
    return GetSignedCopyResponse(
      contentType: type, content: sealed.bytes, copy: copy, sealed: true, participantCopy: isParticipants)
  }

  /// Queues one more try for the copies of a record that were given up.
  func retrySignedCopy(
    _ request: RetrySignedCopyRequest, context: CallContext
  ) async throws -> RetrySignedCopyResponse {
    try await data.once(request, context, of: Self.head(request.recordID)) { transaction, _, record in
      if try transaction.vault.isErased(try Subject.stored(record.subjectID)) {
        throw Refusal(.precondition, "subject_erased", field: "record_id", "the data of its subject were erased")
      }
      guard try CopyFiling.retry(record, transaction) else {
        throw Refusal(
          .precondition, "not_given_up", field: "record_id",
          "no copy of record '\(record.recordID)' was given up: what waits is tried again by itself")
      }
      let now = try record.withCopies(transaction)
      return RetrySignedCopyResponse(copy: now.signedCopy, participantCopy: now.participantCopy)
    }
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
    return try await data.readByKind(context, in: id.tenant) { snapshot in
      guard let (stored, part) = try CopyStore.copy(named: id, snapshot), var copy = stored.copy else {
        throw Self.unknown
      }
      let record = try RecordStore.head(stored.recordID, snapshot)
      try snapshot.verify([CopyStore.row(CopyName(record.recordID, part), of: record)])
      let isErased = try snapshot.vault.isErased(try Subject.stored(record.subjectID))
      copy.reason = ""
      return CheckSignedCopyResponse(
        copy: copy, erased: isErased,
        comparison: try Self.compare(digest, with: stored.files, isErased: isErased, snapshot),
        participantCopy: part == .participant)
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
