import Ink
import InkSamples
import Testing

/// What counts as ink that can be seen, measured on pixels.
@Suite struct VisibleInkTests {
  @Test("every sample is seen with each pen that a field may have, down to a tap", arguments: [1, 1.5, 2, 3, 10])
  func samples(width: Double) throws {
    for sample in SampleSignature.all {
      // A tap with a pen of a pixel leaves a pixel, which nobody takes for a signature.
      let isTap = sample.ink.pointCount == 1
      let area = try renderer.visibleArea(of: sample.ink, penWidth: width)
      #expect(try renderer.shows(sample.ink, penWidth: width) || isTap && width < 2, "\(sample.name): \(area)")
    }
  }

  @Test("a dot of the usual pen is seen wherever it lies between the pixels")
  func dots() throws {
    for step in 0..<64 {
      let (x, y) = (20 + Double(step % 8) / 8, 20 + Double(step / 8) / 8)
      for width in [2.0, 3] { #expect(try renderer.shows(try dot(x, y), penWidth: width), "\(width) at \(x), \(y)") }
    }
  }

  @Test("a pen of a tenth of a pixel leaves nothing that is seen, however much is drawn")
  func hairline() throws {
    for sample in SampleSignature.all { #expect(try !renderer.shows(sample.ink, penWidth: 0.1)) }
    let pen = Pen(minimumRadius: 0, maximumRadius: 0.05, dotRadius: 0.05)
    let strokes = SampleSignature.reference.ink.strokes.map { Stroke(points: $0.points, pen: pen) }
    #expect(try !renderer.shows(try Ink(validating: strokes, canvas: canvas)))
  }

  @Test("an eraser over everything leaves nothing, an eraser beside it leaves all")
  func eraser() throws {
    let strokes = SampleSignature.reference.ink.strokes
    let wide = Pen(minimumRadius: 8, maximumRadius: 8, dotRadius: 8, erases: true)
    let exact = Pen(erases: true)
    for pen in [wide, exact] {
      let erased = strokes + strokes.map { Stroke(points: $0.points, pen: pen) }
      #expect(try !renderer.shows(try Ink(validating: erased, canvas: canvas)), "\(pen)")
    }
    let beside = Stroke(points: [StrokePoint(x: 1, y: 1, time: 0), StrokePoint(x: 1, y: 199, time: 9)], pen: wide)
    let left = try Ink(validating: strokes + [beside], canvas: canvas)
    let whole = try Ink(validating: strokes, canvas: canvas)
    #expect(try abs(renderer.visibleArea(of: left) - renderer.visibleArea(of: whole)) < 1)
    // What is drawn after the eraser counts.
    let again = strokes + strokes.map { Stroke(points: $0.points, pen: wide) } + [strokes[0]]
    #expect(try renderer.shows(try Ink(validating: again, canvas: canvas)))
  }

  private let canvas = Canvas(width: 600, height: 200)

  private func dot(_ x: Double, _ y: Double) throws -> Ink {
    try Ink(validating: [Stroke(points: [StrokePoint(x: x, y: y, time: 0)])], canvas: canvas)
  }
}
