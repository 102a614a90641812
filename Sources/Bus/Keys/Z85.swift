internal import Wire

/// ZeroMQ's printable form of keys: each four bytes as five digits to the base of 85 (RFC 32 of ZeroMQ).
enum Z85 {
  static func encode(_ bytes: [UInt8]) -> String {
    precondition(bytes.count.isMultiple(of: 4), "Z85 spells groups of four bytes")
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 4) {
      var word = bytes[start..<start + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      var digits = InlineArray<5, UInt8>(repeating: 0)
      for position in digits.indices.reversed() {
        digits[position] = alphabet[Int(word % 85)]
        word /= 85
      }
      for position in digits.indices { text.append(digits[position]) }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The bytes that `text` spells; nil when it is not Z85.
  static func decode(_ text: String) -> [UInt8]? {
    let digits = Array(text.utf8)
    guard digits.count.isMultiple(of: 5) else { return nil }
    var bytes: [UInt8] = []
    for start in stride(from: 0, to: digits.count, by: 5) {
      var value: UInt64 = 0
      for digit in digits[start..<start + 5] {
        guard digit < 128, values[Int(digit)] < 85 else { return nil }
        value = value * 85 + UInt64(values[Int(digit)])
      }
      guard let word = UInt32(exactly: value) else { return nil }
      bytes += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> $0) }
    }
    return bytes
  }

  private static let alphabet = Array(
    "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#".utf8)

  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 255, count: 128)
    for (value, digit) in alphabet.enumerated() { values[Int(digit)] = UInt8(value) }
    return values
  }()
}
