/// Turns ink into pictures. Nothing but its arguments decides the bytes; what it keeps is working memory.
public final class Renderer: Sendable {
  /// Level 6 is where a signature is small: above it costs many times the time for a hundredth of the size.
  private let benches = Workbenches(level: 6)

  private let mostVectors: Int

  public init() {
    mostVectors = Raster.mostVectors
  }

  /// A renderer that gives up on a picture sooner: for tests, which have no second to spare.
  package init(mostPixelSteps: Int) {
    mostVectors = mostPixelSteps / 4
  }

  public func render(_ ink: Ink, _ options: RenderOptions = RenderOptions()) throws(InkError) -> Picture {
    try options.validate()
    let drawing = Drawing(ink, look: options.look, penWidth: options.penWidth)
    let placement = try Placement(drawing, canvas: ink.canvas, options: options)
    switch options.format {
    case .png(let depth):
      return picture("image/png", placement, try png(drawing, placement, depth, options))
    case .svg:
      return picture("image/svg+xml", placement, SVG(drawing, placement, options).bytes)
    case .pdf:
      let path = InkPath(drawing, placement)
      return picture("application/pdf", placement, benches.withOne { PDF(path, options, $0.deflater).finish() })
    }
  }

  /// The ink alone, for a page that is made elsewhere.
  public func path(_ ink: Ink, _ options: RenderOptions = RenderOptions()) throws(InkError) -> InkPath {
    try options.validate()
    let drawing = Drawing(ink, look: options.look, penWidth: options.penWidth)
    return InkPath(drawing, try Placement(drawing, canvas: ink.canvas, options: options))
  }

  private func picture(_ mediaType: String, _ placement: Placement, _ bytes: [UInt8]) -> Picture {
    Picture(bytes: bytes, width: placement.width, height: placement.height, mediaType: mediaType)
  }

  private func png(
    _ drawing: Drawing, _ placement: Placement, _ depth: BitDepth, _ options: RenderOptions
  ) throws(InkError) -> [UInt8] {
    // Black on white needs no palette: grey says it.
    let isGrey = options.ink == .black && options.paper == .white
    var png = PNG(width: placement.width, height: placement.height, depth: depth, pixels: isGrey ? .grey : .palette)
    if let dotsPerInch = options.dotsPerInch { png.density(dotsPerInch: dotsPerInch) }
    if !isGrey { png.ramp(ink: options.ink, paper: options.paper, steps: 1 << depth.rawValue) }
    try benches.withOne { (bench) throws(InkError) in
      var rows = PixelRows(
        width: placement.width, height: placement.height, depth: depth, isInverted: isGrey, reusing: &bench.rows)
      let raster = Raster(drawing, placement, mostVectors: mostVectors)
      try raster.draw(on: &bench.band) { band, count in rows.append(band, rows: count) }
      png.image(rows.bytes, bench.deflater)
      bench.rows = rows.bytes
    }
    return png.finish()
  }
}
