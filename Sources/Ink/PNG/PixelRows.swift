/// Builds the rows of a PNG: coverage becomes pixels of 1, 4 or 8 bits, each row led by its filter byte.
///
/// The filter is always "none": rows of ink are mostly paper, which compresses best without a filter.
struct PixelRows {
  let depth: BitDepth
  /// Whether values count down with coverage: as grey, ink on white paper is the complement of coverage; a palette
  /// counts up.
  let isInverted: Bool
  private let width: Int
  private let rowBytes: Int
  private(set) var bytes: [UInt8]

  /// - Parameter room: an array whose memory is reused.
  init(width: Int, height: Int, depth: BitDepth, isInverted: Bool, reusing room: inout [UInt8]) {
    bytes = []
    swap(&bytes, &room)
    bytes.removeAll(keepingCapacity: true)
    self.width = width
    self.depth = depth
    self.isInverted = isInverted
    rowBytes = 1 + (width * depth.rawValue + 7) / 8
    bytes.reserveCapacity(rowBytes * height)
  }

  mutating func append(_ band: borrowing Band, rows: Int) {
    let paper: UInt8 = isInverted ? 0xFF : 0
    // Blocks of four pixels may reach past the row's end: the surplus is cut off with the row.
    var row = [UInt8](repeating: paper, count: 1 + (band.blocksPerRow * 4 * depth.rawValue + 7) / 8)
    row[0] = 0
    for index in 0..<rows {
      for place in 1..<row.count { row[place] = paper }
      switch depth {
      case .eight: band.forEachInkedBlock(in: index) { Self.write8($1, at: $0, paper, &row) }
      case .four: band.forEachInkedBlock(in: index) { Self.write4($1, at: $0, paper, &row) }
      case .one: band.forEachInkedBlock(in: index) { Self.write1($1, at: $0, paper, &row) }
      }
      bytes.append(contentsOf: row[..<rowBytes])
    }
    clearPadding(rows: rows)
  }

  private static func write8(_ coverage: SIMD4<Float>, at block: Int, _ paper: UInt8, _ row: inout [UInt8]) {
    let pixels = steps(coverage, 255)
    for lane in 0..<4 { row[1 + block * 4 + lane] = pixels[lane] ^ paper }
  }

  private static func write4(_ coverage: SIMD4<Float>, at block: Int, _ paper: UInt8, _ row: inout [UInt8]) {
    let pixels = steps(coverage, 15)
    row[1 + block * 2] = (pixels[0] << 4 | pixels[1]) ^ paper
    row[2 + block * 2] = (pixels[2] << 4 | pixels[3]) ^ paper
  }

  private static func write1(_ coverage: SIMD4<Float>, at block: Int, _ paper: UInt8, _ row: inout [UInt8]) {
    let pixels = steps(coverage, 1)
    let nibble = pixels[0] << 3 | pixels[1] << 2 | pixels[2] << 1 | pixels[3]
    // Even blocks are a byte's upper half. `paper` has all bits alike, so that flipping the ink's bits is enough.
    row[1 + block / 2] ^= block.isMultiple(of: 2) ? nibble << 4 : nibble
  }

  /// Coverage as a whole number of steps. Adding 2²³ leaves no bits for a fraction: the sum is rounded to an integer in
  /// its lowest bits.
  @inline(__always)
  private static func steps(_ coverage: SIMD4<Float>, _ full: Float) -> SIMD4<UInt8> {
    let shifted = coverage * full + 8_388_608
    return SIMD4(
      UInt8(truncatingIfNeeded: shifted[0].bitPattern), UInt8(truncatingIfNeeded: shifted[1].bitPattern),
      UInt8(truncatingIfNeeded: shifted[2].bitPattern), UInt8(truncatingIfNeeded: shifted[3].bitPattern))
  }

  /// Bits after a row's last pixel are not pixels: they are zero, even if ink crosses the edge.
  private mutating func clearPadding(rows: Int) {
    let used = width * depth.rawValue % 8
    guard used > 0 else { return }
    let mask = UInt8(truncatingIfNeeded: 0xFF00 >> used)
    for row in 1...rows { bytes[bytes.count - 1 - (row - 1) * rowBytes] &= mask }
  }
}
