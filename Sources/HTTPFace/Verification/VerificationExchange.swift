internal import Base
internal import Bus
internal import Face

/// A visit of the page about a signed document: the call that it takes, made for nobody in particular.
final class VerificationExchange: Exchange, CallOwner {
  private let door: Doorway
  private let desk: VerificationDesk
  private let question: VerificationQuestion
  private let page: VerificationPage
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

  init(
    _ question: VerificationQuestion, _ page: VerificationPage, _ desk: VerificationDesk, _ head: RequestHead,
    at door: Doorway
  ) {
    (self.question, self.page, self.desk) = (question, page, desk)
    (self.head, self.door) = (head, door)
    startedAt = door.port.now
  }

  /// A GET has no body; one that comes says nothing.
  func take(_ bytes: ArraySlice<UInt8>) -> Int { bytes.count }
  var wantsBody: Bool { true }
  func nextBytes(_ most: Int) -> StreamedBytes { .end }

  func endBody() {
    guard call == nil, response == nil else { return }
    do throws(Status) {
      let admitted = try door.gatekeeper.admit(nil, from: head.address, to: desk.method.descriptor)
      call = door.begin(
        PortRequest(
          desk.method.descriptor, caller: admitted.caller.identity, deadline: startedAt + door.limits.defaultTimeout,
          message: try desk.request(question)), for: self)
    } catch {
      respond(to: error)
    }
  }

  func take(_ news: PortNews.Content) {
    guard response == nil, case .ended(let status, let answer) = news else { return }
    if let call { door.forget(call) }
    guard status.isOK, let answer else { return respond(to: status) }
    do throws(Status) {
      let finding = try desk.finding(in: answer)
      code = .ok
      respond(with: page.response(to: question, finding))
    } catch {
      respond(to: error)
    }
  }

  private func respond(to status: Status) {
    code = status.code
    respond(with: page.response(to: status))
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
    // The record names the method, never the address: whoever reads a log learns of no document.
    door.finished(
      CallRecord(
        path: desk.method.descriptor.path, dialect: nil, code: wasComplete ? code ?? .cancelled : .cancelled,
        httpStatus: wasComplete ? response?.status ?? 0 : 499, duration: door.port.now - startedAt, bytesIn: 0,
        bytesOut: bytesOut, address: head.address, account: "", traceID: ""))
    onChange = {}
  }
}
