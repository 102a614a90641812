/// An envelope as the frames of a ZeroMQ message: one, or a second one with the payload when that is large.
package struct EnvelopeFrames: Sendable {
  package var head: [UInt8]
  package var payload: [UInt8]?

  package init(_ envelope: Envelope) throws(CodecError) {
    guard envelope.payload.count > BusLimits.inlinePayload else {
      head = try envelope.encoded()
      return
    }
    var envelope = envelope
    envelope.payloadFollows = true
    head = try envelope.encoded()
    payload = envelope.payload
  }

  /// Frames that are written already.
  init(head: [UInt8], payload: [UInt8]?) {
    self.head = head
    self.payload = payload
  }

  /// Reads frames that came from a peer.
  ///
  /// - Parameter names: the names of methods that have come before by the same way.
  package static func envelope(
    head: Span<UInt8>, payload: [UInt8]?, names: inout MethodNames
  ) throws(CodecError) -> Envelope {
    var envelope = try Envelope(decoding: head, limits: limits, names: &names)
    guard envelope.payloadFollows == (payload != nil) else {
      throw CodecError(
        code: .malformed, path: "payload_follows",
        message: envelope.payloadFollows ? "no second frame came" : "a second frame came that was not announced")
    }
    envelope.payloadFollows = false
    if let payload { envelope.payload = payload }
    guard envelope.payload.count <= BusLimits.chunk else {
      throw CodecError(
        code: .tooLarge, path: "payload", message: "\(envelope.payload.count) bytes are more than \(BusLimits.chunk)")
    }
    return envelope
  }

  package static func envelope(head: Span<UInt8>, payload: [UInt8]?) throws(CodecError) -> Envelope {
    var names = MethodNames(capacity: 0)
    return try envelope(head: head, payload: payload, names: &names)
  }

  /// The lists of an envelope unfold to small multiples of it.
  private static let limits = DecodingLimits(
    size: BusLimits.largestEnvelope, expandedSize: 16 * BusLimits.largestEnvelope, depth: 8)
}

/// Turns envelopes into frames, one after another in the same buffer.
struct FrameWriter {
  private(set) var head: [UInt8] = []
  /// The second frame; empty when there is none.
  private(set) var payload: [UInt8] = []

  mutating func write(_ envelope: Envelope) throws(CodecError) {
    guard envelope.payload.count > BusLimits.inlinePayload else {
      payload = []
      return try envelope.encode(into: &head)
    }
    var envelope = envelope
    envelope.payloadFollows = true
    payload = envelope.payload
    try envelope.encode(into: &head)
  }

  /// What was written last, to keep.
  var frames: EnvelopeFrames { EnvelopeFrames(head: head, payload: payload.isEmpty ? nil : payload) }
}
