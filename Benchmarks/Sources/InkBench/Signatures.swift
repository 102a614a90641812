internal import Base
internal import BenchKit
internal import Ink
internal import InkSamples

/// The signatures that are measured, written to `.build/bench/ink` for the peers to draw and to compare.
struct Signatures {
  let reference = SampleSignature.reference
  let all: [(name: String, ink: Ink)]

  init() throws {
    let folder = Repository.path(".build/bench/ink")
    try Files.makeFolder(folder)
    all = [(reference.name, reference.ink)] + [3, 7, 12].map { ("writer\($0)", SampleSignature.all[$0 - 1].ink) }
    for (name, ink) in all {
      try Files.write(Array(Self.text(ink).utf8), to: "\(folder)/\(name).txt")
      try Files.write(png(ink), to: "\(folder)/\(name).png")
      try Files.write(svg(ink), to: "\(folder)/\(name).svg")
    }
  }

  func png(_ ink: Ink) -> [UInt8] { bytes(ink, .png(.four)) }

  func svg(_ ink: Ink) -> [UInt8] { bytes(ink, .svg) }

  private func bytes(_ ink: Ink, _ format: PictureFormat) -> [UInt8] {
    var options = RenderOptions()
    options.format = format
    do { return try Renderer().render(ink, options).bytes } catch { preconditionFailure("a sample is drawn: \(error)") }
  }

  /// Width, height and strokes; for each its points; for each of these x, y and time.
  private static func text(_ ink: Ink) -> String {
    let strokes = ink.strokes.map { stroke in
      "\(stroke.points.count)\n" + stroke.points.map { "\($0.x) \($0.y) \($0.time)\n" }.joined()
    }
    return "600 200 \(strokes.count)\n" + strokes.joined()
  }
}

/// Ink of any amount, to measure how cost grows.
enum Scribble {
  /// As many points as wanted on the usual canvas: the same hand, going back and forth.
  static func ink(points: Int) -> Ink {
    make(points: points, width: 600, height: 200, step: 6)
  }

  /// Lines that cover a surface evenly, whatever its size.
  static func page(width: Int, height: Int) -> Ink {
    make(points: width * height / 168, width: width, height: height, step: 8)
  }

  private static func make(points: Int, width: Int, height: Int, step: Double) -> Ink {
    var strokes: [Stroke] = []
    var (x, y, forward, time) = (4.0, 4.0, 1.0, 0.0)
    for start in stride(from: 0, to: points, by: 20_000) {
      var line: [StrokePoint] = []
      for index in start..<min(points, start + 20_000) {
        time += 8
        x += forward * step
        if x < 4 || x > Double(width) - 4 {
          forward = -forward
          x += forward * step
          y = y + 21 > Double(height) ? 4 : y + 21
        }
        line.append(StrokePoint(x: x, y: y + (index.isMultiple(of: 2) ? 0 : 3), time: time))
      }
      strokes.append(Stroke(points: line))
    }
    let canvas = Canvas(width: Double(width), height: Double(height))
    do { return try Ink(validating: strokes, canvas: canvas) } catch {
      preconditionFailure("a scribble is valid: \(error)")
    }
  }
}
