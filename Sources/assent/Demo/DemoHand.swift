internal import SignatureContract

/// How somebody in the demo writes: loops side by side, as in joined writing, and a last stroke.
struct DemoHand {
  /// How high each loop is. Tall ones look like letters such as l, low ones like e.
  let heights: [Double]
  /// How far apart the loops are, and how wide.
  let advance: Double
  let width: Double
  /// How far the top of a loop leans beyond its foot, as a part of its height.
  let slant: Double
  /// The last stroke: a line below, or through the name.
  let last: [(x: Double, y: Double)]

  static let participant = DemoHand(
    heights: [92, 26, 70, 24, 30, 22, 26], advance: 34, width: 15, slant: 0.5,
    last: [(84, 156), (150, 150), (230, 147), (310, 149), (352, 143)])

  static let investigator = DemoHand(
    heights: [58, 34, 40, -46, 36, 30], advance: 52, width: 27, slant: 0.15,
    last: [(176, 84), (230, 78), (300, 74), (372, 80), (420, 66), (446, 40)])

  /// A twelfth of a turn for each point.
  private static let circle: [(cosine: Double, sine: Double)] = [
    (1, 0), (0.866, 0.5), (0.5, 0.866), (0, 1), (-0.5, 0.866), (-0.866, 0.5), (-1, 0), (-0.866, -0.5), (-0.5, -0.866),
    (0, -1), (0.5, -0.866), (0.866, -0.5),
  ]
  private static let foot = 128.0

  var pieces: [StrokePiece] {
    var name: [(x: Double, y: Double)] = []
    for (number, height) in heights.enumerated() {
      for (step, turn) in Self.circle.enumerated() {
        let progress = Double(number) + Double(step) / Double(Self.circle.count)
        let rise = height * (1 - turn.cosine) / 2
        name.append((90 + advance * progress + slant * rise + width * turn.sine, Self.foot - rise))
      }
    }
    return [name, last].enumerated().map { number, points in
      StrokePiece(
        beginsStroke: true, x: points.map(\.x), y: points.map(\.y),
        timeMs: points.indices.map { Double(number * 1800 + $0 * 16) })
    }
  }
}
