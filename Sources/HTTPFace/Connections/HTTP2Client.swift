package import Base
internal import HTTP2

/// A connection that speaks HTTP/2: many requests at once.
package final class HTTP2Client: ClientConnection {
  package var onChange: () -> Void = {}
  private let router: HTTPRouter
  private let http: HTTP2Connection
  private let address: String
  private let isSecure: Bool
  private var requests: [Int32: HTTP2Request] = [:]
  private var events: [HTTP2Event] = []
  private var life: ConnectionLife
  private var isLost = false
  package private(set) var begun = 0
  private var now: MonotonicTime

  package init(_ router: HTTPRouter, address: String, isSecure: Bool, at now: MonotonicTime) {
    self.router = router
    self.address = address
    self.isSecure = isSecure
    self.now = now
    http = HTTP2Connection(router.limits.connection, at: now)
    life = ConnectionLife(router.limits, at: now)
  }

  // MARK: - Input and output

  package func receive(_ bytes: Span<UInt8>, at now: MonotonicTime) {
    self.now = now
    life.heard(at: now)
    http.receive(bytes, at: now)
    handleEvents()
  }

  /// Nothing can be sent to a client that acknowledges nothing.
  package func endInput(at now: MonotonicTime) -> Bool {
    lose()
    return false
  }

  /// The windows of streams bound what arrives.
  package var wantsInput: Bool { true }

  package func output(into buffer: inout [UInt8], upTo limit: Int, at now: MonotonicTime) -> Bool {
    self.now = now
    let isUnfinished = http.output(into: &buffer, upTo: limit)
    // Requests that a part was sent of may have handed over more.
    return handleEvents() || isUnfinished
  }

  /// Returns whether there were any.
  @discardableResult
  private func handleEvents() -> Bool {
    http.takeEvents(into: &events)
    let hadSome = !events.isEmpty
    for event in events { handle(event) }
    events.removeAll(keepingCapacity: true)
    if http.isOver { closeRequests() }
    return hadSome
  }

  private func handle(_ event: HTTP2Event) {
    switch event {
    case .request(let stream, let header, let ends):
      begun += 1
      let head = RequestHead(header, address: address, isSecure: isSecure)
      let exchange = router.open(head)
      let request = HTTP2Request(exchange, on: stream, of: http, router: router, isHead: head.method == "HEAD", at: now)
      requests[stream] = request
      // An exchange is given up before its request, and that before its connection. Weak references would make each use
      // of both slower.
      exchange.onChange = { [unowned self, unowned request] in
        request.pump()
        onChange()
      }
      if ends { request.endBody() } else { request.pump() }
    case .body(let stream, let bytes):
      if let request = requests[stream] { request.take(bytes) } else { http.consume(bytes.count, of: stream) }
    case .ended(let stream): requests[stream]?.endBody()
    case .sent(let stream, _): requests[stream]?.sent(at: now)
    case .closed(let stream, let code): requests.removeValue(forKey: stream)?.close(wasComplete: code == 0)
    }
  }

  // MARK: - The end

  package var isOver: Bool { http.isOver }
  package var isBroken: Bool { false }
  package var fault: String? { isLost ? nil : http.fault?.description }
  package var hasRequests: Bool { http.openStreams > 0 }

  package func lose() {
    if !isOver { isLost = true }
    closeRequests()
  }

  private func closeRequests() {
    for request in requests.values { request.close(wasComplete: false) }
    requests.removeAll()
  }

  package func check(at now: MonotonicTime) {
    self.now = now
    switch life.check(hasGreeted: http.hasGreeted, hasCalls: hasRequests, at: now) {
    case .nothing: break
    case .ping: http.ping()
    case .end(let reason):
      http.end(.noError, because: reason)
      closeRequests()
    }
    for request in requests.values { request.check(router.limits, at: now) }
  }

  package func leave(at now: MonotonicTime) {
    if life.leave(at: now) { http.announceEnd() }
  }

  package func drain(at now: MonotonicTime) {
    switch life.drain(at: now) {
    case .announce: http.announceEnd()
    case .refuse: http.refuseMore()
    case .nothing: break
    }
  }
}
