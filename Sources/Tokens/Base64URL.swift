/// Bytes as text in the alphabet for addresses, without padding (RFC 4648): the form of every part of a token.
public enum Base64URL {
  public static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count * 4 / 3 + 2)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let word = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for digit in 0...group.count { text.append(alphabet[word >> (18 - 6 * digit) & 63]) }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// nil unless `text` is the one encoding of its bytes: two tokens that differ are never the same.
  public static func decode(_ text: some StringProtocol) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count * 3 / 4)
    var word = 0
    var bits = 0
    for character in text.utf8 {
      let digit = digits[Int(character)]
      guard digit >= 0 else { return nil }
      word = (word << 6 | digit) & 0xFFFF
      bits += 6
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: word >> bits))
      }
    }
    guard bits < 6, word & (1 << bits - 1) == 0 else { return nil }
    return bytes
  }

  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  private static let digits: [Int] = {
    var digits = [Int](repeating: -1, count: 256)
    for (value, character) in alphabet.enumerated() { digits[Int(character)] = value }
    return digits
  }()
}
