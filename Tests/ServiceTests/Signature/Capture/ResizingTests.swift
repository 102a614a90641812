import Ink
import RPC
import ServicePolicy
import SignatureContract
import SignatureService
import Storage
import StorageTestKit
import Testing
import Wire

/// A field whose canvas becomes larger or smaller while somebody signs, as when a device is turned.
@Suite(.timeLimit(.minutes(2))) struct ResizingTests {
  private static let upright = InkCanvas(width: 300, height: 400)

  private func resize(
    _ field: FieldDriver, to canvas: InkCanvas?, by client: SignatureServiceClient
  ) async throws -> FieldDriver {
    let request = ResizeFieldRequest(fieldID: field.view.fieldID, expectedVersion: field.view.version, canvas: canvas)
    return FieldDriver(client: field.client, view: try #require(try await client.resizeField(request).view))
  }

  private func line(_ points: (x: Double, y: Double)..., pen: Pen = .standard) -> Stroke {
    Stroke(points: points.enumerated().map { StrokePoint(x: $1.x, y: $1.y, time: Double($0) * 8) }, pen: pen)
  }

  @Test("what was drawn stays, on the canvas as it is from then on, and is saved so", arguments: TestEngine.allCases)
  func turned(engine: TestEngine) async throws {
    let bench = try await SignatureBench(on: engine)
    var field = try await FieldDriver.create(bench.device())
    try await field.tap()
    try await field.draw([line((60, 40), (540, 160)), line((300, 100), (320, 100))])
    let seen = field.view.version
    field = try await resize(field, to: Self.upright, by: bench.device())
    #expect(field.view.version == seen + 1 && field.view.state == .signed)
    #expect(field.view.canvas == InkCanvas(width: 300, height: 400, devicePixelRatio: 1))
    #expect(field.view.strokeCount == 2 && field.view.pointCount == 4 && field.view.lastStrokePoints == 2)
    // Whoever watches gets all of it anew.
    let watch = try bench.device().watchField(
      WatchFieldRequest(fieldID: field.view.fieldID, afterVersion: seen), deadline: .seconds(20))
    for try await change in watch {
      #expect(change.reset && change.pieces.map(\.x) == [[30, 270], [150, 160]])
      break
    }
    watch.cancel()
    try await field.draw([line((10, 390), (290, 390))])
    field = try await resize(field, to: Self.upright, by: bench.device())
    try await field.save()
    let ink = try Ink(
      validating: [line((30, 170), (270, 230)), line((150, 200), (160, 200)), line((10, 390), (290, 390))],
      canvas: Canvas(width: 300, height: 400), device: "stylus")
    #expect(try await bench.blob(of: field.view.saved) == StrokeBlob(ink).bytes)
    let kinds = try await bench.database.database.scope(.named("clinic")).read { [id = field.view.fieldID] in
      try $0.events(after: 0, stream: id, limit: 100).map(\.type)
    }
    #expect(kinds == ["created", "woken", "resized", "saved"].map { "field.\($0)" }, "the same size is no change")
  }

  @Test("a saved field keeps its canvas, and so does one that another device has changed")
  func refused() async throws {
    let bench = try await SignatureBench(on: .sqlite)
    let saved = try await FieldDriver.signed(bench.device())
    let late = try #require(await status { _ = try await resize(saved, to: Self.upright, by: bench.device()) })
    #expect(late.code == .failedPrecondition && late.rule == "not_offered")
    #expect(try late.detail(FieldRefusal.self)?.action == .resize)
    var field = try await FieldDriver.create(bench.device())
    let stale = field
    field = try await resize(field, to: Self.upright, by: bench.device())
    #expect(field.view.state == .inactive && field.view.canvas?.height == 400)
    let overtaken = try #require(await status { _ = try await resize(stale, to: Self.upright, by: bench.device()) })
    #expect(overtaken.code == .aborted)
    for (canvas, words) in [
      (InkCanvas(width: 5000, height: 100), "canvas.width is 5000.0"),
      (InkCanvas(width: 300, height: .nan), "canvas.height is NaN"), (nil, "canvas is missing"),
    ] {
      let bad = try #require(await status { _ = try await resize(field, to: canvas, by: bench.device()) })
      #expect(bad.code == .invalidArgument && bad.message.contains(words), "\(bad)")
    }
  }

  @Test("ink of which nothing can be seen on the smaller canvas is no signature")
  func unseen() async throws {
    let bench = try await SignatureBench(on: .sqlite)
    let settings = FieldSettings(header: "a", canvas: InkCanvas(width: 4096, height: 4096))
    var field = try await FieldDriver.create(bench.device(), settings: settings)
    try await field.tap()
    try await field.draw([line((100, 100), (140, 100), pen: Pen(minimumRadius: 5, maximumRadius: 5))])
    #expect(field.view.state == .signed)
    field = try await resize(field, to: InkCanvas(width: 16, height: 16), by: bench.device())
    #expect(field.view.state == .active && field.view.pointCount == 2)
    try await field.clear()
    #expect(field.view.pointCount == 0)
  }

  @Test("turning back and forth shrinks ink once at most, and ink stays on the canvas")
  func again() {
    let (wide, upright) = (CaptureSurface(width: 600, height: 200), CaptureSurface(width: 300, height: 400))
    let flat = CaptureSurface(width: 900, height: 60)
    let drawn = [CapturedPiece(beginsStroke: true, points: line((20, 190), (580, 10)).points)]
    let back = wide.resized(upright.resized(drawn, from: wide), from: upright)
    #expect(back == drawn, "it comes back as it was")
    var pieces = flat.resized(drawn, from: wide)
    #expect(pieces[0].points.map { $0.y.rounded() } == [60, 0], "as large as the height has room for")
    let small = wide.resized(pieces, from: flat)
    for _ in 0..<5 { pieces = flat.resized(wide.resized(pieces, from: flat), from: wide) }
    let (once, often) = (small[0].points[0], wide.resized(pieces, from: flat)[0].points[0])
    #expect(abs(once.x - often.x) < 1e-9 && abs(once.y - often.y) < 1e-9)
    // Ink at an edge is moved no farther than to the other canvas's edge.
    let low = [CapturedPiece(beginsStroke: true, points: line((0, 200), (600, 200)).points)]
    #expect(flat.resized(low, from: wide)[0].points.map(\.y) == [60, 60])
  }

  @Test("an eraser is scaled like what it erases, and the field's pen stays")
  func pens() {
    let (wide, half) = (CaptureSurface(width: 600, height: 200), CaptureSurface(width: 300, height: 100))
    var eraser = Pen(minimumRadius: 8, maximumRadius: 8, dotRadius: 8, erases: true)
    let points = line((10, 10), (60, 60)).points
    let pieces = [
      CapturedPiece(beginsStroke: true, points: points), CapturedPiece(beginsStroke: true, points: points, pen: eraser),
    ]
    (eraser.minimumRadius, eraser.maximumRadius, eraser.dotRadius) = (4, 4, 4)
    #expect(half.resized(pieces, from: wide).map(\.pen) == [nil, eraser])
  }
}
