internal import Base
internal import ConsentContract
internal import ConsentDomain
internal import RPC
internal import ServicePolicy
internal import Storage
internal import Wire

/// The handlers of RecordService.
struct RecordHandlers: RecordServiceProtocol {
  let data: ServiceDatabase
  let clock: Clock
  let identifiers: IdentifierSource
  let statementKey: SigningKey
  let signatures: any SignatureFields
  let accounts: any SubjectAccounts
  let evidence: EvidenceSigner?
  let copies: CopyMaker
  let randomness: Randomness
  let fileParts: FileParts

  init(_ parts: ConsentParts) {
    data = parts.data
    clock = parts.clock
    identifiers = parts.identifiers
    statementKey = parts.statementKey
    signatures = parts.signatures
    accounts = parts.accounts
    evidence = parts.evidence
    copies = parts.copies
    randomness = parts.randomness
    fileParts = parts.fileParts
  }

  func getRecord(_ request: GetRecordRequest, context: CallContext) async throws -> GetRecordResponse {
    try await data.disclose(context, of: Self.record(request.recordID)) { snapshot, record, disclosure in
      GetRecordResponse(record: try record.opened(snapshot, &disclosure).asOfNow(snapshot))
    }
  }

  func listRecords(_ request: ListRecordsRequest, context: CallContext) async throws -> ListRecordsResponse {
    let touched = AccessTarget.everything(in: request.studyID, site: request.siteID)
    return try await data.disclose(context, of: { _, _ in touched }) { snapshot, _, disclosure in
      let page = try PageRequest(size: request.pageSize, token: request.pageToken)
      let (records, next) = try RecordSearch.list(RecordQuery(request), page, snapshot)
      disclosure.note(records.count, "records", of: touched, for: "list of records")
      return ListRecordsResponse(
        records: try records.map { try $0.withCopies(snapshot).withAttempts(snapshot) }, nextPageToken: next)
    }
  }

  func getSubjectHistory(
    _ request: GetSubjectHistoryRequest, context: CallContext
  ) async throws -> GetSubjectHistoryResponse {
    let find = Self.readable(of: request.subjectID, in: request.studyID)
    return try await data.disclose(context, of: find) { snapshot, found, disclosure in
      var records: [ConsentRecord] = []
      for head in found.value {
        let record = try RecordStore.record(head.recordID, snapshot)
        records.append(try record.opened(snapshot, &disclosure, for: "history").asOfNow(snapshot))
      }
      return GetSubjectHistoryResponse(records: records)
    }
  }

  func listDecisions(_ request: ListDecisionsRequest, context: CallContext) async throws -> ListDecisionsResponse {
    let page = try PageRequest(size: request.pageSize, token: request.pageToken)
    let find = Self.readable(of: request.subjectID, in: request.studyID)
    return try await data.disclose(context, of: find) { snapshot, found, disclosure in
      for record in found.value { disclosure.note(record, for: "list of decisions") }
      let open = Set(found.value.map(\.recordID))
      let decisions = try DecisionStore.verified(of: request.subjectID, snapshot).filter { open.contains($0.recordID) }
      let (listed, next) = try page.page(of: decisions) { "\($0.subjectID)/\($0.number)" }
      return ListDecisionsResponse(decisions: listed, nextPageToken: next)
    }
  }

  /// Finds the records of a person that the caller may read, in one study or in all.
  private static func readable(
    of subjectID: String, in studyID: String
  ) -> ServiceDatabase.Lookup<Found<[ConsentRecord]>> {
    { snapshot, gate in
      let heads = try RecordStore.heads(ofPerson: subjectID, snapshot).filter { record in
        studyID.isEmpty || record.studyID == studyID
      }
      // Records of studies in which the caller may not read are left out. If none remains, the refusal says why.
      let readable = try heads.filter { try gate.isOpen(to: $0, snapshot) }
      if !readable.isEmpty { return Found(readable, targets: readable) }
      guard heads.isEmpty else { return Found([], targets: heads) }
      return Found([], targets: AccessTarget.person(subjectID, in: studyID))
    }
  }

  func getShownContent(
    _ request: GetShownContentRequest, context: CallContext
  ) async throws -> GetShownContentResponse {
    try await data.disclose(context, of: Self.head(request.recordID)) { snapshot, record, disclosure in
      try RecordStore.verify([record], snapshot)
      if record.kind == .paper {
        disclosure.note(record, for: "scan")
        let scan = try RecordStore.scan(of: record, snapshot)
        let type = PaperRules.mediaType(of: scan?.bytes ?? []) ?? "application/octet-stream"
        return GetShownContentResponse(
          contentType: type, content: scan?.bytes ?? [], hash: record.scanHash, salt: scan?.salt ?? [])
      }
      switch try RecordStore.shown(on: record, snapshot) {
      case .composed(let bytes):
        let file = record.fileHash.isEmpty ? [] : try DocumentStore.asset(record.fileHash, snapshot).data
        return GetShownContentResponse(
          contentType: ShownContent.composedType, content: bytes, hash: record.shownHash, file: file)
      case .named(let page):
        disclosure.note(record, for: "shown text")
        let file = record.fileHash.isEmpty ? [] : try DocumentStore.asset(record.fileHash, snapshot).data
        return GetShownContentResponse(
          contentType: ShownContent.composedType, content: page.bytes, hash: record.shownHash, salt: page.salt,
          file: file)
      case .ownText(let text):
        disclosure.note(record, for: "shown text")
        return GetShownContentResponse(
          contentType: ShownContent.ownType, content: text.bytes, hash: record.shownHash, salt: text.salt)
      }
    }
  }

  func getSignatureImage(
    _ request: GetSignatureImageRequest, context: CallContext
  ) async throws -> GetSignatureImageResponse {
    try await data.disclose(context, of: Self.head(request.recordID)) { snapshot, record, disclosure in
      guard let signature = record.signatures.first(where: { $0.signatureID == request.signatureID }) else {
        throw Refusal.notFound("signature", request.signatureID)
      }
      guard signature.typed || !signature.fieldID.isEmpty else {
        let message = "signature_id is '\(signature.signatureID)', which was given without drawing or typing"
        throw Refusal(.precondition, "no_image", field: "signature_id", message)
      }
      guard let image = try RenderJob.image(of: signature, on: record, snapshot) else {
        let message =
          "signature '\(signature.signatureID)' of record '\(record.recordID)' is not rendered yet; try again shortly"
        throw Refusal(.precondition, "not_rendered", field: "signature_id", message)
      }
      disclosure.note(record, for: "signature picture")
      return GetSignatureImageResponse(
        contentType: "image/png", content: image.bytes, hash: signature.imageHash, salt: image.salt)
    }
  }

  // MARK: Finding

  /// Finds the record that a call is about, with its history.
  static func record(_ id: String) -> ServiceDatabase.Lookup<ConsentRecord> {
    { snapshot, _ in try RecordStore.record(id, snapshot) }
  }

  /// Finds the record that a call is about.
  static func head(_ id: String) -> ServiceDatabase.Lookup<ConsentRecord> {
    { snapshot, gate in
      let record = try RecordStore.head(id, snapshot)
      // A browser reads what came of its session, as long as that was not taken over.
      if let session = gate.session { _ = try StoredSession.named(session)(snapshot, gate) }
      return record
    }
  }
}
