/// Bytes as text that needs no escaping anywhere (RFC 4648 §5, without padding).
enum Base64URL {
  static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let word = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for digit in 0...group.count { text.append(alphabet[word >> (18 - 6 * digit) & 63]) }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// nil when `text` is not such an encoding.
  static func decode(_ text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    var word = 0
    var bits = 0
    for character in text.utf8 {
      guard let digit = alphabet.firstIndex(of: character) else { return nil }
      word = (word << 6 | digit) & 0xFFFF
      bits += 6
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: word >> bits))
      }
    }
    return bits < 6 ? bytes : nil
  }

  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
}
