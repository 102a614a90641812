/// A person whom data are about, named by an identifier that was made for this purpose and reveals nothing. Services
/// also use subjects for other things with sealed data, such as a webhook with its secret.
public struct Subject: Hashable, Sendable, CustomStringConvertible {
  public let id: String

  /// nil unless `id` is 1 to 128 letters, digits, dots, hyphens, colons and underscores (ASCII).
  public init?(_ id: String) {
    guard Self.isIdentifier(id) else { return nil }
    self.id = id
  }

  /// Whether a text has the form of a subject's identifier.
  public static func isIdentifier(_ text: String) -> Bool {
    (1...128).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"),
          UInt8(ascii: ":"):
          true
        default: false
        }
      }
  }

  public var description: String { id }
}
