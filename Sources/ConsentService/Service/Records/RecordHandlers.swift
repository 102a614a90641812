internal import Base
internal import Bus
internal import ConsentContract
internal import ServicePolicy
internal import Storage
internal import Wire

/// The handlers of RecordService.
struct RecordHandlers: RecordServiceProtocol {
  let data: ServiceDatabase
  let clock: Clock
  let identifiers: IdentifierSource
  let statementKey: StatementKey
  let heads: RecordHeads

  init(_ parts: ConsentParts) {
    data = parts.data
    clock = parts.clock
    identifiers = parts.identifiers
    statementKey = parts.statementKey
    heads = parts.heads
  }

  func getRecord(_ request: GetRecordRequest, context: CallContext) async throws -> GetRecordResponse {
    try await data.disclose(context) { snapshot, caller, disclosure in
      let record = try RecordStore.record(request.recordID, snapshot)
      try record.requireReading(by: caller)
      return GetRecordResponse(record: try record.opened(snapshot, &disclosure))
    }
  }

  func listRecords(_ request: ListRecordsRequest, context: CallContext) async throws -> ListRecordsResponse {
    try await data.read(context) { snapshot, caller in
      try caller.require(Role.readers, study: request.studyID, site: request.siteID)
      let page = try PageRequest(size: request.pageSize, token: request.pageToken)
      let query = RecordQuery(
        studyID: request.studyID, siteID: request.siteID, subjectID: request.subjectID, documentID: request.documentID,
        documentVersion: request.documentVersion, states: request.state == .unspecified ? [] : [request.state],
        from: request.decidedFrom?.clamped, until: request.decidedUntil?.clamped, isTest: request.test)
      let (records, next) = try RecordSearch.list(query, page, snapshot)
      return ListRecordsResponse(records: records, nextPageToken: next)
    }
  }

  func getSubjectHistory(
    _ request: GetSubjectHistoryRequest, context: CallContext
  ) async throws -> GetSubjectHistoryResponse {
    try await data.disclose(context) { snapshot, caller, disclosure in
      let heads = try RecordStore.heads(of: request.subjectID, snapshot).filter { record in
        request.studyID.isEmpty || record.studyID == request.studyID
      }
      // Of several studies, those in which the caller may read; if there is none, the refusal says why.
      let readable = heads.filter { (try? $0.requireReading(by: caller)) != nil }
      if readable.isEmpty { try heads.first?.requireReading(by: caller) }
      var records: [ConsentRecord] = []
      for head in readable {
        records.append(try RecordStore.record(head.recordID, snapshot).opened(snapshot, &disclosure))
      }
      return GetSubjectHistoryResponse(records: records)
    }
  }

  func getShownContent(
    _ request: GetShownContentRequest, context: CallContext
  ) async throws -> GetShownContentResponse {
    try await data.disclose(context) { snapshot, caller, disclosure in
      let record = try RecordStore.head(request.recordID, snapshot)
      try record.requireReading(by: caller)
      if record.kind == .paper {
        disclosure.note(record)
        let scan = try snapshot.personal(PaperRules.item(record.recordID), of: record.subjectID)
        let type = PaperRules.mediaType(of: scan ?? []) ?? "application/octet-stream"
        return GetShownContentResponse(contentType: type, content: scan ?? [], hash: record.scanHash)
      }
      let shown = try RecordStore.shown(record.shownHash, snapshot)
      return GetShownContentResponse(contentType: shown.contentType, content: shown.bytes, hash: record.shownHash)
    }
  }

  func getSignatureImage(
    _ request: GetSignatureImageRequest, context: CallContext
  ) async throws -> GetSignatureImageResponse {
    try await data.disclose(context) { snapshot, caller, disclosure in
      let record = try RecordStore.head(request.recordID, snapshot)
      try record.requireReading(by: caller)
      guard let signature = record.signatures.first(where: { $0.signatureID == request.signatureID }) else {
        throw Refusal.notFound("signature", request.signatureID)
      }
      let item = RenderJob.item(record.recordID, signature.signatureID)
      guard let image = try snapshot.personal(item, of: record.subjectID) else {
        let message =
          "signature '\(signature.signatureID)' of record '\(record.recordID)' is not rendered yet; try again shortly"
        throw Refusal(.precondition, "not_rendered", field: "signature_id", message)
      }
      disclosure.note(record)
      return GetSignatureImageResponse(contentType: "image/png", content: image, hash: signature.imageHash)
    }
  }
}
