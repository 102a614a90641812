extension InkLimits {
  /// The least ink of a signature, in square pixels of its canvas: less than a dot of a pen of two pixels leaves,
  /// wherever it lies between the pixels.
  public static let visibleArea: Float = 1.5
  /// The least part of a pixel that ink covers, so that the pixel looks inked.
  static let visibleCoverage: Float = 0.5
}

extension Renderer {
  /// Whether somebody who looks at the picture of ink sees any: enough of its pixels look inked. It is measured on the
  /// pixels, since no rule about points and pens knows what an eraser left.
  public func shows(
    _ ink: Ink, penWidth: Double? = nil, _ budget: DrawingBudget = DrawingBudget()
  ) throws(InkError) -> Bool {
    try visibleArea(of: ink, penWidth: penWidth, budget) >= InkLimits.visibleArea
  }

  /// The ink in all pixels that look inked, in square pixels of the canvas.
  package func visibleArea(
    of ink: Ink, penWidth: Double? = nil, _ budget: DrawingBudget = DrawingBudget()
  ) throws(InkError) -> Float {
    var options = RenderOptions()
    options.penWidth = penWidth
    try options.validate()
    var work = DrawingWork(budget)
    let drawing = try Drawing(ink, look: options.look, penWidth: options.penWidth, &work)
    let placement = try Placement(drawing, canvas: ink.canvas, words: nil, options: options, &work)
    let raster = try Raster(drawing, placement, &work)
    var area: Float = 0
    try buffers.withOne { (buffers) throws(InkError) in
      try raster.draw(on: &buffers.band, beside: nil, placement, &work) { band, rows in
        for row in 0..<rows {
          band.forEachInkedBlock(in: row) { _, coverage in
            area += coverage.replacing(with: Float(0), where: coverage .< InkLimits.visibleCoverage).sum()
          }
        }
      }
    }
    return area
  }
}
