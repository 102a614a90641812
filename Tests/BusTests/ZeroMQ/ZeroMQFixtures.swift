import Base
import Bus
import RPC
import Testing
import Wire

extension Array<UInt8> {
  init(_ text: String) { self = Array(text.utf8) }
}

/// One end of a connection in a test; it waits for events instead of sleeping.
struct TestSocket: ~Copyable {
  private let watched: WatchedSocket
  private var poller: Poller
  private var inbound = Inbound()

  init(_ options: SocketOptions, in context: ZeroMQContext) throws {
    let watched = try WatchedSocket(options, in: context)
    var poller = Poller(wakeup: try Wakeup())
    poller.add(watched.socket)
    poller.add(watched.reports)
    self.watched = watched
    self.poller = poller
  }

  /// A router on a port that the system chose.
  static func router(
    in context: ZeroMQContext, security: SocketOptions.Security = .none, on endpoint: String = "tcp://127.0.0.1:*",
    _ adjust: (inout SocketOptions) -> Void = { _ in }
  ) throws -> TestSocket {
    var options = SocketOptions(.router, security: security)
    adjust(&options)
    let router = try TestSocket(options, in: context)
    try router.watched.socket.bind(endpoint)
    return router
  }

  /// A dealer that is connecting.
  static func dealer(
    in context: ZeroMQContext, to endpoint: String, security: SocketOptions.Security = .none,
    _ adjust: (inout SocketOptions) -> Void = { _ in }
  ) throws -> TestSocket {
    var options = SocketOptions(.dealer, security: security)
    options.reconnectInterval = .milliseconds(20)
    options.reconnectIntervalMax = .milliseconds(50)
    adjust(&options)
    let dealer = try TestSocket(options, in: context)
    try dealer.watched.socket.connect(endpoint)
    return dealer
  }

  struct Message: Equatable {
    var sender = RoutingID(number: 0)
    var keyNumber: UInt32?
    var header: [UInt8]
    var payload: [UInt8]
  }

  /// The next well-formed message; nil when none comes in time.
  mutating func receive(within limit: Duration = .seconds(20)) throws -> Message? {
    let deadline = Clock.system.monotonic + limit
    while true {
      switch try watched.socket.receive(into: &inbound) {
      case .message:
        return Message(
          sender: inbound.sender, keyNumber: inbound.keyNumber, header: inbound.header, payload: inbound.payload)
      case .malformed: continue
      case .nothing: break
      }
      let remaining = deadline - Clock.system.monotonic
      guard remaining > .zero else { return nil }
      try poller.wait(min(remaining, .milliseconds(100)))
    }
  }

  /// Tries to send, once.
  func trySending(_ text: String, payload: [UInt8] = [], to peer: RoutingID? = nil) throws -> SendOutcome {
    let header = [UInt8](text)
    guard let peer else { return try watched.socket.send(header.span, payload: payload) }
    return try watched.socket.send(header.span, payload: payload, to: peer)
  }

  func send(parts: [[UInt8]]) throws { try watched.socket.sendParts(parts) }

  func endpoint() throws -> String { try watched.socket.lastEndpoint() }

  /// Sends as soon as the socket takes it.
  mutating func send(_ text: String, payload: [UInt8] = []) throws {
    let deadline = Clock.system.monotonic + .seconds(20)
    let bytes = [UInt8](text)
    while try watched.socket.send(bytes.span, payload: payload) != .sent {
      try #require(Clock.system.monotonic < deadline, "the socket never took the message")
      // No descriptor reports room.
      try poller.wait(.milliseconds(2))
    }
  }

  /// Waits until the connection reports an event of this kind.
  mutating func awaitEvent(_ kind: ConnectionEvent.Kind) throws {
    let deadline = Clock.system.monotonic + .seconds(20)
    while true {
      while let event = try watched.nextEvent() { if event.kind == kind { return } }
      try #require(Clock.system.monotonic < deadline, "no event of the kind \(kind)")
      try poller.wait(.milliseconds(100))
    }
  }
}
