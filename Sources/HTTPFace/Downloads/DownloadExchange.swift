internal import Base
internal import Bus
internal import Face

/// A file that is fetched by its address: the call that the address stands for, and its answer's bytes.
final class DownloadExchange: Exchange, CallOwner {
  private let door: Doorway
  private let opened: DownloadDesk.Opened
  private let head: RequestHead
  private let startedAt: MonotonicTime
  private var call: PortCall?
  private var code: StatusCode?
  private var isClosed = false
  private var bytesOut = 0
  var onChange: () -> Void = {}
  /// Adds what every response of the door has.
  var dress: (inout HTTPResponse) -> Void = { _ in }
  private(set) var response: HTTPResponse?

  init(_ opened: DownloadDesk.Opened, _ head: RequestHead, at door: Doorway) {
    self.opened = opened
    self.head = head
    self.door = door
    startedAt = door.port.now
  }

  /// A GET has no body; one that comes says nothing.
  func take(_ bytes: ArraySlice<UInt8>) -> Int { bytes.count }
  var wantsBody: Bool { true }
  func nextBytes(_ most: Int) -> StreamedBytes { .end }

  func endBody() {
    guard call == nil, response == nil else { return }
    var wish = PortRequest(
      opened.method.descriptor, caller: opened.caller.identity, deadline: startedAt + door.limits.defaultTimeout,
      message: opened.grant.request)
    // Parts of one file are one call to a service that keeps a record of who has read it.
    if opened.method.descriptor.idempotency != .noSideEffects {
      wish.idempotencyKey = "download-\(Digest(of: Array(head.path.utf8)).hex.prefix(40))"
    }
    call = door.begin(wish, for: self)
  }

  func take(_ news: PortNews.Content) {
    guard response == nil, case .ended(let status, let answer) = news else { return }
    if let call { door.forget(call) }
    code = status.code
    respond(with: response(to: status, answer))
  }

  private func response(to status: Status, _ answer: [UInt8]?) -> HTTPResponse {
    guard status.isOK, let answer else { return DownloadResponse.refusal(status) }
    do throws(Status) {
      let file = try opened.fields.file(in: answer)
      return DownloadResponse.file(file.bytes, type: file.type, opened.grant, to: head)
    } catch {
      code = error.code
      return DownloadResponse.refusal(error)
    }
  }

  private func respond(with response: HTTPResponse) {
    var response = response
    dress(&response)
    if case .bytes(let bytes) = response.body { bytesOut = bytes.count }
    self.response = response
    onChange()
  }

  func close(wasComplete: Bool) {
    guard !isClosed else { return }
    isClosed = true
    if code == nil, let call {
      door.forget(call)
      call.cancel()
    }
    // The record names the method, never the address.
    door.finished(
      CallRecord(
        path: opened.method.descriptor.path, dialect: nil, code: wasComplete ? code ?? .cancelled : .cancelled,
        httpStatus: wasComplete ? response?.status ?? 0 : 499, duration: door.port.now - startedAt, bytesIn: 0,
        bytesOut: bytesOut, address: head.address, account: opened.caller.account, traceID: ""))
    onChange = {}
  }
}
