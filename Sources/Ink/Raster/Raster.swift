/// Draws lines of ink into rows of coverage, a band of rows at a time: memory does not grow with the picture.
struct Raster {
  let width: Int
  let height: Int
  private let spans: [Span]
  /// The spans in the order of the first row they can touch.
  private let order: [(firstRow: Int, lastRow: Int, span: Int)]

  private static let bandRows = 64
  /// In pixels: how far a straight piece may lie from the curve it stands for.
  private static let tolerance: Float = 0.05
  /// What a picture may take, in vectors of four pixels: about a second. The largest honest picture takes a tenth of
  /// it; without the bound 100,000 thick lines across 4096 × 4096 pixels would take hours.
  static let mostVectors = 1 << 27

  private let mostVectors: Int

  init(_ drawing: Drawing, _ placement: Placement, mostVectors: Int) {
    self.mostVectors = mostVectors
    width = placement.width
    height = placement.height
    var spans: [Span] = []
    var order: [(firstRow: Int, lastRow: Int, span: Int)] = []
    for line in drawing.lines {
      for span in line.spans {
        let placed = placement.apply(span)
        let box = placed.bounds
        guard box.right > -1, box.left < Float(width + 1), box.bottom > -1, box.top < Float(height + 1) else {
          continue
        }
        order.append((Int(max(0, box.top - 1)), Int(min(Float(height), box.bottom + 1)), spans.count))
        spans.append(placed)
      }
    }
    order.sort { ($0.firstRow, $0.span) < ($1.firstRow, $1.span) }
    self.spans = spans
    self.order = order
  }

  /// Draws everything, handing each finished band to `emit` with the number of its rows that are in the picture.
  func draw(_ emit: (borrowing Band, Int) -> Void) throws(InkError) {
    var band = Band(width: width, rows: min(height, Self.bandRows))
    var next = 0
    var active: [(firstRow: Int, lastRow: Int, span: Int)] = []
    var vectors = 0
    for top in stride(from: 0, to: height, by: band.rows) {
      band.move(to: top)
      active.removeAll { $0.lastRow < top }
      while next < order.count, order[next].firstRow < top + band.rows {
        active.append(order[next])
        next += 1
      }
      for entry in active {
        vectors += Self.draw(spans[entry.span], into: &band)
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
