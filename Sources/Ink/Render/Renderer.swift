/// Turns ink into pictures. The bytes depend on its arguments only; it keeps nothing but working memory.
public final class Renderer: Sendable {
  /// From level 5 on, a signature is small: 6 takes a third more time for less than a hundredth of the size, 9 ten
  /// times as much for a twenty-fifth.
  private let buffers = RenderBufferPool(level: 5)

  private let mostVectors: Int

  public init() {
    mostVectors = Raster.mostVectors
  }

  /// A renderer with a smaller bound on work, for tests.
  package init(mostPixelSteps: Int) {
    mostVectors = mostPixelSteps / 4
  }

  public func render(_ ink: Ink, _ options: RenderOptions = RenderOptions()) throws(InkError) -> Picture {
    try options.validate()
    let drawing = Drawing(ink, look: options.look, penWidth: options.penWidth)
    let placement = try Placement(drawing, canvas: ink.canvas, options: options)
    guard case .png(let depth) = options.format else {
      return vector(drawing.outlines(placement), placement, options)
    }
    return try png(placement, depth, options) { (band, rows) throws(InkError) in
      let raster = Raster(drawing, placement, mostVectors: mostVectors)
      try raster.draw(on: &band) { band, count in rows.append(band, rows: count) }
    }
  }

  /// Draws letters instead of strokes; options of pens and looks have no effect on them.
  public func render(_ letters: Letters, _ options: RenderOptions = RenderOptions()) throws(InkError) -> Picture {
    try options.validate()
    let placement = try Placement(letters, options: options)
    guard case .png(let depth) = options.format else {
      return vector([letters.outline(placement)], placement, options)
    }
    return try png(placement, depth, options) { (band, rows) throws(InkError) in
      let contours = letters.contours.map { $0.mapped(placement.apply) }
      let raster = FillRaster(contours, width: placement.width, height: placement.height)
      raster.draw(on: &band) { band, count in rows.append(band, rows: count) }
    }
  }

  /// The ink alone, for a page that other code makes.
  public func path(_ ink: Ink, _ options: RenderOptions = RenderOptions()) throws(InkError) -> InkPath {
    try options.validate()
    let drawing = Drawing(ink, look: options.look, penWidth: options.penWidth)
    let placement = try Placement(drawing, canvas: ink.canvas, options: options)
    return InkPath(drawing.outlines(placement), placement)
  }

  /// Letters alone, for a page that other code makes.
  public func path(_ letters: Letters, _ options: RenderOptions = RenderOptions()) throws(InkError) -> InkPath {
    try options.validate()
    let placement = try Placement(letters, options: options)
    return InkPath([letters.outline(placement)], placement)
  }

  private func vector(
    _ outlines: some Sequence<Outline>, _ placement: Placement, _ options: RenderOptions
  ) -> Picture {
    if case .svg = options.format {
      return picture("image/svg+xml", placement, SVG(outlines, placement, options).bytes)
    }
    let path = InkPath(outlines, placement)
    return picture("application/pdf", placement, buffers.withOne { PDF(path, options, $0.deflater).finish() })
  }

  /// - Parameter draw: writes coverage into rows of pixels, using the given band.
  private func png(
    _ placement: Placement, _ depth: BitDepth, _ options: RenderOptions,
    _ draw: (inout Band, inout PixelRows) throws(InkError) -> Void
  ) throws(InkError) -> Picture {
    // Black on white needs no palette: it is written as grey.
    let isGrey = options.ink == .black && options.paper == .white
    var png = PNG(width: placement.width, height: placement.height, depth: depth, pixels: isGrey ? .grey : .palette)
    if let dotsPerInch = options.dotsPerInch { png.density(dotsPerInch: dotsPerInch) }
    if !isGrey { png.ramp(ink: options.ink, paper: options.paper, steps: 1 << depth.rawValue) }
    try buffers.withOne { (buffers) throws(InkError) in
      var rows = PixelRows(
        width: placement.width, height: placement.height, depth: depth, isInverted: isGrey, reusing: &buffers.rows)
      try draw(&buffers.band, &rows)
      png.image(rows.bytes, buffers.deflater)
      buffers.rows = rows.bytes
    }
    return picture("image/png", placement, png.finish())
  }

  private func picture(_ mediaType: String, _ placement: Placement, _ bytes: [UInt8]) -> Picture {
    Picture(bytes: bytes, width: placement.width, height: placement.height, mediaType: mediaType)
  }
}

extension Drawing {
  /// Each line's edge in a picture's pixels.
  fileprivate func outlines(_ placement: Placement) -> some Sequence<Outline> {
    lines.lazy.map { Outline($0.spans.map { placement.apply($0) }) }
  }
}
