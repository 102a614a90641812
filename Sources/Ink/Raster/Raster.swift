/// Draws lines of ink into rows of coverage, a band of rows at a time: memory does not grow with the picture.
struct Raster {
  let width: Int
  let height: Int
  private let spans: [Piece]
  /// For each band, the indices of the spans that begin in it.
  private let beginning: [[Int]]

  private struct Piece {
    let span: Span
    let lastRow: Int
    let run: Run
    let erases: Bool
  }

  private static let bandRows = 64
  /// In pixels: how far a straight piece may be from the curve that it approximates.
  private static let tolerance: Float = 0.1
  /// The cost of a span, and of each of its pieces, in each band that it reaches, whether or not it covers a pixel
  /// there.
  private static let stepsPerSpan = 8
  private static let stepsPerPiece = 4

  init(_ drawing: Drawing, _ placement: Placement, _ work: inout DrawingWork) throws(InkError) {
    width = placement.width
    height = placement.height
    var spans: [Piece] = []
    var beginning = [[Int]](repeating: [], count: (height - 1) / Self.bandRows + 1)
    var run = Run()
    for line in drawing.lines {
      run.begin()
      try work.spend(line.spans.count * 16)
      for span in line.spans {
        let placed = placement.apply(span)
        run.follow(placed)
        let box = placed.bounds
        guard box.right > -1, box.left < Float(width + 1) else { continue }
        guard box.bottom > -1, box.top < Float(height) else { continue }
        beginning[Int(max(0, box.top - 1)) / Self.bandRows].append(spans.count)
        spans.append(
          Piece(span: placed, lastRow: Int(min(Float(height), box.bottom + 1)), run: run, erases: line.erases))
      }
    }
    self.spans = spans
    self.beginning = beginning
  }

  /// Draws everything, passing each finished band to `emit` with the number of its rows that are in the picture.
  ///
  /// - Parameter words: drawn over the ink.
  func draw(
    on band: inout Band, beside words: Letters?, _ placement: Placement, _ work: inout DrawingWork,
    _ emit: (borrowing Band, Int) -> Void
  ) throws(InkError) {
    var layer = words.map { FillRaster.Layer($0, placement) }
    band.reset(width: width, rows: min(height, Self.bandRows))
    var active: [Int] = []
    for (index, new) in beginning.enumerated() {
      let top = index * Self.bandRows
      band.move(to: top)
      active.removeAll { spans[$0].lastRow < top }
      active += new
      try work.spend(active.count * Self.stepsPerSpan)
      active.sort()
      var last: Piece?
      for number in active {
        let piece = spans[number]
        if let last, last.run.number != piece.run.number { try work.spend(band.settle(erasing: last.erases)) }
        last = piece
        try work.spend(Self.draw(piece, into: &band))
      }
      try work.spend(band.settle(erasing: last?.erases ?? false))
      try layer?.lay(over: &band, &work)
      emit(band, min(band.rows, height - top))
    }
  }

  /// Returns how many steps that took: vectors of four pixels, and the cost of finding them.
  private static func draw(_ piece: Piece, into band: inout Band) -> Int {
    let span = piece.span
    let pieces = span.pieces(tolerance: tolerance)
    guard pieces > 1 else { return band.draw(from: span.start, to: span.end, isCut: piece.run.isCut) }
    var vectors = pieces * stepsPerPiece
    var from = span.start
    for number in 1..<pieces {
      let to = span.point(at: Float(number) / Float(pieces))
      vectors += band.draw(from: from, to: to, isCut: number == 1 && piece.run.isCut)
      from = to
    }
    return vectors + band.draw(from: from, to: span.end)
  }
}

/// A part of a line without sharp turns, so that no two of its pieces face each other across a gap.
///
/// Within a run, coverage is blended by its maximum; different runs cover each other like independent inks.
private struct Run {
  private(set) var number = 0
  /// Whether it continues another run, whose round end covers its start.
  private(set) var isCut = false
  private var heading: SIMD2<Float>?

  mutating func begin() {
    number += 1
    heading = nil
  }

  mutating func follow(_ span: Span) {
    isCut = false
    let way = SIMD2(span.end.x - span.start.x, span.end.y - span.start.y)
    guard let heading else {
      heading = way
      return
    }
    // The direction differs by more than 108 degrees from the run's.
    guard dot(heading, way) < -0.3 * length(heading) * length(way) else { return }
    begin()
    isCut = true
    self.heading = way
  }
}
