import Ink
import InkSamples
import Synchronization
import Testing

@Suite("a picture has a budget of steps and bytes, which is watched while it is drawn")
struct BudgetTests {
  /// Five strokes of 20,000 points that jump across the canvas: as vectors, millions of curves.
  private static func jumps(strokes: Int = 5, points: Int = 20_000) throws -> Ink {
    let stroke = Stroke(
      points: (0..<points).map { (index: Int) -> StrokePoint in
        let (x, y) = (index * 7919 % 4000, index * 104_729 % 4000)
        return StrokePoint(x: Double(x), y: Double(y), time: Double(index))
      })
    return try Ink(
      validating: [Stroke](repeating: stroke, count: strokes), canvas: Canvas(width: 4000, height: 4000))
  }

  private func options(_ format: PictureFormat, _ look: Look = .pad1) -> RenderOptions {
    var options = RenderOptions()
    options.format = format
    options.look = look
    return options
  }

  @Test("strokes that jump far are refused as vectors, before much is drawn", arguments: [PictureFormat.svg, .pdf])
  func jumps(format: PictureFormat) throws {
    let looks = Mutex(0)
    let budget = DrawingBudget(isOver: {
      looks.withLock { $0 += 1 }
      return false
    })
    let error = try #require(throws: InkError.self) {
      try renderer.render(try Self.jumps(), options(format), budget)
    }
    #expect(error.cause == .tooMuch)
    #expect(error.finding == "take more than 134217728 steps to draw")
    // A hundredth of the budget was spent when the rest was seen not to suffice.
    #expect(looks.withLock { $0 } < DrawingBudget.mostSteps / (1 << 16) / 20)
  }

  @Test("a page that is made elsewhere has the same budget")
  func path() throws {
    let error = try #require(throws: InkError.self) { try renderer.path(try Self.jumps()) }
    #expect(error.cause == .tooMuch)
  }

  @Test("a modelled line is counted while it is modelled: pauses between points become tips")
  func tips() throws {
    let slow = Stroke(
      points: (0..<2_000).map { StrokePoint(x: Double($0 % 100), y: Double($0 % 90), time: Double($0) * 100) })
    let ink = try Ink(validating: [slow], canvas: Canvas(width: 100, height: 90))
    let budget = DrawingBudget(steps: 1 << 20)
    let error = try #require(throws: InkError.self) { try renderer.render(ink, options(.svg, .ink1), budget) }
    #expect(error.finding == "take more than 1048576 steps to draw")
  }

  @Test("a line far outside the picture costs steps though it covers no pixel")
  func outside() throws {
    let far = Stroke(
      points: (0..<5_000).map { index in
        StrokePoint(x: index.isMultiple(of: 2) ? -90_000 : 90_000, y: Double(index), time: Double(index))
      })
    let ink = try Ink(validating: [far], canvas: Canvas(width: 100, height: 4000))
    let error = try #require(throws: InkError.self) {
      try renderer.render(ink, options(.png(.one)), DrawingBudget(steps: 1 << 20))
    }
    #expect(error.cause == .tooMuch)
  }

  @Test("a picture that grows past its bytes is given up", arguments: [PictureFormat.svg, .pdf])
  func bytes(format: PictureFormat) throws {
    let ink = try Self.jumps(strokes: 1, points: 200)
    let error = try #require(throws: InkError.self) {
      try renderer.render(ink, options(format), DrawingBudget(bytes: 4_000))
    }
    #expect(error.cause == .tooMuch)
    #expect(error.finding == "make a picture of more than 4000 bytes")
  }

  @Test("what erasers set aside counts like what is still drawn", arguments: [PictureFormat.svg, .pdf])
  func layers(format: PictureFormat) throws {
    let line = stroke([(10, 10), (90, 10), (90, 90), (10, 90)])
    let eraser = Stroke(points: line.points, pen: Pen(maximumRadius: 2, erases: true))
    let pair = try Ink(validating: [line, eraser], canvas: Canvas(width: 100, height: 100))
    // Each part fits, and all of them do not.
    let bytes = 4 * (try renderer.render(pair, options(.svg)).bytes.count)
    let many = try Ink(
      validating: (0..<40).flatMap { _ in [line, eraser] }, canvas: Canvas(width: 100, height: 100))
    let error = try #require(throws: InkError.self) {
      try renderer.render(many, options(format), DrawingBudget(bytes: bytes))
    }
    #expect(error.finding == "make a picture of more than \(bytes) bytes")
  }

  @Test(
    "drawing ends soon after nobody waits any longer",
    arguments: [(PictureFormat.svg, Look.pad1), (.pdf, .pad1), (.png(.four), .pad1), (.png(.four), .ink1)])
  func stopped(format: PictureFormat, look: Look) throws {
    let looks = Mutex(0)
    let budget = DrawingBudget(isOver: {
      looks.withLock {
        $0 += 1
        return $0 == 3
      }
    })
    let ink = try Self.jumps(strokes: 1, points: 4_000)
    let error = try #require(throws: InkError.self) { try renderer.render(ink, options(format, look), budget) }
    #expect(error.cause == .stopped)
    #expect(looks.withLock { $0 } == 3)
    // What a picture was given up in serves the next one, which shows nothing of it.
    let sample = SampleSignature.reference.ink
    #expect(try renderer.render(sample).bytes == Renderer().render(sample).bytes)
  }

  @Test("every sample takes less than a thirtieth of the budget, in every format and look")
  func honest() throws {
    for sample in SampleSignature.all {
      for format in [PictureFormat.png(.four), .svg, .pdf] {
        for look in Look.allCases {
          _ = try renderer.render(sample.ink, options(format, look), DrawingBudget(steps: 1 << 22, bytes: 1 << 18))
        }
      }
    }
  }
}
