import Base
import Ink
import InkSamples
import TestSupport
import Testing

/// The exact picture: the union of discs along a line, sampled 8 × 8 times in every pixel.
private struct Supersampled {
  static let samples = 8
  let width: Int
  let height: Int
  private var inside: [Bool]

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
    inside = Array(repeating: false, count: width * height * Self.samples * Self.samples)
  }

  mutating func disc(x: Double, y: Double, radius: Double) {
    let scale = Double(Self.samples), columns = width * Self.samples, rows = height * Self.samples
    let (centreX, centreY, reach) = (x * scale, y * scale, radius * scale)
    for row in max(0, Int(centreY - reach))..<min(rows, Int(centreY + reach) + 1) {
      let down = Double(row) + 0.5 - centreY
      let left = reach * reach - down * down
      guard left >= 0 else { continue }
      let half = left.squareRoot()
      let first = Int((centreX - half - 0.5).rounded(.up)), last = Int((centreX + half - 0.5).rounded(.down))
      guard first <= last else { continue }
      for column in max(0, first)...min(columns - 1, last) { inside[row * columns + column] = true }
    }
  }

  func ink(x: Int, y: Int) -> Double {
    var count = 0
    for row in 0..<Self.samples {
      let start = (y * Self.samples + row) * width * Self.samples + x * Self.samples
      for column in 0..<Self.samples where inside[start + column] { count += 1 }
    }
    return Double(count) * 255 / Double(Self.samples * Self.samples)
  }
}

@Suite struct RasterErrorTests {
  /// How far a picture is from what should be seen, over the pixels with ink.
  private func error(of ink: Ink, from truth: (_ x: Int, _ y: Int) -> Double) throws -> (rms: Double, worst: Double) {
    let picture = try DecodedPNG(renderer.render(ink).bytes).ink()
    var sum = 0.0, inked = 0.0, worst = 0.0
    for y in 0..<200 {
      for x in 0..<600 {
        let shown = Double(picture[y * 600 + x]), should = truth(x, y)
        guard shown > 0 || should > 0 else { continue }
        sum += (shown - should) * (shown - should)
        inked += 1
        worst = max(worst, abs(shown - should))
      }
    }
    return ((sum / inked).squareRoot(), worst)
  }

  @Test("a picture is as close to what signature_pad draws as docs/ink.md says")
  func pad() throws {
    // Chromium's, at sixteen times the size: Benchmarks/Peers/ink/pad.py --write made it.
    let file = try Files.read(Repository.path("Tests/Fixtures/ink/signature-pad-writer7.png"))
    let truth = try DecodedPNG(file).ink()
    let ink = try Ink(
      validating: SampleSignature.all[6].ink.strokes, canvas: Canvas(width: 600, height: 200))
    let error = try error(of: ink) { Double(truth[$1 * 600 + $0]) }
    #expect(error.rms < 9.2 && error.worst < 180, "\(error)")
  }

  @Test("pictures are as close to the exact one as sixteen steps of grey allow", arguments: [6, 17])
  func samples(writer: Int) throws {
    let strokes = SampleSignature.all[writer].ink.strokes
    let ink = try Ink(validating: strokes, canvas: Canvas(width: 600, height: 200))
    let drawing = try Drawing(ink, look: .pad1, penWidth: nil)
    var truth = Supersampled(width: 600, height: 200)
    for line in drawing.lines {
      for span in line.spans {
        for step in 0...40 {
          let node = span.point(at: Float(step) / 40)
          truth.disc(
            x: Double(node.x) + drawing.originX, y: Double(node.y) + drawing.originY, radius: Double(node.radius))
        }
      }
    }
    let error = try error(of: ink) { truth.ink(x: $0, y: $1) }
    #expect(error.rms < 8.3 && error.worst < 85, "\(error)")
  }
}
