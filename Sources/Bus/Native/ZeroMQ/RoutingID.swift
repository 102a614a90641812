/// The number that a ROUTER gives to a connection; a new connection gets a new one.
///
/// Peers could choose identifiers themselves, but those outlive a connection and would break sessions after a restart.
/// Messages of peers that do so are dropped. A peer that speaks ZMTP by itself can choose one in the form of a number,
/// too, which cannot be told from a number of the ROUTER: so a session belongs to a number and a key, and the first
/// number of a ROUTER is drawn at random (`ZeroMQContext`).
package struct RoutingID: Hashable, Sendable {
  package let number: UInt32

  package init(number: UInt32) {
    self.number = number
  }

  /// The form that libzmq generates: a zero byte and the number, big-endian.
  static let byteCount = 5

  package init?(bytes: Span<UInt8>) {
    guard bytes.count == Self.byteCount, bytes[0] == 0 else { return nil }
    var number: UInt32 = 0
    for index in 1..<Self.byteCount { number = number << 8 | UInt32(bytes[index]) }
    self.number = number
  }

  var bytes: InlineArray<5, UInt8> {
    InlineArray { index in index == 0 ? 0 : UInt8(truncatingIfNeeded: number >> UInt32(8 * (4 - index))) }
  }
}
