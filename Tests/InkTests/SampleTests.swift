import Ink
import InkSamples
import Testing

@Suite struct SampleTests {
  @Test("the reference signature has six strokes of 405 samples more than five pixels apart, inside its canvas")
  func reference() {
    let ink = SampleSignature.reference.ink
    #expect(ink.strokes.count == 6)
    #expect(ink.pointCount == 405)
    for stroke in ink.strokes {
      for (one, next) in zip(stroke.points, stroke.points.dropFirst()) {
        let dx = next.x - one.x, dy = next.y - one.y
        #expect((dx * dx + dy * dy).squareRoot() > 5)
      }
      #expect(stroke.points.allSatisfy { (0...600).contains($0.x) && (0...200).contains($0.y) })
    }
  }
}
