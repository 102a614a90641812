package import Wire

/// The frames of a ZeroMQ message: envelopes, and the payload of the last of them when that is large.
package struct EnvelopeFrames: Sendable {
  package var head: [UInt8]
  package var payload: [UInt8]?

  /// A message with one envelope.
  package init(_ envelope: Envelope) throws(CodecError) {
    var writer = MessageWriter()
    try writer.add(envelope)
    self = writer.frames
  }

  init(head: [UInt8], payload: [UInt8]?) {
    self.head = head
    self.payload = payload
  }

  /// Reads frames that came from a peer, and passes on each envelope up to the first that is malformed.
  ///
  /// - Parameter memory: method names and callers that were kept from earlier envelopes on the same link.
  package static func read(
    head: Span<UInt8>, payload: [UInt8]?, memory: inout EnvelopeMemory, _ receive: (consuming Envelope) -> Void
  ) throws(CodecError) {
    var place = 0
    var count = 0
    repeat {
      let range = try nextEnvelope(in: head, from: &place)
      count += 1
      guard count <= BusLimits.envelopesInMessage else {
        throw malformed("envelopes", "more than \(BusLimits.envelopesInMessage) envelopes share a message")
      }
      // The envelope is decoded in place, because returning it costs as much as decoding it.
      var envelope = Envelope(.unspecified)
      try envelope.decode(head.extracting(range), limits: limits, memory: &memory)
      try envelope.take(place == head.count ? payload : nil)
      receive(consume envelope)
    } while place < head.count
  }

  /// All envelopes of a message.
  package static func envelopes(head: Span<UInt8>, payload: [UInt8]?) throws(CodecError) -> [Envelope] {
    let (envelopes, fault) = wellFormed(head: head, payload: payload)
    if let fault { throw fault }
    return envelopes
  }

  /// The envelopes of a message up to the first that is malformed, and what is wrong with that one.
  package static func wellFormed(
    head: Span<UInt8>, payload: [UInt8]?
  ) -> (envelopes: [Envelope], fault: CodecError?) {
    var memory = EnvelopeMemory.none
    var envelopes: [Envelope] = []
    do throws(CodecError) {
      try read(head: head, payload: payload, memory: &memory) { envelopes.append($0) }
      return (envelopes, nil)
    } catch {
      return (envelopes, error)
    }
  }

  /// The position of the next element of `Envelopes.envelopes`; `place` moves behind it.
  private static func nextEnvelope(in head: Span<UInt8>, from place: inout Int) throws(CodecError) -> Range<Int> {
    guard place < head.count, head[place] == MessageWriter.tag else {
      throw malformed("envelopes", "no envelope stands at byte \(place)")
    }
    var length = 0
    var start = place + 1
    // Three bytes are enough for any length in a frame.
    for shift in [0, 7, 14] where start < head.count {
      let byte = head[start]
      start += 1
      length |= Int(byte & 0x7F) << shift
      guard byte < 0x80 else { continue }
      guard length <= head.count - start else { break }
      place = start + length
      return start..<place
    }
    throw malformed("envelopes", "the length at byte \(place + 1) is wrong")
  }

  fileprivate static func malformed(_ path: String, _ message: String) -> CodecError {
    CodecError(code: .malformed, path: path, message: message)
  }

  /// Lists take several times more memory when they are decoded, so the bound on that is a multiple of the encoded
  /// size.
  private static let limits = DecodingLimits(
    size: BusLimits.largestEnvelope, expandedSize: 16 * BusLimits.largestEnvelope, depth: 8)
}

extension Envelope {
  /// Gives the envelope the second frame's payload, if it announced one.
  fileprivate mutating func take(_ second: [UInt8]?) throws(CodecError) {
    guard payloadFollows == (second != nil) else {
      throw EnvelopeFrames.malformed(
        "payload_follows", second == nil ? "no second frame came" : "a second frame came that was not announced")
    }
    payloadFollows = false
    if let second { payload = second }
    guard payload.count <= BusLimits.largestPayload else {
      throw CodecError(
        code: .tooLarge, path: "payload", message: "\(payload.count) bytes are more than \(BusLimits.largestPayload)")
    }
  }
}
