/// A QR code (ISO/IEC 18004) in byte mode, with error correction of level M, which tolerates the loss of 15 %.
struct QRCode {
  /// How many modules a side has.
  let side: Int
  private var isDark: [Bool]
  private var isFixed: [Bool]

  /// The most bytes of version 10, the largest that is made here, with 57 modules a side.
  static let mostBytes = 213

  /// For each version: all codewords, blocks, and correction codewords in each block.
  private static let measures = [
    (26, 1, 10), (44, 1, 16), (70, 1, 26), (100, 2, 18), (134, 2, 24), (172, 4, 16), (196, 4, 18), (242, 4, 22),
    (292, 5, 22), (346, 5, 26),
  ]

  /// nil when there are too many bytes.
  init?(_ bytes: [UInt8]) {
    guard let version = (1...10).first(where: { bytes.count <= Self.room($0) }) else { return nil }
    side = 17 + version * 4
    isDark = Array(repeating: false, count: side * side)
    isFixed = isDark
    drawPatterns(version)
    place(Self.codewords(bytes, version))
    choose()
  }

  subscript(x: Int, y: Int) -> Bool { isDark[y * side + x] }

  /// The code as a page's operators, one unit for each module, with the empty margin that readers need.
  var picture: VectorPicture {
    var operators: [UInt8] = []
    for y in 0..<side {
      var x = 0
      while x < side {
        let start = x
        while x < side, self[x, y] { x += 1 }
        if x > start { operators += "\(start + 4) \(y + 4) \(x - start) 1 re\n".utf8 }
        x += 1
      }
    }
    return VectorPicture(operators: operators + "f\n".utf8, width: Double(side + 8), height: Double(side + 8))
  }

  // MARK: - Codewords

  private static func dataCount(_ version: Int) -> Int {
    let (total, blocks, correction) = measures[version - 1]
    return total - blocks * correction
  }

  /// The most bytes of a version: the mode takes four bits, and the count 8, or 16 from version 10 on.
  private static func room(_ version: Int) -> Int { dataCount(version) - (version < 10 ? 2 : 3) }

  /// The data with its correction codewords, in the order in which they are placed.
  static func codewords(_ bytes: [UInt8], _ version: Int) -> [UInt8] {
    var bits: [Bool] = []
    func add(_ value: Int, _ length: Int) {
      for place in stride(from: length - 1, through: 0, by: -1) { bits.append(value >> place & 1 == 1) }
    }
    add(0b0100, 4)
    add(bytes.count, version < 10 ? 8 : 16)
    for byte in bytes { add(Int(byte), 8) }
    add(0, 4)
    var data = stride(from: 0, to: bits.count, by: 8).map { start in
      (0..<8).reduce(UInt8(0)) { $0 << 1 | (start + $1 < bits.count && bits[start + $1] ? 1 : 0) }
    }
    let count = dataCount(version)
    data = Array(data.prefix(count))
    for padding in 0..<(count - data.count) { data.append(padding % 2 == 0 ? 0xEC : 0x11) }
    return interleaved(data, version)
  }

  private static func interleaved(_ data: [UInt8], _ version: Int) -> [UInt8] {
    let (_, count, correction) = measures[version - 1]
    // If the data cannot be divided evenly, the last blocks are longer by one.
    let (least, longer) = (data.count / count, data.count % count)
    var blocks: [ArraySlice<UInt8>] = []
    var rest = data[...]
    for block in 0..<count {
      let length = least + (block >= count - longer ? 1 : 0)
      blocks.append(rest.prefix(length))
      rest = rest.dropFirst(length)
    }
    let checks = blocks.map { ReedSolomon.correction(of: Array($0), count: correction) }
    var result: [UInt8] = []
    for place in 0...least {
      for block in blocks where place < block.count { result.append(block[block.startIndex + place]) }
    }
    for place in 0..<correction { for check in checks { result.append(check[place]) } }
    return result
  }

  // MARK: - Patterns

  private mutating func fix(_ x: Int, _ y: Int, _ dark: Bool) {
    guard (0..<side).contains(x), (0..<side).contains(y) else { return }
    isDark[y * side + x] = dark
    isFixed[y * side + x] = true
  }

  private mutating func drawPatterns(_ version: Int) {
    for place in 0..<side {
      fix(6, place, place % 2 == 0)
      fix(place, 6, place % 2 == 0)
    }
    for (x, y) in [(3, 3), (side - 4, 3), (3, side - 4)] {
      for dy in -4...4 {
        for dx in -4...4 { fix(x + dx, y + dy, ![2, 4].contains(max(abs(dx), abs(dy)))) }
      }
    }
    let places = Self.alignment(version)
    for (row, y) in places.enumerated() {
      for (column, x) in places.enumerated() {
        let last = places.count - 1
        if (row == 0 && (column == 0 || column == last)) || (row == last && column == 0) { continue }
        for dy in -2...2 { for dx in -2...2 { fix(x + dx, y + dy, max(abs(dx), abs(dy)) != 1) } }
      }
    }
    // Reserves the modules; they are written again when the mask is known.
    drawFormat(mask: 0)
    if version >= 7 { drawVersion(version) }
  }

  private static func alignment(_ version: Int) -> [Int] {
    guard version > 1 else { return [] }
    let last = 10 + version * 4
    return version < 7 ? [6, last] : [6, 6 + (last - 6) / 2, last]
  }

  /// The format information: level and mask with their own error correction.
  static func format(mask: Int) -> Int {
    // Level M is 00.
    var rest = mask
    for _ in 0..<10 { rest = rest << 1 ^ (rest >> 9) * 0x537 }
    return (mask << 10 | rest) ^ 0x5412
  }

  private mutating func drawFormat(mask: Int) {
    let bits = Self.format(mask: mask)
    func bit(_ place: Int) -> Bool { bits >> place & 1 == 1 }
    for place in 0...5 { fix(8, place, bit(place)) }
    fix(8, 7, bit(6))
    fix(8, 8, bit(7))
    fix(7, 8, bit(8))
    for place in 9...14 { fix(14 - place, 8, bit(place)) }
    for place in 0...7 { fix(side - 1 - place, 8, bit(place)) }
    for place in 8...14 { fix(8, side - 15 + place, bit(place)) }
    fix(8, side - 8, true)
  }

  static func versionBits(_ version: Int) -> Int {
    var rest = version
    for _ in 0..<12 { rest = rest << 1 ^ (rest >> 11) * 0x1F25 }
    return version << 12 | rest
  }

  private mutating func drawVersion(_ version: Int) {
    let bits = Self.versionBits(version)
    for place in 0..<18 {
      let dark = bits >> place & 1 == 1
      fix(side - 11 + place % 3, place / 3, dark)
      fix(place / 3, side - 11 + place % 3, dark)
    }
  }

  /// Places codewords in columns of two modules from the right, alternately upwards and downwards.
  private mutating func place(_ codewords: [UInt8]) {
    var next = 0
    var right = side - 1
    while right >= 1 {
      if right == 6 { right = 5 }
      for step in 0..<side {
        let y = (right + 1) & 2 == 0 ? side - 1 - step : step
        for x in [right, right - 1] where !isFixed[y * side + x] && next < codewords.count * 8 {
          isDark[y * side + x] = codewords[next / 8] >> UInt8(7 - next % 8) & 1 == 1
          next += 1
        }
      }
      right -= 2
    }
  }

  // MARK: - Masks

  private static func isTurned(_ mask: Int, _ x: Int, _ y: Int) -> Bool {
    switch mask {
    case 0: (x + y) % 2 == 0
    case 1: y % 2 == 0
    case 2: x % 3 == 0
    case 3: (x + y) % 3 == 0
    case 4: (x / 3 + y / 2) % 2 == 0
    case 5: x * y % 2 + x * y % 3 == 0
    case 6: (x * y % 2 + x * y % 3) % 2 == 0
    default: ((x + y) % 2 + x * y % 3) % 2 == 0
    }
  }

  private func masked(_ mask: Int) -> QRCode {
    var code = self
    for y in 0..<side {
      for x in 0..<side where !isFixed[y * side + x] && Self.isTurned(mask, x, y) {
        code.isDark[y * side + x].toggle()
      }
    }
    code.drawFormat(mask: mask)
    return code
  }

  /// Chooses the mask with the lowest penalty, which leaves the least that would confuse a reader.
  private mutating func choose() {
    var best = masked(0)
    var least = best.penalty
    for mask in 1..<8 {
      let code = masked(mask)
      let penalty = code.penalty
      if penalty < least { (best, least) = (code, penalty) }
    }
    self = best
  }

  private var penalty: Int {
    var sum = 0
    for line in 0..<side {
      sum += Self.penalty((0..<side).map { self[$0, line] }) + Self.penalty((0..<side).map { self[line, $0] })
    }
    for y in 0..<(side - 1) {
      for x in 0..<(side - 1) where self[x, y] == self[x + 1, y] {
        if self[x, y] == self[x, y + 1] && self[x, y] == self[x + 1, y + 1] { sum += 3 }
      }
    }
    let dark = isDark.count(where: \.self)
    return sum + abs(dark * 20 - side * side * 10) / (side * side) * 10
  }

  private static let finder = [true, false, true, true, true, false, true]

  /// The penalty of one row or column, for long runs and for patterns that look like a corner's.
  private static func penalty(_ line: [Bool]) -> Int {
    var sum = 0
    var start = 0
    for place in 1...line.count where place == line.count || line[place] != line[start] {
      if place - start >= 5 { sum += place - start - 2 }
      start = place
    }
    for place in 0...(line.count - 7) where line[place..<(place + 7)].elementsEqual(finder) {
      let before = line[max(0, place - 4)..<place], after = line[(place + 7)..<min(line.count, place + 11)]
      if !before.contains(true) { sum += 40 }
      if !after.contains(true) { sum += 40 }
    }
    return sum
  }
}

/// Codewords by which a reader corrects others: the remainder of a division of polynomials over GF(256).
enum ReedSolomon {
  static func correction(of data: [UInt8], count: Int) -> [UInt8] {
    let divisor = divisor(count)
    var rest = [UInt8](repeating: 0, count: count)
    for byte in data {
      let factor = byte ^ rest.removeFirst()
      rest.append(0)
      for place in rest.indices { rest[place] ^= product(divisor[place], factor) }
    }
    return rest
  }

  /// The product of (x − 2⁰) … (x − 2ⁿ⁻¹) without its first coefficient, which is 1.
  private static func divisor(_ count: Int) -> [UInt8] {
    var result = [UInt8](repeating: 0, count: count - 1) + [1]
    var root: UInt8 = 1
    for _ in 0..<count {
      for place in result.indices {
        result[place] = product(result[place], root) ^ (place + 1 < count ? result[place + 1] : 0)
      }
      root = product(root, 2)
    }
    return result
  }

  private static func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
    var result = 0
    for bit in stride(from: 7, through: 0, by: -1) {
      result = result << 1 ^ (result >> 7) * 0x11D
      if right >> UInt8(bit) & 1 == 1 { result ^= Int(left) }
    }
    return UInt8(result)
  }
}
