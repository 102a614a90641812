internal import Base

/// A person whom data are about, named by an identifier that was made for this purpose and reveals nothing. Services
/// also use subjects for other things with sealed data, such as a webhook with its secret.
public struct Subject: Hashable, Sendable, CustomStringConvertible {
  public let id: String

  /// nil unless `id` is 1 to 128 letters, digits, dots, hyphens, colons and underscores (ASCII).
  public init?(_ id: String) {
    guard id.isIdentifier else { return nil }
    self.id = id
  }

  public var description: String { id }
}
