/// Draws lines of ink into rows of coverage, a band of rows at a time: memory does not grow with the picture.
struct Raster {
  let width: Int
  let height: Int
  private let mostVectors: Int
  private let spans: [(span: Span, lastRow: Int)]
  /// The spans that begin in each band, by their numbers.
  private let beginning: [[Int]]

  private static let bandRows = 64
  /// In pixels: how far a straight piece may lie from the curve it stands for.
  private static let tolerance: Float = 0.1
  /// What a picture may take, in vectors of four pixels: about a second. The largest honest picture takes a tenth of
  /// it; without the bound 100,000 thick lines across 4096 × 4096 pixels would take hours.
  static let mostVectors = 1 << 27

  init(_ drawing: Drawing, _ placement: Placement, mostVectors: Int) {
    self.mostVectors = mostVectors
    width = placement.width
    height = placement.height
    var spans: [(span: Span, lastRow: Int)] = []
    var beginning = [[Int]](repeating: [], count: (height - 1) / Self.bandRows + 1)
    for line in drawing.lines {
      for span in line.spans {
        let placed = placement.apply(span)
        let box = placed.bounds
        guard box.right > -1, box.left < Float(width + 1) else { continue }
        guard box.bottom > -1, box.top < Float(height) else { continue }
        beginning[Int(max(0, box.top - 1)) / Self.bandRows].append(spans.count)
        spans.append((placed, Int(min(Float(height), box.bottom + 1))))
      }
    }
    self.spans = spans
    self.beginning = beginning
  }

  /// Draws everything, handing each finished band to `emit` with the number of its rows that are in the picture.
  func draw(on band: inout Band, _ emit: (borrowing Band, Int) -> Void) throws(InkError) {
    band.reset(width: width, rows: min(height, Self.bandRows))
    var active: [Int] = []
    var vectors = 0
    for (index, new) in beginning.enumerated() {
      let top = index * Self.bandRows
      band.move(to: top)
      active.removeAll { spans[$0].lastRow < top }
      active += new
      for number in active {
        vectors += Self.draw(spans[number].span, into: &band)
        guard vectors <= mostVectors else { throw tooMuch }
      }
      emit(band, min(band.rows, height - top))
    }
  }

  private static func draw(_ span: Span, into band: inout Band) -> Int {
    let pieces = span.pieces(tolerance: tolerance)
    guard pieces > 1 else { return band.draw(from: span.start, to: span.end) }
    var vectors = 0
    var from = span.start
    for piece in 1..<pieces {
      let to = span.point(at: Float(piece) / Float(pieces))
      vectors += band.draw(from: from, to: to)
      from = to
    }
    return vectors + band.draw(from: from, to: span.end)
  }

  private var tooMuch: InkError {
    InkError(
      path: "strokes", finding: "would take more than \(mostVectors * 4) pixel steps to draw",
      requirement: "draw them smaller or with a thinner pen")
  }
}
