import Ink
import InkSamples
import Testing

/// signature_pad 5's algorithm in a second version, step by step as the pad runs it, in double precision, its exchanged
/// controls included. Only what `pad-1` adds is added: the last segment is drawn, and time that runs backward gives no
/// speed.
private struct ReferencePad {
  struct Point { var x, y, time: Double }
  struct Curve { var points: [(x: Double, y: Double)]; var startRadius, endRadius: Double }

  let minimum = 0.5
  let maximum = 2.5

  func curves(_ stroke: Stroke) -> [Curve] {
    var kept: [Point] = []
    for point in stroke.points {
      let next = Point(x: point.x, y: point.y, time: point.time)
      // The pad itself filters what is drawn, and not what it is given to show.
      if !stroke.pen.isFiltered, let last = kept.last, distance(last, next) <= 5 { continue }
      kept.append(next)
    }
    guard kept.count > 1 else { return [] }
    // The pad holds the last four points, with the first one doubled; doubling the last one as well draws its segment.
    kept = [kept[0]] + kept + [kept[kept.count - 1]]
    var velocity = 0.0
    var width = (minimum + maximum) / 2
    return (3..<kept.count).map { index in
      let four = kept[index - 3...index].map { $0 }
      let elapsed = four[2].time - four[1].time
      velocity = 0.7 * (elapsed > 0 ? distance(four[1], four[2]) / elapsed : 0) + 0.3 * velocity
      let next = max(maximum / (velocity + 1), minimum)
      defer { width = next }
      let leaving = controls(four[0], four[1], four[2]).1, arriving = controls(four[1], four[2], four[3]).0
      return Curve(
        points: [(four[1].x, four[1].y), arriving, leaving, (four[2].x, four[2].y)], startRadius: width,
        endRadius: next)
    }
  }

  private func distance(_ a: Point, _ b: Point) -> Double {
    ((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y)).squareRoot()
  }

  private func controls(_ a: Point, _ b: Point, _ c: Point) -> ((x: Double, y: Double), (x: Double, y: Double)) {
    let m1 = ((a.x + b.x) / 2, (a.y + b.y) / 2), m2 = ((b.x + c.x) / 2, (b.y + c.y) / 2)
    let l1 = distance(a, b), l2 = distance(b, c)
    let k = l1 + l2 == 0 ? 0 : l2 / (l1 + l2)
    let tx = b.x - (m2.0 + (m1.0 - m2.0) * k), ty = b.y - (m2.1 + (m1.1 - m2.1) * k)
    return ((m1.0 + tx, m1.1 + ty), (m2.0 + tx, m2.1 + ty))
  }
}

@Suite struct PadLookTests {
  @Test("pad-1 is signature_pad's geometry, to a thousandth of a pixel", arguments: SampleSignature.all.map(\.name))
  func reference(name: String) throws {
    let sample = try #require(SampleSignature.all.first { $0.name == name }).ink
    try compare(sample)
    try compare(try Ink.read(sample.signaturePadJSON()))
  }

  /// A square of points that lie as close as the pad lets them, with a last one that is nearer: of a pad's own file all
  /// are drawn through.
  @Test("a pad's file is not filtered a second time")
  func file() throws {
    let corners = [(26, 27), (26, 32), (26, 37), (31, 37), (36, 37), (36, 32), (36, 29)]
    let points = corners.enumerated().map { #"{"time":\#(1_637_131_731_972 + $0 * 40),"x":\#($1.0),"y":\#($1.1)}"# }
    let json = #"[{"penColor":"black","points":[\#(points.joined(separator: ","))]}]"#
    let ink = try read(json)
    #expect(try Drawing(ink, look: .pad1, penWidth: nil).lines[0].spans.count == 6)
    try compare(ink)
  }

  private func compare(_ ink: Ink) throws {
    let drawing = try Drawing(ink, look: .pad1, penWidth: nil)
    for (line, stroke) in zip(drawing.lines, ink.strokes) {
      let expected = ReferencePad().curves(stroke)
      guard !expected.isEmpty else { continue }
      #expect(line.spans.count == expected.count)
      for (span, curve) in zip(line.spans, expected) {
        for (node, point) in zip([span.start, span.control1, span.control2, span.end], curve.points) {
          #expect(abs(Double(node.x) + drawing.originX - point.x) < 0.001)
          #expect(abs(Double(node.y) + drawing.originY - point.y) < 0.001)
        }
        // The pad's radius moves with t³.
        for share: Float in [0, 0.25, 0.5, 0.75, 1] {
          let cube = Double(share * share * share)
          let radius = curve.startRadius + cube * (curve.endRadius - curve.startRadius)
          #expect(abs(Double(span.point(at: share).radius) - radius) < 0.001)
        }
      }
    }
  }

  private func spans(_ places: [(x: Double, y: Double)], pen: Pen = .standard, width: Double? = nil) throws -> [Span] {
    var drawn = stroke(places)
    drawn.pen = pen
    return try Drawing(try Ink(validating: [drawn]), look: .pad1, penWidth: width).lines[0].spans
  }

  @Test("points within five pixels of the last kept one are dropped, and a second pass drops no more")
  func distance() throws {
    #expect(try spans([(0, 0), (5, 0), (5.001, 0), (9, 0), (12, 0)]).count == 2)
    #expect(try spans([(0, 0), (5.001, 0), (12, 0)]).count == 2)
  }

  @Test("a single point is a dot of the pen's middle radius, or of the dot's own")
  func dot() throws {
    #expect(try spans([(3, 3)])[0].start.radius == 1.5)
    #expect(try spans([(3, 3)], pen: Pen(dotRadius: 4))[0].start.radius == 4)
    #expect(try spans([(3, 3)], pen: Pen(dotRadius: 0))[0].start.radius == 1.5)
    #expect(try spans([(3, 3)], pen: Pen(dotRadius: 4), width: 6)[0].start.radius == 3)
  }

  @Test("two points are a line, which the pad forgets to draw")
  func two() throws {
    let spans = try spans([(0, 0), (20, 10)])
    #expect(spans.count == 1)
    #expect(spans.first?.end.x == 20)
  }

  @Test("the line reaches the last sample, unlike the pad's")
  func last() throws {
    #expect(try spans([(0, 0), (10, 0), (20, 0), (30, 0)]).last?.end.x == 30)
  }

  @Test("a pen's own radii are used, and a given width overrides them")
  func pen() throws {
    let slow = (0..<12).map { StrokePoint(x: Double($0) * 6, y: 0, time: Double($0) * 6000) }
    let ink = try Ink(validating: [Stroke(points: slow, pen: Pen(minimumRadius: 1, maximumRadius: 4))])
    let own = try #require(try Drawing(ink, look: .pad1, penWidth: nil).lines[0].spans.last)
    #expect(abs(own.end.radius - 4) < 0.01)
    let given = try #require(try Drawing(ink, look: .pad1, penWidth: 3).lines[0].spans.last)
    #expect(abs(given.end.radius - 2.5) < 0.01)
  }

  @Test("time that stands still or steps back gives no speed, and never a negative one")
  func time() throws {
    let points = [0, 16, 16, 10, 40].enumerated().map { StrokePoint(x: Double($0) * 10, y: 0, time: Double($1)) }
    let drawing = try Drawing(try Ink(validating: [Stroke(points: points)]), look: .pad1, penWidth: nil)
    for span in drawing.lines[0].spans { #expect((0.5...2.5).contains(span.end.radius)) }
  }
}
