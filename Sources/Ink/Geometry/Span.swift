/// A node on a line of ink: x, y and radius in the first three lanes, in pixels. With one vector, an operation on the
/// position is applied to the radius in the same instruction.
package typealias Node = SIMD4<Float>

extension SIMD4<Float> {
  init(_ x: Float, _ y: Float, radius: Float) {
    self.init(x, y, radius, 0)
  }

  package var radius: Float { self[2] }
}

/// A piece of a line's centre with its radius: a cubic Bézier curve through nodes.
///
/// Everything that affects a picture's bytes is computed with + − × ÷ √ in single precision. IEEE 754 fixes each of
/// these to the last bit, and Swift never contracts them, so every machine draws the same picture.
package struct Span {
  package var start: Node
  package var control1: Node
  package var control2: Node
  package var end: Node

  init(start: Node, control1: Node, control2: Node, end: Node) {
    self.start = start
    self.control1 = control1
    self.control2 = control2
    self.end = end
  }

  /// A round dot.
  init(dot: Node) {
    self.init(start: dot, control1: dot, control2: dot, end: dot)
  }

  /// A quadratic curve in its cubic form.
  init(start: Node, control: Node, end: Node) {
    self.init(
      start: start, control1: start + (control - start) * (2.0 / 3.0), control2: end + (control - end) * (2.0 / 3.0),
      end: end)
  }

  package func point(at t: Float) -> Node {
    let u = 1 - t
    return start * (u * u * u) + control1 * (3 * u * u * t) + control2 * (3 * u * t * t) + end * (t * t * t)
  }

  /// Into how many straight pieces the curve is cut so that none is farther than `tolerance` from it.
  func pieces(tolerance: Float) -> Int {
    let bend = Self.larger(start - control1 * 2 + control2, control1 - control2 * 2 + end)
    let wanted = (0.75 * bend / tolerance).squareRoot()
    // Bounds the cost of absurd input; curves of some hundred pixels between two samples reach it.
    guard wanted < Float(Self.mostPieces) else { return Self.mostPieces }
    return max(1, Int(wanted.rounded(.up)))
  }

  private static let mostPieces = 64

  private static func larger(_ first: Node, _ second: Node) -> Float {
    let squares = (first * first).sum3, others = (second * second).sum3
    return max(squares, others).squareRoot()
  }

  /// A box around the ink: no curve leaves the hull of its controls.
  var bounds: Box {
    Box(start).union(Box(control1)).union(Box(control2)).union(Box(end))
  }
}

extension SIMD4<Float> {
  /// The sum of position and radius, in this order: floating-point sums depend on it.
  fileprivate var sum3: Float { self[0] + self[1] + self[2] }
}

/// The rectangle that contains some ink.
struct Box {
  private(set) var left: Float
  private(set) var top: Float
  private(set) var right: Float
  private(set) var bottom: Float

  init(_ node: Node) {
    left = node.x - node.radius
    top = node.y - node.radius
    right = node.x + node.radius
    bottom = node.y + node.radius
  }

  func union(_ other: Box) -> Box {
    var both = self
    both.left = min(left, other.left)
    both.top = min(top, other.top)
    both.right = max(right, other.right)
    both.bottom = max(bottom, other.bottom)
    return both
  }
}
