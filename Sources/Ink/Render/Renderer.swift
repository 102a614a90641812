/// Draws ink as pictures. The bytes depend only on the arguments; it keeps nothing but working memory.
public final class Renderer: Sendable {
  /// Level 5 is small enough: 6 takes a third more time and saves less than a hundredth, 9 takes ten times as long and
  /// saves a twenty-fifth.
  let buffers = RenderBufferPool(level: 5)

  public init() {}

  /// - Parameter words: the letters of the ink's inscription, in the ink's coordinates.
  public func render(
    _ ink: Ink, _ options: RenderOptions = RenderOptions(), words: Letters? = nil,
    _ budget: DrawingBudget = DrawingBudget()
  ) throws(InkError) -> Picture {
    try options.validate()
    var work = DrawingWork(budget)
    let source = InscribedDrawing(try Drawing(ink, look: options.look, penWidth: options.penWidth, &work), words)
    let placement = try Placement(
      source.drawing, canvas: ink.canvas, words: source.words, options: options, &work)
    guard options.format.isRaster else { return try vector(source, placement, options, &work) }
    return try raster(placement, options, &work) { (band, rows, work) throws(InkError) in
      let raster = try Raster(source.drawing, placement, &work)
      try raster.draw(on: &band, beside: source.words, placement, &work) { band, count in
        rows.append(band, rows: count)
      }
    }
  }

  /// Draws letters instead of strokes; options of pens and looks have no effect on them.
  public func render(
    _ letters: Letters, _ options: RenderOptions = RenderOptions(), _ budget: DrawingBudget = DrawingBudget()
  ) throws(InkError) -> Picture {
    try options.validate()
    var work = DrawingWork(budget)
    let placement = try Placement(letters, options: options)
    guard options.format.isRaster else { return try vector(letters, placement, options, &work) }
    return try raster(placement, options, &work) { (band, rows, work) throws(InkError) in
      let contours = letters.contours.map { $0.mapped(placement.apply) }
      let raster = FillRaster(contours, width: placement.width, height: placement.height)
      try raster.draw(on: &band, &work) { band, count in rows.append(band, rows: count) }
    }
  }

  /// The ink as operators for a page that other code makes, with coordinates in tenths of a pixel.
  public func path(
    _ ink: Ink, _ options: RenderOptions = RenderOptions(), words: Letters? = nil,
    _ budget: DrawingBudget = DrawingBudget()
  ) throws(InkError) -> InkPath {
    try options.validate()
    var work = DrawingWork(budget)
    let source = InscribedDrawing(try Drawing(ink, look: options.look, penWidth: options.penWidth, &work), words)
    let placement = try Placement(
      source.drawing, canvas: ink.canvas, words: source.words, options: options, &work)
    return try path(source, placement, .tenths, &work)
  }

  /// Letters as operators for a page that other code makes, with coordinates in tenths of a pixel.
  public func path(
    _ letters: Letters, _ options: RenderOptions = RenderOptions(), _ budget: DrawingBudget = DrawingBudget()
  ) throws(InkError) -> InkPath {
    try options.validate()
    var work = DrawingWork(budget)
    return try path(letters, try Placement(letters, options: options), .tenths, &work)
  }

  private func path(
    _ source: some OutlineSource, _ placement: Placement, _ precision: InkPath.Precision, _ work: inout DrawingWork
  ) throws(InkError) -> InkPath {
    var writer = InkPath.Writer(precision)
    try source.write(to: &writer, placement, &work)
    return try InkPath(writer, placement)
  }

  private func vector(
    _ source: some OutlineSource, _ placement: Placement, _ options: RenderOptions, _ work: inout DrawingWork
  ) throws(InkError) -> Picture {
    guard case .svg = options.format else {
      let path = try path(source, placement, .hundredths, &work)
      let bytes = buffers.withOne { PDF(path, options, $0.deflater).finish() }
      let points = { (pixels: Int) in Int((Double(pixels) * PDF.pointsPerPixel(options)).rounded(.up)) }
      return Picture(
        bytes: bytes, width: points(placement.width), height: points(placement.height), mediaType: "application/pdf")
    }
    var svg = SVG(placement, options)
    try source.write(to: &svg, placement, &work)
    return picture("image/svg+xml", placement, svg.finish())
  }

  /// - Parameter draw: writes coverage into rows of pixels, using the given band.
  private func raster(
    _ placement: Placement, _ options: RenderOptions, _ work: inout DrawingWork,
    _ draw: (inout Band, inout PixelRows, inout DrawingWork) throws(InkError) -> Void
  ) throws(InkError) -> Picture {
    let (width, height) = (placement.width, placement.height)
    // Counted for all pixels, since rows are compressed even where nothing is drawn.
    try work.spend(width * height / 4)
    switch options.format {
    case .png(let depth):
      // Black on white needs no palette: it is written as grey.
      let isGrey = options.ink == .black && options.paper == .white
      var png = PNG(width: width, height: height, depth: depth, pixels: isGrey ? .grey : .palette)
      if let dotsPerInch = options.dotsPerInch { png.density(dotsPerInch: dotsPerInch) }
      if !isGrey { png.ramp(ink: options.ink, paper: options.paper, steps: 1 << depth.rawValue) }
      try buffers.withOne { (buffers) throws(InkError) in
        var rows = PixelRows(width: width, height: height, depth: depth, isInverted: isGrey, reusing: &buffers.rows)
        try draw(&buffers.band, &rows, &work)
        png.image(rows.bytes, buffers.deflater)
        buffers.rows = rows.bytes
      }
      return picture("image/png", placement, png.finish())
    case .jpeg, .webp:
      return try buffers.withOne { (buffers) throws(InkError) in
        var rows = PixelRows(width: width, height: height, depth: .eight, isInverted: false, reusing: &buffers.rows)
        try draw(&buffers.band, &rows, &work)
        defer { buffers.rows = rows.bytes }
        let pixels = ColoredPixels(coverage: rows.bytes, width: width, height: height, options)
        return picture(options.format.mediaType, placement, try pixels.file(options))
      }
    case .svg, .pdf: preconditionFailure("these have no pixels")
    }
  }

  private func picture(_ mediaType: String, _ placement: Placement, _ bytes: [UInt8]) -> Picture {
    Picture(bytes: bytes, width: placement.width, height: placement.height, mediaType: mediaType)
  }
}
