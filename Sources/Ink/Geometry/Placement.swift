/// The place of a drawing in its picture: the picture's size, and the transformation from drawing to picture.
struct Placement {
  let width: Int
  let height: Int
  /// Picture pixels per CSS pixel.
  let scale: Float
  private let columnX: SIMD2<Float>
  private let columnY: SIMD2<Float>
  private let shift: SIMD2<Float>

  /// - Parameter words: to draw below the drawing, relative to its origin. Their canvas has room for both.
  init(
    _ drawing: Drawing, canvas: Canvas?, words: Letters?, options: RenderOptions, _ work: inout DrawingWork
  ) throws(InkError) {
    let canvas = try words?.canvas.validated() ?? canvas
    try self.init(try Rectangle(drawing, canvas: canvas, words, frame: options.frame, &work), options)
  }

  init(_ letters: Letters, options: RenderOptions) throws(InkError) {
    try self.init(Rectangle(letters, canvas: try letters.canvas.validated(), frame: options.frame), options)
  }

  private init(_ frame: Rectangle, _ options: RenderOptions) throws(InkError) {
    let turned = options.rotation == .left || options.rotation == .right
    let frameWidth = turned ? frame.height : frame.width
    let frameHeight = turned ? frame.width : frame.height

    let factor: Double
    switch options.size {
    case .scale(let scale):
      factor = options.frame == .canvas ? scale : min(scale, Double(InkLimits.pixels) / max(frameWidth, frameHeight))
      width = Self.pixels(frameWidth * factor)
      height = Self.pixels(frameHeight * factor)
    case .pixels(let pixelWidth, let pixelHeight):
      factor = min(Double(pixelWidth) / frameWidth, Double(pixelHeight) / frameHeight)
      width = pixelWidth
      height = pixelHeight
    }
    try RenderOptions.checkPixels(width, "picture.width")
    try RenderOptions.checkPixels(height, "picture.height")

    // Both centres are aligned: then rotation is no special case, and rounding adds equally to both sides.
    let centreX = frame.left + frame.width / 2, centreY = frame.top + frame.height / 2
    let (cosine, sine): (Double, Double) =
      switch options.rotation {
      case .none: (1, 0)
      case .right: (0, 1)
      case .half: (-1, 0)
      case .left: (0, -1)
      }
    scale = Float(factor)
    columnX = SIMD2(Float(cosine * factor), Float(sine * factor))
    columnY = SIMD2(Float(-sine * factor), Float(cosine * factor))
    let exact = options.size.keepsOrigin && options.rotation == .none
    let middleX = exact ? frame.width * factor / 2 : Double(width) / 2
    let middleY = exact ? frame.height * factor / 2 : Double(height) / 2
    shift = SIMD2(
      Float(middleX - factor * (cosine * centreX - sine * centreY)),
      Float(middleY - factor * (sine * centreX + cosine * centreY)))
  }

  func apply(_ node: Node) -> Node {
    let moved = columnX * node.x + columnY * node.y + shift
    return Node(moved.x, moved.y, radius: node.radius * scale)
  }

  func apply(_ place: SIMD2<Float>) -> SIMD2<Float> { columnX * place.x + columnY * place.y + shift }

  func apply(_ span: Span) -> Span {
    Span(
      start: apply(span.start), control1: apply(span.control1), control2: apply(span.control2), end: apply(span.end))
  }

  /// The pixels that cover a length, not counting the rounding errors of the arithmetic that led to it.
  private static func pixels(_ length: Double) -> Int {
    Int(max(1, (length - 1e-6).rounded(.up)))
  }
}

extension PictureSize {
  /// Whether the frame starts at the picture's corner, as a scaled one does. One fitted into given pixels is centred.
  fileprivate var keepsOrigin: Bool {
    if case .scale = self { true } else { false }
  }
}

/// The part of the plane that is shown, relative to the drawing's origin.
private struct Rectangle {
  let left: Double
  let top: Double
  let width: Double
  let height: Double

  private init(left: Double, top: Double, width: Double, height: Double) {
    self.left = left
    self.top = top
    self.width = width
    self.height = height
  }

  init(
    _ drawing: Drawing, canvas: Canvas?, _ words: Letters?, frame: Frame, _ work: inout DrawingWork
  ) throws(InkError) {
    switch (frame, canvas) {
    case (.canvas, let canvas?):
      self.init(left: -drawing.originX, top: -drawing.originY, width: canvas.width, height: canvas.height)
    case (.canvas, nil):
      self.init(around: try drawing.bounds(&work), margin: 0)
    case (.trimmed(let margin), _):
      let ink = try drawing.bounds(&work)
      self.init(around: words.map { ink.union($0.bounds) } ?? ink, margin: margin)
    }
  }

  init(_ letters: Letters, canvas: Canvas, frame: Frame) {
    switch frame {
    case .canvas: self.init(left: 0, top: 0, width: canvas.width, height: canvas.height)
    case .trimmed(let margin): self.init(around: letters.bounds, margin: margin)
    }
  }

  /// Half a pixel more than the ink, so that its softened edge is inside.
  private init(around box: Box, margin: Double) {
    let more = margin + 0.5
    self.init(
      left: Double(box.left) - more, top: Double(box.top) - more, width: Double(box.right - box.left) + 2 * more,
      height: Double(box.bottom - box.top) + 2 * more)
  }
}
