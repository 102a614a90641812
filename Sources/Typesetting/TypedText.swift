internal import Base
public import Ink

/// A name in the form that is stored and drawn: one line, with single spaces, of bounded length.
public struct TypedText: Hashable, Sendable {
  public let text: String

  public static let mostCharacters = 100
  /// A character may consist of many scalars, but no ordinary one has more than a few.
  public static let mostBytes = 1600

  /// - Parameter path: the name of the field in errors.
  public init(validating given: String, path: String = "text") throws(InkError) {
    // Checked before anything else, since splitting a very long text into characters takes long.
    guard given.utf8.count <= Self.mostBytes else {
      throw InkError(
        path: path, finding: "has \(given.utf8.count) bytes", requirement: "a name has at most \(Self.mostBytes) bytes")
    }
    text = given.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    guard !text.isEmpty else {
      throw InkError(path: path, finding: "is empty", requirement: "a name has at least one letter")
    }
    do throws(NameRule.Fault) {
      try NameRule.check(given)
    } catch {
      throw InkError(path: path, finding: error.finding, requirement: error.requirement)
    }
    guard text.count <= Self.mostCharacters else {
      throw InkError(
        path: path, finding: "has \(text.count) characters",
        requirement: "a name has at most \(Self.mostCharacters) characters")
    }
  }
}
