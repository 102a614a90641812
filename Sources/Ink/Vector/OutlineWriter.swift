/// Gets a picture's outlines one after the other, so that only one of them is in memory.
protocol OutlineWriter {
  /// - Parameter outline: in the picture's pixels. It is written as a path.
  mutating func write(_ outline: Outline, _ work: borrowing DrawingWork) throws(InkError)

  /// Removes the ink under an eraser's line from everything that was written before.
  ///
  /// - Parameter pieces: the line's straight pieces, each by itself.
  mutating func erase(_ pieces: [Outline], _ work: borrowing DrawingWork) throws(InkError)
}

/// Something with outlines: strokes or letters.
protocol OutlineSource {
  func write(
    to writer: inout some OutlineWriter, _ placement: Placement, _ work: inout DrawingWork
  ) throws(InkError)
}

extension Drawing: OutlineSource {
  func write(
    to writer: inout some OutlineWriter, _ placement: Placement, _ work: inout DrawingWork
  ) throws(InkError) {
    // Counting pieces is quick, so an excessive drawing is refused before any of it is drawn.
    var pieces = 0
    for line in lines {
      for span in line.spans { pieces += Outline.pieces(of: placement.apply(span)) }
      try work.require(pieces * DrawingWork.stepsPerEdgePiece)
    }
    for line in lines {
      let placed = line.spans.map { placement.apply($0) }
      if line.erases {
        try writer.erase(try Self.pieces(of: placed, &work), work)
      } else {
        try writer.write(try Outline(placed, &work), work)
      }
    }
  }

  /// A line's straight pieces. Unlike the line, no piece overlaps itself.
  private static func pieces(of spans: [Span], _ work: inout DrawingWork) throws(InkError) -> [Outline] {
    var outlines: [Outline] = []
    for span in spans {
      let count = span.pieces(tolerance: 0.1)
      for number in 0..<count {
        let start = span.point(at: Float(number) / Float(count)), end = span.point(at: Float(number + 1) / Float(count))
        outlines.append(try Outline([Span(start: start, control: (start + end) / 2, end: end)], &work))
      }
    }
    return outlines
  }
}

extension Letters: OutlineSource {
  func write(
    to writer: inout some OutlineWriter, _ placement: Placement, _ work: inout DrawingWork
  ) throws(InkError) {
    try work.spend(contours.reduce(0) { $0 + $1.edges.count })
    try writer.write(outline(placement), work)
  }
}
