import Base
import Ink
import InkSamples
import RPC
import ServicePolicy
import SignatureContract
import SignatureService
import StorageTestKit
import Testing

/// Strokes that arrive while they are drawn, and are passed on to watchers.
@Suite(.timeLimit(.minutes(2))) struct DrawingTests {
  private let surface = Canvas(width: 600, height: 200)

  @Test(
    "two devices in one field: the second is refused with a reason, and no stroke is lost silently",
    arguments: TestEngine.allCases)
  func twoDevices(engine: TestEngine) async throws {
    let bench = try await SignatureBench(on: engine)
    var first = try await FieldDriver.create(bench.device("tablet-1"))
    try await first.tap()
    let second = FieldDriver(client: bench.signer(at: "tablet-2"), view: first.view)
    let seen = first.view.version
    try await first.draw(SampleSignature.all[0].ink.strokes)

    let refusal = try #require(
      await status { _ = try await second.append(SampleSignature.all[1].ink.strokes, after: seen) })
    #expect(refusal.code == .aborted)
    let conflict = try #require(try refusal.detail(FieldConflict.self))
    #expect(conflict.pointsTaken == 0 && conflict.current == first.view)
    try await first.save()
    let ink = try Ink(validating: SampleSignature.all[0].ink.strokes, canvas: surface, device: "stylus")
    let stored = try await bench.blob(of: first.view.saved)
    #expect(stored == StrokeBlob(ink).bytes, "the first device's strokes, whole and unmixed")
  }

  @Test("a stream that lost to another device is told how many of its points are in the field")
  func overtaken() async throws {
    let bench = try await SignatureBench(on: .sqlite)
    var field = try await FieldDriver.create(bench.device())
    try await field.tap()
    let stroke = Stroke(points: (0..<20).map { StrokePoint(x: Double($0), y: 9, time: Double($0)) })
    let messages = FieldDriver.messages([stroke], chunk: 10)
    let call = bench.device().appendStrokes()
    var head = messages[0]
    (head.fieldID, head.expectedVersion) = (field.view.fieldID, field.view.version)
    try await call.requests.send(head)
    while field.view.pointCount < 10 { try await field.refresh() }
    try await field.clear()
    try? await call.requests.send(messages[1])
    let refusal = try #require(await status { _ = try await call.finish() })
    #expect(refusal.code == .aborted)
    #expect(try refusal.detail(FieldConflict.self)?.pointsTaken == 10)
    #expect(refusal.message.contains("10 points of this stream had been taken"))
  }

  @Test("an interrupted stream continues where the view says", arguments: TestEngine.allCases)
  func resuming(engine: TestEngine) async throws {
    let bench = try await SignatureBench(on: engine)
    var field = try await FieldDriver.create(bench.device())
    try await field.tap()
    let strokes = SampleSignature.reference.ink.strokes
    let call = bench.device().appendStrokes()
    var sent = 0
    for message in FieldDriver.messages(strokes, chunk: 25).prefix(7) {
      var message = message
      if sent == 0 { (message.fieldID, message.expectedVersion) = (field.view.fieldID, field.view.version) }
      try await call.requests.send(message)
      sent += message.pieces[0].x.count
    }
    while field.view.pointCount < sent { try await field.refresh() }
    call.cancel()

    // The rest of the stroke that was begun, then the others.
    let (begun, arrived) = (Int(field.view.strokeCount), Int(field.view.lastStrokePoints))
    let rest = Array(strokes[begun - 1].points[arrived...])
    #expect(!rest.isEmpty, "the stream broke off within a stroke")
    let next = bench.device().appendStrokes()
    let piece = StrokePiece(CapturedPiece(beginsStroke: false, points: rest))
    try await next.requests.send(
      AppendStrokesRequest(fieldID: field.view.fieldID, expectedVersion: field.view.version, pieces: [piece]))
    field = FieldDriver(client: bench.device(), view: try #require(try await next.finish().message.view))
    try await field.draw(Array(strokes[begun...]))
    try await field.save()
    let ink = try Ink(validating: strokes, canvas: surface, device: "stylus")
    #expect(try await bench.blob(of: field.view.saved) == StrokeBlob(ink).bytes)
  }

  @Test("strokes that are sent again under their key are drawn once and answered alike", arguments: TestEngine.allCases)
  func again(engine: TestEngine) async throws {
    let bench = try await SignatureBench(on: engine)
    var field = try await FieldDriver.create(bench.device())
    try await field.tap()
    let stroke = Stroke(points: (0..<20).map { StrokePoint(x: Double($0), y: 9, time: Double($0)) })
    var message = FieldDriver.messages([stroke], chunk: 20)[0]
    (message.fieldID, message.expectedVersion) = (field.view.fieldID, field.view.version)
    func send(_ key: String) async throws -> AppendStrokesResponse {
      let call = bench.device().appendStrokes(options: CallOptions(idempotencyKey: .given(key)))
      try await call.requests.send(message)
      return try await call.finish().message
    }
    let first = try await send("item-1")
    try await field.refresh()
    try await field.draw([stroke])
    #expect(try await send("item-1") == first && first.pointsTaken == 20)
    try await field.refresh()
    #expect(field.view.strokeCount == 2 && field.view.version > first.view?.version ?? 0)
    // Under another key it is another drawing, on a version that is no more.
    #expect(await status { _ = try await send("item-2") }?.code == .aborted)
    message.pieces[0].x[0] += 1
    #expect(await status { _ = try await send("item-1") }?.rule == "key_reused")
  }

  @Test("points outside the canvas are dropped and counted in the view and on record")
  func outside() async throws {
    let bench = try await SignatureBench(on: .sqlite)
    var field = try await FieldDriver.create(bench.device())
    try await field.tap()
    let away = Stroke(points: [StrokePoint(x: -5, y: 10, time: 0), StrokePoint(x: 601, y: 10, time: 9)])
    try await field.draw([away])
    #expect(field.view.state == .active && field.view.droppedPoints == 2 && field.view.strokeCount == 1)
    try await field.draw([Stroke(points: [StrokePoint(x: 10, y: 10, time: 0)])])
    try await field.save()
    #expect(field.view.saved?.droppedPoints == 2)
    #expect(field.view.saved?.pointCount == 1 && field.view.saved?.strokeCount == 1)
  }

  @Test("a drawing of many chunks is saved whole", arguments: TestEngine.allCases)
  func long(engine: TestEngine) async throws {
    let bench = try await SignatureBench(on: engine)
    var field = try await FieldDriver.create(bench.device())
    try await field.tap()
    let strokes = (0..<4).map { Self.longStroke(row: $0) }
    try await field.draw(strokes, chunk: 400)
    try await field.save()
    let ink = try Ink(validating: strokes, canvas: surface, device: "stylus")
    #expect(try await bench.blob(of: field.view.saved) == StrokeBlob(ink).bytes)
  }

  @Test("what an undo leaves of a drawing in very many pieces is saved whole", arguments: TestEngine.allCases)
  func undoAmongManyPieces(engine: TestEngine) async throws {
    let bench = try await SignatureBench(on: engine)
    var field = try await FieldDriver.create(bench.device())
    try await field.tap()
    let kept = Self.longStroke(row: 0)
    let pieces = FieldDriver.messages([kept, Self.longStroke(row: 1)], chunk: 1).flatMap(\.pieces)
    let call = bench.device().appendStrokes()
    try await call.requests.send(
      AppendStrokesRequest(fieldID: field.view.fieldID, expectedVersion: field.view.version, pieces: pieces))
    let drawn = try #require(try await call.finish().message.view)
    let undone = try #require(
      try await bench.device().undoStroke(
        UndoStrokeRequest(fieldID: drawn.fieldID, expectedVersion: drawn.version)
      ).view)
    #expect(undone.pointCount == 1500 && undone.strokeCount == 1)
    // What goes on does so after the last of several blocks.
    field = FieldDriver(client: bench.device(), view: undone)
    let dot = Stroke(points: [StrokePoint(x: 9, y: 9, time: 0)])
    try await field.draw([dot])
    try await field.save()
    let ink = try Ink(validating: [kept, dot], canvas: surface, device: "stylus")
    #expect(try await bench.blob(of: field.view.saved) == StrokeBlob(ink).bytes)
  }

  private static func longStroke(row: Int) -> Stroke {
    var stroke = Stroke(points: [])
    for index in 0..<1500 {
      let (x, y) = (Double(index % 590) + 0.125, Double(row * 40 + index % 37))
      stroke.points.append(StrokePoint(x: x, y: y, time: Double(index * 4), pressure: 0.5))
    }
    return stroke
  }

  // MARK: - Watching

  @Test("a watcher sees each stroke as it is drawn, and the view of every change", arguments: TestEngine.allCases)
  func watching(engine: TestEngine) async throws {
    let bench = try await SignatureBench(on: engine)
    var field = try await FieldDriver.create(bench.device())
    let stream = try bench.nurse.watchField(WatchFieldRequest(fieldID: field.view.fieldID))
    var watch = stream.makeAsyncIterator()
    #expect(try await watch.next()?.view?.state == .inactive)
    try await field.tap()
    #expect(try await watch.next()?.view?.state == .active)
    let strokes = SampleSignature.all[4].ink.strokes
    try await field.draw(strokes)
    try await field.save()

    var seen: [StrokePiece] = []
    while let change = try await watch.next() {
      #expect(!change.reset || change.view?.state == .saved, "saving empties the drawing")
      seen += change.pieces
      if change.view?.state == .saved { break }
    }
    // Changes that come faster than they are read arrive as one; then the strokes may have been cleared already.
    #expect(seen.reduce(0) { $0 + $1.x.count } <= SampleSignature.all[4].ink.pointCount)
    stream.cancel()
  }

  @Test("a watch resumes from the version of the last view, without strokes seen before")
  func resumedWatch() async throws {
    let bench = try await SignatureBench(on: .sqlite)
    var field = try await FieldDriver.create(bench.device())
    try await field.tap()
    let strokes = SampleSignature.reference.ink.strokes
    try await field.draw(Array(strokes[..<2]))
    let version = field.view.version
    try await field.draw(Array(strokes[2...]))

    let change = try #require(try await first(of: bench, field.view.fieldID, after: version))
    #expect(!change.reset && change.view == field.view)
    #expect(points(change) == strokes[2...].reduce(0) { $0 + $1.points.count })
    let nothing = try #require(try await first(of: bench, field.view.fieldID, after: field.view.version))
    #expect(nothing.pieces.isEmpty && !nothing.reset)

    try await field.clear()
    try await field.draw(Array(strokes[..<1]))
    let reset = try #require(try await first(of: bench, field.view.fieldID, after: version))
    #expect(reset.reset && points(reset) == strokes[0].points.count)
  }

  private func first(
    of bench: SignatureBench, _ field: String, after version: Int64
  ) async throws -> WatchFieldResponse? {
    let stream = try bench.nurse.watchField(WatchFieldRequest(fieldID: field, afterVersion: version))
    var watch = stream.makeAsyncIterator()
    defer { stream.cancel() }
    return try await watch.next()
  }

  private func points(_ change: WatchFieldResponse) -> Int { change.pieces.reduce(0) { $0 + $1.x.count } }
}
