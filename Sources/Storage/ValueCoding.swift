/// Encodes values as bytes, for cursors, archives, keys and hashes: a tag, then the value, with big-endian lengths and
/// integers.
enum ValueCoding {
  static func append(_ value: Value, to bytes: inout [UInt8]) {
    switch value {
    case .null:
      bytes.append(0)
    case .integer(let integer):
      bytes.append(1)
      append(UInt64(bitPattern: integer), width: 8, to: &bytes)
    case .real(let real):
      bytes.append(2)
      append(real.bitPattern, width: 8, to: &bytes)
    case .text(let text):
      append(text, to: &bytes)
    case .bytes(let content):
      bytes.append(4)
      append(UInt64(content.count), width: 4, to: &bytes)
      bytes.append(contentsOf: content)
    }
  }

  static func append(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(3)
    append(UInt64(text.utf8.count), width: 4, to: &bytes)
    bytes.append(contentsOf: text.utf8)
  }

  /// Decodes and removes one value from the front; nil if the bytes are malformed.
  static func take(from bytes: inout ArraySlice<UInt8>) -> Value? {
    switch bytes.popFirst() {
    case 0: return .null
    case 1: return takeWord(8, from: &bytes).map { .integer(Int64(bitPattern: $0)) }
    case 2: return takeWord(8, from: &bytes).map { .real(Double(bitPattern: $0)) }
    case 3: return takeContent(from: &bytes).map { .text(String(decoding: $0, as: UTF8.self)) }
    case 4: return takeContent(from: &bytes).map { .bytes(Array($0)) }
    default: return nil
    }
  }

  static func append(_ word: UInt64, width: Int, to bytes: inout [UInt8]) {
    for index in (0..<width).reversed() { bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(8 * index))) }
  }

  static func takeWord(_ width: Int, from bytes: inout ArraySlice<UInt8>) -> UInt64? {
    guard bytes.count >= width else { return nil }
    let word = bytes.prefix(width).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    bytes = bytes.dropFirst(width)
    return word
  }

  private static func takeContent(from bytes: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard let count = takeWord(4, from: &bytes), bytes.count >= Int(count) else { return nil }
    let content = bytes.prefix(Int(count))
    bytes = bytes.dropFirst(Int(count))
    return content
  }
}
