internal import Base
internal import Ink
internal import ServiceKit
internal import Typesetting

extension Command {
  /// Draws a file of strokes, or a typed name, with the same code and the same bytes as the service.
  static let render = Command(
    "render", "draws a file of strokes, or a typed name, as PNG, SVG, PDF, JPEG or WebP", settings: RenderSettings(),
    operands: "[STROKES]", count: 0...1
  ) { settings in
    let output = settings[\.output]
    let options = try options(settings)
    let canvas = settings[\.canvas].map { Canvas(width: Double($0.width), height: Double($0.height)) }
    let (picture, source) =
      switch (settings.operands.first, settings[\.typed]) {
      case (let path?, nil): try drawn(path, settings, canvas, options)
      case (nil, let name?): try typed(name, settings, canvas, options)
      case (nil, nil): throw RenderError("there is nothing to draw: name a file of strokes, or give --typed")
      case (_?, _?): throw RenderError("there are both strokes and --typed: a picture shows one of them")
      }
    try Files.write(picture.bytes, to: output)
    say("✓ \(output)  \(picture.width) × \(picture.height), \(picture.bytes.count) bytes, from \(source)")
  }

  private static func drawn(
    _ path: String, _ settings: Settings<RenderSettings>, _ canvas: Canvas?, _ options: RenderOptions
  ) throws -> (picture: Picture, source: String) {
    let bytes = try Files.read(path, limit: InkLimits.fileBytes)
    let typesetter = Typesetter(folder: settings[\.fonts])
    do {
      if Shapes.isStored(bytes) {
        let shapes = try Shapes.read(bytes)
        let words = try typesetter.words(words(settings) ?? shapes.inscription, below: shapes.canvas)?.letters
        let letters = words.map { shapes.letters.joined(with: $0) } ?? shapes.letters
        return (try Renderer().render(letters, options), "\(shapes.contours.count) shapes")
      }
      let ink = try Ink.read(bytes, canvas: canvas)
      let inscription = words(settings) ?? ink.inscription
      guard inscription == .none || ink.canvas != nil else {
        throw RenderError("words stand below a canvas, which the file does not state: give --canvas")
      }
      let words = try ink.canvas.flatMap { try typesetter.words(inscription, below: $0)?.letters }
      return (
        try Renderer().render(ink, options, words: words), "\(ink.strokes.count) strokes, \(ink.pointCount) points"
      )
    } catch let error as InkError {
      throw RenderError("\(path): \(error)")
    }
  }

  /// The words below the ink that the settings name; nil if they name none.
  private static func words(_ settings: Settings<RenderSettings>) -> Inscription? {
    let words = Inscription(name: settings[\.name], date: settings[\.date], reason: settings[\.reason])
    return words == .none ? nil : words
  }

  private static func typed(
    _ name: String, _ settings: Settings<RenderSettings>, _ canvas: Canvas?, _ options: RenderOptions
  ) throws -> (picture: Picture, source: String) {
    let text = try TypedText(validating: name, path: "--typed")
    let canvas = canvas ?? Canvas(width: 600, height: 200)
    let typesetter = Typesetter(folder: settings[\.fonts])
    var letters = try typesetter.letters(text, font: settings[\.font].font, on: canvas)
    if let words = words(settings), let below = try typesetter.words(words, below: canvas) {
      letters = letters.joined(with: below.letters)
    }
    return (try Renderer().render(letters, options), "'\(text.text)'")
  }

  private static func options(_ settings: Settings<RenderSettings>) throws -> RenderOptions {
    var options = RenderOptions()
    options.look = settings[\.look].look
    options.format = try format(settings[\.output], settings)
    if let margin = settings[\.trim] { options.frame = .trimmed(margin: margin) }
    options.size = settings[\.size].map { .pixels(width: $0.width, height: $0.height) } ?? .scale(settings[\.scale])
    options.rotation = settings[\.rotate].rotation
    options.penWidth = settings[\.pen]
    guard let ink = settings[\.ink].color else {
      throw RenderError("--ink needs a colour: a picture without ink shows nothing")
    }
    options.ink = ink
    options.paper = settings[\.paper].color
    options.dotsPerInch = settings[\.dpi]
    return options
  }

  private static func format(
    _ output: String, _ settings: Settings<RenderSettings>
  ) throws(RenderError) -> PictureFormat {
    guard let depth = BitDepth(rawValue: settings[\.depth]) else {
      throw RenderError("--depth is \(settings[\.depth]); it must be 1, 4 or 8")
    }
    switch output.split(separator: ".").last?.lowercased() {
    case "png": return .png(depth)
    case "svg": return .svg
    case "pdf": return .pdf
    case "jpg", "jpeg": return .jpeg(quality: settings[\.quality])
    case "webp": return .webp
    default:
      throw RenderError(
        "--output is '\(output)'; its end must be .png, .svg, .pdf, .jpg or .webp, which says what to draw")
    }
  }
}

private struct RenderError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
