/// The owner of data. Every row belongs to one tenant, and a statement runs for exactly one.
public struct Tenant: Hashable, Sendable, CustomStringConvertible {
  public let id: String

  /// nil unless `id` is 1 to 64 letters, digits, dots, hyphens and underscores (ASCII).
  public init?(_ id: String) {
    let allowed = id.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
    guard allowed, (1...64).contains(id.utf8.count) else { return nil }
    self.id = id
  }

  public var description: String { id }
}
