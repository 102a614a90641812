/// Resolves the escapes in JSON's text.
enum JSONEscapes {
  /// Writes the text without its escapes and returns its length in bytes.
  static func resolve(
    _ raw: UnsafeBufferPointer<UInt8>, into output: UnsafeMutablePointer<UInt8>
  ) throws(CodecFault) -> Int {
    var index = 0
    var count = 0
    while index < raw.count {
      let byte = unsafe raw[index]
      index += 1
      guard byte == UInt8(ascii: "\\") else {
        unsafe output[count] = byte
        count += 1
        continue
      }
      guard index < raw.count else { throw CodecFault(.notJSON, "an escape is cut short") }
      let kind = unsafe raw[index]
      index += 1
      if kind == UInt8(ascii: "u") {
        let scalar = try unsafe unicode(raw, &index)
        for unit in UTF8.encode(scalar) ?? .init() {
          unsafe output[count] = unit
          count += 1
        }
      } else {
        unsafe output[count] = try simple(kind)
        count += 1
      }
    }
    return count
  }

  private static func simple(_ kind: UInt8) throws(CodecFault) -> UInt8 {
    switch kind {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return kind
    case UInt8(ascii: "b"): return 0x08
    case UInt8(ascii: "f"): return 0x0c
    case UInt8(ascii: "n"): return 0x0a
    case UInt8(ascii: "r"): return 0x0d
    case UInt8(ascii: "t"): return 0x09
    default: throw CodecFault(.notJSON, "there is no such escape")
    }
  }

  /// The character of one `\u` or of two that make a surrogate pair. The first `\u` is behind `index`.
  private static func unicode(
    _ raw: UnsafeBufferPointer<UInt8>, _ index: inout Int
  ) throws(CodecFault) -> Unicode.Scalar {
    let first = try unsafe hexadecimal(raw, &index)
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard (0xd800..<0xdc00).contains(first), index + 1 < raw.count, unsafe raw[index] == UInt8(ascii: "\\"),
      unsafe raw[index + 1] == UInt8(ascii: "u")
    else { throw CodecFault(.invalidText, "half a surrogate pair is no character") }
    index += 2
    let second = try unsafe hexadecimal(raw, &index)
    guard (0xdc00..<0xe000).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (first - 0xd800) << 10 + (second - 0xdc00))
    else { throw CodecFault(.invalidText, "half a surrogate pair is no character") }
    return scalar
  }

  private static func hexadecimal(_ raw: UnsafeBufferPointer<UInt8>, _ index: inout Int) throws(CodecFault) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard index < raw.count, let digit = unsafe Unicode.Scalar(raw[index]).hexDigitValue else {
        throw CodecFault(.notJSON, "four hexadecimal digits are expected behind \\u")
      }
      value = value << 4 | digit
      index += 1
    }
    return value
  }
}

extension Unicode.Scalar {
  fileprivate var hexDigitValue: UInt32? {
    switch self {
    case "0"..."9": value - 0x30
    case "a"..."f": value - 0x61 + 10
    case "A"..."F": value - 0x41 + 10
    default: nil
    }
  }
}
