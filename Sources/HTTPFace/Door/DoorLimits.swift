package import Base
internal import Bus
package import Face
package import HTTP1
package import HTTP2

/// Bounds of a door.
package struct DoorLimits: Sendable {
  /// The most connections at a time.
  package var connections = 20_000
  /// How often an address may open a connection with TLS.
  package var handshakes = Handshakes.rate()
  /// The longest message, both as it arrives and decompressed.
  package var largestMessage = BusLimits.largestMessage
  package var times = CallTimes()
  /// What is read of a request over HTTP/1.1.
  package var requests = RequestLimits()
  /// What a client may do over HTTP/2.
  package var connection = HTTP2Limits()
  /// How long a client may take before it speaks, and for the head of a request over HTTP/1.1.
  package var greeting = Duration.seconds(10)
  /// How long the body of a request over HTTP/1.1 may take to arrive.
  package var bodyTime = Duration.seconds(60)
  /// How long a connection of HTTP/1.1 may be without a request.
  package var idle = Duration.seconds(75)
  /// How long a request is still worked on whose client has closed its half of the connection: it may be waiting for
  /// the answer, or be gone.
  package var halfClosed = Duration.seconds(5)
  /// How long a client of HTTP/2 may be silent before it is pinged, with and without calls.
  package var silence = (withCalls: Duration.seconds(60), withoutCalls: Duration.seconds(300))
  /// How long a client may take to answer a ping, and to close a connection that is over.
  package var patience = Duration.seconds(20)
  /// How long a client may leave its answers unread, or take to read a part of them.
  package var unread = Duration.seconds(60)

  package init() {}
}
