/// Escapes text for JSON. No other code does.
public enum JSONText {
  /// The text in quotes.
  ///
  /// - Parameter onOneLine: whether to escape, for logs, all control characters and everything that some readers take
  ///   for a line's end.
  public static func quoted(_ text: String, onOneLine: Bool = false) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count + 2)
    bytes.append(UInt8(ascii: "\""))
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\u{7F}"..."\u{9F}" where onOneLine, "\u{2028}" where onOneLine, "\u{2029}" where onOneLine:
        bytes += "\\u\(padded(String(scalar.value, radix: 16)))".utf8
      default: for byte in UTF8.encode(scalar) ?? .init() { append(byte, to: &bytes) }
      }
    }
    bytes.append(UInt8(ascii: "\""))
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Whether a byte of a text is escaped.
  @inlinable public static func isEscaped(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  /// Appends a byte of a text to JSON, escaped if necessary. Bytes of characters beyond ASCII are not escaped.
  @inlinable public static func append(_ byte: UInt8, to bytes: inout [UInt8]) {
    guard isEscaped(byte) else {
      bytes.append(byte)
      return
    }
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"):
      bytes.append(UInt8(ascii: "\\"))
      bytes.append(byte)
    case UInt8(ascii: "\n"): bytes += "\\n".utf8
    case UInt8(ascii: "\r"): bytes += "\\r".utf8
    case UInt8(ascii: "\t"): bytes += "\\t".utf8
    default:
      bytes += "\\u00".utf8
      bytes.append(hexDigit(byte >> 4))
      bytes.append(hexDigit(byte & 15))
    }
  }

  @usableFromInline static func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }

  private static func padded(_ digits: String) -> String {
    String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
