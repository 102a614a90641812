import Face
import GatewayContract
import InteropContract
import RPC
import Synchronization

/// The gateway's own service, as far as it makes calls for callers.
struct BatchService: GatewayServiceProtocol {
  let maker: CallMaker

  func listInstances(_ request: ListInstancesRequest, context: CallContext) async throws -> ListInstancesResponse {
    ListInstancesResponse()
  }

  func watchInstances(
    _ request: WatchInstancesRequest, context: CallContext, responses: ResponseWriter<WatchInstancesResponse>
  ) async throws {}

  func createDownload(
    _ request: CreateDownloadRequest, context: CallContext
  ) async throws -> CreateDownloadResponse {
    let wish = Downloads.Wish(
      method: request.method, request: request.request, fileName: request.fileName, isAttachment: request.attachment,
      lifetime: .milliseconds(Int64(request.lifetimeMs)))
    return CreateDownloadResponse(path: try maker.download(wish, for: context).path)
  }

  func createBrowserToken(
    _ request: CreateBrowserTokenRequest, context: CallContext
  ) async throws -> CreateBrowserTokenResponse {
    throw Status(.unimplemented, "no browser comes here")
  }

  func createFieldLink(
    _ request: CreateFieldLinkRequest, context: CallContext
  ) async throws -> CreateFieldLinkResponse {
    throw Status(.unimplemented, "no browser comes here")
  }

  func openFieldLink(_ request: OpenFieldLinkRequest, context: CallContext) async throws -> OpenFieldLinkResponse {
    throw Status(.unimplemented, "no browser comes here")
  }

  func batch(_ request: BatchRequest, context: CallContext) async throws -> BatchResponse {
    let wishes = request.calls.map {
      BatchWish(method: $0.method, request: $0.request, idempotencyKey: $0.idempotencyKey)
    }
    return BatchResponse(
      answers: try await maker.batch(wishes, for: context).map { outcome in
        var answer = BatchAnswer()
        switch outcome {
        case .answer(let json): answer.response = String(decoding: json, as: UTF8.self)
        case .failed(let status):
          answer.code = Int32(status.code.rawValue)
          answer.message = status.message
          answer.retryAfterMs = UInt32(status.metadata["retry-after-ms"] ?? "") ?? 0
        }
        return answer
      })
  }
}
