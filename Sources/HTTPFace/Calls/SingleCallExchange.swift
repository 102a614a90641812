internal import Base
internal import Bus
internal import Face
internal import RPC

/// What is fetched by an address and takes one call: a file, or a page.
protocol SingleCall: Sendable {
  var method: MethodDescriptor { get }
  var form: CallRecord.Form { get }
  /// Whose call it is, for the record.
  var account: String { get }
  /// The call that is made; what is thrown is answered instead.
  func request(deadline: MonotonicTime, at door: Doorway) throws(Status) -> PortRequest
  /// The response to an answer of the service, made on any thread; what is thrown is answered instead.
  func response(to answer: [UInt8]) throws(Status) -> HTTPResponse
  /// The response when there is no answer.
  func refusal(_ status: Status) -> HTTPResponse
}

/// A GET that takes one call.
final class SingleCallExchange: Exchange, CallOwner {
  private let door: Doorway
  private let plan: any SingleCall
  private let head: RequestHead
  private let startedAt: MonotonicTime
  private var call: PortCall?
  /// nil before the call, and once the response is made.
  private var place: CallPlace?
  private var answer: [UInt8]?
  private var unread: UnreadAnswer
  private var code: StatusCode?
  /// The making of the response, elsewhere and once the call is over.
  private var making: UInt64?
  private var isClosed = false
  private var bytesOut = 0
  var onChange: () -> Void = {}
  /// Adds what every response of the door has.
  var dress: (inout HTTPResponse) -> Void = { _ in }
  private(set) var response: HTTPResponse?

  init(_ plan: any SingleCall, _ head: RequestHead, at door: Doorway) {
    self.plan = plan
    self.head = head
    self.door = door
    startedAt = door.port.now
    unread = UnreadAnswer(in: door.room, of: CountedAddress.holder(plan.account, at: head.address))
  }

  /// A GET has no body; one that comes says nothing.
  func take(_ bytes: ArraySlice<UInt8>) -> Int { bytes.count }
  var wantsBody: Bool { true }
  func nextBytes(_ most: Int) -> StreamedBytes { .end }
  func forgetBody() { response?.forgetBody() }

  func endBody() {
    guard call == nil, response == nil else { return }
    do throws(Status) {
      let wish = try plan.request(deadline: startedAt + door.limits.defaultTimeout, at: door)
      place = try door.gatekeeper.openCalls.begin(plan.method, by: plan.account, from: head.address)
      call = door.begin(wish, for: self)
    } catch {
      refuse(error)
    }
  }

  func take(_ news: PortNews.Content) {
    guard response == nil else { return }
    switch news {
    // A long answer comes before the end.
    case .messages(let messages): answer = messages.last.map { Array($0) }
    case .ended(let status, let last): end(status, last ?? answer)
    case .headers, .room: return
    }
  }

  private func end(_ status: Status, _ answer: [UInt8]?) {
    if let call { door.forget(call) }
    self.answer = nil
    guard status.isOK else { return refuse(status) }
    guard let answer else {
      return refuse(Status(.internal, rule: "no_answer", "the call ended well and without an answer"))
    }
    do throws(Status) {
      try unread.hold(answer.count)
    } catch {
      return refuse(error)
    }
    guard answer.count <= Self.shortCount else {
      making = door.makeResponse(of: plan, to: answer, for: self)
      return
    }
    made(Workshop<HTTPResponse>.Outcome { () throws(Status) in try plan.response(to: answer) })
  }

  /// Making the response of a longer one takes more than a tenth of a millisecond: a file is hashed for its ETag.
  private static let shortCount = 16 << 10

  /// The account or the address that takes turns where responses are made.
  var holder: String { CountedAddress.holder(plan.account, at: head.address) }

  func made(_ outcome: Workshop<HTTPResponse>.Outcome) {
    making = nil
    guard !isClosed else { return }
    do throws(Status) {
      respond(with: try outcome.get(), .ok)
    } catch {
      refuse(error)
    }
  }

  private func refuse(_ status: Status) { respond(with: plan.refusal(status), status.code) }

  private func respond(with response: HTTPResponse, _ code: StatusCode) {
    place = nil
    self.code = code
    var response = response
    dress(&response)
    if case .bytes(let bytes) = response.body { bytesOut = bytes.count }
    self.response = response
    onChange()
  }

  func close(wasComplete: Bool) {
    guard !isClosed else { return }
    isClosed = true
    if let making {
      door.giveUpResponse(making)
    } else if code == nil, let call {
      door.forget(call)
      call.cancel()
    }
    place = nil
    unread.shrink(to: 0)
    // The record names the method, never the address: whoever reads a log learns of no file and no document.
    door.finished(
      CallRecord(
        path: plan.method.path, form: plan.form, code: wasComplete ? code ?? .cancelled : .cancelled,
        httpStatus: wasComplete ? response?.status ?? 0 : 499, duration: door.port.now - startedAt, bytesIn: 0,
        bytesOut: bytesOut, address: head.address, account: plan.account, traceID: ""))
    onChange = {}
  }
}
