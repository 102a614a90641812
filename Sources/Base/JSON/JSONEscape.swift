/// Resolves the escapes of JSON's strings. No other code does.
public enum JSONEscape {
  public enum Fault: Error {
    case unknown
    case digitsMissing
    /// The escape is one of two surrogates that only together make a character.
    case halfCharacter

    public var requirement: String {
      switch self {
      case .unknown: "behind a backslash is one of \"\\/bfnrtu"
      case .digitsMissing: "four hexadecimal digits are expected behind \\u"
      case .halfCharacter: "half a surrogate pair is no character"
      }
    }
  }

  /// The character of the escape whose backslash is just before `index`. Moves `index` past the escape.
  public static func scalar(in text: Span<UInt8>, at index: inout Int) throws(Fault) -> Unicode.Scalar {
    guard index < text.count else { throw .unknown }
    let letter = text[index]
    index += 1
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(letter)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return try unicode(text, &index)
    default: throw .unknown
    }
  }

  private static func unicode(_ text: Span<UInt8>, _ index: inout Int) throws(Fault) -> Unicode.Scalar {
    let first = try unit(text, &index)
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard first < 0xDC00, index + 1 < text.count, text[index] == UInt8(ascii: "\\"),
      text[index + 1] == UInt8(ascii: "u")
    else { throw .halfCharacter }
    index += 2
    let second = try unit(text, &index)
    guard (0xDC00..<0xE000).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    else { throw .halfCharacter }
    return scalar
  }

  private static func unit(_ text: Span<UInt8>, _ index: inout Int) throws(Fault) -> UInt32 {
    guard index + 4 <= text.count else { throw .digitsMissing }
    var value: UInt32 = 0
    for place in index..<index + 4 {
      guard let digit = Hex.value(of: text[place]) else { throw .digitsMissing }
      value = value << 4 | UInt32(digit)
    }
    index += 4
    return value
  }
}
