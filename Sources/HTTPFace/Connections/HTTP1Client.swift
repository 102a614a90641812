package import Base
internal import HTTP1

/// A connection that speaks HTTP/1.1: one request after the other, each answered before the next is opened.
package final class HTTP1Client: ClientConnection {
  package var onChange: () -> Void = {}
  private let router: HTTPRouter
  private let limits: DoorLimits
  private let address: String
  private let isSecure: Bool
  private var reader: RequestReader
  private var request: HTTP1Request?
  /// Bytes for the client, in front of what the request's answer is still to say.
  private var waiting = ByteQueue()
  private var progress: ConnectionProgress
  private var now: MonotonicTime
  /// Whether nothing follows what waits.
  private var isLast = false
  /// Whether an answer ends the connection, so that its client goes elsewhere.
  private var isLeaving: Bool
  private var isDraining = false
  private var isAdvancing = false
  private var inputEndedAt: MonotonicTime?
  package private(set) var fault: String?
  package private(set) var isBroken = false
  package private(set) var begun = 0

  package init(_ router: HTTPRouter, address: String, isSecure: Bool, at now: MonotonicTime) {
    self.router = router
    self.address = address
    self.isSecure = isSecure
    self.now = now
    limits = router.limits
    isLeaving = router.isLeaving
    reader = RequestReader(limits.requests)
    progress = ConnectionProgress(at: now)
  }

  /// How many bytes are kept that no exchange has taken.
  private static let mostUnread = 64 << 10
  /// How many bytes of a refused body are read and thrown away, so that its client gets to read the refusal.
  private static let mostDiscarded = 1 << 20
  private static let pieceSize = 16 << 10

  // MARK: - Input

  package func receive(_ bytes: Span<UInt8>, at now: MonotonicTime) {
    self.now = now
    // What follows the last answer means nothing; it is read so that the client gets the answer.
    guard !isLast else { return }
    reader.append(bytes)
    advance()
  }

  package func endInput(at now: MonotonicTime) -> Bool {
    self.now = now
    inputEndedAt = now
    advance()
    return hasRequests
  }

  package var wantsInput: Bool {
    inputEndedAt == nil && (isLast || reader.kept + (request?.pending.count ?? 0) < Self.mostUnread)
  }

  /// Reads and opens as much as can be.
  private func advance() {
    // An exchange that answers at once calls back.
    guard !isAdvancing else { return }
    isAdvancing = true
    defer { isAdvancing = false }
    do throws(RequestFault) {
      while !isLast, try step() { continue }
    } catch {
      refuse(error)
    }
  }

  /// Returns whether there may be another step.
  private func step() throws(RequestFault) -> Bool {
    guard let request else { return try openNext() }
    guard !request.isAnswering else { return false }
    if !request.hasBodyEnded, try readBody(of: request) { return true }
    guard let response = request.exchange.response, request.hasBodyEnded || request.mayBeRefusedEarly else {
      return false
    }
    answer(request, with: response)
    return false
  }

  private func openNext() throws(RequestFault) -> Bool {
    guard let event = try reader.next() else {
      let phase: ConnectionProgress.Phase = reader.isInsideRequest ? .head : .idle
      if phase != progress.phase { progress.enter(phase, at: now) }
      // What is incomplete when the client has ended will never be complete.
      if inputEndedAt != nil || phase == .idle && isDraining { isLast = true }
      return false
    }
    guard case .head(let head) = event else { return true }
    begun += 1
    let exchange = router.open(RequestHead(head, address: address, isSecure: isSecure))
    let request = HTTP1Request(head, exchange)
    self.request = request
    // An exchange is given up before its connection. A weak reference would make each use of the connection slower.
    exchange.onChange = { [unowned self] in onChange() }
    progress.enter(.body, at: now)
    if head.expectsContinue, exchange.response == nil, reader.kept == 0 { waiting.append(ResponseHead.goOn) }
    return true
  }

  /// Passes a part of the body on; returns whether there was one.
  private func readBody(of request: HTTP1Request) throws(RequestFault) -> Bool {
    if request.pending.isEmpty {
      switch try reader.next() {
      case nil, .head:
        // What is incomplete now will never be complete.
        if inputEndedAt != nil { end(because: nil) }
        return false
      case .body(let bytes): request.pending = bytes[...]
      case .end:
        request.hasBodyEnded = true
        progress.enter(.answer, at: now)
        request.exchange.endBody()
        return true
      }
    }
    if request.exchange.response != nil { request.discarded += request.pending.count }
    guard request.discarded <= Self.mostDiscarded else {
      end(because: "a body that was refused went on")
      return false
    }
    let taken = request.exchange.take(request.pending)
    request.pending = request.pending.dropFirst(taken)
    guard request.pending.isEmpty else {
      if !progress.isPaused { progress.pause(at: now) }
      return false
    }
    if progress.isPaused { progress.goOn(at: now) }
    return true
  }

  /// Answers bytes that are no request.
  private func refuse(_ fault: RequestFault) {
    request?.exchange.close(wasComplete: false)
    request = nil
    let response = router.refuse(fault, from: address)
    write(response, ending: .length(response.byteCount), closes: true)
    if case .bytes(let bytes) = response.body { waiting.append(bytes) }
    isLast = true
  }

  // MARK: - Output

  private func answer(_ request: HTTP1Request, with response: HTTPResponse) {
    var ending: ResponseHead.Ending
    request.isAnswering = true
    switch response.body {
    case .bytes(let bytes): ending = response.isBodiless ? .bodiless : .length(bytes.count)
    case .stream: ending = request.head.isCurrent ? .chunked : .connection
    }
    request.closes =
      !request.head.keepsConnection || isLeaving || !request.hasBodyEnded || ending == .connection
      || response["connection"] == "close"
    write(response, ending: ending, closes: request.closes)
    guard request.head.method != "HEAD" else { return }
    switch response.body {
    case .bytes(let bytes): if ending != .bodiless { waiting.append(bytes) }
    case .stream: request.ending = ending
    }
    request.exchange.forgetBody()
  }

  private func write(_ response: HTTPResponse, ending: ResponseHead.Ending, closes: Bool) {
    var head: [UInt8] = []
    ResponseHead.append(
      response.status, response.headers, ending, closes: closes, date: router.dateText(), to: &head)
    waiting.append(head)
  }

  package func output(into buffer: inout [UInt8], upTo limit: Int, at now: MonotonicTime) -> Bool {
    self.now = now
    advance()
    let before = buffer.count
    while buffer.count < limit {
      if waiting.count > 0 {
        _ = waiting.take(limit - buffer.count) { buffer.append($0) }
        continue
      }
      guard let request, request.isAnswering else { return false }
      if let ending = request.ending {
        switch request.exchange.nextBytes(min(Self.pieceSize, limit - buffer.count)) {
        case .bytes(let bytes):
          if ending == .chunked { ResponseHead.appendChunk(bytes, to: &buffer) } else { buffer += bytes }
        case .wait: return false
        case .end:
          if ending == .chunked { buffer += ResponseHead.lastChunk }
          request.ending = nil
        case .broken:
          // Without the last chunk, the client sees that the answer is not whole.
          isBroken = ending == .connection
          end(because: nil)
          return false
        }
        continue
      }
      // The answer is complete once the socket has taken all of it.
      if buffer.count > before { return true }
      complete(request)
    }
    return true
  }

  private func complete(_ request: HTTP1Request) {
    request.exchange.onChange = {}
    request.exchange.close(wasComplete: true)
    self.request = nil
    progress.enter(.idle, at: now)
    if request.closes { isLast = true } else { advance() }
  }

  // MARK: - The end

  package var isOver: Bool { isLast && request == nil && waiting.count == 0 }
  package var hasRequests: Bool { request != nil || waiting.count > 0 }

  package func lose() { end(because: fault) }

  private func end(because reason: String?) {
    fault = fault ?? reason
    isLast = true
    waiting.removeAll()
    request?.exchange.onChange = {}
    request?.exchange.close(wasComplete: false)
    request = nil
  }

  package func check(at now: MonotonicTime) {
    self.now = now
    if progress.phase == .idle { reader.rest() }
    request?.exchange.check(at: now)
    if let inputEndedAt, now - inputEndedAt > limits.halfClosed { return end(because: nil) }
    switch progress.phase {
    case .idle where progress.exceeds(limits.idle, at: now): isLast = true
    case .head where progress.exceeds(limits.greeting, at: now): end(because: "the head of a request came too slowly")
    case .body where progress.exceeds(limits.bodyTime, at: now): end(because: "the body of a request came too slowly")
    default: break
    }
  }

  /// A client without a request cannot be told. Were its connection closed instead, its next request might be on the
  /// way, and it could not tell what has become of that.
  package func leave(at now: MonotonicTime) { isLeaving = true }

  package func drain(at now: MonotonicTime) {
    self.now = now
    isLeaving = true
    isDraining = true
    if request == nil, !reader.isInsideRequest { isLast = true }
  }
}

/// A request that is being read or answered.
final class HTTP1Request {
  let head: ReceivedHead
  let exchange: any Exchange
  /// Bytes of the body that the exchange has not taken.
  var pending: ArraySlice<UInt8> = []
  var hasBodyEnded = false
  /// How many bytes of the body came after the answer was decided.
  var discarded = 0
  var isAnswering = false
  /// How the answer's body ends, as long as it is streamed.
  var ending: ResponseHead.Ending?
  /// Whether the connection ends with the answer.
  var closes = false

  init(_ head: ReceivedHead, _ exchange: any Exchange) {
    self.head = head
    self.exchange = exchange
  }

  /// Whether an answer need not wait for the body: a short body is read, so that the connection can stay open.
  var mayBeRefusedEarly: Bool {
    guard pending.isEmpty else { return false }
    switch head.body {
    case .none: return true
    case .length(let count): return count > 1 << 20 || head.expectsContinue
    case .chunked: return true
    }
  }
}
