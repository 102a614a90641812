internal import Bus
internal import ConsentContract
internal import ServicePolicy
internal import Storage

/// Evidence, for whoever does not have to trust this installation.
extension RecordHandlers {
  func getEvidence(_ request: GetEvidenceRequest, context: CallContext) async throws -> GetEvidenceResponse {
    let wanted = try await data.disclose(context, of: Self.record(request.recordID)) {
      [evidence] snapshot, record, disclosure in
      disclosure.note(record)
      _ = try evidence.required()
      return try RecordEvidence(of: record, snapshot)
    }
    let (signer, tenant) = (try evidence.required(), try context.tenant())
    var selection = wanted.selection
    selection.earlier = try signer.kept(request.earlierHeads, of: tenant)
    let log = try await signer.evidence(of: tenant, selection)
    var others: [[UInt8]] = []
    if !wanted.fieldIDs.isEmpty {
      let fields = wanted.fieldIDs
      others = [try await signatures.evidence(ofFields: fields, earlier: request.earlierHeads, tenant: tenant)]
    }
    let bundle = try EvidenceBundle(
      about: [("record", request.recordID), ("tenant", tenant.id)], logs: [log], joining: others)
    return GetEvidenceResponse(contentType: "application/json", content: Array(bundle.json.utf8))
  }

  func listConsentHeads(
    _ request: ListConsentHeadsRequest, context: CallContext
  ) async throws -> ListConsentHeadsResponse {
    let (heads, next) = try await data.signedHeads(after: request.afterSize, limit: request.pageSize, context)
    return ListConsentHeadsResponse(heads: heads, nextAfterSize: next)
  }
}
