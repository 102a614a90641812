/// Why bytes are not a valid message, or a message cannot be encoded.
public struct CodecError: Error, Hashable, Sendable {
  /// The kind of fault, for programs.
  public enum Code: Hashable, Sendable {
    /// The input ends too early.
    case truncated
    /// The input is not in protobuf's binary form.
    case malformed
    /// A field is encoded in another type than the contract gives it.
    case wrongType
    /// A text is not UTF-8 or contains NUL.
    case invalidText
    /// The input is longer than the limit.
    case tooLarge
    /// The input decodes to more memory than the limit.
    case expandsTooMuch
    /// Messages are nested deeper than the limit.
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

  /// A place in a text. Line and column count from 1, columns in bytes of UTF-8.
  public struct Position: Hashable, Sendable, CustomStringConvertible {
    public let line: Int
    public let column: Int

    public var description: String { "line \(line), column \(column)" }
  }

  public let code: Code
  /// The field, such as `items[2].title`; empty for the message as a whole.
  public let path: String
  /// The place in the text, if it was JSON.
  public let position: Position?
  /// The fault, for people: the field, the bound and the value.
  public let message: String

  public init(code: Code, path: String = "", position: Position? = nil, message: String) {
    self.code = code
    self.path = path
    self.position = position
    self.message = message
  }

  /// Whether the input was refused because of a limit, not because of its content.
  public var isLimit: Bool { code == .tooLarge || code == .expandsTooMuch || code == .tooDeep }
}

extension CodecError {
  init(expansionBeyond limits: DecodingLimits) {
    self.init(code: .expandsTooMuch, message: "the message unfolds to more than \(limits.expandedSize) bytes of memory")
  }
}

extension CodecError: CustomStringConvertible {
  public var description: String {
    [position?.description, path.isEmpty ? nil : path, message].compactMap(\.self).joined(separator: ": ")
  }
}
