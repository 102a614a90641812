package import RPC
internal import ServicePolicy
package import SignatureContract
internal import Storage

/// Returns evidence for fields, and the signed heads of the log that the evidence is verified against.
extension SignatureHandlers {
  package func getFieldEvidence(
    _ request: GetFieldEvidenceRequest, context: CallContext
  ) async throws -> GetFieldEvidenceResponse {
    guard (1...Self.mostFields).contains(request.fieldIDs.count) else {
      throw FieldChecks.refusal(
        "field_ids", "has \(request.fieldIDs.count) entries", "it must have 1 to \(Self.mostFields)")
    }
    for id in request.fieldIDs { try FieldChecks.identifier(id, "field_ids", isRequired: true) }
    let find: ServiceDatabase.Lookup<[HeldField]> = { snapshot, _ in
      try request.fieldIDs.map { try FieldStore.held($0, in: snapshot) }
    }
    let wanted = try await data.disclose(context, of: find) { [evidence] snapshot, _, disclosure in
      _ = try evidence.required()
      return try FieldEvidence(of: request.fieldIDs, snapshot, &disclosure)
    }
    let (signer, tenant) = (try evidence.required(), try context.tenant())
    var selection = wanted.selection
    selection.earlier = try signer.kept(request.earlierHeads, of: tenant)
    let log = try await signer.evidence(of: tenant, selection)
    return GetFieldEvidenceResponse(content: Array(try EvidenceBundle(about: [], logs: [log]).json.utf8))
  }

  private static let mostFields = 64

  package func listSignatureHeads(
    _ request: ListSignatureHeadsRequest, context: CallContext
  ) async throws -> ListSignatureHeadsResponse {
    let (heads, next) = try await data.signedHeads(after: request.afterSize, limit: request.pageSize, context)
    return ListSignatureHeadsResponse(heads: heads, nextAfterSize: next)
  }

  package func getSignatureFindings(
    _ request: GetSignatureFindingsRequest, context: CallContext
  ) async throws -> GetSignatureFindingsResponse {
    GetSignatureFindingsResponse(problems: try await data.findings(context))
  }
}
