package import Wire

/// Writes envelopes for one peer into a ZeroMQ message, one message after another in the same memory.
package struct MessageWriter {
  private var head: [UInt8] = []
  private var payload: [UInt8]?
  private var count = 0
  /// Memory that is used again for each envelope: the last one that was encoded is at its start.
  private var buffer: [UInt8] = []

  package init() {}

  var isEmpty: Bool { count == 0 }

  /// Whether the message takes no further envelope.
  var isFull: Bool {
    payload != nil || head.count >= BusLimits.fullMessage || count == BusLimits.envelopesInMessage
  }

  /// Adds an envelope to a message that is not full. One that cannot be written, or is too large for its receiver,
  /// leaves the message as it was.
  package mutating func add(_ envelope: Envelope) throws(CodecError) {
    let payloadFollows = envelope.payload.count > BusLimits.inlinePayload
    if let length = envelope.writePlain(into: &buffer, payloadFollows: payloadFollows) {
      try append(length)
    } else {
      var envelope = envelope
      envelope.payloadFollows = payloadFollows
      buffer = try envelope.encodedFully()
      try append(buffer.count)
    }
    if payloadFollows { payload = envelope.payload }
  }

  /// Appends the start of the buffer as an element of `Envelopes.envelopes`.
  private mutating func append(_ length: Int) throws(CodecError) {
    guard length <= BusLimits.largestEnvelope else {
      throw CodecError(code: .tooLarge, message: "\(length) bytes are more than \(BusLimits.largestEnvelope)")
    }
    head.append(Self.tag)
    var rest = length
    while rest >= 0x80 {
      head.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    head.append(UInt8(truncatingIfNeeded: rest))
    head += buffer[..<length]
    count += 1
  }

  /// The frames of the message.
  package var frames: EnvelopeFrames { EnvelopeFrames(head: head, payload: payload) }

  /// Passes the message to `body`, and begins the next.
  mutating func send(_ body: (EnvelopeFrames) -> Void) {
    body(frames)
    head.removeAll(keepingCapacity: true)
    payload = nil
    count = 0
  }

  /// Field 1 of `Envelopes`, length-delimited.
  static let tag: UInt8 = 1 << 3 | 2
}
