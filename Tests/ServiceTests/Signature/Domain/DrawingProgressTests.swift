import Ink
import SignatureService
import Testing

@Suite struct DrawingProgressTests {
  private let surface = CaptureSurface(width: 100, height: 50)

  private func piece(_ begins: Bool, _ places: (Double, Double)..., from time: Double = 0) -> CapturedPiece {
    let points = places.enumerated().map { index, place in
      StrokePoint(x: place.0, y: place.1, time: time + Double(index) * 10)
    }
    return CapturedPiece(beginsStroke: begins, points: points)
  }

  @Test("points inside the canvas are kept unchanged")
  func inside() throws {
    var progress = DrawingProgress()
    let pieces = [piece(true, (0, 0), (100, 50)), piece(true, (5, 5))]
    #expect(try progress.take(pieces, on: surface) == pieces)
    #expect(progress.begunStrokes == 2 && progress.points == 3 && progress.droppedPoints == 0)
    #expect(progress.lastStrokePoints == 1)
  }

  @Test("points outside are dropped and counted, and no line is drawn across the gap")
  func outside() throws {
    var progress = DrawingProgress()
    let kept = try progress.take([piece(true, (10, 10), (10, -1), (10, 51), (90, 10), (95, 10))], on: surface)
    #expect(kept.map(\.beginsStroke) == [true, true])
    #expect(kept.map { $0.points.map(\.x) } == [[10], [90, 95]])
    #expect(progress.droppedPoints == 2)
    #expect(progress.begunStrokes == 1 && progress.keptStrokes == 2)
    #expect(progress.lastStrokePoints == 5)
  }

  @Test("a stroke continues in the next piece, unless the pen came back from outside")
  func goingOn() throws {
    var progress = DrawingProgress()
    _ = try progress.take([piece(true, (10, 10))], on: surface)
    #expect(try progress.take([piece(false, (11, 10), from: 10)], on: surface).map(\.beginsStroke) == [false])
    #expect(try progress.take([piece(false, (11, -5), from: 20)], on: surface).isEmpty)
    #expect(try progress.take([piece(false, (12, 10), from: 30)], on: surface).map(\.beginsStroke) == [true])
    #expect(progress.keptStrokes == 2 && progress.lastStrokePoints == 4)
  }

  @Test("the last stroke is taken back whole, also where the pen left the canvas and came back")
  func undoing() throws {
    var progress = DrawingProgress()
    var kept = try progress.take([piece(true, (1, 1), (2, 2), (3, 3))], on: surface)
    let before = progress
    kept += try progress.take([piece(true, (10, 10), (10, -1), (90, 10))], on: surface)
    kept += try progress.take([piece(false, (95, 10), (95, 99), from: 30)], on: surface)
    kept += try progress.take([piece(false, (96, 10), from: 60)], on: surface)
    #expect(progress.begunStrokes == 2 && progress.keptStrokes == 4)
    kept.removeLast(kept.count - progress.undo(of: kept))
    #expect(kept.count == 1 && progress.points == 3 && progress.begunStrokes == 1 && progress.keptStrokes == 1)
    #expect(progress.lastStrokePoints == before.lastStrokePoints && progress.droppedPoints == 0)
    // What goes on without a beginning does not go on with the stroke before.
    #expect(try progress.take([piece(false, (5, 5), from: 70)], on: surface).map(\.beginsStroke) == [true])
    var empty = progress
    #expect(empty.undo(of: kept) == 0 && empty.points == 0 && empty.begunStrokes == 0)
  }

  @Test("points that fell outside are forgotten with the stroke that is taken back, and those before it are not")
  func undoneDrops() throws {
    var progress = DrawingProgress()
    var kept = try progress.take([piece(true, (-1, 1), (2, 2), (3, 99))], on: surface)
    kept += try progress.take([piece(true, (-1, -1), (10, 10)), piece(false, (10, 99), from: 20)], on: surface)
    _ = try progress.take([piece(true, (-9, -9))], on: surface)
    #expect(progress.droppedPoints == 5)
    kept.removeLast(kept.count - progress.undo(of: kept))
    #expect(progress.droppedPoints == 2 && progress.points == 1)
    #expect(progress.undo(of: kept) == 0 && progress.droppedPoints == 0)
  }

  @Test("a file's strokes are fitted into the middle, with their proportions and their pens")
  func fitting() {
    let strokes = [
      CapturedPiece(
        beginsStroke: true, points: [StrokePoint(x: 1000, y: 2000, time: 0), StrokePoint(x: 3000, y: 2500, time: 1)],
        pen: Pen(maximumRadius: 12))
    ]
    let fitted = surface.fitted(strokes)[0]
    #expect(abs(fitted.points[0].x - 100 / 12) < 0.001 && abs(fitted.points[1].x - 1100 / 12) < 0.001)
    #expect(abs(fitted.points[0].y + fitted.points[1].y - 50) < 0.001)
    #expect(abs((fitted.pen?.maximumRadius ?? 0) - 0.5) < 0.001)
    let dot = surface.fitted([CapturedPiece(beginsStroke: true, points: [StrokePoint(x: 7, y: 7, time: 0)])])[0]
    #expect(dot.points[0].x == 50 && dot.points[0].y == 25)
  }

  @Test("however a drawing is cut into pieces, the same ink is kept")
  func cutting() throws {
    var points: [StrokePoint] = []
    for index in 0..<60 {
      points.append(StrokePoint(x: Double(index * 7 % 120), y: Double(index * 3 % 60), time: Double(index * 5)))
    }
    var whole = DrawingProgress()
    let expected = joined(try whole.take([CapturedPiece(beginsStroke: true, points: points)], on: surface))
    for size in [1, 2, 7, 59] {
      var progress = DrawingProgress()
      var kept: [CapturedPiece] = []
      for start in stride(from: 0, to: points.count, by: size) {
        let part = Array(points[start..<min(start + size, points.count)])
        kept += try progress.take([CapturedPiece(beginsStroke: start == 0, points: part)], on: surface)
      }
      #expect(joined(kept) == expected)
      #expect(progress == whole)
    }
  }

  private func joined(_ pieces: [CapturedPiece]) -> [[StrokePoint]] {
    var strokes: [[StrokePoint]] = []
    for piece in pieces {
      if piece.beginsStroke { strokes.append(piece.points) } else { strokes[strokes.count - 1] += piece.points }
    }
    return strokes
  }

  @Test("each bad piece is refused with its field, its value and the bound, and changes nothing")
  func badPieces() throws {
    let nan = CapturedPiece(beginsStroke: true, points: [StrokePoint(x: .nan, y: 0, time: 0)])
    expectRefusal([nan], "pieces[0].points[0].x is NaN")
    expectRefusal([piece(false, (1, 1))], "pieces[0].begins_stroke is false, and nothing is drawn yet")
    let back = [piece(true, (1, 1), from: 5000), piece(false, (1, 1), from: 10)]
    expectRefusal(back, "pieces[1].time_ms begins 4990.0 ms before the preceding point")
    expectRefusal(
      Array(repeating: piece(true, (1, 1)), count: InkLimits.strokes + 1), "a signature has at most 200 strokes")
    let long = Array(repeating: StrokePoint(x: 1, y: 1, time: 0), count: InkLimits.pointsPerStroke)
    let tooLong = [CapturedPiece(beginsStroke: true, points: long), piece(false, (1, 1))]
    expectRefusal(tooLong, "a stroke has at most 20000 points")
    let tooMany = Array(repeating: CapturedPiece(beginsStroke: true, points: long), count: 6)
    expectRefusal(tooMany, "a signature has at most 100000 points")
  }

  private func expectRefusal(_ pieces: [CapturedPiece], _ words: String) {
    var progress = DrawingProgress()
    let error = #expect(throws: InkError.self) { try progress.take(pieces, on: surface) }
    #expect(error.map { "\($0)".contains(words) } == true, "\(error.map { "\($0)" } ?? "")")
  }

  @Test("points outside of the canvas are counted up to a bound")
  func droppedPoints() throws {
    var progress = DrawingProgress()
    progress.droppedPoints = InkLimits.droppedPoints - 1
    #expect(try progress.take([piece(true, (-1, 1), (1, 1))], on: surface).count == 1)
    let error = #expect(throws: InkError.self) { try progress.take([piece(false, (-1, 1), from: 20)], on: surface) }
    #expect(error?.finding == "adds to 1000000 points outside of the canvas")
    #expect(try progress.take([piece(true, (2, 2), from: 20)], on: surface).count == 1, "what is inside is still kept")
  }

  @Test("a dot is a signature")
  func dot() throws {
    var progress = DrawingProgress()
    #expect(try progress.take([piece(true, (50, 25))], on: surface).count == 1)
    #expect(progress.points == 1)
  }
}
