internal import Base
package import RPC

/// A message with a prefix of one byte of flags and four bytes of length, the form that gRPC, gRPC-Web and Connect's
/// streams share.
package struct PrefixedFrame: Hashable, Sendable {
  package var flags: UInt8
  package var payload: [UInt8]

  /// The payload is compressed with the coding that the call's headers name.
  package static let compressed: UInt8 = 0x01
  /// Connect: the payload is the end of the stream, as JSON.
  package static let connectEnd: UInt8 = 0x02
  /// gRPC-Web: the payload is the trailers, as lines.
  package static let webTrailers: UInt8 = 0x80

  package static let prefix = 5

  package init(flags: UInt8 = 0, payload: [UInt8]) {
    self.flags = flags
    self.payload = payload
  }

  package func append(to output: inout [UInt8]) {
    output.reserveCapacity(output.count + Self.prefix + payload.count)
    appendHead(to: &output)
    output += payload
  }

  /// Passes the frame's bytes on: a long payload by itself, which saves a copy.
  package func write(to sink: ([UInt8]) -> Void) {
    var bytes: [UInt8] = []
    guard payload.count > ByteQueue.piece else {
      append(to: &bytes)
      return sink(bytes)
    }
    appendHead(to: &bytes)
    sink(bytes)
    sink(payload)
  }

  /// Appends what precedes the payload.
  private func appendHead(to output: inout [UInt8]) {
    let length = UInt32(payload.count)
    output.append(flags)
    for shift in [24, 16, 8, 0] { output.append(UInt8(truncatingIfNeeded: length >> UInt32(shift))) }
  }
}

/// Assembles frames from bytes as they arrive: a pure state machine with one frame in memory at most.
package struct PrefixedFrameReader: Sendable {
  private let limit: Int
  private var head: [UInt8] = []
  private var payload: [UInt8] = []
  /// The length that the head states; nil until it is complete.
  private var length: Int?

  /// - Parameter limit: the longest payload.
  package init(limit: Int) {
    self.limit = limit
  }

  /// Whether the bytes so far end inside a frame: if nothing follows, the frame is cut off.
  package var isInsideFrame: Bool { !head.isEmpty }

  /// How many bytes of an unfinished payload have arrived.
  package var gathered: Int { payload.count }

  /// How many more bytes of the payload its head announces.
  package var missing: Int { length.map { $0 - payload.count } ?? 0 }

  /// Takes bytes up to the end of the next frame, and removes them from `bytes`; nil when the frame needs more than
  /// these.
  package mutating func next(from bytes: inout ArraySlice<UInt8>) throws(Status) -> PrefixedFrame? {
    if length == nil {
      let missing = bytes.prefix(PrefixedFrame.prefix - head.count)
      head += missing
      bytes = bytes.dropFirst(missing.count)
      guard head.count == PrefixedFrame.prefix else { return nil }
      let stated = head[1...].reduce(0) { $0 << 8 | Int($1) }
      guard stated <= limit else {
        throw Status(
          .invalidArgument, rule: "message_too_large", "a message has \(stated) bytes; at most \(limit) are taken")
      }
      length = stated
      // No memory is reserved for an announced length beyond this, since announcing costs the caller nothing.
      payload.reserveCapacity(min(stated, 1 << 16))
    }
    guard let length else { return nil }
    let part = bytes.prefix(length - payload.count)
    payload += part
    bytes = bytes.dropFirst(part.count)
    guard payload.count == length else { return nil }
    defer {
      head = []
      payload = []
      self.length = nil
    }
    return PrefixedFrame(flags: head[0], payload: payload)
  }
}
