internal import Base

/// Checks whether bytes can be a message's text: UTF-8 without NUL.
package enum UTF8Check {
  private static let highBits: UInt64 = 0x8080_8080_8080_8080
  private static let lowBits: UInt64 = 0x0101_0101_0101_0101

  /// The requirement that the bytes break; nil when they break none.
  @inline(__always)
  static func requirement(brokenBy start: UnsafePointer<UInt8>, _ count: Int, boundsMarks: Bool) -> String? {
    let plain = unsafe plainCount(start, count)
    return unsafe plain == count ? nil : requirement(brokenByRest: start + plain, count - plain, boundsMarks)
  }

  /// The bytes as text; nil when they are not UTF-8 without NUL.
  package static func text(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
    guard let start = bytes.baseAddress, !bytes.isEmpty else { return "" }
    if unsafe plainCount(start, bytes.count) == bytes.count {
      // The bytes are plain ASCII, so the string need not check them again.
      return unsafe String(copying: UTF8Span(unchecked: Span(_unsafeElements: bytes), isKnownASCII: true))
    }
    guard unsafe requirement(brokenByRest: start, bytes.count, false) == nil else { return nil }
    return unsafe checkedText(bytes)
  }

  /// The text of bytes that were checked before.
  static func checkedText(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    guard let start = bytes.baseAddress else { return "" }
    let isPlain = unsafe plainCount(start, bytes.count) == bytes.count
    return unsafe String(copying: UTF8Span(unchecked: Span(_unsafeElements: bytes), isKnownASCII: isPlain))
  }

  /// How many leading bytes are known to be ASCII without NUL; `count` if all bytes are.
  @inline(__always)
  private static func plainCount(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int {
    let raw = unsafe UnsafeRawPointer(start)
    var offset = 0
    while count - offset >= 8 {
      let word = unsafe raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      // No high bit in the word or in the word minus one per byte: all bytes are 0x01 … 0x7f.
      if (word | (word &- lowBits)) & highBits != 0 { return offset }
      offset += 8
    }
    while offset < count {
      let byte = unsafe start[offset]
      if byte == 0 || byte >= 0x80 { return offset }
      offset += 1
    }
    return count
  }

  @inline(never)
  private static func requirement(
    brokenByRest start: UnsafePointer<UInt8>, _ count: Int, _ boundsMarks: Bool
  ) -> String? {
    let bytes = unsafe UnsafeBufferPointer(start: start, count: count)
    guard unsafe !bytes.contains(0), (try? unsafe UTF8Span(validating: bytes.span)) != nil else {
      return "text must be UTF-8 without NUL"
    }
    guard unsafe !boundsMarks || StreamSafeText.holds(bytes.span) else { return StreamSafeText.requirement }
    return nil
  }
}
