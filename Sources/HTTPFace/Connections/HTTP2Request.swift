internal import Base
internal import HTTP2

/// A request over HTTP/2: leads the body of a stream to the exchange, and the exchange's answer to the stream.
final class HTTP2Request {
  let exchange: any Exchange
  private let http: HTTP2Connection
  private let stream: Int32
  private let isHead: Bool
  private let router: HTTPRouter
  /// Bytes of the body that the exchange has not taken.
  private var pending: ArraySlice<UInt8> = []
  private var hasBodyEnded = false
  private var hasToldEnd = false
  private var hasAnswer = false
  private var isStreaming = false
  private var isPumping = false
  private var lastProgress: MonotonicTime

  /// How many bytes of an answer are handed over before the client has taken those before.
  private static let most = 16 << 10

  init(
    _ exchange: any Exchange, on stream: Int32, of http: HTTP2Connection, router: HTTPRouter, isHead: Bool,
    at now: MonotonicTime
  ) {
    self.router = router
    self.exchange = exchange
    self.stream = stream
    self.http = http
    self.isHead = isHead
    lastProgress = now
  }

  func take(_ bytes: [UInt8]) {
    pending += bytes
    pump()
  }

  func endBody() {
    hasBodyEnded = true
    pump()
  }

  /// A part of the answer was handed out to be sent.
  func sent(at now: MonotonicTime) {
    lastProgress = now
    pump()
  }

  /// Moves what can be moved, in both directions.
  func pump() {
    // An exchange that answers at once calls back.
    guard !isPumping else { return }
    isPumping = true
    defer { isPumping = false }
    while !pending.isEmpty {
      let taken = exchange.take(pending)
      pending = pending.dropFirst(taken)
      http.consume(taken, of: stream)
      if taken == 0 { break }
    }
    if pending.isEmpty, hasBodyEnded, !hasToldEnd {
      hasToldEnd = true
      exchange.endBody()
    }
    answer()
  }

  private func answer() {
    guard let response = exchange.response else { return }
    if !hasAnswer { begin(response) }
    while isStreaming, http.kept(of: stream) < Self.most {
      switch exchange.nextBytes(Self.most) {
      case .bytes(let bytes): http.send(bytes, to: stream)
      case .wait: return
      case .end:
        isStreaming = false
        http.finish(stream, Self.list(exchange.trailers))
      case .broken:
        isStreaming = false
        http.reset(stream, .internalError)
      }
    }
  }

  private func begin(_ response: HTTPResponse) {
    hasAnswer = true
    var header = HeaderList(room: 256)
    header.add(":status", String(response.status))
    header.add("date", router.dateText())
    for (name, value) in response.headers where name != "connection" { header.add(name, value) }
    switch response.body {
    case .stream where !isHead:
      isStreaming = true
      http.answer(stream, header)
    case .bytes(let bytes) where !isHead && !(bytes.isEmpty && exchange.trailers.isEmpty):
      if exchange.trailers.isEmpty { header.add("content-length", "\(bytes.count)") }
      http.answer(stream, header)
      http.send(bytes, to: stream)
      http.finish(stream, Self.list(exchange.trailers))
      exchange.forgetBody()
    default: http.answer(stream, header, isWhole: true)
    }
  }

  private static func list(_ fields: [(name: String, value: String)]) -> HeaderList {
    var list = HeaderList()
    for (name, value) in fields { list.add(name, value) }
    return list
  }

  // MARK: - The end

  func check(_ limits: DoorLimits, at now: MonotonicTime) {
    exchange.check(at: now)
    if http.kept(of: stream) > 0, now - lastProgress >= limits.unread {
      close(wasComplete: false)
      http.reset(stream, .cancel)
    }
  }

  func close(wasComplete: Bool) {
    exchange.onChange = {}
    exchange.close(wasComplete: wasComplete)
  }
}
