package import Ink

/// The progress of a drawing that is not saved yet: what has to be known of it to add points without reading it.
package struct DrawingProgress: Hashable, Sendable {
  /// How many strokes the person has begun.
  package var begunStrokes = 0
  /// How many strokes the kept ink has. Leaving the canvas ends such a stroke, too.
  package var keptStrokes = 0
  package var points = 0
  package var droppedPoints = 0
  /// How many points of the last stroke have arrived, kept or dropped.
  package var lastStrokePoints = 0
  /// How many points the last kept stroke has.
  package var lastKeptPoints = 0
  /// How many points were dropped before the last stroke began.
  package var droppedBefore = 0
  /// Whether ink can be seen of it.
  package var sight = InkSight.none
  /// Whether the next point that is kept begins a stroke of the kept ink: the last one was dropped, or a stroke begins.
  package var isOutside = false
  /// The device's time of the last point, in milliseconds.
  package var lastTime = 0.0

  package init() {}
}

/// Points of one stroke that arrived together.
package struct CapturedPiece: Hashable, Sendable {
  package var beginsStroke: Bool
  package var points: [StrokePoint]
  /// The pen of the stroke; nil for the field's own.
  package var pen: Pen?
  /// Whether the piece begins where the pen came back to the canvas: the kept ink has a new stroke, but the person goes
  /// on with the same one.
  package var isReentry = false
  /// How many points of the drawing had been dropped when the stroke began.
  package var droppedBefore = 0

  package init(beginsStroke: Bool, points: [StrokePoint], pen: Pen? = nil) {
    self.beginsStroke = beginsStroke
    self.points = points
    self.pen = pen
  }
}

/// The surface that points are captured on.
package struct CaptureSurface: Hashable, Sendable {
  package let width: Double
  package let height: Double

  package init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }

  /// The pieces moved to the middle of the surface, and scaled as large as fits with a twelfth of it free on each side.
  package func fitted(_ pieces: [CapturedPiece]) -> [CapturedPiece] {
    let points = pieces.flatMap(\.points)
    guard let left = points.map(\.x).min(), let right = points.map(\.x).max(), let top = points.map(\.y).min(),
      let bottom = points.map(\.y).max()
    else { return pieces }
    let room = 5.0 / 6
    // A dot has no size, so it is only moved.
    let scales = [(width, right - left), (height, bottom - top)].filter { $0.1 > 0 }.map { $0.0 * room / $0.1 }
    let scale = scales.min() ?? 1
    return pieces.map { piece in
      var piece = piece
      for index in piece.points.indices {
        piece.points[index].x = width / 2 + (piece.points[index].x - (left + right) / 2) * scale
        piece.points[index].y = height / 2 + (piece.points[index].y - (top + bottom) / 2) * scale
      }
      // The pen was chosen for the original distances between points, so it is scaled like these.
      piece.pen = (piece.pen ?? .standard).scaled(by: scale)
      return piece
    }
  }

  /// The pieces of a drawing on another surface, moved to this one with their proportions kept. They are scaled with
  /// the width as far as the height has room for the ink, so that turning a device back and forth shrinks it once and
  /// not each time, and keep their place as far as it is on this surface. The field's pen stays as it is; a pen of a
  /// stroke's own, such as an eraser, is scaled like the points.
  package func resized(_ pieces: [CapturedPiece], from other: CaptureSurface) -> [CapturedPiece] {
    let points = pieces.flatMap(\.points)
    guard let left = points.map(\.x).min(), let right = points.map(\.x).max(), let top = points.map(\.y).min(),
      let bottom = points.map(\.y).max()
    else { return pieces }
    let scale = bottom > top ? min(width / other.width, height / (bottom - top)) : width / other.width
    let across = Shift(scale, left, right, from: other.width, to: width)
    let down = Shift(scale, top, bottom, from: other.height, to: height)
    return pieces.map { piece in
      var piece = piece
      for index in piece.points.indices {
        piece.points[index].x = across.moved(piece.points[index].x)
        piece.points[index].y = down.moved(piece.points[index].y)
      }
      piece.pen = piece.pen?.scaled(by: scale)
      return piece
    }
  }

  /// Where coordinates of one direction go.
  private struct Shift {
    let scale: Double
    let offset: Double
    let most: Double

    /// The middle stays the middle, unless ink would be beside the surface.
    init(_ scale: Double, _ first: Double, _ last: Double, from old: Double, to new: Double) {
      (self.scale, most) = (scale, new)
      offset = min(max((new - old * scale) / 2, -first * scale), new - last * scale)
    }

    /// What is rounded stays on the surface, too.
    func moved(_ value: Double) -> Double { min(max(value * scale + offset, 0), most) }
  }

  func contains(_ point: StrokePoint) -> Bool {
    (0...width).contains(point.x) && (0...height).contains(point.y)
  }
}

extension Pen {
  /// The same pen on a larger or smaller surface, within the bounds of pens.
  fileprivate func scaled(by scale: Double) -> Pen {
    func radius(_ value: Double?) -> Double? { value.map { min($0 * scale, InkLimits.radius) } }
    var pen = self
    pen.minimumRadius = radius(minimumRadius)
    pen.maximumRadius = radius(maximumRadius)
    pen.dotRadius = radius(dotRadius)
    return pen
  }
}

extension DrawingProgress {
  /// Takes new points: checks each, drops those outside the surface, and returns what is kept.
  ///
  /// Whatever it accepts can be saved later: every rule of `Ink` for a whole signature is checked here for its parts.
  package mutating func take(
    _ pieces: [CapturedPiece], on surface: CaptureSurface
  ) throws(InkError) -> [CapturedPiece] {
    var kept: [CapturedPiece] = []
    for (index, piece) in pieces.enumerated() {
      let path = "pieces[\(index)]"
      try begin(piece, path)
      var isPieceOpen = false
      for point in try Self.checked(piece, path) {
        try follow(point, path)
        guard surface.contains(point) else {
          try drop(path)
          continue
        }
        try keep(point, of: piece, goingOn: isPieceOpen, into: &kept, path)
        isPieceOpen = true
      }
    }
    return kept
  }

  /// The drawing without its last stroke. Whether ink can be seen of what is left has to be measured.
  ///
  /// - Parameter kept: all kept pieces of the drawing, in order.
  /// - Returns: how many of the pieces remain.
  package mutating func undo(of kept: [CapturedPiece]) -> Int {
    let last = kept.lastIndex { $0.beginsStroke && !$0.isReentry } ?? 0
    let remaining = kept[..<last]
    droppedPoints = kept.isEmpty ? 0 : kept[last].droppedBefore
    droppedBefore = remaining.last { $0.beginsStroke }?.droppedBefore ?? 0
    points = remaining.reduce(0) { $0 + $1.points.count }
    keptStrokes = remaining.count { $0.beginsStroke }
    begunStrokes = remaining.count { $0.beginsStroke && !$0.isReentry }
    let final = remaining.lastIndex { $0.beginsStroke } ?? 0
    lastKeptPoints = remaining[final...].reduce(0) { $0 + $1.points.count }
    lastStrokePoints = lastKeptPoints
    lastTime = remaining.last?.points.last?.time ?? 0
    // The next point that is kept begins a stroke of the ink.
    isOutside = true
    return last
  }

  /// Ink's own checks for the points, which also round them to its grid.
  private static func checked(_ piece: CapturedPiece, _ path: String) throws(InkError) -> [StrokePoint] {
    var pen = piece.pen ?? .standard
    pen.erases = false
    do throws(InkError) {
      return try Ink(validating: [Stroke(points: piece.points, pen: pen)]).strokes[0].points
    } catch {
      let place = error.path.replacing("strokes[0]", with: path).replacing("strokes", with: path)
      throw InkError(path: place, finding: error.finding, requirement: error.requirement)
    }
  }

  private mutating func begin(_ piece: CapturedPiece, _ path: String) throws(InkError) {
    guard piece.beginsStroke else {
      guard begunStrokes > 0 else {
        throw InkError(
          path: "\(path).begins_stroke", finding: "is false, and nothing is drawn yet",
          requirement: "the first piece of a drawing begins a stroke")
      }
      return
    }
    guard begunStrokes < InkLimits.strokes else {
      throw InkError(
        path: path, finding: "begins stroke number \(begunStrokes + 1)",
        requirement: "a signature has at most \(InkLimits.strokes) strokes")
    }
    if piece.pen?.erases == true, points == 0 {
      throw InkError(
        path: path, finding: "erases, and nothing is drawn yet", requirement: "ink comes before what takes it away")
    }
    begunStrokes += 1
    lastStrokePoints = 0
    droppedBefore = droppedPoints
    // As if the pen came from outside: the next point that is kept begins a stroke of the ink.
    isOutside = true
  }

  private mutating func drop(_ path: String) throws(InkError) {
    guard droppedPoints < InkLimits.droppedPoints else {
      throw InkError(
        path: path, finding: "adds to \(droppedPoints) points outside of the canvas",
        requirement: "a drawing has at most \(InkLimits.droppedPoints) of them; cancel it and begin again")
    }
    droppedPoints += 1
    isOutside = true
  }

  private mutating func follow(_ point: StrokePoint, _ path: String) throws(InkError) {
    if lastStrokePoints > 0, lastTime - point.time > InkLimits.backwardMilliseconds {
      throw InkError(
        path: "\(path).time_ms", finding: "begins \(lastTime - point.time) ms before the preceding point",
        requirement: "within a stroke time may step back by at most \(Int(InkLimits.backwardMilliseconds)) ms")
    }
    lastStrokePoints += 1
    lastTime = point.time
  }

  private mutating func keep(
    _ point: StrokePoint, of piece: CapturedPiece, goingOn: Bool, into kept: inout [CapturedPiece], _ path: String
  ) throws(InkError) {
    if isOutside {
      guard keptStrokes < InkLimits.strokes else {
        throw InkError(
          path: path, finding: "leaves the canvas and comes back for the \(keptStrokes)th time",
          requirement:
            "a signature has at most \(InkLimits.strokes) strokes, counting those that end at the canvas's edge")
      }
      keptStrokes += 1
      lastKeptPoints = 0
      isOutside = false
      kept.append(CapturedPiece(beginsStroke: true, points: [], pen: piece.pen))
      kept[kept.count - 1].isReentry = goingOn || !piece.beginsStroke
      kept[kept.count - 1].droppedBefore = droppedBefore
    } else if !goingOn {
      kept.append(CapturedPiece(beginsStroke: false, points: [], pen: piece.pen))
    }
    guard lastKeptPoints < InkLimits.pointsPerStroke else {
      throw InkError(
        path: path, finding: "goes on with a stroke of \(lastKeptPoints) points",
        requirement: "a stroke has at most \(InkLimits.pointsPerStroke) points")
    }
    guard points < InkLimits.points else {
      throw InkError(
        path: path, finding: "adds to a drawing of \(points) points",
        requirement: "a signature has at most \(InkLimits.points) points")
    }
    lastKeptPoints += 1
    points += 1
    assert(!kept.isEmpty && !isOutside, "a point is kept in a piece of a stroke on the canvas")
    kept[kept.count - 1].points.append(point)
  }
}
