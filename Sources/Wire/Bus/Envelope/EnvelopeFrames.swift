/// An envelope as the frames of a ZeroMQ message: one, or a second one with the payload when that is large.
package struct EnvelopeFrames: Sendable {
  package var head: [UInt8]
  package var payload: [UInt8]?

  package init(_ envelope: Envelope) throws(CodecError) {
    var writer = FrameWriter()
    try writer.write(envelope)
    self = writer.frames
  }

  fileprivate init(head: [UInt8], payload: [UInt8]?) {
    self.head = head
    self.payload = payload
  }

  /// Reads frames that came from a peer.
  ///
  /// - Parameters:
  ///   - envelope: a fresh one. It is read in place, since what the compiler does to return one costs as much as reading it.
  ///   - memory: what came before by the same way.
  package static func read(
    head: Span<UInt8>, payload: [UInt8]?, into envelope: inout Envelope, memory: inout EnvelopeMemory
  ) throws(CodecError) {
    try envelope.decode(head, limits: limits, memory: &memory)
    guard envelope.payloadFollows == (payload != nil) else {
      throw CodecError(
        code: .malformed, path: "payload_follows",
        message: payload == nil ? "no second frame came" : "a second frame came that was not announced")
    }
    envelope.payloadFollows = false
    if let payload { envelope.payload = payload }
    let count = envelope.payload.count
    guard count <= BusLimits.chunk else {
      throw CodecError(code: .tooLarge, path: "payload", message: "\(count) bytes are more than \(BusLimits.chunk)")
    }
  }

  package static func envelope(head: Span<UInt8>, payload: [UInt8]?) throws(CodecError) -> Envelope {
    var memory = EnvelopeMemory.none
    var envelope = Envelope(.unspecified)
    try read(head: head, payload: payload, into: &envelope, memory: &memory)
    return envelope
  }

  /// The lists of an envelope unfold to small multiples of it.
  private static let limits = DecodingLimits(
    size: BusLimits.largestEnvelope, expandedSize: 16 * BusLimits.largestEnvelope, depth: 8)
}

/// Turns envelopes into frames, one after another in the same memory.
struct FrameWriter {
  /// Begins with the first frame.
  private var buffer: [UInt8] = []
  private var headCount = 0
  /// The second frame; empty when there is none.
  private var payload: [UInt8] = []

  mutating func write(_ envelope: Envelope) throws(CodecError) {
    let payloadFollows = envelope.payload.count > BusLimits.inlinePayload
    if let count = envelope.writePlain(into: &buffer, payloadFollows: payloadFollows) {
      headCount = count
    } else {
      var envelope = envelope
      envelope.payloadFollows = payloadFollows
      buffer = try envelope.encodedFully()
      headCount = buffer.count
    }
    payload = payloadFollows ? envelope.payload : []
  }

  /// Lends what was written last.
  func withFrames<Value>(_ body: (_ head: Span<UInt8>, _ payload: [UInt8]) -> Value) -> Value {
    body(buffer.span.extracting(0..<headCount), payload)
  }

  /// What was written last, to keep.
  var frames: EnvelopeFrames {
    EnvelopeFrames(head: Array(buffer.prefix(headCount)), payload: payload.isEmpty ? nil : payload)
  }
}
