/// `ink-1`: modelled ink. The path is that of `StrokeModeler`; the radius follows the pen's pressure, or a pressure
/// derived from speed as in perfect-freehand, with a thinning of one half.
struct ModelledLook {
  let nib: Nib

  func line(through samples: [Sample], _ work: inout DrawingWork) throws(InkError) -> Line {
    var modeler = StrokeModeler()
    var ink = InkFlow(width: nib.width)
    var nodes: [Node] = []
    for sample in samples {
      let tips = modeler.add(sample)
      try work.spend(tips.count * DrawingWork.stepsPerTip)
      nodes += tips.map { ink.node(at: $0) }
    }
    nodes += modeler.finish().map { ink.node(at: $0) }
    return Line(spans: Self.spans(through: nodes, dotRadius: nib.dotRadius))
  }

  /// A smooth curve with the tips as its controls: from the middle of one step to the middle of the next. Each piece
  /// depends only on the next point, so the curve can be streamed like the tips.
  private static func spans(through nodes: [Node], dotRadius: Float) -> [Span] {
    guard let first = nodes.first, let last = nodes.last else { return [] }
    guard nodes.count > 1 else { return [Span(dot: Node(first.x, first.y, radius: dotRadius))] }
    var spans: [Span] = []
    spans.reserveCapacity(nodes.count)
    var from = first
    for index in 1..<nodes.count {
      let middle = (nodes[index - 1] + nodes[index]) / 2
      spans.append(Span(start: from, control: nodes[index - 1], end: middle))
      from = middle
    }
    spans.append(Span(start: from, control: last, end: last))
    return spans
  }
}

/// Computes the radii along a modelled line.
struct InkFlow {
  private let width: Float
  private var last: SIMD2<Float>?
  private var flow: Float = 0.5

  private static let thinning: Float = 0.5
  /// How far the flow follows speed in a sixtieth of a second, the pace of the usual screen.
  private static let rate: Float = 0.275
  private static let stepsPerFrame: Float = 3
  /// The speed, in pixels in a sixtieth of a second, from which on the ink is thinnest.
  private static let fullSpeed: Float = 16

  init(width: Float) {
    self.width = width
  }

  mutating func node(at tip: StrokeModeler.Tip) -> Node {
    if let pressure = tip.pressure {
      flow = pressure
    } else if let last {
      let step = tip.position - last
      let perFrame = (step.x * step.x + step.y * step.y).squareRoot() * Self.stepsPerFrame
      let speed = min(1, perFrame / Self.fullSpeed)
      flow = min(1, flow + (1 - speed - flow) * (speed * Self.rate / Self.stepsPerFrame))
    }
    last = tip.position
    return Node(tip.position.x, tip.position.y, radius: width * (0.5 - Self.thinning * (0.5 - flow)))
  }
}

/// Decides whether reported pressure comes from a sensor.
///
/// A mouse always reports 0.5, a finger 0 or 1. Only another value proves a sensor; from then on the stroke's pressure
/// counts. What is already drawn does not change, so it can be streamed.
struct PressureSource {
  private var hasSensor = false

  mutating func known(_ pressure: Float?) -> Float? {
    guard let pressure else { return nil }
    if pressure != 0 && pressure != 0.5 && pressure != 1 { hasSensor = true }
    return hasSensor ? pressure : nil
  }
}
