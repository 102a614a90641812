/// The numbers that both ends of a link share. `docs/bus-protocol.md` gives them to other implementations.
package enum BusLimits {
  /// Payloads up to here stand inside the envelope, larger ones in a second frame.
  package static let inlinePayload = 1024
  /// No envelope carries more payload than this: what is bigger travels as DATA chunks.
  package static let chunk = 64 * 1024
  /// How far a sender may run ahead before the receiver's first WINDOW.
  package static let initialWindow: UInt64 = 64 * 1024
  /// How far a window may grow for a reader that keeps up.
  package static let largestWindow: UInt64 = 512 * 1024
  /// How much more than their first size the windows of one machine's streams may have, all together: half of what a gateway
  /// keeps for a peer that does not take its messages.
  package static let windowAllowance: UInt64 = 4 * 1024 * 1024
  /// The largest message that is put together again.
  package static let largestMessage = 32 * 1024 * 1024
  /// The largest envelope, second frame apart.
  package static let largestEnvelope = 96 * 1024
  /// A message with so many bytes takes no further envelope.
  package static let fullMessage = 8 * 1024
  /// So many envelopes may share a message.
  package static let envelopesInMessage = 256
  /// The largest first frame.
  package static let largestFrame = 128 * 1024
  /// What either side understands of this protocol.
  package static let protocolVersion: UInt32 = 1
}
