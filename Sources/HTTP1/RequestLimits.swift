/// How much of a request is read before it is refused.
package struct RequestLimits: Sendable {
  /// The most bytes of a head: request line and fields.
  package var head = 16 << 10
  /// The most bytes of a request's address.
  package var target = 8 << 10
  /// The most fields of a head, and of a trailer.
  package var fields = 100
  /// The most bytes of what a chunk's size may be followed by.
  package var chunkExtension = 256
  /// The most bytes of a trailer.
  package var trailer = 8 << 10

  package init() {}
}
