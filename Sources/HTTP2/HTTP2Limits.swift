package import Base

/// What a connection allows its peer.
package struct HTTP2Limits: Sendable {
  /// The most requests that may be open at once.
  package var streams: UInt32 = 256
  /// The most unread bytes of one request's body.
  package var streamWindow: Int32 = 128 << 10
  /// The most unread bytes of all bodies together.
  package var connectionWindow: Int32 = 2 << 20
  /// The largest header whose fields are kept, measured as HTTP/2 does.
  package var headerSize = 24 << 10
  /// How much larger than that a header may get, with the excess dropped, before the connection ends. The library reads
  /// no field of more than 64 KiB.
  package var headerExcess = 40 << 10
  /// For frames that make a server work without advancing a request: PING, SETTINGS, PRIORITY, empty DATA, and resets
  /// of requests without an answer, whether the peer sends these or provokes the server to.
  package var idleFrames = TokenRate(perSecond: 20, depth: 500)
  /// How many more of them an answer gives leave for: a client that makes many requests also cancels some of them, and
  /// pings to measure its connection.
  package var idleFramesPerAnswer = 2.0

  package init() {}
}
