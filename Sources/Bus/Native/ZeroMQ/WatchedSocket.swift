internal import CZMQ
internal import Synchronization
internal import Wire

/// An event of a socket's connections.
package struct ConnectionEvent: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// Both sides have completed the handshake: now is the time to say HELLO.
    case established
    /// A connection, or an attempt to connect, has ended; a dealer tries again by itself.
    case lost
    /// The other side refused our key, or has another key than we expect.
    case refused
    /// The peer does not speak ZeroMQ's protocol.
    case incompatible
    /// A bound socket has accepted a connection, with a descriptor of libzmq's.
    case accepted(descriptor: Int32)
  }

  package let kind: Kind
  package let endpoint: String
}

/// A socket together with the socket that reports on its connections.
package struct WatchedSocket: ~Copyable {
  package let socket: Socket
  /// The socket to which libzmq writes the events.
  package let reports: Socket

  package init(_ options: SocketOptions, in context: ZeroMQContext) throws(ZeroMQError) {
    let number = Self.counter.add(1, ordering: .relaxed).newValue
    let endpoint = "inproc://assent-monitor-\(number)"
    let events = options.kind == .router ? ZMQ_EVENT_ACCEPTED | ZMQ_EVENT_DISCONNECTED : Self.eventsOfDealers
    let socket = try Socket(options, in: context)
    guard unsafe zmq_socket_monitor(socket.handle, endpoint, events) == 0 else { throw .last("watch a socket") }
    let reports = try Socket(SocketOptions(.pair), in: context)
    try reports.connect(endpoint)
    self.socket = socket
    self.reports = reports
  }

  private static let eventsOfDealers =
    ZMQ_EVENT_HANDSHAKE_SUCCEEDED | ZMQ_EVENT_DISCONNECTED | ZMQ_EVENT_CLOSED
    | ZMQ_EVENT_HANDSHAKE_FAILED_AUTH | ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL | ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL

  deinit {
    // Reports must end while they can still be read: libzmq's own threads write them without a time limit, and would
    // wait for a reader for ever.
    unsafe zmq_socket_monitor(socket.handle, nil, 0)
  }

  /// The next event, if there is one.
  package func nextEvent() throws(ZeroMQError) -> ConnectionEvent? {
    while let parts = try reports.receiveParts() {
      if let event = ConnectionEvent(parts) { return event }
    }
    return nil
  }

  private static let counter = Atomic<UInt64>(0)
}

extension ConnectionEvent {
  /// libzmq writes the event's number in 16 bits and a value in 32, both in this machine's byte order, then the
  /// endpoint.
  fileprivate init?(_ parts: [[UInt8]]) {
    guard parts.count == 2, parts[0].count == 6 else { return nil }
    switch Int32(parts[0][0]) | Int32(parts[0][1]) << 8 {
    case ZMQ_EVENT_HANDSHAKE_SUCCEEDED: kind = .established
    case ZMQ_EVENT_DISCONNECTED, ZMQ_EVENT_CLOSED: kind = .lost
    case ZMQ_EVENT_HANDSHAKE_FAILED_AUTH: kind = .refused
    case ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL, ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL: kind = .incompatible
    case ZMQ_EVENT_ACCEPTED: kind = .accepted(descriptor: Self.value(in: parts[0]))
    default: return nil
    }
    endpoint = String(decoding: parts[1], as: UTF8.self)
  }

  private static func value(in part: [UInt8]) -> Int32 {
    Int32(bitPattern: (2..<6).reduce(0) { $0 | UInt32(part[$1]) << UInt32(8 * ($1 - 2)) })
  }
}
