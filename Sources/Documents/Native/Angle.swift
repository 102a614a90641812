internal import Glibc

/// Trigonometry by the C library, since Swift's own has none.
enum Angle {
  static func sineCosine(_ radians: Double) -> (sine: Double, cosine: Double) { (sin(radians), cos(radians)) }

  /// Exact for quarter turns.
  static func sineCosine(degrees: Double) -> (sine: Double, cosine: Double) {
    switch degrees.truncatingRemainder(dividingBy: 360) {
    case 0: (0, 1)
    case 90, -270: (1, 0)
    case 180, -180: (0, -1)
    case 270, -90: (-1, 0)
    default: sineCosine(degrees * .pi / 180)
    }
  }

  static func tangent(_ radians: Double) -> Double { tan(radians) }

  /// The angle from the x axis to a point.
  static func of(_ place: SIMD2<Double>) -> Double { atan2(place.y, place.x) }
}
