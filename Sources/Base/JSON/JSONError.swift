/// Why bytes are not the JSON that was expected.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
  public let offset: Int
  /// The bytes at the offset: at most twelve, and none at the end.
  public let found: String
  /// The rule that was broken, as a sentence.
  public let requirement: String

  public var description: String { "at byte \(offset): \(requirement)" }
}
