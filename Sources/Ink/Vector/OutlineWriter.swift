/// Takes a picture's outlines one after the other, so that no more than one of them is in memory.
protocol OutlineWriter {
  /// - Parameter outline: in the picture's pixels; it becomes a path.
  mutating func write(_ outline: Outline, _ work: borrowing DrawingWork) throws(InkError)
}

/// What has outlines: strokes, letters.
protocol OutlineSource {
  func write(
    to writer: inout some OutlineWriter, _ placement: Placement, _ work: inout DrawingWork
  ) throws(InkError)
}

extension Drawing: OutlineSource {
  func write(
    to writer: inout some OutlineWriter, _ placement: Placement, _ work: inout DrawingWork
  ) throws(InkError) {
    // Counting pieces is quick: what would be too much is refused before any of it is drawn.
    var pieces = 0
    for line in lines {
      for span in line.spans { pieces += Outline.pieces(of: placement.apply(span)) }
      try work.require(pieces * DrawingWork.stepsPerEdgePiece)
    }
    for line in lines {
      let placed = line.spans.map { placement.apply($0) }
      try writer.write(try Outline(placed, &work), work)
    }
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
