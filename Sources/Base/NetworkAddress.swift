/// An IP address, of version 4 or 6.
public struct NetworkAddress: Hashable, Sendable {
  /// 4 or 16 bytes.
  public let bytes: [UInt8]

  /// nil unless there are 4 or 16 bytes.
  public init?(bytes: [UInt8]) {
    guard bytes.count == 4 || bytes.count == 16 else { return nil }
    self.bytes = bytes
  }

  /// Whether the address is one of the public internet: not one of this machine, a private network, a link or a
  /// multicast group, and neither reserved nor set aside for documentation and tests (IANA's registries of
  /// special-purpose addresses).
  public var isPublic: Bool {
    if bytes.count == 4 { return !Self.special4.contains { $0.contains(self) } }
    // A version 6 address that stands for one of version 4 is public if that is.
    if let inner = embedded { return inner.isPublic }
    return Self.global6.contains(self) && !Self.special6.contains { $0.contains(self) }
  }

  /// The version 4 address that this version 6 address stands for.
  private var embedded: NetworkAddress? {
    let place: Range<Int>? =
      Self.mapped.contains(self) || Self.translated.contains(self)
      ? 12..<16 : Self.sixToFour.contains(self) ? 2..<6 : nil
    return place.flatMap { NetworkAddress(bytes: Array(bytes[$0])) }
  }

  private static let mapped = NetworkRange(trusted: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0, 0, 0, 0], 96)
  private static let translated = NetworkRange(trusted: [0, 0x64, 0xFF, 0x9B] + zeros(12), 96)
  private static let sixToFour = NetworkRange(trusted: [0x20, 0x02] + zeros(14), 16)
  private static let global6 = NetworkRange(trusted: [0x20] + zeros(15), 3)

  private static let special4 = [
    NetworkRange(trusted: [0, 0, 0, 0], 8), NetworkRange(trusted: [10, 0, 0, 0], 8),
    NetworkRange(trusted: [100, 64, 0, 0], 10), NetworkRange(trusted: [127, 0, 0, 0], 8),
    NetworkRange(trusted: [169, 254, 0, 0], 16), NetworkRange(trusted: [172, 16, 0, 0], 12),
    NetworkRange(trusted: [192, 0, 0, 0], 24), NetworkRange(trusted: [192, 0, 2, 0], 24),
    NetworkRange(trusted: [192, 88, 99, 0], 24), NetworkRange(trusted: [192, 168, 0, 0], 16),
    NetworkRange(trusted: [198, 18, 0, 0], 15), NetworkRange(trusted: [198, 51, 100, 0], 24),
    NetworkRange(trusted: [203, 0, 113, 0], 24), NetworkRange(trusted: [224, 0, 0, 0], 3),
  ]

  private static let special6 = [
    // Tunnels and other protocols' own addresses, documentation, and the former 6bone.
    NetworkRange(trusted: [0x20, 0x01, 0, 0] + zeros(12), 23),
    NetworkRange(trusted: [0x20, 0x01, 0x0D, 0xB8] + zeros(12), 32),
    NetworkRange(trusted: [0x3F, 0xFE] + zeros(14), 16), NetworkRange(trusted: [0x3F, 0xFF] + zeros(14), 20),
  ]

  private static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
}

/// The addresses that begin with the same bits, such as `10.0.0.0/8`.
public struct NetworkRange: Hashable, Sendable {
  private let start: [UInt8]
  private let bits: Int

  /// - Parameter bits: how many leading bits the addresses share.
  public init?(_ address: NetworkAddress, bits: Int) {
    guard (0...address.bytes.count * 8).contains(bits) else { return nil }
    start = address.bytes
    self.bits = bits
  }

  /// Reads `10.1.0.0/16`, `fd00::/8`, or one address.
  public init?(text: String) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, let address = NetworkAddress(text: String(first)),
      let bits = parts.count == 2 ? Int(parts[1]) : address.bytes.count * 8
    else { return nil }
    self.init(address, bits: bits)
  }

  fileprivate init(trusted start: [UInt8], _ bits: Int) {
    self.start = start
    self.bits = bits
  }

  public func contains(_ address: NetworkAddress) -> Bool {
    guard address.bytes.count == start.count else { return false }
    let (whole, rest) = (bits / 8, bits % 8)
    guard start.prefix(whole) == address.bytes.prefix(whole) else { return false }
    return rest == 0 || (start[whole] ^ address.bytes[whole]) >> UInt8(8 - rest) == 0
  }
}
