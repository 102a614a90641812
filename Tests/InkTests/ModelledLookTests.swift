import Ink
import InkSamples
import Testing

@Suite struct ModelledLookTests {
  private func samples(_ stroke: Stroke) -> [Sample] {
    stroke.points.map { Sample($0, originX: 0, originY: 0, since: stroke.points[0].time) }
  }

  private func tips(_ stroke: Stroke) -> [StrokeModeler.Tip] {
    var modeler = StrokeModeler()
    return samples(stroke).flatMap { modeler.add($0) } + modeler.finish()
  }

  @Test("points that were given out never change, whatever follows")
  func streams() {
    for signature in SampleSignature.all {
      for stroke in signature.ink.strokes {
        let whole = tips(stroke)
        var modeler = StrokeModeler()
        var early: [StrokeModeler.Tip] = []
        for sample in samples(stroke).prefix(stroke.points.count / 2) { early += modeler.add(sample) }
        #expect(Array(whole.prefix(early.count)) == early)
      }
    }
  }

  @Test("a line starts where the pen came down and ends where it went up")
  func ends() throws {
    for signature in SampleSignature.all {
      for stroke in signature.ink.strokes {
        let path = tips(stroke)
        let first = try #require(path.first?.position), last = try #require(path.last?.position)
        let begin = try #require(stroke.points.first), end = try #require(stroke.points.last)
        #expect(abs(Double(first.x) - begin.x) < 0.1 && abs(Double(first.y) - begin.y) < 0.1)
        #expect(abs(Double(last.x) - end.x) < 0.1 && abs(Double(last.y) - end.y) < 0.1)
      }
    }
  }

  @Test("the tremble of a slow hand is smoothed away")
  func smooths() {
    let shaky = Stroke(
      points: (0..<120).map {
        StrokePoint(x: Double($0) * 0.5, y: $0.isMultiple(of: 2) ? 0 : 0.6, time: Double($0) * 16)
      })
    func sway(_ heights: [Float]) -> Float { zip(heights, heights.dropFirst()).reduce(0) { $0 + abs($1.1 - $1.0) } }
    let modelled = sway(tips(shaky).map(\.position.y))
    let captured = sway(shaky.points.map { Float($0.y) })
    #expect(modelled < captured / 3)
  }

  @Test("pressing harder makes a broader line, when the pen has a sensor")
  func pressure() throws {
    func radius(_ pressure: Double) throws -> Float {
      let points = (0..<30).map { StrokePoint(x: Double($0) * 4, y: 0, time: Double($0) * 16, pressure: pressure) }
      let line = try Drawing(try Ink(validating: [Stroke(points: points)]), look: .ink1, penWidth: nil).lines[0]
      return try #require(line.spans.last).end.radius
    }
    #expect(try radius(0.9) > radius(0.6))
    #expect(try radius(0.6) > radius(0.2))
    // A mouse's 0.5 and a finger's 0 and 1 mean no sensor.
    #expect(try radius(0.5) == radius(0))
    #expect(try radius(0.5) == radius(1))
  }

  @Test("fast ink is thinner than slow ink")
  func speed() throws {
    func radius(_ step: Double) throws -> Float {
      let points = (0..<30).map { StrokePoint(x: Double($0) * step, y: 0, time: Double($0) * 16) }
      let line = try Drawing(try Ink(validating: [Stroke(points: points)]), look: .ink1, penWidth: nil).lines[0]
      return try #require(line.spans.last).end.radius
    }
    #expect(try radius(14) < radius(1))
  }

  @Test("a pen that rests for an hour, or a clock that stands still, costs no more than a short pause")
  func pauses() {
    var points = stroke([(0, 0), (10, 0)]).points
    points.append(StrokePoint(x: 20, y: 0, time: 3_600_000))
    #expect(tips(Stroke(points: points)).count < 60)
    let still = Stroke(points: (0..<20_000).map { StrokePoint(x: Double($0 % 100), y: 0, time: 0) })
    #expect(tips(still).count < 60)
  }
}
