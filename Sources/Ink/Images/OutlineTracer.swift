public import Pictures

/// Follows the edges of ink in an image: between two pixels, where darkness passes the threshold.
///
/// Ink lies to the right of each edge, seen with y down, so that the edges of holes wind the other way.
struct OutlineTracer {
  private let width: Int
  private let height: Int
  private let darkness: [UInt8]
  private let threshold: Int
  private let isSheet: Bool
  /// For each crossing, the crossing that the edge leads to. Crossings are on the sides of cells, two for each cell.
  private var next: [Int32]

  private static let nowhere: Int32 = -1
  /// How far an edge may be from its simplified outline, in steps of the grid: a quarter pixel.
  private static let tolerance = Shapes.steps / 4
  /// An outline of a smaller area, in pixels, is dust.
  private static let leastArea = 6

  /// - Parameter image: gets a pixel of paper added on each side.
  init(_ image: PaperRemoval) {
    width = image.width + 2
    height = image.height + 2
    threshold = Int(image.threshold)
    isSheet = image.isSheet
    var padded = [UInt8](repeating: 0, count: width * height)
    for row in 0..<image.height {
      for column in 0..<image.width {
        padded[(row + 1) * width + column + 1] = image.darkness[row * image.width + column]
      }
    }
    darkness = padded
    next = Array(repeating: Self.nowhere, count: width * height * 2)
  }

  /// All outlines except dust, in steps of the grid of shapes, from the image's corner.
  mutating func outlines() throws(InkError) -> [[Shapes.Corner]] {
    for row in 0..<height - 1 {
      for column in 0..<width - 1 { connect(row * width + column) }
    }
    var outlines: [[Shapes.Corner]] = []
    var corners = 0
    for start in next.indices where next[start] != Self.nowhere {
      let outline = Self.simplified(follow(from: start))
      guard outline.count >= 3, abs(Self.doubleArea(outline)) >= 2 * Self.leastArea * Shapes.steps * Shapes.steps
      else { continue }
      corners += outline.count
      outlines.append(outline)
      guard outlines.count <= InkLimits.contours, corners <= InkLimits.corners else {
        throw PaperRemoval.refusal(
          "has too many small parts", "an image shows a signature on plain paper, nothing else")
      }
    }
    return outlines
  }

  /// Notes how edges run through the cell between four pixels.
  private mutating func connect(_ place: Int) {
    let isInk = [place, place + 1, place + width + 1, place + width].map { Int(darkness[$0]) >= threshold }
    // The sides' crossings: top and left belong to this cell, bottom and right to those below and beside it.
    let top = place * 2, left = place * 2 + 1, bottom = (place + width) * 2, right = (place + 1) * 2 + 1
    func lead(_ from: Int, _ to: Int) { next[from] = Int32(to) }
    switch (isInk[0], isInk[1], isInk[2], isInk[3]) {
    case (false, false, false, false), (true, true, true, true): break
    case (true, false, false, false): lead(top, left)
    case (false, true, false, false): lead(right, top)
    case (false, false, true, false): lead(bottom, right)
    case (false, false, false, true): lead(left, bottom)
    case (false, true, true, true): lead(left, top)
    case (true, false, true, true): lead(top, right)
    case (true, true, false, true): lead(right, bottom)
    case (true, true, true, false): lead(bottom, left)
    case (true, true, false, false): lead(right, left)
    case (false, false, true, true): lead(left, right)
    case (true, false, false, true): lead(top, bottom)
    case (false, true, true, false): lead(bottom, top)
    // Diagonally adjacent ink is connected, so that thin lines are not cut.
    case (true, false, true, false):
      lead(bottom, left)
      lead(top, right)
    case (false, true, false, true):
      lead(left, top)
      lead(right, bottom)
    }
  }

  private mutating func follow(from start: Int) -> [Shapes.Corner] {
    var outline: [Shapes.Corner] = []
    var here = start
    while next[here] != Self.nowhere {
      outline.append(corner(here))
      let there = Int(next[here])
      next[here] = Self.nowhere
      here = there
    }
    return outline
  }

  /// The point where an edge crosses a side, interpolated between two pixels by their darkness.
  private func corner(_ crossing: Int) -> Shapes.Corner {
    let place = crossing / 2, isAcross = crossing.isMultiple(of: 2)
    let first = Int(darkness[place]), second = Int(darkness[place + (isAcross ? 1 : width)])
    // Half a level below the threshold, a level that no pixel has.
    let share = Shapes.steps * (2 * threshold - 1 - 2 * first) / (2 * (second - first))
    // The middle of a pixel is half a pixel from its corner, and a pixel was added on each side.
    let x = place % width * Shapes.steps - Shapes.steps / 2, y = place / width * Shapes.steps - Shapes.steps / 2
    return Shapes.Corner(Int32(isAcross ? x + share : x), Int32(isAcross ? y : y + share))
  }

  /// Drops corners that are within the tolerance of the line between those that are kept.
  private static func simplified(_ outline: [Shapes.Corner]) -> [Shapes.Corner] {
    guard var kept = outline.first.map({ [$0] }) else { return [] }
    var pending: [Shapes.Corner] = []
    for corner in outline.dropFirst() {
      if pending.count == 32 || pending.contains(where: { isFar($0, from: kept[kept.count - 1], to: corner) }) {
        kept.append(pending[pending.count - 1])
        pending.removeAll(keepingCapacity: true)
      }
      pending.append(corner)
    }
    return kept + pending.suffix(1)
  }

  private static func isFar(_ corner: Shapes.Corner, from start: Shapes.Corner, to end: Shapes.Corner) -> Bool {
    let (alongX, alongY) = (Int(end.x) - Int(start.x), Int(end.y) - Int(start.y))
    let (overX, overY) = (Int(corner.x) - Int(start.x), Int(corner.y) - Int(start.y))
    let cross = alongX * overY - alongY * overX
    return cross * cross > tolerance * tolerance * (alongX * alongX + alongY * alongY)
  }

  private static func doubleArea(_ outline: [Shapes.Corner]) -> Int {
    var sum = 0
    var last = outline[outline.count - 1]
    for corner in outline {
      sum += Int(last.x) * Int(corner.y) - Int(corner.x) * Int(last.y)
      last = corner
    }
    return sum
  }
}

extension OutlineTracer {
  /// The outlines that are left of the image's when the lines of ruled paper are gone.
  ///
  /// A line from side to side may be part of a signature. Several of them are the paper's.
  fileprivate func withoutRules(_ outlines: [[Shapes.Corner]]) -> [[Shapes.Corner]] {
    let others = outlines.filter { !isRule($0) }
    return outlines.count - others.count < Self.fewestRules ? outlines : others.filter { !isCutRule($0) }
  }

  /// Whether an outline may be a rule that the image shows a part of, since the paper lies askew.
  private func isCutRule(_ outline: [Shapes.Corner]) -> Bool {
    let box = Extent(outline)
    let (long, short) = (max(box.size.x, box.size.y), min(box.size.x, box.size.y))
    return isAtEdge(box) && short * 8 < long
  }

  private func isAtEdge(_ box: Extent) -> Bool {
    let edge = Int32(Shapes.steps), right = Int32((width - 3) * Shapes.steps),
      bottom = Int32((height - 3) * Shapes.steps)
    return box.low.x <= edge || box.low.y <= edge || box.high.x >= right || box.high.y >= bottom
  }

  private static let fewestRules = 3

  private func isRule(_ outline: [Shapes.Corner]) -> Bool {
    let size = Extent(outline).size
    let isAcross = Int(size.x) * 5 > width * Shapes.steps * 4, isDown = Int(size.y) * 5 > height * Shapes.steps * 4
    guard isAcross || isDown else { return false }
    let length = Int(max(size.x, size.y))
    return abs(Self.doubleArea(outline)) < 2 * length * (length / 100)
  }

  /// Whether outlines are large enough to be more than dirt, which photographs of empty paper show.
  fileprivate func isMoreThanDirt(_ outlines: [[Shapes.Corner]]) -> Bool {
    outlines.contains { isMoreThanDirt(Extent($0)) }
  }

  private func isMoreThanDirt(_ box: Extent) -> Bool {
    Int(max(box.size.x, box.size.y)) >= max(width, height) * Shapes.steps / 50
  }

  /// Whether ink may go on beside what was taken for the sheet, of which a shadow may hide a part.
  fileprivate func isCut(_ outlines: [[Shapes.Corner]]) -> Bool {
    isSheet && outlines.contains { isAtEdge(Extent($0)) && isMoreThanDirt(Extent($0)) }
  }
}

/// The rectangle around corners.
private struct Extent {
  var low: Shapes.Corner
  var high: Shapes.Corner

  init(_ corners: some Sequence<Shapes.Corner>) {
    (low, high) = (Shapes.Corner(repeating: .max), Shapes.Corner(repeating: .min))
    for corner in corners {
      low = Shapes.Corner(min(low.x, corner.x), min(low.y, corner.y))
      high = Shapes.Corner(max(high.x, corner.x), max(high.y, corner.y))
    }
  }

  var size: Shapes.Corner { high &- low }
}

extension Shapes {
  /// Traces the ink in an image of a signature: removes the paper and dust, and crops the rest.
  public init(tracing image: Bitmap, inscription: Inscription = .none) throws(InkError) {
    var tracer = OutlineTracer(try PaperRemoval(image))
    let traced = try tracer.outlines()
    let outlines = tracer.withoutRules(traced)
    guard tracer.isMoreThanDirt(outlines) else { throw PaperRemoval.noInk }
    guard !tracer.isCut(outlines) else {
      throw PaperRemoval.refusal(
        "shows ink at the edge of a sheet of paper, or a shadow across it", "all of the signature is on the sheet")
    }
    let box = Extent(outlines.joined())
    let margin = Int32(4 * Self.steps)
    let shift = Corner(margin, margin) &- box.low
    let pixels = { (length: Int32) in (Int(length) + 2 * Int(margin) - 1) / Self.steps + 1 }
    try self.init(
      validating: outlines.map { $0.map { $0 &+ shift } }, width: max(16, pixels(box.size.x)),
      height: max(16, pixels(box.size.y)), inscription: inscription)
  }
}
