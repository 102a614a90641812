/// Makes identifiers that sort by the time at which they were made: UUID version 7 (RFC 9562) in its usual form.
public struct IdentifierSource: Sendable {
  private let clock: Clock
  private let randomness: Randomness

  public init(clock: Clock = .system, randomness: Randomness = .system) {
    self.clock = clock
    self.randomness = randomness
  }

  public func next() -> String {
    let time = UInt64(clamping: clock.now.millisecondsSince1970)
    var bytes = (0..<6).map { UInt8(truncatingIfNeeded: time >> UInt64(40 - 8 * $0)) } + randomness.bytes(10)
    bytes[6] = bytes[6] & 0x0F | 0x70
    bytes[8] = bytes[8] & 0x3F | 0x80
    let digits = Array(Hex.encode(bytes).utf8)
    let groups = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(decoding: digits[$0], as: UTF8.self) }
    return groups.joined(separator: "-")
  }
}
