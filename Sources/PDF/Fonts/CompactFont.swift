/// Reads from a table of CFF outlines how its glyphs are identified.
///
/// A page names a glyph of such a font by the identifier that the table gives it, not by its index: a subset of a font
/// of Chinese characters keeps the identifiers of the whole font.
struct CompactFont {
  /// The identifier of each glyph, by index; nil where the index is the identifier.
  private var identifiers: [UInt32]?

  /// - Parameter bytes: the table. The result is nil if they are not a valid one.
  init?(_ bytes: [UInt8]) {
    var reader = Reader(bytes: bytes)
    guard bytes.count > 4 else { return nil }
    reader.at = Int(bytes[2])
    guard reader.index() != nil, let dictionaries = reader.index(), let top = dictionaries.first else { return nil }
    let entries = Reader.entries(bytes[top])
    guard let place = entries[17]?.first, let count = Reader(bytes: bytes, at: place).count else { return nil }
    // ROS: without this operator the font names its glyphs by words, and PDF identifies them by index.
    guard entries[1230] != nil else { return }
    guard let charset = entries[15]?.first, charset > 2,
      let list = Reader(bytes: bytes, at: charset).identifiers(count)
    else { return nil }
    identifiers = list
  }

  func identifier(of place: UInt32) -> UInt32 {
    guard let identifiers else { return place }
    return Int(place) < identifiers.count ? identifiers[Int(place)] : 0
  }

  private struct Reader {
    let bytes: [UInt8]
    var at = 0

    mutating func number(_ length: Int) -> Int? {
      guard at >= 0, length <= bytes.count - at else { return nil }
      defer { at += length }
      return bytes[at..<(at + length)].reduce(0) { $0 << 8 | Int($1) }
    }

    /// How many entries the index that begins here has.
    var count: Int? {
      var copy = self
      return copy.number(2)
    }

    /// Reads an index; returns the ranges of its entries.
    mutating func index() -> [Range<Int>]? {
      guard let count = number(2) else { return nil }
      guard count > 0 else { return [] }
      guard let size = number(1), (1...4).contains(size) else { return nil }
      var offsets: [Int] = []
      for _ in 0...count {
        guard let offset = number(size), offset >= (offsets.last ?? 1) else { return nil }
        offsets.append(offset)
      }
      let base = at - 1
      guard let end = offsets.last, base + end <= bytes.count else { return nil }
      at = base + end
      return zip(offsets, offsets.dropFirst()).map { base + $0..<base + $1 }
    }

    /// The operands of each operator. Two-byte operators are numbered from 1200.
    static func entries(_ bytes: ArraySlice<UInt8>) -> [Int: [Int]] {
      var entries: [Int: [Int]] = [:]
      var operands: [Int] = []
      var rest = bytes
      while let byte = rest.popFirst() {
        switch byte {
        case 12:
          entries[1200 + Int(rest.popFirst() ?? 0)] = operands
          operands = []
        case 0...21:
          entries[Int(byte)] = operands
          operands = []
        case 28:
          let value = Int(rest.popFirst() ?? 0) << 8 | Int(rest.popFirst() ?? 0)
          operands.append(Int(Int16(truncatingIfNeeded: value)))
        case 29:
          var value = 0
          for _ in 0..<4 { value = value << 8 | Int(rest.popFirst() ?? 0) }
          operands.append(Int(Int32(truncatingIfNeeded: value)))
        case 30:
          // A real number, which ends with a half byte of ones. Its value is not needed.
          while let digits = rest.popFirst(), digits & 15 != 15, digits >> 4 != 15 {}
          operands.append(0)
        case 32...246: operands.append(Int(byte) - 139)
        case 247...250: operands.append((Int(byte) - 247) * 256 + Int(rest.popFirst() ?? 0) + 108)
        case 251...254: operands.append(-(Int(byte) - 251) * 256 - Int(rest.popFirst() ?? 0) - 108)
        default: break
        }
      }
      return entries
    }

    /// The identifiers of the first `count` glyphs, from a charset.
    func identifiers(_ count: Int) -> [UInt32]? {
      var reader = self
      guard let format = reader.number(1), format <= 2 else { return nil }
      var list: [UInt32] = [0]
      while list.count < count {
        guard let first = reader.number(2) else { return nil }
        var left = 0
        if format > 0 {
          guard let more = reader.number(format) else { return nil }
          left = more
        }
        for step in 0...left where list.count < count { list.append(UInt32(first + step)) }
      }
      return list
    }
  }
}
