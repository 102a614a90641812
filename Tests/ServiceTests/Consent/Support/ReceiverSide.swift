import Base
import TestSupport

/// Checks signatures of messages as a receiver would, with code of its own.
enum ReceiverSide {
  /// The signature that a message has to bear, by a key.
  static func signature(_ message: WebhookReceiver.Message, _ key: [UInt8]) -> String {
    let signed = Array("\(message.id).\(message.timestamp).\(message.body)".utf8)
    return "v1,\(base64(MessageCode.make(signed, key: key)))"
  }

  private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")

  static func base64(_ bytes: [UInt8]) -> String {
    var text = ""
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let word = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for digit in 0...group.count { text.append(letters[word >> (18 - 6 * digit) & 63]) }
      text += String(repeating: "=", count: 3 - group.count)
    }
    return text
  }

  /// What a secret stands for; nil for what is none.
  static func key(_ secret: String) -> [UInt8]? {
    guard secret.hasPrefix("whsec_") else { return nil }
    var (bytes, word, bits): ([UInt8], Int, Int) = ([], 0, 0)
    for letter in secret.dropFirst(6) where letter != "=" {
      guard let digit = letters.firstIndex(of: letter) else { return nil }
      (word, bits) = ((word << 6 | digit) & 0xFFFF, bits + 6)
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: word >> bits))
      }
    }
    return bytes
  }
}
