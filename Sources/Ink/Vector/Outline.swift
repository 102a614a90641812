/// The edge of a line of ink, or of letters, as closed curves. Filled by the nonzero rule, they are the visible ink.
struct Outline {
  enum Edge {
    case line(end: SIMD2<Float>)
    case quadratic(control: SIMD2<Float>, end: SIMD2<Float>)
    case cubic(control1: SIMD2<Float>, control2: SIMD2<Float>, end: SIMD2<Float>)
    /// A half circle, clockwise as seen, to the opposite point.
    case cap(end: SIMD2<Float>)
  }

  struct Contour {
    let start: SIMD2<Float>
    var edges: [Edge]
  }

  private(set) var contours: [Contour] = []

  /// In pixels: how far the edge may be from the true edge of the line.
  private static let tolerance: Float = 0.05

  init(_ contours: [Contour]) {
    self.contours = contours
  }

  /// - Parameter spans: a line, in the picture's pixels.
  init(_ spans: [Span], _ work: inout DrawingWork) throws(InkError) {
    let nodes = try Self.nodes(spans, &work)
    guard let first = nodes.first else { return }
    guard nodes.count > 1 else {
      let top = SIMD2(first.x, first.y - first.radius), bottom = SIMD2(first.x, first.y + first.radius)
      contours = [Contour(start: top, edges: [.cap(end: bottom), .cap(end: top)])]
      return
    }
    for run in Self.runs(nodes) {
      try work.spend(run.count * (DrawingWork.stepsPerEdgePiece - Self.stepsPerNode))
      contours.append(Self.contour(Array(nodes[run])))
    }
  }

  private static let stepsPerNode = 16

  /// How many straight pieces a span is cut into before its edge is fitted.
  static func pieces(of span: Span) -> Int { span.pieces(tolerance: 0.01) }

  /// The line as straight pieces, without those too short to have a direction.
  private static func nodes(_ spans: [Span], _ work: inout DrawingWork) throws(InkError) -> [Node] {
    var nodes: [Node] = []
    func add(_ node: Node) {
      if let last = nodes.last, distance(last.place, node.place) < 0.02 { return }
      nodes.append(node)
    }
    for span in spans {
      add(span.start)
      let pieces = Self.pieces(of: span)
      try work.spend(pieces * Self.stepsPerNode)
      for piece in 1...pieces { add(span.point(at: Float(piece) / Float(pieces))) }
    }
    return nodes
  }

  /// Cuts a line where its edge would fold: at a cusp, and where a bend is tighter than the ink is wide. An edge that
  /// runs backward subtracts from the fill and leaves holes; pieces with round ends cover each other instead.
  private static func runs(_ nodes: [Node]) -> [ClosedRange<Int>] {
    let (left, right) = sides(nodes)
    var cuts: [Int] = [0]
    func cut(_ index: Int) {
      if index > cuts[cuts.count - 1], index < nodes.count - 1 { cuts.append(index) }
    }
    for index in 1..<nodes.count {
      let along = nodes[index].place - nodes[index - 1].place
      if index > 1 {
        let before = nodes[index - 1].place - nodes[index - 2].place
        // Sharper than 60 degrees.
        if dot(before, along) < 0.5 * length(before) * length(along) { cut(index - 1) }
      }
      if dot(left[index] - left[index - 1], along) <= 0 || dot(right[index] - right[index - 1], along) <= 0 {
        cut(index - 1)
        cut(index)
      }
    }
    return zip(cuts, cuts.dropFirst() + [nodes.count - 1]).map { $0...$1 }
  }

  private static func contour(_ nodes: [Node]) -> Contour {
    let (left, right) = sides(nodes)
    let back = Array(right.reversed())
    var edges = QuadraticFit.edges(through: left, tolerance: tolerance)
    edges.append(.cap(end: back[0]))
    edges += QuadraticFit.edges(through: back, tolerance: tolerance)
    edges.append(.cap(end: left[0]))
    return Contour(start: left[0], edges: edges)
  }

  /// The points to the left and right of each node, at a distance of its radius.
  private static func sides(_ nodes: [Node]) -> (left: [SIMD2<Float>], right: [SIMD2<Float>]) {
    var left: [SIMD2<Float>] = [], right: [SIMD2<Float>] = []
    for index in nodes.indices {
      let here = nodes[index]
      let along = nodes[min(index + 1, nodes.count - 1)].place - nodes[max(index - 1, 0)].place
      let size = length(along)
      let across = size > 0 ? SIMD2(along.y, -along.x) * (here.radius / size) : SIMD2(0, -here.radius)
      left.append(here.place + across)
      right.append(here.place - across)
    }
    return (left, right)
  }
}

extension SIMD4<Float> {
  fileprivate var place: SIMD2<Float> { SIMD2(self[0], self[1]) }
}

func dot(_ one: SIMD2<Float>, _ other: SIMD2<Float>) -> Float { one.x * other.x + one.y * other.y }

/// Positive where `other` turns clockwise, as seen, from `one`.
func cross(_ one: SIMD2<Float>, _ other: SIMD2<Float>) -> Float { one.x * other.y - one.y * other.x }

func length(_ vector: SIMD2<Float>) -> Float { dot(vector, vector).squareRoot() }

func distance(_ one: SIMD2<Float>, _ other: SIMD2<Float>) -> Float { length(one - other) }
