/// A person whom data is about, named by an identifier that reveals nothing and was made for this purpose.
public struct Subject: Hashable, Sendable, CustomStringConvertible {
  public let id: String

  /// nil unless `id` is 1 to 128 letters, digits, dots, hyphens, colons and underscores (ASCII).
  public init?(_ id: String) {
    let isPlain = id.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"),
        UInt8(ascii: ":"):
        true
      default: false
      }
    }
    guard isPlain, (1...128).contains(id.utf8.count) else { return nil }
    self.id = id
  }

  public var description: String { id }
}
