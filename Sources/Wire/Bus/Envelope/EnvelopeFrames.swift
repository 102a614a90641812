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

  /// Reads frames that came from a peer.
  package static func envelope(head: Span<UInt8>, payload: [UInt8]?) throws(CodecError) -> Envelope {
    var envelope = try Envelope(decoding: head, limits: limits)
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

  /// The lists of an envelope unfold to small multiples of it.
  private static let limits = DecodingLimits(
    size: BusLimits.largestEnvelope, expandedSize: 16 * BusLimits.largestEnvelope, depth: 8)
}
