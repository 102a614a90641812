internal import Glibc

/// Angles, which Swift's own library leaves to C's.
enum Angle {
  static func sineCosine(_ radians: Double) -> (sine: Double, cosine: Double) { (sin(radians), cos(radians)) }

  /// Quarter turns exactly.
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

  /// From the x axis to a place.
  static func of(_ place: SIMD2<Double>) -> Double { atan2(place.y, place.x) }
}
