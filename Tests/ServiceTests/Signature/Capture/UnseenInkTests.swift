import CommonContract
import Ink
import InkSamples
import RPC
import ServicePolicy
import SignatureContract
import SignatureService
import StorageTestKit
import Testing

/// A signature is ink that somebody sees: what cannot be seen is not saved, whichever way it came.
@Suite(.timeLimit(.minutes(2))) struct UnseenInkTests {
  private static let eraser = Pen(minimumRadius: 8, maximumRadius: 8, dotRadius: 8, erases: true)
  private static let line = Stroke(
    points: (0..<20).map { StrokePoint(x: 50 + Double($0) * 9, y: 90, time: Double($0)) })
  private static let rubbed = Stroke(points: line.points, pen: eraser)
  private static let hairline = Stroke(points: line.points, pen: Pen(minimumRadius: 0.01, maximumRadius: 0.02))

  @Test("erasing everything makes the field active again, and undo and clear follow", arguments: TestEngine.allCases)
  func erased(engine: TestEngine) async throws {
    let bench = try await SignatureBench(on: engine)
    var field = try await FieldDriver.create(bench.device())
    try await field.tap()
    try await field.draw([Self.line])
    #expect(field.view.state == .signed && field.view.offered.contains(.save))
    // In pieces, as the eraser moves along.
    try await field.draw([Self.rubbed], chunk: 4)
    #expect(field.view.state == .active && field.view.strokeCount == 2)
    #expect(field.view.offered == [.appendStrokes, .undo, .clear, .saveTyped, .cancel, .resize])
    #expect(field.view.controls.filter(\.enabled).map(\.kind) == [.cancel, .undo, .clear, .type])
    let refusal = try #require(await status { try await field.save() })
    #expect(refusal.code == .failedPrecondition && refusal.rule == "no_ink_seen")
    #expect(try refusal.detail(ErrorInfo.self)?.field == "field_id")

    let undone = try await bench.device().undoStroke(
      UndoStrokeRequest(fieldID: field.view.fieldID, expectedVersion: field.view.version)
    ).view
    #expect(undone?.state == .signed && undone?.strokeCount == 1)
    try await field.refresh()
    try await field.draw([Self.rubbed])
    try await field.clear()
    #expect(field.view.state == .active && field.view.pointCount == 0 && !field.view.offered.contains(.undo))
    try await field.draw([Self.line, Self.rubbed, Self.line])
    #expect(field.view.state == .signed, "what is drawn after the eraser is seen")
    try await field.save()
    #expect(field.view.state == .saved)
  }

  @Test("strokes of a hairline pen are no signature, in a stream and in a file")
  func hairlines() async throws {
    let bench = try await SignatureBench(on: .sqlite)
    var field = try await FieldDriver.create(bench.device())
    try await field.tap()
    try await field.draw([Self.hairline])
    #expect(field.view.state == .active && field.view.pointCount == 20)
    #expect(await status { try await field.save() }?.rule == "no_ink_seen")
    try await field.clear()
    let file = try Ink(validating: [Self.line, Self.rubbed], canvas: Canvas(width: 600, height: 200))
    let imported = try await bench.device().importStrokes(
      ImportStrokesRequest(
        fieldID: field.view.fieldID, expectedVersion: field.view.version, content: file.signaturePadJSON())
    ).view
    #expect(imported?.state == .active && imported?.strokeCount == 2)
    // A pen of its own beside the field's: both the field's picture and the record's have to show ink.
    var settings = FieldSettings(header: "Sign", required: true)
    settings.penWidth = 50
    var wide = try await FieldDriver.create(bench.device(), settings: settings)
    try await wide.tap()
    try await wide.draw([Self.hairline])
    #expect(wide.view.state == .active)
  }

  @Test("a drawing that takes long to draw is looked at when it is saved")
  func long() async throws {
    let bench = try await SignatureBench(on: .sqlite)
    // Each point counts as work, so that very many in one place take long, by the count that every machine has.
    let scribble = (0..<4).map { stroke in
      Stroke(points: (0..<17_500).map { StrokePoint(x: 100 + Double($0 % 3), y: 100, time: Double($0 / 10 + stroke)) })
    }
    let eraser = Stroke(points: [StrokePoint(x: 101, y: 100, time: 0)], pen: Self.eraser)
    for isErased in [true, false] {
      var field = try await FieldDriver.create(bench.device())
      try await field.tap()
      try await field.draw(scribble + [isErased ? eraser : Self.rubbed], chunk: 17_500)
      #expect(field.view.state == .signed, "it counts until it is looked at")
      let refusal = await status { try await field.save() }
      #expect(refusal?.rule == (isErased ? "no_ink_seen" : nil))
    }
  }
}
