internal import Glibc

/// Texts of envelopes, between bytes and strings.
enum EnvelopeTexts {
  /// The text that the bytes are; nil when they are not UTF-8, or have a zero byte, which protobuf-c cannot carry.
  static func string(_ bytes: Span<UInt8>) -> String? {
    unsafe bytes.withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return "" }
      guard unsafe UTF8Check.isText(start, buffer.count) else { return nil }
      return unsafe String(decoding: buffer, as: UTF8.self)
    }
  }

  static func hasZero(_ text: String) -> Bool {
    let found = unsafe text.utf8.withContiguousStorageIfAvailable { buffer in
      guard let start = buffer.baseAddress else { return false }
      return unsafe memchr(start, 0, buffer.count) != nil
    }
    return found ?? text.utf8.contains(0)
  }
}

/// Names of methods as they come in, each made into a string only once: the same few come a hundred thousand times a second.
package struct MethodNames: Sendable {
  private var names: [String]

  /// - Parameter capacity: a power of two; 0 remembers nothing.
  package init(capacity: Int = 256) {
    names = [String](repeating: "", count: capacity)
  }

  mutating func name(_ bytes: Span<UInt8>) -> String? {
    guard !names.isEmpty, bytes.count >= 8 else { return EnvelopeTexts.string(bytes) }
    let place = Self.hash(bytes) & (names.count - 1)
    if Self.isEqual(names[place], bytes) { return names[place] }
    let name = EnvelopeTexts.string(bytes)
    if let name { names[place] = name }
    return name
  }

  /// Names differ in their ends or their lengths; where they do not, they take each other's place.
  private static func hash(_ bytes: Span<UInt8>) -> Int {
    let end = unsafe bytes.withUnsafeBytes { unsafe $0.loadUnaligned(fromByteOffset: $0.count - 8, as: UInt64.self) }
    return Int(truncatingIfNeeded: ((end ^ UInt64(bytes.count)) &* 0x9E37_79B9_7F4A_7C15) >> 40)
  }

  private static func isEqual(_ name: String, _ bytes: Span<UInt8>) -> Bool {
    let isEqual = unsafe name.utf8.withContiguousStorageIfAvailable { known in
      unsafe bytes.withUnsafeBufferPointer { bytes in
        guard known.count == bytes.count, let one = known.baseAddress, let other = bytes.baseAddress else {
          return false
        }
        return unsafe memcmp(one, other, bytes.count) == 0
      }
    }
    return isEqual ?? false
  }
}
