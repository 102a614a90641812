/// Values for methods, by their paths.
///
/// Every call looks one up, so recent paths are found without hashing the whole path: its length and its last letters
/// distinguish it from nearly all others.
package struct PathTable<Value: Sendable>: Sendable {
  private var values: [String: Value] = [:]
  private var recent = Self.noneRecent

  package init() {}

  private struct Recent {
    var path = ""
    var value: Value?
  }

  package mutating func value(of path: String) -> Value? {
    let slot = slot(of: path)
    if recent[slot].path == path, let value = recent[slot].value { return value }
    return find(path, for: slot)
  }

  private mutating func find(_ path: String, for slot: Int) -> Value? {
    guard let value = values[path] else { return nil }
    recent[slot] = Recent(path: path, value: value)
    return value
  }

  package mutating func set(_ path: String, _ value: Value) {
    values[path] = value
    // Cleared completely, because equal strings may be encoded in different ways, and each has its own slot.
    recent = Self.noneRecent
  }

  package mutating func remove(_ path: String) {
    values[path] = nil
    recent = Self.noneRecent
  }

  private static var noneRecent: [Recent] { Array(repeating: Recent(), count: 64) }

  @inline(__always)
  private func slot(of path: String) -> Int {
    let letters = path.utf8.span
    var mixed = UInt64(letters.count)
    if letters.count >= 8 {
      // With a span of known length, eight reads become one.
      let last = letters.extracting(last: 8)
      var word: UInt64 = 0
      for place in 0..<8 { word |= UInt64(last[place]) << UInt64(8 * place) }
      mixed ^= word
    }
    return Int(truncatingIfNeeded: (mixed &* 0x9E37_79B9_7F4A_7C15) >> 58)
  }
}
