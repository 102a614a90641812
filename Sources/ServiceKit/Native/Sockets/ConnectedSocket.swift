internal import CSystem
internal import Glibc

/// A client's socket, which never blocks.
@safe package final class ConnectedSocket {
  package let descriptor: Int32

  package enum Outcome: Equatable {
    case done(Int)
    /// Nothing can be read or written now.
    case wouldBlock
    /// The client sends nothing more.
    case ended
    case broken
  }

  package init(owning descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit {
    close(descriptor)
  }

  /// - Parameter most: the most bytes to read, if that is less than the buffer holds.
  package func read(into buffer: inout [UInt8], upTo most: Int = .max) -> Outcome {
    let room = min(buffer.count, most)
    let count = unsafe buffer.withUnsafeMutableBytes { unsafe recv(descriptor, $0.baseAddress, room, 0) }
    return outcome(count)
  }

  /// Throws away at most `most` bytes that have come; the system does not copy them.
  package func skip(_ most: Int) -> Outcome { outcome(recv(descriptor, nil, most, Int32(MSG_TRUNC))) }

  package func write(_ bytes: Span<UInt8>) -> Outcome {
    let count = unsafe bytes.withUnsafeBufferPointer {
      unsafe send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
    return outcome(count)
  }

  /// Tells the client that nothing more will be written.
  package func finishWriting() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Lets the client see a reset, and not an end, when the socket is closed.
  package func abort() {
    var now = linger(l_onoff: 1, l_linger: 0)
    _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
  }

  private func outcome(_ count: Int) -> Outcome {
    if count > 0 { return .done(count) }
    if count == 0 { return .ended }
    return errno == EAGAIN || errno == EINTR ? .wouldBlock : .broken
  }
}
