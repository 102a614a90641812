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
  /// How much larger than that a header may get, with the excess dropped, before the connection ends.
  package var headerExcess = 64 << 10
  /// The budget for frames that cost a peer nothing and advance no request.
  package var idleFrames = FrameBudget.Limits()

  package init() {}
}
