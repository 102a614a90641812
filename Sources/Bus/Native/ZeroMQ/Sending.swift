internal import CZMQ
internal import Glibc

/// The result of an attempt to send. Only after `sent` has libzmq taken the message.
package enum SendOutcome: Sendable {
  case sent
  /// There is a connection that accepts nothing more now, or (for a dealer) none yet: keep the message or drop it.
  case wouldBlock
  /// The connection that the message was for is gone for good.
  case unreachable
}

extension Socket {
  /// Sends to one of a router's peers, without waiting. An empty payload is not sent as a part.
  package func send(
    _ header: Span<UInt8>, payload: [UInt8] = [], to peer: RoutingID
  ) throws(ZeroMQError) -> SendOutcome {
    let routing = peer.bytes
    let outcome = try sendPart(routing.span, flags: ZMQ_SNDMORE)
    // A router decides at the first part; it accepts all later ones.
    guard outcome == .sent else { return outcome }
    return try send(header, payload: payload)
  }

  /// Sends to the peer that this socket is connected to, without waiting.
  package func send(_ header: Span<UInt8>, payload: [UInt8] = []) throws(ZeroMQError) -> SendOutcome {
    guard !payload.isEmpty else { return try sendPart(header, flags: 0) }
    let outcome = try sendPart(header, flags: ZMQ_SNDMORE)
    guard outcome == .sent else { return outcome }
    return try sendPart(payload.span, flags: 0)
  }

  private func sendPart(_ bytes: Span<UInt8>, flags: Int32) throws(ZeroMQError) -> SendOutcome {
    while true {
      let count = unsafe bytes.withUnsafeBytes {
        unsafe zmq_send(handle, $0.baseAddress, $0.count, flags | ZMQ_DONTWAIT)
      }
      if count >= 0 { return .sent }
      if let outcome = try outcomeOfFailure() { return outcome }
    }
  }

  /// The meaning of a failed send; nil when it must be tried again.
  private func outcomeOfFailure() throws(ZeroMQError) -> SendOutcome? {
    switch zmq_errno() {
    case EAGAIN: return .wouldBlock
    case EHOSTUNREACH: return .unreachable
    case EINTR: return nil
    default: throw .last("send")
    }
  }
}
