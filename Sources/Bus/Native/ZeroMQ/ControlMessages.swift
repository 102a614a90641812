internal import CZMQ
internal import Glibc

/// Messages of any number of parts, copied: for rare messages within the process, not for the bus.
extension Socket {
  /// The next message, if one waits.
  package func receiveParts() throws(ZeroMQError) -> [[UInt8]]? {
    var part = zmq_msg_t()
    unsafe zmq_msg_init(&part)
    defer { unsafe zmq_msg_close(&part) }
    var parts: [[UInt8]] = []
    while true {
      if unsafe zmq_msg_recv(&part, handle, ZMQ_DONTWAIT) >= 0 {
        unsafe parts.append(withSpan(of: &part) { $0.copied })
        if unsafe zmq_msg_more(&part) == 0 { return parts }
      } else if zmq_errno() == EAGAIN {
        return nil
      } else if zmq_errno() != EINTR {
        throw .last("receive")
      }
    }
  }

  package func sendParts(_ parts: [[UInt8]]) throws(ZeroMQError) {
    for (index, part) in parts.enumerated() {
      let flags = index + 1 < parts.count ? ZMQ_SNDMORE : 0
      while unsafe zmq_send(handle, part, part.count, flags) < 0 {
        guard zmq_errno() == EINTR else { throw .last("send") }
      }
    }
  }
}
