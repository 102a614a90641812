/// What a connection allows its peer.
package struct HTTP2Limits: Sendable {
  /// How many requests may be open at once.
  package var streams: UInt32 = 256
  /// The unread bytes of one request's body.
  package var streamWindow: Int32 = 128 << 10
  /// The unread bytes of all bodies together.
  package var connectionWindow: Int32 = 2 << 20
  /// The size of one header, as HTTP/2 counts it.
  package var headerSize = 24 << 10
  /// How much a header may be longer than that, as HTTP/2 counts it, before the connection ends.
  package var headerExcess = 64 << 10
  /// The budget of frames that cost a peer nothing and advance no request.
  package var idleFrames = FrameBudget.Limits()

  package init() {}
}
