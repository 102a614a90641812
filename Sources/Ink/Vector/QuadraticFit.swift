/// Replaces a dense sequence of points by as few quadratic curves as possible that stay close to it.
enum QuadraticFit {
  /// The most points that one curve replaces: searching further would cost more than it saves.
  private static let mostPoints = 32

  static func edges(through points: [SIMD2<Float>], tolerance: Float) -> [Outline.Edge] {
    var edges: [Outline.Edge] = []
    var from = 0
    while from < points.count - 1 {
      var to = from + 1
      var best = straight(points[from], points[to])
      // Extends the curve point by point, for as long as it fits.
      while to + 1 < points.count, to - from < mostPoints {
        guard let longer = curve(points, from, to + 1), fits(longer, points, from, to + 1, tolerance) else { break }
        best = longer
        to += 1
      }
      edges.append(.quadratic(control: best, end: points[to]))
      from = to
    }
    return edges
  }

  private static func straight(_ one: SIMD2<Float>, _ other: SIMD2<Float>) -> SIMD2<Float> { (one + other) / 2 }

  /// The control of a curve that leaves and arrives in the directions of the points there; nil if these directions do
  /// not meet ahead.
  private static func curve(_ points: [SIMD2<Float>], _ from: Int, _ to: Int) -> SIMD2<Float>? {
    let leaving = direction(points, at: from), arriving = direction(points, at: to)
    let chord = points[to] - points[from]
    let turn = cross(leaving, arriving)
    let sizes = length(leaving) * length(arriving)
    guard sizes > 0, dot(leaving, arriving) > 0 else { return nil }
    if abs(turn) < 0.001 * sizes { return straight(points[from], points[to]) }
    let ahead = cross(chord, arriving) / turn, behind = cross(leaving, chord) / turn
    guard ahead >= 0, behind >= 0 else { return nil }
    return points[from] + leaving * ahead
  }

  private static func direction(_ points: [SIMD2<Float>], at index: Int) -> SIMD2<Float> {
    points[min(index + 1, points.count - 1)] - points[max(index - 1, 0)]
  }

  private static func fits(
    _ control: SIMD2<Float>, _ points: [SIMD2<Float>], _ from: Int, _ to: Int, _ tolerance: Float
  ) -> Bool {
    let start = points[from], end = points[to]
    let whole = distance(start, end)
    guard whole > 0 else { return false }
    for index in from + 1..<to {
      // Estimates the parameter of the point on the curve from its distance along the chord.
      let share = min(max(dot(points[index] - start, end - start) / (whole * whole), 0), 1)
      let t = parameter(share, start, control, end, whole)
      let u = 1 - t
      let place = start * (u * u) + control * (2 * u * t) + end * (t * t)
      let slope = (control - start) * u + (end - control) * t
      let size = length(slope)
      guard size > 0, abs(cross(slope, points[index] - place)) <= tolerance * size else { return false }
      guard distance(points[index], place) <= tolerance * 10 else { return false }
    }
    return true
  }

  /// The parameter at which the curve has come `share` of its way along the chord.
  private static func parameter(
    _ share: Float, _ start: SIMD2<Float>, _ control: SIMD2<Float>, _ end: SIMD2<Float>, _ whole: Float
  ) -> Float {
    let reach = dot(control - start, end - start) / (whole * whole)
    var t = share
    for _ in 0..<3 {
      let u = 1 - t
      let value = 2 * u * t * reach + t * t - share
      let rate = 2 * (u - t) * reach + 2 * t
      guard rate > 0.01 else { break }
      t = min(max(t - value / rate, 0), 1)
    }
    return t
  }
}
