public import Base

/// Letters as closed curves on a canvas, in CSS pixels and finite: a typed name. They are filled by the nonzero rule.
public struct Letters: Hashable, Sendable {
  public let contours: [Contour]
  public let canvas: Canvas
  /// Identifies the letters as a blob's hash identifies strokes. Whoever makes letters computes it from everything that
  /// they depend on.
  public let hash: Digest

  /// A closed curve: a straight line leads from the end of its last edge to its start.
  public struct Contour: Hashable, Sendable {
    public var start: SIMD2<Float>
    public var edges: [Edge] = []

    public init(start: SIMD2<Float>) {
      self.start = start
    }
  }

  public enum Edge: Hashable, Sendable {
    case line(SIMD2<Float>)
    case quadratic(SIMD2<Float>, SIMD2<Float>)
    case cubic(SIMD2<Float>, SIMD2<Float>, SIMD2<Float>)
  }

  public init(contours: [Contour], canvas: Canvas, hash: Digest) {
    self.contours = contours
    self.canvas = canvas
    self.hash = hash
  }

  /// These letters and others, on the canvas of the others.
  public func joined(with others: Letters) -> Letters {
    Letters(
      contours: contours + others.contours, canvas: others.canvas,
      hash: Digest(of: hash.bytes + others.hash.bytes))
  }

  func moved(by shift: SIMD2<Float>) -> Letters {
    Letters(contours: contours.map { $0.mapped { $0 + shift } }, canvas: canvas, hash: hash)
  }

  /// A box around the letters, in single precision like everything that affects a byte: no curve leaves the hull of its
  /// controls.
  var bounds: Box {
    var box: Box?
    for contour in contours {
      for place in [contour.start] + contour.edges.flatMap(\.places) {
        let here = Box(Node(place.x, place.y, radius: 0))
        box = box?.union(here) ?? here
      }
    }
    return box ?? Box(Node(0, 0, radius: 0))
  }

  /// The letters in the picture's pixels.
  func outline(_ placement: Placement) -> Outline {
    Outline(
      contours.map { contour in
        let placed = contour.mapped(placement.apply)
        return Outline.Contour(start: placed.start, edges: placed.edges.map(Outline.Edge.init))
      })
  }
}

extension Letters.Contour {
  /// The contour with each of its points moved.
  public func mapped(_ move: (SIMD2<Float>) -> SIMD2<Float>) -> Self {
    var moved = Self(start: move(start))
    moved.edges = edges.map { edge in
      switch edge {
      case .line(let end): .line(move(end))
      case .quadratic(let control, let end): .quadratic(move(control), move(end))
      case .cubic(let one, let two, let end): .cubic(move(one), move(two), move(end))
      }
    }
    return moved
  }
}

extension Letters.Edge {
  /// Its controls and its end.
  public var places: [SIMD2<Float>] {
    switch self {
    case .line(let end): [end]
    case .quadratic(let control, let end): [control, end]
    case .cubic(let one, let two, let end): [one, two, end]
    }
  }
}

extension Outline.Edge {
  fileprivate init(_ edge: Letters.Edge) {
    switch edge {
    case .line(let end): self = .line(end: end)
    case .quadratic(let control, let end): self = .quadratic(control: control, end: end)
    case .cubic(let one, let two, let end): self = .cubic(control1: one, control2: two, end: end)
    }
  }
}
