internal import ConsentContract
internal import RPC
internal import ServicePolicy
internal import Storage

/// Evidence for people who do not have to trust this installation.
extension RecordHandlers {
  func getEvidence(_ request: GetEvidenceRequest, context: CallContext) async throws -> GetEvidenceResponse {
    let wanted = try await data.disclose(context, of: Self.record(request.recordID)) {
      [evidence] snapshot, record, disclosure in
      disclosure.note(record)
      try RecordStore.verify([record], snapshot)
      _ = try evidence.required()
      return try RecordEvidence(of: record, snapshot)
    }
    let bundle = try await bundle(
      wanted, about: request.recordID, earlier: request.earlierHeads, of: try context.tenant())
    return GetEvidenceResponse(contentType: "application/json", content: bundle)
  }

  /// The evidence for a record, joined with that for the fields that it was signed in.
  func bundle(
    _ wanted: RecordEvidence, about recordID: String, earlier heads: [String], of tenant: Tenant
  ) async throws -> [UInt8] {
    let signer = try evidence.required()
    var selection = wanted.selection
    selection.earlier = try signer.kept(heads, of: tenant)
    let log = try await signer.evidence(of: tenant, selection)
    var others: [[UInt8]] = []
    if !wanted.fieldIDs.isEmpty {
      others = [try await signatures.evidence(ofFields: wanted.fieldIDs, earlier: heads, tenant: tenant)]
    }
    let bundle = try EvidenceBundle(
      about: [("record", recordID), ("tenant", tenant.id)], logs: [log], joining: others)
    return Array(bundle.json.utf8)
  }

  func listConsentHeads(
    _ request: ListConsentHeadsRequest, context: CallContext
  ) async throws -> ListConsentHeadsResponse {
    let (heads, next) = try await data.signedHeads(after: request.afterSize, limit: request.pageSize, context)
    return ListConsentHeadsResponse(heads: heads, nextAfterSize: next)
  }

  func getConsentFindings(
    _ request: GetConsentFindingsRequest, context: CallContext
  ) async throws -> GetConsentFindingsResponse {
    GetConsentFindingsResponse(problems: try await data.findings(context))
  }
}
