package import Base
internal import Bus
package import Face
package import HTTP2
internal import RPC

/// Bounds of the gRPC door.
package struct GRPCLimits: Sendable {
  package var connection = HTTP2Limits()
  /// The longest message, both as it arrives and decompressed.
  package var largestMessage = BusLimits.largestMessage
  package var times = CallTimes()
  /// How long a client may take before it speaks HTTP/2.
  package var greeting = Duration.seconds(10)
  /// How long a client may be silent before it is pinged, with and without calls.
  package var silence = (withCalls: Duration.seconds(60), withoutCalls: Duration.seconds(300))
  /// How long a client may take to answer a ping.
  package var patience = Duration.seconds(20)
  /// How long a client may leave its answers unread, or take to read a part of them.
  package var unread = Duration.seconds(60)
  /// The most connections at a time.
  package var connections = 20_000
  /// How often an address may open a connection with TLS.
  package var handshakes = Handshakes.rate()

  package init() {}
}
