/// A few rows of coverage, 0 to 1, four pixels to a vector.
///
/// Capsules of one run of a line are blended by their maximum; `settle` then lays the run over what was drawn before.
/// See docs/decisions/0042-strokes.md.
struct Band {
  private(set) var blocksPerRow: Int
  private(set) var top = 0
  private var cells: [SIMD4<Float>]
  /// The coverage of the current run, and the range of blocks that it has reached in each row.
  private var fresh: [SIMD4<Float>]
  private var touched: [Range<Int>]
  private var touchedRows = Self.untouched
  /// For each row, the blocks that ink has reached, so that empty paper takes no time.
  private var reached: [Range<Int>]

  init(width: Int, rows: Int) {
    blocksPerRow = (width + 3) / 4
    cells = Array(repeating: .zero, count: blocksPerRow * rows)
    reached = Array(repeating: Self.untouched, count: rows)
    fresh = cells
    touched = reached
  }

  private static let untouched = Int.max..<Int.max

  var rows: Int { reached.count }

  /// Makes an empty band for a picture of this width.
  mutating func reset(width: Int, rows: Int) {
    guard (width + 3) / 4 == blocksPerRow, rows == reached.count else {
      self = Band(width: width, rows: rows)
      return
    }
    move(to: 0)
  }

  /// Empties the band and moves it down the picture.
  mutating func move(to top: Int) {
    _ = settle()
    self.top = top
    for row in reached.indices where !reached[row].isEmpty {
      let first = row * blocksPerRow
      for index in first + reached[row].lowerBound..<first + reached[row].upperBound { cells[index] = .zero }
      reached[row] = Self.untouched
    }
  }

  /// Lays coverage over a row block by block, from the left. On empty paper it is the coverage itself.
  mutating func lay(over row: Int, _ coverage: (Int) -> SIMD4<Float>) {
    let first = row * blocksPerRow
    for block in 0..<blocksPerRow {
      let below = cells[first + block], above = coverage(block)
      cells[first + block] = below + above - below * above
    }
    reached[row] = 0..<blocksPerRow
  }

  /// Calls `body` for each block of a row that holds ink: its number in the row, and the coverage in 0…255 of four
  /// pixels.
  func forEachInkedBlock(in row: Int, _ body: (Int, SIMD4<Float>) -> Void) {
    let first = row * blocksPerRow
    for block in reached[row] {
      let coverage = cells[first + block]
      if coverage != .zero { body(block, coverage) }
    }
  }

  /// Draws a capsule: everything within a radius of the line from `a` to `b`, with a radius that changes evenly from
  /// one end to the other. Returns how many vectors that took.
  ///
  /// A pixel's coverage depends on how far its centre is from the edge, r − d + ½, and on how thin the line is,
  /// at most 2r: a line of half a pixel never darkens a pixel by more than half.
  ///
  /// - Parameter isCut: whether to draw nothing behind `a`, because another run ends there.
  mutating func draw(from a: Node, to b: Node, isCut: Bool = false) -> Int {
    let reach = max(a.radius, b.radius) + 0.5
    guard
      let rowRange = Self.clip(min(a.y, b.y) - reach - Float(top), max(a.y, b.y) + reach - Float(top), to: rows),
      let columnRange = Self.clip(min(a.x, b.x) - reach, max(a.x, b.x) + reach, to: blocksPerRow * 4)
    else { return 0 }

    let alongX = b.x - a.x, alongY = b.y - a.y
    let squaredLength = alongX * alongX + alongY * alongY
    let kernel = CapsuleKernel(
      alongX: alongX, alongY: alongY, inverse: squaredLength > 0 ? 1 / squaredLength : 0, radius: a.radius,
      growth: b.radius - a.radius)
    let whole = columnRange.lowerBound / 4..<columnRange.upperBound / 4 + 1
    // A long slanted capsule fills little of its box, so each row is narrowed to it. For the usual short capsule that
    // does not pay.
    let slope: Float? = columnRange.count > 24 && abs(alongY) > 1 ? alongX / alongY : nil

    let cut = isCut ? SIMD4<Float>.zero : SIMD4(repeating: -.infinity)
    touchedRows = Self.union(touchedRows, rowRange.lowerBound..<rowRange.upperBound + 1)
    var vectors = 0
    for row in rowRange.lowerBound...rowRange.upperBound {
      let down = Float(row + top) + 0.5 - a.y
      var blocks = whole
      if let slope {
        let low = min(max(down - reach, min(0, alongY)), max(0, alongY)) * slope
        let high = min(max(down + reach, min(0, alongY)), max(0, alongY)) * slope
        guard
          let columns = Self.clip(a.x + min(low, high) - reach, a.x + max(low, high) + reach, to: blocksPerRow * 4)
        else { continue }
        blocks = columns.lowerBound / 4..<columns.upperBound / 4 + 1
      }
      vectors += blocks.count
      touched[row] = Self.union(touched[row], blocks)
      var across = SIMD4<Float>(0.5, 1.5, 2.5, 3.5) + (Float(blocks.lowerBound * 4) - a.x)
      let first = row * blocksPerRow
      for index in first + blocks.lowerBound..<first + blocks.upperBound {
        fresh[index] = larger(fresh[index], kernel.coverage(across: across, down: down, behind: cut))
        across += 4
      }
    }
    return vectors
  }

  /// Blends the current run over what was drawn before: two inks that each cover half of a pixel give three quarters.
  /// An eraser's run removes as much of the ink as it covers. Returns how many vectors that took.
  mutating func settle(erasing: Bool = false) -> Int {
    var vectors = 0
    for row in touchedRows where !touched[row].isEmpty {
      let first = row * blocksPerRow
      for index in first + touched[row].lowerBound..<first + touched[row].upperBound {
        let below = cells[index], above = fresh[index]
        cells[index] = erasing ? below - below * above : below + above - below * above
        fresh[index] = .zero
      }
      vectors += touched[row].count
      reached[row] = Self.union(reached[row], touched[row])
      touched[row] = Self.untouched
    }
    touchedRows = Self.untouched
    return vectors
  }

  private static func union(_ one: Range<Int>, _ other: Range<Int>) -> Range<Int> {
    guard !one.isEmpty else { return other }
    return min(one.lowerBound, other.lowerBound)..<max(one.upperBound, other.upperBound)
  }

  /// The whole pixels that `low...high` touches within 0..<count; nil when there are none.
  private static func clip(_ low: Float, _ high: Float, to count: Int) -> ClosedRange<Int>? {
    guard high >= 0, low < Float(count) else { return nil }
    return Int(max(low, 0))...Int(min(high, Float(count - 1)))
  }
}

/// The arithmetic of one capsule on four pixels beside each other.
private struct CapsuleKernel {
  let alongX: Float
  let alongY: Float
  /// One over the squared length; zero for a dot, all of whose pixels belong to its start.
  let inverse: Float
  let radius: Float
  let growth: Float

  @inline(__always)
  func coverage(across: SIMD4<Float>, down: Float, behind cut: SIMD4<Float>) -> SIMD4<Float> {
    let along = across * (alongX * inverse) + down * alongY * inverse
    let share = smaller(larger(along, .zero), .one)
    let offsetX = across - share * alongX
    let offsetY = down - share * alongY
    let distance = (offsetX * offsetX + offsetY * offsetY).squareRoot()
    let here = radius + share * growth
    let ink = smaller(smaller(here - distance + 0.5, here + here), .one)
    return ink.replacing(with: SIMD4<Float>.zero, where: along .< cut)
  }
}

extension SIMD4<Float> {
  fileprivate static var one: Self { Self(repeating: 1) }
}

// Comparison and selection, which become one instruction each; the library's pointwise functions become a loop.
@inline(__always)
private func smaller(_ one: SIMD4<Float>, _ other: SIMD4<Float>) -> SIMD4<Float> {
  one.replacing(with: other, where: other .< one)
}

@inline(__always)
private func larger(_ one: SIMD4<Float>, _ other: SIMD4<Float>) -> SIMD4<Float> {
  one.replacing(with: other, where: other .> one)
}
