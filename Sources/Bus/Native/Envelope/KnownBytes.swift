internal import Glibc

/// Keeps the values that bytes were read as, so that the same bytes are converted once: a few names and callers come a
/// hundred thousand times a second.
struct KnownBytes<Value: Sendable>: Sendable {
  /// Each place keeps the latest of the values whose bytes belong there.
  private var places: [Known?]

  private struct Known: Sendable {
    let bytes: [UInt8]
    let value: Value

    @inline(__always)
    func isMade(of bytes: UnsafeBufferPointer<UInt8>) -> Bool {
      unsafe self.bytes.withUnsafeBufferPointer { known in
        guard known.count == bytes.count else { return false }
        guard let one = known.baseAddress, let other = bytes.baseAddress else { return true }
        return unsafe memcmp(one, other, bytes.count) == 0
      }
    }
  }

  /// Peers choose the bytes, so the size of what is kept is bounded.
  private static var longest: Int { 512 }

  /// - Parameter capacity: a power of two; 0 keeps nothing.
  init(capacity: Int) {
    places = [Known?](repeating: nil, count: capacity)
  }

  /// The kept value of these bytes, or the one that `make` makes of them now.
  @inline(__always)
  mutating func value(of bytes: UnsafeBufferPointer<UInt8>, make: () -> Value?) -> Value? {
    guard !places.isEmpty, bytes.count <= Self.longest else { return make() }
    let place = unsafe KnownBytesHash.hash(bytes) & (places.count - 1)
    if let known = places[place], unsafe known.isMade(of: bytes) { return known.value }
    let value = make()
    if let value { places[place] = unsafe Known(bytes: Array(bytes), value: value) }
    return value
  }
}

private enum KnownBytesHash {
  /// Spreads bytes over places. A peer that makes its bytes collide only has them converted again each time.
  static func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    let memory = UnsafeRawBufferPointer(bytes)
    var hash = UInt64(truncatingIfNeeded: memory.count)
    guard memory.count >= 8 else {
      for index in 0..<memory.count { hash = mix(hash, UInt64(unsafe memory[index])) }
      return Int(truncatingIfNeeded: hash >> 40)
    }
    var offset = 0
    while offset < memory.count {
      // The last word overlaps the one before it, so that it does not go past the end.
      let place = min(offset, memory.count - 8)
      hash = mix(hash, unsafe memory.loadUnaligned(fromByteOffset: place, as: UInt64.self))
      offset += 8
    }
    return Int(truncatingIfNeeded: hash >> 40)
  }

  @inline(__always)
  private static func mix(_ hash: UInt64, _ word: UInt64) -> UInt64 {
    let product = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
    return product ^ product >> 29
  }
}
