internal import AccountContract
internal import RPC
internal import ServicePolicy

/// Lists the signed heads of the log of accounts, for those who keep copies of them elsewhere.
extension AdminHandlers {
  func listAccountHeads(
    _ request: ListAccountHeadsRequest, context: CallContext
  ) async throws -> ListAccountHeadsResponse {
    let (heads, next) = try await parts.data.signedHeads(after: request.afterSize, limit: request.pageSize, context)
    return ListAccountHeadsResponse(heads: heads, nextAfterSize: next)
  }
}
