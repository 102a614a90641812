internal import CZMQ
internal import Glibc

/// Memory for one received message, used again for the next: sender, header and payload, read in place.
@safe package struct Inbound: ~Copyable {
  /// The three parts in this order: routing id, header, payload.
  fileprivate let parts: UnsafeMutablePointer<zmq_msg_t>
  /// The connection that it came by, on a ROUTER.
  package fileprivate(set) var sender = RoutingID(number: 0)
  /// The number that the authenticator gave to the sender's key; nil on a socket that does not verify its peers.
  package fileprivate(set) var keyNumber: UInt32?
  package fileprivate(set) var hasPayload = false

  package init() {
    unsafe parts = .allocate(capacity: 3)
    for index in 0..<3 { unsafe zmq_msg_init(parts + index) }
  }

  deinit {
    for index in 0..<3 { unsafe zmq_msg_close(parts + index) }
    unsafe parts.deallocate()
  }

  package func withHeader<Value, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try unsafe withSpan(of: parts + 1, body)
  }

  /// The second part's bytes; none when there is no second part.
  package func withPayload<Value, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    guard hasPayload else { return try body(Span()) }
    return try unsafe withSpan(of: parts + 2, body)
  }

  /// The address of the connection's other end, over TCP.
  package var peerAddress: String {
    guard let text = unsafe zmq_msg_gets(parts + 1, "Peer-Address") else { return "" }
    return unsafe String(cString: text)
  }

  /// How many bytes the header has.
  var headerCount: Int { unsafe zmq_msg_size(parts + 1) }
  /// How many bytes the payload has.
  var payloadCount: Int { hasPayload ? unsafe zmq_msg_size(parts + 2) : 0 }

  package var header: [UInt8] { withHeader { $0.copied } }
  package var payload: [UInt8] { withPayload { $0.copied } }
}

/// The result of an attempt to receive.
package enum ReceiveOutcome: Sendable {
  case message
  /// Nothing waits.
  case nothing
  /// A message arrived that no implementation of ours sends: it was removed from the socket and dropped.
  case malformed
}

extension Socket {
  /// Removes the next message from the socket, if there is one, without waiting.
  package func receive(into inbound: inout Inbound) throws(ZeroMQError) -> ReceiveOutcome {
    var isWellFormed = true
    inbound.keyNumber = nil
    if kind == .router {
      guard try unsafe receivePart(inbound.parts) else { return .nothing }
      if let sender = unsafe withSpan(of: inbound.parts, { RoutingID(bytes: $0) }) {
        inbound.sender = sender
      } else {
        isWellFormed = false
        // Otherwise the sender of the message before would be blamed for this one.
        inbound.sender = RoutingID(number: 0)
      }
      guard unsafe zmq_msg_more(inbound.parts) != 0 else { return .malformed }
    }
    // The parts of a message arrive together: once the first is here, the others are.
    guard try unsafe receivePart(inbound.parts + 1) else { return kind == .router ? .malformed : .nothing }
    inbound.hasPayload = unsafe zmq_msg_more(inbound.parts + 1) != 0
    if inbound.hasPayload {
      guard try unsafe receivePart(inbound.parts + 2) else { return .malformed }
      while unsafe zmq_msg_more(inbound.parts + 2) != 0 {
        isWellFormed = false
        guard try unsafe receivePart(inbound.parts + 2) else { break }
      }
    }
    if verifiesPeers { unsafe inbound.keyNumber = keyNumber(of: inbound.parts + 1) }
    return isWellFormed ? .message : .malformed
  }

  private func receivePart(_ part: UnsafeMutablePointer<zmq_msg_t>) throws(ZeroMQError) -> Bool {
    while unsafe zmq_msg_recv(part, handle, ZMQ_DONTWAIT) < 0 {
      switch zmq_errno() {
      case EAGAIN: return false
      case EINTR: continue
      default: throw .last("receive")
      }
    }
    return true
  }

  /// The authenticator gives each key a number, which libzmq attaches to every message of the connection.
  private func keyNumber(of part: UnsafeMutablePointer<zmq_msg_t>) -> UInt32? {
    guard let text = unsafe zmq_msg_gets(part, Self.userIDProperty) else { return nil }
    var number: UInt32 = 0
    var index = 0
    while unsafe text[index] != 0 {
      let digit = unsafe UInt8(bitPattern: text[index]) &- 48
      guard digit < 10, index < 9 else { return nil }
      number = number * 10 + UInt32(digit)
      index += 1
    }
    return index > 0 ? number : nil
  }

  private static let userIDProperty = "User-Id"
}
