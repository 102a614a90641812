internal import AccountContract
internal import RPC
internal import ServicePolicy

/// The signed heads of the log of accounts, for those who keep copies of them elsewhere, and what the check found.
extension AdminHandlers {
  func listAccountHeads(
    _ request: ListAccountHeadsRequest, context: CallContext
  ) async throws -> ListAccountHeadsResponse {
    let (heads, next) = try await parts.data.signedHeads(after: request.afterSize, limit: request.pageSize, context)
    return ListAccountHeadsResponse(heads: heads, nextAfterSize: next)
  }

  func getAccountFindings(
    _ request: GetAccountFindingsRequest, context: CallContext
  ) async throws -> GetAccountFindingsResponse {
    GetAccountFindingsResponse(problems: try await parts.data.findings(context))
  }
}
