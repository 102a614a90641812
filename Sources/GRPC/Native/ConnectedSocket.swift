internal import Glibc

/// A client's socket, which never blocks.
@safe final class ConnectedSocket {
  let descriptor: Int32

  enum Outcome: Equatable {
    case done(Int)
    /// Nothing can be read or written now.
    case wouldBlock
    /// The client has closed the connection, or it is broken.
    case over
  }

  init(owning descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit {
    close(descriptor)
  }

  func read(into buffer: inout [UInt8]) -> Outcome {
    let room = buffer.count
    let count = unsafe buffer.withUnsafeMutableBytes { unsafe recv(descriptor, $0.baseAddress, room, 0) }
    return outcome(count)
  }

  func write(_ bytes: Span<UInt8>) -> Outcome {
    let count = unsafe bytes.withUnsafeBufferPointer {
      unsafe send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
    return outcome(count)
  }

  /// Tells the client that nothing more will be written.
  func finishWriting() { shutdown(descriptor, Int32(SHUT_WR)) }

  private func outcome(_ count: Int) -> Outcome {
    if count > 0 { return .done(count) }
    return count < 0 && (errno == EAGAIN || errno == EINTR) ? .wouldBlock : .over
  }
}
