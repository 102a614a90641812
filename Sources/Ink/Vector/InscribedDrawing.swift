/// Strokes with words below them. The words are drawn last, so that erasers do not affect them.
struct InscribedDrawing: OutlineSource {
  let drawing: Drawing
  /// Relative to the drawing's origin.
  let words: Letters?

  init(_ drawing: Drawing, _ words: Letters?) {
    self.drawing = drawing
    self.words = words?.moved(by: SIMD2(Float(-drawing.originX), Float(-drawing.originY)))
  }

  func write(
    to writer: inout some OutlineWriter, _ placement: Placement, _ work: inout DrawingWork
  ) throws(InkError) {
    try drawing.write(to: &writer, placement, &work)
    try words?.write(to: &writer, placement, &work)
  }
}
