/// Why bytes are no message, or a message cannot become bytes.
public struct CodecError: Error, Hashable, Sendable {
  /// What is wrong, for a program.
  public enum Code: Hashable, Sendable {
    /// The input ends in the middle of something.
    case truncated
    /// The input is not in protobuf's binary form.
    case malformed
    /// A field has another type than the contract gives it.
    case wrongType
    /// A text is not UTF-8 or contains NUL.
    case invalidText
    /// The input is longer than the limit.
    case tooLarge
    /// The input unfolds to more memory than the limit.
    case expandsTooMuch
    /// Messages stand inside each other deeper than the limit.
    case tooDeep
    /// The input is not JSON.
    case notJSON
    /// JSON names a field or an enum value that the contract does not have.
    case unknownName
    /// JSON gives a field twice.
    case duplicate
    /// A number, time or encoded text does not fit its field.
    case outOfRange
  }

  public let code: Code
  /// Where in the message, such as `items[2].title`; empty for the message as a whole.
  public let path: String
  /// What is wrong, for a person: the field, the bound and the value.
  public let message: String

  public init(code: Code, path: String = "", message: String) {
    self.code = code
    self.path = path
    self.message = message
  }

  /// Whether the input was refused for what it would cost, not for what it says.
  public var isLimit: Bool { code == .tooLarge || code == .expandsTooMuch || code == .tooDeep }
}

extension CodecError: CustomStringConvertible {
  public var description: String { path.isEmpty ? message : "\(path): \(message)" }
}
