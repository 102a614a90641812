internal import Glibc

/// A cache of values by the bytes that they were decoded from: a few names and callers arrive a hundred thousand times
/// a second, and are decoded once.
struct KnownBytes<Value: Sendable>: Sendable {
  /// Each place keeps the latest value whose bytes have the place's hash.
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

  /// Longer bytes are not kept: peers choose them, and the size of the cache must be bounded.
  private static var longest: Int { 512 }

  /// - Parameter capacity: a power of two; 0 keeps nothing.
  init(capacity: Int) {
    places = [Known?](repeating: nil, count: capacity)
  }

  /// The cached value of these bytes, or else the one that `make` decodes, which is cached if it is not nil.
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
