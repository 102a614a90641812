/// Collects strokes as an importer reads them, and throws as soon as a limit is passed.
struct StrokeCollector {
  private(set) var strokes: [Stroke] = []
  private var total = 0

  mutating func begin(_ pen: Pen = .standard) throws(InkError) {
    guard strokes.count < InkLimits.strokes else {
      throw InkError(
        path: "strokes", finding: "are more than \(InkLimits.strokes)",
        requirement: "a signature has at most \(InkLimits.strokes) strokes")
    }
    strokes.append(Stroke(points: [], pen: pen))
  }

  /// Adds a point to the stroke begun last.
  mutating func add(_ point: StrokePoint) throws(InkError) {
    let index = strokes.count - 1
    guard strokes[index].points.count < InkLimits.pointsPerStroke else {
      throw InkError(
        path: "strokes[\(index)].points", finding: "are more than \(InkLimits.pointsPerStroke)",
        requirement: "a stroke has at most \(InkLimits.pointsPerStroke) points")
    }
    guard total < InkLimits.points else {
      throw InkError(
        path: "strokes", finding: "have more than \(InkLimits.points) points",
        requirement: "a signature has at most \(InkLimits.points) points")
    }
    strokes[index].points.append(point)
    total += 1
  }

  mutating func change(pen: Pen) {
    strokes[strokes.count - 1].pen = pen
  }
}
