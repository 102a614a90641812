/// Bytes as text with padding (RFC 4648 §4), as signed notes and evidence have them. There is one text for the same
/// bytes: what `encode` would not write, `decode` refuses.
package enum Base64 {
  package static func encode(_ bytes: [UInt8]) -> String {
    let unpadded = Base64URL.encode(bytes).utf8.map { byte in
      switch byte {
      case UInt8(ascii: "-"): UInt8(ascii: "+")
      case UInt8(ascii: "_"): UInt8(ascii: "/")
      default: byte
      }
    }
    let padding = [UInt8](repeating: UInt8(ascii: "="), count: (3 - bytes.count % 3) % 3)
    return String(decoding: unpadded + padding, as: UTF8.self)
  }

  package static func decode(_ text: String) -> [UInt8]? {
    let unpadded = text.utf8.prefix { $0 != UInt8(ascii: "=") }.map { byte in
      switch byte {
      case UInt8(ascii: "+"): UInt8(ascii: "-")
      case UInt8(ascii: "/"): UInt8(ascii: "_")
      // The other alphabet's letters are none of this one's.
      case UInt8(ascii: "-"), UInt8(ascii: "_"): UInt8(ascii: "=")
      default: byte
      }
    }
    guard let bytes = Base64URL.decode(String(decoding: unpadded, as: UTF8.self)), encode(bytes) == text else {
      return nil
    }
    return bytes
  }
}
