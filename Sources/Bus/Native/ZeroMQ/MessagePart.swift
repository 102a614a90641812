internal import CZMQ

/// Lends the bytes of a message part.
func withSpan<Value, Failure: Error>(
  of part: UnsafeMutablePointer<zmq_msg_t>, _ body: (Span<UInt8>) throws(Failure) -> Value
) throws(Failure) -> Value {
  let buffer = unsafe UnsafeRawBufferPointer(start: zmq_msg_data(part), count: zmq_msg_size(part))
  return try unsafe body(Span(_unsafeBytes: buffer))
}

extension Span<UInt8> {
  /// An array of the bytes.
  package var copied: [UInt8] {
    unsafe withUnsafeBufferPointer { unsafe Array($0) }
  }
}
