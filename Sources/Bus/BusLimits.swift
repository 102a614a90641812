internal import RPC

/// The numbers on which both ends of a link agree. `docs/bus-protocol.md` states them for other implementations.
package enum BusLimits {
  /// The largest payload inside the envelope; a larger one goes into a second frame.
  package static let inlinePayload = 1024
  /// The largest payload of an envelope. A message that is larger is sent as DATA, in chunks.
  package static let largestPayload = 128 * 1024
  /// How much is sent as one chunk at most, so that streams take turns.
  package static let chunk = 64 * 1024
  /// How many bytes of a stream may be sent before the receiver's first WINDOW.
  package static let initialWindow: UInt64 = 64 * 1024
  /// How far a window may grow for a reader that keeps up.
  package static let largestWindow: UInt64 = 512 * 1024
  /// How far a WINDOW may go beyond the bytes that have passed the gateway, for any receiver.
  package static let furthestWindow: UInt64 = 1024 * 1024
  /// By how many bytes all windows of one client or worker may together exceed their first size: a quarter of what a
  /// gateway keeps of the streams for a peer that does not read.
  package static let windowAllowance: UInt64 = 4 * 1024 * 1024
  /// The largest message that a receiver assembles.
  package static let largestMessage = 32 * 1024 * 1024
  /// The largest envelope, without its second frame.
  package static let largestEnvelope = 96 * 1024
  /// How many bytes the field `caller` of an envelope may have.
  package static let largestCaller = 32 * 1024
  /// How many bytes the message of a status may have, and how many its details and metadata together.
  package static let longestStatusMessage = 8 * 1024
  package static let largestStatusContent = 64 * 1024
  /// A message with this many bytes takes no further envelope.
  package static let fullMessage = 8 * 1024
  /// How many envelopes may share a message.
  package static let envelopesInMessage = 256
  /// The largest frame that a socket takes: the largest payload, and what CURVE adds to it.
  package static let largestFrame = largestPayload + 4096
  /// How many bytes the name of a process, `hello.instance`, may have.
  package static let instanceLengths = 1...64
  /// How many bytes the names of services and of methods may have.
  package static let nameLengths = 1...256
  /// How many bytes a method's path may have: both names, each behind a slash.
  package static let longestPath = 2 * (1 + nameLengths.upperBound)
  /// How many bytes `hello.version` and `hello.address`, which are for people, may have each.
  package static let longestDescription = 256
  /// How many bytes an idempotency key may have.
  package static let longestIdempotencyKey = CallContext.longestKey
  /// How many bytes a gateway keeps for a peer that does not read, how many of them are for streams, how many it keeps
  /// for all such peers, and how many of these it never keeps for clients.
  package static let keptForPeer = 24 << 20
  package static let streamsKeptForPeer = 16 << 20
  package static let keptForAllPeers = 512 << 20
  package static let keptForServices = keptForAllPeers / 4
  /// A worker for which more bytes than this wait at the gateway gets no further calls.
  package static let heldUpAbove = 1 << 20
  /// The version of the protocol that clients, workers and gateways speak.
  package static let protocolVersion: UInt32 = 1
}
