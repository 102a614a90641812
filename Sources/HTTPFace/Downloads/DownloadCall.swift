internal import Base
internal import Bus
internal import Face
internal import RPC

/// A file that is fetched by its address: makes the call that the address contains, and the response from its answer.
struct DownloadCall: SingleCall {
  let opened: Downloads.Opened
  let head: RequestHead

  var method: MethodDescriptor { opened.method.descriptor }
  var form: CallRecord.Form { .download }
  var account: String { opened.caller.account }

  func request(deadline: MonotonicTime, at door: Doorway) -> PortRequest {
    var wish = PortRequest(
      method, caller: opened.caller.identity, deadline: deadline, message: opened.grant.request)
    // All requests for parts of a file share one idempotency key, so that a service that records who has read it
    // records one reading.
    if method.idempotency != .noSideEffects {
      wish.idempotencyKey = "download-\(Digest(of: Array(head.path.utf8)).hex.prefix(40))"
    }
    return wish
  }

  func response(to answer: [UInt8]) throws(Status) -> HTTPResponse {
    let file = try opened.fields.file(in: answer)
    return DownloadResponse.file(file.bytes, type: file.type, opened.grant, to: head)
  }

  func refusal(_ status: Status) -> HTTPResponse { DownloadResponse.refusal(status) }
}
