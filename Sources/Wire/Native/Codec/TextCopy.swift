internal import Glibc

/// Copies text and searches it for NUL in one pass, which is faster than two calls for the short texts of messages.
package enum TextCopy {
  private static let highBits: UInt64 = 0x8080_8080_8080_8080
  private static let lowBits: UInt64 = 0x0101_0101_0101_0101
  private static let longText = 128

  /// Copies the text and returns whether it contains NUL.
  package static func copy(_ source: UnsafePointer<UInt8>, _ count: Int, to target: UnsafeMutableRawPointer) -> Bool {
    if count > longText { return unsafe copyLong(source, count, to: target) }
    let source = unsafe UnsafeRawPointer(source)
    if count < 8 {
      var containsNUL = false
      for offset in 0..<count {
        let byte = unsafe source.load(fromByteOffset: offset, as: UInt8.self)
        containsNUL = containsNUL || byte == 0
        unsafe target.storeBytes(of: byte, toByteOffset: offset, as: UInt8.self)
      }
      return containsNUL
    }
    var zeros: UInt64 = 0
    var offset = 0
    while offset < count {
      // The last word overlaps the one before it instead of going past the end.
      let place = min(offset, count - 8)
      let word = unsafe source.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      zeros |= (word &- lowBits) & ~word & highBits
      unsafe target.storeBytes(of: word, toByteOffset: place, as: UInt64.self)
      offset += 8
    }
    return zeros != 0
  }

  private static func copyLong(
    _ source: UnsafePointer<UInt8>, _ count: Int, to target: UnsafeMutableRawPointer
  ) -> Bool {
    unsafe memcpy(target, source, count)
    return unsafe memchr(target, 0, count) != nil
  }
}
