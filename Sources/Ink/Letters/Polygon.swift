/// A closed curve of a picture as straight lines, none farther than `tolerance` from the curve that it approximates.
struct Polygon {
  private(set) var corners: [SIMD2<Float>]

  /// In pixels. A pixel of eight bits distinguishes a 256th of its area.
  private static let tolerance: Float = 0.01
  /// Bounds the cost of absurd input; ordinary letters of 4,096 pixels stay below it.
  private static let mostPieces: Float = 256

  /// - Parameter contour: in the picture's pixels.
  init(_ contour: Letters.Contour) {
    corners = [contour.start]
    for edge in contour.edges {
      let start = corners[corners.count - 1]
      switch edge {
      case .line(let end): corners.append(end)
      case .quadratic(let control, let end):
        add(deviation: length(start - control * 2 + end) / 4) { t in
          let u = 1 - t
          return start * (u * u) + control * (2 * u * t) + end * (t * t)
        }
      case .cubic(let one, let two, let end):
        let deviation = max(length(start - one * 2 + two), length(one - two * 2 + end)) * 0.75
        add(deviation: deviation) { t in
          let u = 1 - t
          return start * (u * u * u) + one * (3 * u * u * t) + two * (3 * u * t * t) + end * (t * t * t)
        }
      }
    }
  }

  /// - Parameter deviation: how far the curve may lie from its chord, an eighth of its greatest second derivative.
  ///   Cutting it into n pieces divides that by n².
  private mutating func add(deviation: Float, _ point: (Float) -> SIMD2<Float>) {
    let pieces = min(max((deviation / Self.tolerance).squareRoot().rounded(.up), 1), Self.mostPieces)
    for piece in 1...Int(pieces) { corners.append(point(Float(piece) / pieces)) }
  }

  /// Calls `body` with each line, including the one that closes the polygon.
  func forEachLine(_ body: (_ from: SIMD2<Float>, _ to: SIMD2<Float>) -> Void) {
    var here = corners[corners.count - 1]
    for next in corners {
      body(here, next)
      here = next
    }
  }
}
