public import Ink

/// A name as it is kept and written: one line, with single spaces, of a length that a signature has.
public struct TypedText: Hashable, Sendable {
  public let text: String

  public static let mostCharacters = 100
  /// A character may be built of many scalars; no honest one is of more than a few.
  public static let mostBytes = 1600

  /// - Parameter path: what the error calls the name.
  public init(validating given: String, path: String = "text") throws(InkError) {
    // Bytes first: taking a novel apart takes its time.
    guard given.utf8.count <= Self.mostBytes else {
      throw InkError(
        path: path, finding: "has \(given.utf8.count) bytes", requirement: "a name has at most \(Self.mostBytes) bytes")
    }
    guard given.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control || $0.properties.isWhitespace })
    else {
      throw InkError(path: path, finding: "has control characters", requirement: "a name is one line of plain text")
    }
    text = given.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    guard !text.isEmpty else {
      throw InkError(path: path, finding: "is empty", requirement: "a name has at least one character")
    }
    guard text.count <= Self.mostCharacters else {
      throw InkError(
        path: path, finding: "has \(text.count) characters",
        requirement: "a name has at most \(Self.mostCharacters) characters")
    }
  }
}
