internal import Base
internal import Bus
internal import Face
internal import RPC

/// A GET of a file that a method answers in parts, which are written as they arrive: the file may be larger than what
/// the door may keep in memory.
final class FileStreamExchange: Exchange, CallOwner {
  private let door: Doorway
  private let plan: DownloadCall
  private let startedAt: MonotonicTime
  private var call: PortCall?
  /// The call's place among the open calls, until the call is over.
  private var place: CallPlace?
  private var file = AnswerStream()
  private var unread: UnreadAnswer
  private var outcome: Status?
  private var isClosed = false
  private var bytesOut = 0
  var onChange: () -> Void = {}
  /// Adds the headers that every response of the door has.
  var dress: (inout HTTPResponse) -> Void = { _ in }
  private(set) var response: HTTPResponse?

  init(_ plan: DownloadCall, at door: Doorway) {
    self.plan = plan
    self.door = door
    startedAt = door.port.now
    unread = UnreadAnswer(in: door.room, of: CountedAddress.holder(plan.account, at: plan.head.address))
  }

  /// A GET has no body; if one is sent, it is ignored.
  func take(_ bytes: ArraySlice<UInt8>) -> Int { bytes.count }
  var wantsBody: Bool { true }
  func forgetBody() { response?.forgetBody() }

  func endBody() {
    guard call == nil, response == nil else { return }
    do throws(Status) {
      let wish = plan.request(deadline: startedAt + door.limits.times.time(of: plan.method.kind), at: door)
      place = try door.gatekeeper.openCalls.begin(plan.method, by: plan.account, from: plan.head.address)
      call = door.begin(wish, for: self)
    } catch {
      end(error)
    }
  }

  func take(_ news: PortNews.Content) {
    guard outcome == nil, !isClosed else { return }
    do throws(Status) {
      switch news {
      case .messages(let messages): for message in messages { try append(Array(message)) }
      case .ended(let status, let last):
        if let last { try append(last) }
        return end(status)
      case .headers, .room: return
      }
    } catch {
      fail(error)
    }
    onChange()
  }

  private func append(_ message: [UInt8]) throws(Status) {
    let part = try plan.opened.fields.file(in: message)
    try unread.hold(file.kept + part.bytes.count)
    file.append(file: part.bytes, messageOf: message.count)
    if response == nil { respond(with: DownloadResponse.stream(type: part.type, plan.opened.grant)) }
  }

  private func respond(with response: HTTPResponse) {
    var response = response
    dress(&response)
    if case .bytes(let bytes) = response.body { bytesOut = bytes.count }
    self.response = response
  }

  private func end(_ status: Status) {
    if let call { door.forget(call) }
    outcome = status
    place = nil
    if status.isOK {
      file.finish()
      if response == nil { respond(with: HTTPResponse(204)) }
    } else if response == nil {
      respond(with: plan.refusal(status))
    }
    onChange()
  }

  /// The rights of whoever fetches a long file are reviewed while it is written.
  var caller: VerifiedCaller? { plan.opened.caller }

  func fail(_ status: Status) {
    guard outcome == nil else { return }
    call?.cancel()
    end(status)
  }

  func nextBytes(_ most: Int) -> StreamedBytes {
    guard file.waiting > 0 else {
      guard let outcome else { return .wait }
      return outcome.isOK ? .end : .broken
    }
    let (bytes, consumed) = file.take(most)
    bytesOut += bytes.count
    unread.shrink(to: file.kept)
    call?.consumed(bytes: consumed.bytes, messages: consumed.messages)
    return .bytes(bytes)
  }

  func close(wasComplete: Bool) {
    guard !isClosed else { return }
    isClosed = true
    if outcome == nil, let call {
      door.forget(call)
      call.cancel()
    }
    place = nil
    unread.shrink(to: 0)
    // The log gets the method and never the address.
    door.finished(
      CallRecord(
        path: plan.method.path, form: plan.form, code: wasComplete ? outcome?.code ?? .cancelled : .cancelled,
        httpStatus: wasComplete ? response?.status ?? 0 : 499, duration: door.port.now - startedAt, bytesIn: 0,
        bytesOut: bytesOut, address: plan.head.address, account: plan.account, traceID: "", isTimed: false))
    onChange = {}
  }
}
