internal import Base
internal import Bus
internal import Face
internal import RPC

/// A resource that is fetched by its address and takes one call, such as a file or a page.
protocol SingleCall: Sendable {
  var method: MethodDescriptor { get }
  var form: CallRecord.Form { get }
  /// The account of the caller, for the log.
  var account: String { get }
  /// The call to make. What it throws becomes a refusal.
  func request(deadline: MonotonicTime, at door: Doorway) throws(Status) -> PortRequest
  /// Makes the response from the service's answer, on any thread. What it throws becomes a refusal.
  func response(to answer: [UInt8]) throws(Status) -> HTTPResponse
  /// The response for a call that failed.
  func refusal(_ status: Status) -> HTTPResponse
}

/// A GET that takes one call.
final class SingleCallExchange: Exchange, CallOwner {
  private let door: Doorway
  private let plan: any SingleCall
  private let head: RequestHead
  private let startedAt: MonotonicTime
  private var call: PortCall?
  /// The call's place among the open calls; nil before the call, and once the response is made.
  private var place: CallPlace?
  private var answer: [UInt8]?
  private var unread: UnreadAnswer
  private var code: StatusCode?
  /// The job that makes the response, once the call is over.
  private var making: UInt64?
  private var isClosed = false
  private var bytesOut = 0
  var onChange: () -> Void = {}
  /// Adds the headers that every response of the door has.
  var dress: (inout HTTPResponse) -> Void = { _ in }
  private(set) var response: HTTPResponse?

  init(_ plan: any SingleCall, _ head: RequestHead, at door: Doorway) {
    self.plan = plan
    self.head = head
    self.door = door
    startedAt = door.port.now
    unread = UnreadAnswer(in: door.room, of: CountedAddress.holder(plan.account, at: head.address))
  }

  /// A GET has no body; if one is sent, it is ignored.
  func take(_ bytes: ArraySlice<UInt8>) -> Int { bytes.count }
  var wantsBody: Bool { true }
  func nextBytes(_ most: Int) -> StreamedBytes { .end }
  func forgetBody() { response?.forgetBody() }

  func endBody() {
    guard call == nil, response == nil else { return }
    do throws(Status) {
      let wish = try plan.request(deadline: startedAt + door.limits.times.time(of: .unary), at: door)
      place = try door.gatekeeper.openCalls.begin(plan.method, by: plan.account, from: head.address)
      call = door.begin(wish, for: self)
    } catch {
      refuse(error)
    }
  }

  func take(_ news: PortNews.Content) {
    guard response == nil else { return }
    switch news {
    // A long answer arrives separately, before the outcome.
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

  /// Making the response from a longer answer takes more than a tenth of a millisecond: a file is hashed for its ETag.
  private static let shortCount = 16 << 10

  /// The account or address that takes turns in the pool.
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
    // The log gets the method and never the address, so that its readers learn of no file and no document.
    door.finished(
      CallRecord(
        path: plan.method.path, form: plan.form, code: wasComplete ? code ?? .cancelled : .cancelled,
        httpStatus: wasComplete ? response?.status ?? 0 : 499, duration: door.port.now - startedAt, bytesIn: 0,
        bytesOut: bytesOut, address: head.address, account: plan.account, traceID: ""))
    onChange = {}
  }
}
