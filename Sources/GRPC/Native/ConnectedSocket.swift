internal import Glibc

/// A client's connection, without waiting.
@safe final class ConnectedSocket {
  let descriptor: Int32

  enum Outcome: Equatable {
    case done(Int)
    /// Later.
    case wouldBlock
    /// The client has ended the connection, or it broke.
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

  /// Nothing further will be written.
  func finishWriting() { shutdown(descriptor, Int32(SHUT_WR)) }

  private func outcome(_ count: Int) -> Outcome {
    if count > 0 { return .done(count) }
    return count < 0 && (errno == EAGAIN || errno == EINTR) ? .wouldBlock : .over
  }
}
