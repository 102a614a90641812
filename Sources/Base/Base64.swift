/// Bytes as text in base64's standard alphabet (RFC 4648 §4), with padding.
public enum Base64 {
  public static func encode(_ bytes: [UInt8], padded: Bool = true) -> String {
    var text: [UInt8] = []
    append(bytes.span, to: &text, Base64Letters.standard, padded: padded)
    return String(decoding: text, as: UTF8.self)
  }

  /// Appends the bytes as padded text.
  public static func append(_ bytes: Span<UInt8>, to text: inout [UInt8]) {
    append(bytes, to: &text, Base64Letters.standard, padded: true)
  }

  /// nil unless `text` is what `encode` writes: the same bytes have one padded text.
  public static func decode(_ text: String) -> [UInt8]? {
    let text = Array(text.utf8)
    guard text.count.isMultiple(of: 4) else { return nil }
    return decode(text.span.extracting(..<unpaddedCount(text.span)), Base64Letters.standardValues)
  }

  /// Reads text as leniently as proto3's JSON demands: in either alphabet, with or without padding, and with any values
  /// of the last letter's spare bits.
  public static func decodeLeniently(_ text: Span<UInt8>) -> [UInt8]? {
    let count = unpaddedCount(text)
    // Padding, if there is any, fills the last group of four letters.
    guard count == text.count || text.count.isMultiple(of: 4) else { return nil }
    return decode(text.extracting(..<count), Base64Letters.allValues, allowsSpareBits: true)
  }

  private static func unpaddedCount(_ text: Span<UInt8>) -> Int {
    var count = text.count
    while count > 0, text.count - count < 2, text[count - 1] == UInt8(ascii: "=") { count -= 1 }
    return count
  }

  fileprivate static func append(
    _ bytes: Span<UInt8>, to text: inout [UInt8], _ letters: [UInt8], padded: Bool
  ) {
    text.reserveCapacity(text.count + (bytes.count + 2) / 3 * 4)
    var index = 0
    while index < bytes.count {
      let rest = bytes.count - index
      let second = rest > 1 ? bytes[index + 1] : 0
      let third = rest > 2 ? bytes[index + 2] : 0
      let group = UInt32(bytes[index]) << 16 | UInt32(second) << 8 | UInt32(third)
      text.append(letters[Int(group >> 18)])
      text.append(letters[Int(group >> 12 & 63)])
      if rest > 1 { text.append(letters[Int(group >> 6 & 63)]) }
      if rest > 2 { text.append(letters[Int(group & 63)]) }
      index += 3
    }
    if padded {
      for _ in 0..<(3 - bytes.count % 3) % 3 { text.append(UInt8(ascii: "=")) }
    }
  }

  /// - Parameter allowsSpareBits: whether the bits of the last letter that belong to no byte may be other than zero.
  fileprivate static func decode(
    _ text: Span<UInt8>, _ values: [UInt8], allowsSpareBits: Bool = false
  ) -> [UInt8]? {
    guard text.count % 4 != 1 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count * 3 / 4)
    var group: UInt32 = 0
    for index in text.indices {
      let value = values[Int(text[index])]
      guard value < 64 else { return nil }
      group = group << 6 | UInt32(value)
      if index % 4 == 3 {
        bytes.append(UInt8(truncatingIfNeeded: group >> 16))
        bytes.append(UInt8(truncatingIfNeeded: group >> 8))
        bytes.append(UInt8(truncatingIfNeeded: group))
        group = 0
      }
    }
    // Two letters have four bits more than one byte, three letters two more than two bytes.
    let spareBits = text.count % 4 == 2 ? 4 : text.count % 4 == 3 ? 2 : 0
    guard allowsSpareBits || group & (1 << spareBits - 1) == 0 else { return nil }
    if spareBits == 2 { bytes.append(UInt8(truncatingIfNeeded: group >> 10)) }
    if spareBits > 0 { bytes.append(UInt8(truncatingIfNeeded: group >> spareBits)) }
    return bytes
  }
}

/// Bytes as text in base64's alphabet for URLs, without padding (RFC 4648 §5): it needs no escaping anywhere.
public enum Base64URL {
  public static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    Base64.append(bytes.span, to: &text, Base64Letters.url, padded: false)
    return String(decoding: text, as: UTF8.self)
  }

  /// nil unless `text` is the one encoding of its bytes, so that two different tokens never mean the same.
  public static func decode(_ text: some StringProtocol) -> [UInt8]? {
    let text = Array(text.utf8)
    return Base64.decode(text.span, Base64Letters.urlValues)
  }
}

private enum Base64Letters {
  private static let common = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
  static let standard = Array("\(common)+/".utf8)
  static let url = Array("\(common)-_".utf8)

  /// The value of each letter; 255 for bytes that are not in the alphabet.
  static let standardValues = values(standard)
  static let urlValues = values(url)
  static let allValues = values(standard, url)

  private static func values(_ alphabets: [UInt8]...) -> [UInt8] {
    var values = [UInt8](repeating: 255, count: 256)
    for letters in alphabets {
      for (value, letter) in letters.enumerated() { values[Int(letter)] = UInt8(value) }
    }
    return values
  }
}
