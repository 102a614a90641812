package import Base
internal import Face
internal import HTTP2
internal import RPC

/// A client's connection, without the socket: turns HTTP/2 into calls on the bus.
package final class GRPCConnection {
  let doorway: GRPCDoorway
  let http: HTTP2Connection
  /// The client's address, for the log.
  package let address: String
  /// Whether the client is on this machine. Such a client may read the contract without a credential.
  let isOnThisMachine: Bool
  private var calls: [Int32: GRPCCall] = [:]
  private var events: [HTTP2Event] = []
  /// Requests that are held until it is known what was revoked, by stream, each with the events that have followed it.
  private var held: [Int32: [HTTP2Event]] = [:]
  private var life: ConnectionLife
  private var isLost = false
  private var hasHeard = false
  private var hasSaidWhatIsSpoken = false
  private(set) var now: MonotonicTime

  package init(_ doorway: GRPCDoorway, address: String, isOnThisMachine: Bool, at now: MonotonicTime) {
    self.doorway = doorway
    self.address = address
    self.isOnThisMachine = isOnThisMachine
    self.now = now
    http = HTTP2Connection(doorway.limits.connection, at: now)
    life = ConnectionLife(doorway.limits, at: now)
  }

  // MARK: - The client's side

  /// Takes bytes from the client.
  package func receive(_ bytes: Span<UInt8>, at now: MonotonicTime) {
    self.now = now
    life.heard(at: now)
    if bytes.count > 0 { hasHeard = true }
    http.receive(bytes, at: now)
    handleEvents()
    if http.isOver { giveUpCalls() }
  }

  /// Appends about `limit` bytes for the client to `buffer`; returns whether more may be left.
  package func output(into buffer: inout [UInt8], upTo limit: Int, at now: MonotonicTime) -> Bool {
    self.now = now
    if http.fault?.isOtherProtocol == true {
      if !hasSaidWhatIsSpoken { buffer += Self.otherProtocol.utf8 }
      hasSaidWhatIsSpoken = true
      return false
    }
    // Nothing is sent before the client's first bytes, since a client of another protocol must get a sentence, not
    // frames.
    guard hasHeard || http.isOver else { return false }
    let isUnfinished = http.output(into: &buffer, upTo: limit)
    handleEvents()
    if http.isOver { giveUpCalls() }
    return isUnfinished
  }

  /// The response to clients of other protocols.
  private static let otherProtocol =
    "HTTP/1.1 505 HTTP Version Not Supported\r\ncontent-type: text/plain\r\nconnection: close\r\n\r\n"
    + "This port speaks gRPC over HTTP/2.\n"

  /// Whether the connection is to be closed once its output is sent.
  package var isOver: Bool { http.isOver }

  /// The client has gone.
  package func lose() {
    if !isOver { isLost = true }
    giveUpCalls()
  }

  /// Why the server gave the connection up; nil if the client did.
  package var fault: String? { isLost ? nil : http.fault?.description }

  /// Whether any of the client's requests is unanswered.
  package var hasCalls: Bool { http.openStreams > 0 }

  /// Whether a call of this client is still known, even one whose stream is over.
  package var hasOpenCalls: Bool { !calls.isEmpty }

  // MARK: - Time

  /// Pings a silent client, and ends what takes too long. Called every few seconds.
  package func check(at now: MonotonicTime) {
    self.now = now
    switch life.check(hasGreeted: http.hasGreeted, hasCalls: hasCalls, at: now) {
    case .nothing: break
    case .ping: http.ping()
    case .end(let reason):
      http.end(.noError, because: reason)
      giveUpCalls()
    }
    for call in calls.values {
      if call.isUnread(since: doorway.limits.unread, at: now) {
        call.giveUp()
      } else if call.isLate(at: now) {
        call.fail(Status(.deadlineExceeded, rule: "deadline_passed", "the request had not come in the call's time"))
      }
    }
  }

  /// Tells the client to begin new calls on another connection. Called repeatedly until no call is left.
  package func drain(at now: MonotonicTime) {
    switch life.drain(at: now) {
    case .announce: http.announceEnd()
    case .refuse: http.refuseMore()
    case .nothing: break
    }
  }

  // MARK: - Events

  private func handleEvents() {
    http.takeEvents(into: &events)
    for event in events { handle(event) }
    events.removeAll(keepingCapacity: true)
  }

  private func handle(_ event: HTTP2Event) {
    if held[event.stream] != nil { return keep(event) }
    switch event {
    case .request(let stream, let header, let ends):
      if doorway.gatekeeper.mustWait(for: { Self.credential(in: header) }) { return hold(event) }
      open(stream, header, ends: ends)
    case .body(let stream, let bytes):
      if let call = calls[stream] { call.take(bytes) } else { http.consume(bytes.count, of: stream) }
    case .ended(let stream): calls[stream]?.endBody()
    case .sent(let stream, let count): calls[stream]?.sent(count)
    case .closed(let stream, let code): calls.removeValue(forKey: stream)?.close(wasComplete: code == 0)
    }
  }

  /// Holds a request until it is known what was revoked.
  private func hold(_ request: HTTP2Event) {
    if held.isEmpty { doorway.hold(self) }
    held[request.stream] = [request]
  }

  /// Keeps an event of a held request for later. If the client has given the request up, it is never opened.
  private func keep(_ event: HTTP2Event) {
    if case .closed = event { held[event.stream] = nil } else { held[event.stream]?.append(event) }
  }

  /// Opens the requests that were held.
  func proceed(at now: MonotonicTime) {
    self.now = now
    let requests = exchange(&held, with: [:])
    for (_, events) in requests.sorted(by: { $0.key < $1.key }) {
      // The request has waited once, so it is decided now, whatever is known.
      if case .request(let stream, let header, let ends)? = events.first { open(stream, header, ends: ends) }
      events.dropFirst().forEach(handle)
    }
  }

  private func open(_ stream: Int32, _ header: HeaderList, ends: Bool) {
    let request: GRPCRequest
    do throws(GRPCRequest.NotGRPC) {
      request = try GRPCRequest(header)
    } catch {
      http.answer(stream, GRPCAnswer.notGRPC(error), isWhole: true)
      let code: StatusCode = error.httpStatus == 405 ? .unimplemented : .invalidArgument
      return refused(header[":path"] ?? "", code, Metadata())
    }
    do throws(Status) {
      if let violation = request.violation { throw violation }
      let path = Self.reflectionPaths[request.path] ?? request.path
      guard let method = doorway.catalogue.method(path)?.descriptor else {
        // Counted for the client's address like a call, because finding the nearest name takes a while.
        _ = try doorway.gatekeeper.count(VerifiedCaller(identity: .stranger, account: ""), from: address)
        throw doorway.catalogue.unknownMethod(request.path)
      }
      let caller = try admit(request.authorization, to: method)
      let place = try doorway.gatekeeper.openCalls.begin(method, by: caller.account, from: address)
      let call = GRPCCall(request, of: method, by: caller, on: stream, of: self, place: place)
      calls[stream] = call
      call.begin()
      if ends { call.endBody() }
    } catch {
      http.answer(stream, GRPCAnswer.trailerOnly(error), isWhole: true)
      refused(request.path, error.code, request.metadata)
    }
  }

  /// Reports a request that is refused by its header.
  private func refused(_ path: String, _ code: StatusCode, _ metadata: Metadata) {
    doorway.finished(
      GRPCCallRecord(
        path: path.shortened(to: 256), code: code, duration: .zero, bytesIn: 0, bytesOut: 0, address: address,
        account: "", traceID: TraceContext.traceID(of: metadata), isTimed: false))
  }

  private func admit(_ authorization: String?, to method: MethodDescriptor) throws(Status) -> VerifiedCaller {
    if authorization == nil, isOnThisMachine, method.service == Self.reflection {
      return VerifiedCaller(identity: CallerIdentity(kind: .operator, subject: "this machine"), account: "")
    }
    return try doorway.gatekeeper.admit(try authorization.map(Self.credential), from: address, to: method).caller
  }

  private static func credential(in header: HeaderList) -> PresentedCredential? {
    header["authorization"].flatMap { try? credential($0) }
  }

  private static func credential(_ authorization: String) throws(Status) -> PresentedCredential {
    let words = authorization.split(separator: " ")
    guard words.count == 2, words[0].lowercased() == "bearer" else {
      throw Status(.unauthenticated, rule: "credential_unknown", "authorization must be Bearer and a key")
    }
    return PresentedCredential(token: String(words[1]))
  }

  /// Older tools use reflection's former name; the messages have not changed since.
  private static let reflectionPaths = [
    "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo": "/\(reflection)/ServerReflectionInfo"
  ]
  private static let reflection = "grpc.reflection.v1.ServerReflection"

  private func giveUpCalls() {
    for call in calls.values { call.close(wasComplete: false) }
    calls.removeAll()
    held.removeAll()
  }
}
