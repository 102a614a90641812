internal import Base
internal import Ink
internal import ServiceKit

extension Command {
  /// Draws a file of strokes: for people at a shell, with the same code and the same bytes as the service.
  static let render = Command(
    "render", "draws a file of strokes as PNG, SVG or PDF", settings: RenderSettings(), operands: "STROKES"
  ) { settings in
    let path = settings.operands[0], output = settings[\.output]
    let options = try options(settings)
    let canvas = settings[\.canvas].map { Canvas(width: Double($0.width), height: Double($0.height)) }
    do {
      let ink = try Ink.read(try Files.read(path, limit: InkLimits.fileBytes), canvas: canvas)
      let picture = try Renderer().render(ink, options)
      try Files.write(picture.bytes, to: output)
      let counts = "\(ink.strokes.count) strokes, \(ink.pointCount) points"
      say("✓ \(output)  \(picture.width) × \(picture.height), \(picture.bytes.count) bytes, from \(counts)")
    } catch let error as InkError {
      throw RenderError("\(path): \(error)")
    }
  }

  private static func options(_ settings: Settings<RenderSettings>) throws -> RenderOptions {
    var options = RenderOptions()
    options.look = settings[\.look].look
    options.format = try format(settings[\.output], depth: settings[\.depth])
    if let margin = settings[\.trim] { options.frame = .trimmed(margin: margin) }
    options.size = settings[\.size].map { .pixels(width: $0.width, height: $0.height) } ?? .scale(settings[\.scale])
    options.rotation = settings[\.rotate].rotation
    options.penWidth = settings[\.pen]
    guard let ink = settings[\.ink].color else {
      throw RenderError("--ink needs a colour: nothing drawn is no picture")
    }
    options.ink = ink
    options.paper = settings[\.paper].color
    options.dotsPerInch = settings[\.dpi]
    return options
  }

  private static func format(_ output: String, depth: Int) throws(RenderError) -> PictureFormat {
    guard let depth = BitDepth(rawValue: depth) else { throw RenderError("--depth is \(depth); it must be 1, 4 or 8") }
    switch output.split(separator: ".").last?.lowercased() {
    case "png": return .png(depth)
    case "svg": return .svg
    case "pdf": return .pdf
    default: throw RenderError("--output is '\(output)'; its end must be .png, .svg or .pdf, which says what to draw")
    }
  }
}

private struct RenderError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
