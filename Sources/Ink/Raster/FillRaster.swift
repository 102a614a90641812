/// Fills closed curves by the exact area that they cover of each pixel, a band of rows at a time.
///
/// Each line notes, in every row that it crosses, where covered area begins or ends to its right. A running sum along
/// the row then gives every pixel's coverage. Curves wind one way and holes the other: the coverage is the absolute
/// value of the sum, at most one.
struct FillRaster {
  let width: Int
  let height: Int
  private var lines: [Line] = []

  /// A line, directed downwards, and whether ink begins (1) or ends (−1) to its right.
  private struct Line {
    let top: SIMD2<Float>
    let bottom: SIMD2<Float>
    let sense: Float
  }

  private static let bandRows = 64

  /// - Parameter contours: in the picture's pixels.
  init(_ contours: [Letters.Contour], width: Int, height: Int) {
    self.width = width
    self.height = height
    for contour in contours {
      Polygon(contour).forEachLine { from, to in
        if from.y < to.y { add(Line(top: from, bottom: to, sense: 1)) }
        if from.y > to.y { add(Line(top: to, bottom: from, sense: -1)) }
      }
    }
  }

  /// Keeps a line within the picture's sides: the part that remains still covers everything to its right.
  private mutating func add(_ line: Line) {
    let right = Float(width)
    for side in [0, right] where (line.top.x < side) != (line.bottom.x < side) {
      let share = (side - line.top.x) / (line.bottom.x - line.top.x)
      let crossing = SIMD2(side, line.top.y + (line.bottom.y - line.top.y) * share)
      guard line.top.y < crossing.y, crossing.y < line.bottom.y, crossing.x != line.top.x, crossing.x != line.bottom.x
      else { continue }
      add(Line(top: line.top, bottom: crossing, sense: line.sense))
      add(Line(top: crossing, bottom: line.bottom, sense: line.sense))
      return
    }
    let inside = { (place: SIMD2<Float>) in SIMD2(min(max(place.x, 0), right), place.y) }
    guard line.bottom.y > 0, line.top.y < Float(height) else { return }
    lines.append(Line(top: inside(line.top), bottom: inside(line.bottom), sense: line.sense))
  }

  /// Draws everything, passing each finished band to `emit` with the number of its rows that are in the picture.
  func draw(
    on band: inout Band, _ work: inout DrawingWork, _ emit: (borrowing Band, Int) -> Void
  ) throws(InkError) {
    let rows = min(height, Self.bandRows)
    band.reset(width: width, rows: rows)
    var changes = Changes(columns: band.blocksPerRow * 4, rows: rows)
    for top in stride(from: 0, to: height, by: rows) {
      band.move(to: top)
      try work.spend(lines.count + band.blocksPerRow * rows)
      for line in lines { changes.note(line, below: Float(top)) }
      changes.sum(into: &band)
      emit(band, min(rows, height - top))
    }
  }

  /// Letters that are laid over bands of other ink, from the top down.
  struct Layer {
    private let raster: FillRaster
    private var changes: Changes?

    init(_ letters: Letters, _ placement: Placement) {
      raster = FillRaster(
        letters.contours.map { $0.mapped(placement.apply) }, width: placement.width, height: placement.height)
    }

    mutating func lay(over band: inout Band, _ work: inout DrawingWork) throws(InkError) {
      var changes = self.changes ?? Changes(columns: band.blocksPerRow * 4, rows: band.rows)
      try work.spend(raster.lines.count + band.blocksPerRow * band.rows)
      for line in raster.lines { changes.note(line, below: Float(band.top)) }
      changes.sum(into: &band)
      self.changes = changes
    }
  }

  /// How coverage changes from each pixel of a band to the next on its right.
  private struct Changes {
    private let rows: Int
    /// Two columns more than there are pixels: a line on the right edge writes its changes there, where they have no
    /// effect.
    private let columns: Int
    private var cells: [Float]
    private var touched: [Bool]

    init(columns: Int, rows: Int) {
      self.rows = rows
      self.columns = columns + 2
      cells = Array(repeating: 0, count: self.columns * rows)
      touched = Array(repeating: false, count: rows)
    }

    mutating func note(_ line: Line, below top: Float) {
      var y = max(line.top.y - top, 0)
      let end = min(line.bottom.y - top, Float(rows))
      guard y < end else { return }
      let slope = (line.bottom.x - line.top.x) / (line.bottom.y - line.top.y)
      let (left, right) = (min(line.top.x, line.bottom.x), max(line.top.x, line.bottom.x))
      // Clamped, since rounding must not extend a long line beyond its ends.
      let x = { (y: Float) in min(max(line.top.x + (y + top - line.top.y) * slope, left), right) }
      while y < end {
        let row = Int(y)
        let next = min(Float(row + 1), end)
        note(in: row, from: x(y), to: x(next), area: (next - y) * line.sense)
        y = next
      }
    }

    /// Notes a line within a row: `area` is added to each pixel that is entirely to its right.
    private mutating func note(in row: Int, from one: Float, to other: Float, area: Float) {
      touched[row] = true
      let first = row * columns
      let left = min(one, other), right = max(one, other)
      guard Int(left) < Int(right) else {
        add(area, at: (left + right) / 2, to: first + Int(left), Int(left))
        return
      }
      let density = area / (right - left)
      for column in Int(left)...Int(right) {
        let from = max(left, Float(column)), to = min(right, Float(column + 1))
        add((to - from) * density, at: (from + to) / 2, to: first + column, column)
      }
    }

    /// Adds the part right of the line to the pixel that the line is in, and everything to the pixels further right.
    private mutating func add(_ area: Float, at middle: Float, to cell: Int, _ column: Int) {
      let share = middle - Float(column)
      cells[cell] += area * (1 - share)
      cells[cell + 1] += area * share
    }

    /// Lays the coverage over what is in the band, and clears the changes.
    mutating func sum(into band: inout Band) {
      for row in 0..<rows where touched[row] {
        let first = row * columns
        var sum: Float = 0
        band.lay(over: row) { block in
          var four = SIMD4<Float>.zero
          for lane in 0..<4 {
            sum += cells[first + block * 4 + lane]
            four[lane] = min(abs(sum), 1)
          }
          return four
        }
        for cell in first..<first + columns { cells[cell] = 0 }
        touched[row] = false
      }
    }
  }
}
