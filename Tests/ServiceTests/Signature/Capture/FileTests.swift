import Base
import Ink
import InkSamples
import RPC
import SignatureContract
import SignatureService
import StorageTestKit
import TestSupport
import Testing

/// Strokes from other programs' files and for them, erasers, undo, and how a field wants its saved picture.
@Suite(.timeLimit(.minutes(2))) struct FileTests {
  private func imported(
    _ bench: SignatureBench, _ field: inout FieldDriver, _ file: [UInt8], fit: Bool = false
  ) async throws -> ImportStrokesResponse {
    let answer = try await bench.device().importStrokes(
      ImportStrokesRequest(
        fieldID: field.view.fieldID, expectedVersion: field.view.version, content: file, fit: fit))
    try await field.refresh()
    return answer
  }

  @Test("what was drawn goes out in every format and comes in again", arguments: TestEngine.allCases)
  func formats(engine: TestEngine) async throws {
    let bench = try await SignatureBench(on: engine)
    var field = try await FieldDriver.create(bench.device())
    try await field.tap()
    try await field.draw(SampleSignature.all[0].ink.strokes)
    try await field.save()
    let signature = try #require(field.view.saved?.signatureID)
    for (format, type) in [
      (StrokeFormat.signaturePad, "application/json"), (.inkml, "application/inkml+xml"),
      (.iso19794_7, "application/octet-stream"), (.stored, "application/octet-stream"),
    ] {
      let file = try await bench.service.exportStrokes(
        ExportStrokesRequest(signatureID: signature, format: format))
      #expect(file.mediaType == type)
      var other = try await FieldDriver.create(bench.device())
      try await other.tap()
      let answer = try await imported(bench, &other, file.content, fit: format == .iso19794_7)
      #expect(answer.pointsTaken == field.view.saved?.pointCount && answer.view?.droppedPoints == 0, "\(format)")
      try await other.save()
      #expect(other.view.saved?.strokeCount == field.view.saved?.strokeCount)
    }
    let refusal = await status {
      _ = try await bench.service.exportStrokes(ExportStrokesRequest(signatureID: signature, format: .svc))
    }
    #expect(refusal?.code == .invalidArgument)
  }

  @Test("files in every format of other programs are drawn, saved, and go out and in again as the same picture")
  func peers() async throws {
    let bench = try await SignatureBench(on: .sqlite)
    func saved(_ file: [UInt8], fit: Bool) async throws -> SavedSignature {
      var field = try await FieldDriver.create(bench.device())
      try await field.tap()
      let answer = try await imported(bench, &field, file, fit: fit)
      #expect(answer.view?.droppedPoints == 0)
      try await field.save()
      return try #require(field.view.saved)
    }
    func picture(_ saved: SavedSignature) async throws -> [UInt8] {
      let ink = try StrokeBlob.read(try await bench.blob(of: saved))
      return try Renderer().render(ink).bytes
    }
    for name in [
      "signature_pad-2.json", "signature_pad-3.json", "signature_pad-4.json", "signature_pad-5.json",
      "perfect-freehand.json", "perfect-freehand-times.json", "tablet.svc.txt", "notes.inkml", "series.iso19794-7",
      "wacom.uim",
    ] {
      let file = try Files.read(Repository.path("Tests/Fixtures/ink/\(name)"))
      let first = try await saved(file, fit: true)
      let held = try Ink.read(file).pointCount
      #expect(Int(first.pointCount) == held, "\(name)")
      let shown = try await picture(first)
      for format in [StrokeFormat.signaturePad, .inkml, .stored] {
        let out = try await bench.service.exportStrokes(
          ExportStrokesRequest(signatureID: first.signatureID, format: format))
        let again = try await saved(out.content, fit: false)
        let drawn = try await picture(again)
        #expect(drawn == shown, "\(name) as \(format)")
      }
    }
  }

  @Test("a file is refused with the reason, and the field stays as it was: garbage, too large, inactive, closed, old")
  func refusals() async throws {
    let bench = try await SignatureBench(on: .sqlite)
    var field = try await FieldDriver.create(bench.device())
    let file = Array("[[1,2,0.5],[30,40,0.5]]".utf8)
    let inactive = await status {
      _ = try await bench.device().importStrokes(
        ImportStrokesRequest(fieldID: field.view.fieldID, expectedVersion: field.view.version, content: file))
    }
    #expect(inactive?.code == .failedPrecondition)
    try await field.tap()
    let version = field.view.version
    for (content, words) in [
      (Array("GIF89a".utf8), "file is of an unknown format"), ([], "file is empty"),
      ([UInt8](repeating: 0x5B, count: (4 << 20) + 1), "content has 4194305 bytes"),
      (Array("[[1,2,0.5],[null,40,0.5]]".utf8), "x is NaN"),
    ] {
      let refusal = await status {
        _ = try await bench.device().importStrokes(
          ImportStrokesRequest(fieldID: field.view.fieldID, expectedVersion: version, content: content))
      }
      #expect(
        refusal?.code == .invalidArgument && refusal?.message.contains(words) == true,
        "\(words): \(String(describing: refusal))")
    }
    let old = await status {
      _ = try await bench.device().importStrokes(
        ImportStrokesRequest(fieldID: field.view.fieldID, expectedVersion: version - 1, content: file))
    }
    #expect(old?.code == .aborted)
    try await field.refresh()
    #expect(field.view.version == version && field.view.pointCount == 0)
  }

  @Test("undo takes back one stroke after another, and watchers get what remains", arguments: TestEngine.allCases)
  func undo(engine: TestEngine) async throws {
    let bench = try await SignatureBench(on: engine)
    var field = try await FieldDriver.create(bench.device())
    try await field.tap()
    let strokes = (0..<3).map { number in
      Stroke(points: (0..<600).map { StrokePoint(x: Double($0) / 2, y: Double(20 + number * 40), time: Double($0)) })
    }
    try await field.draw(strokes)
    let seen = field.view.version
    for remaining in [2, 1, 0] {
      let answer = try await bench.device().undoStroke(
        UndoStrokeRequest(fieldID: field.view.fieldID, expectedVersion: field.view.version))
      try await field.refresh()
      #expect(answer.view == field.view && field.view.strokeCount == Int32(remaining))
      #expect(field.view.pointCount == Int32(remaining * 600))
      #expect(field.view.state == (remaining > 0 ? .signed : .active))
    }
    let stream = try bench.device().watchField(
      WatchFieldRequest(fieldID: field.view.fieldID, afterVersion: seen), deadline: .seconds(20))
    for try await change in stream {
      #expect(change.reset && change.pieces.isEmpty)
      break
    }
    stream.cancel()
    let empty = await status {
      _ = try await bench.device().undoStroke(
        UndoStrokeRequest(fieldID: field.view.fieldID, expectedVersion: field.view.version))
    }
    #expect(empty?.code == .failedPrecondition)
    try await field.draw([strokes[1]])
    try await field.save()
    #expect(field.view.saved?.strokeCount == 1)
  }

  @Test("an eraser's stroke is kept as one; a drawing does not begin with it")
  func eraser() async throws {
    let bench = try await SignatureBench(on: .sqlite)
    var field = try await FieldDriver.create(bench.device())
    try await field.tap()
    let eraser =
      #"{"compositeOperation":"destination-out","points":[{"x":30,"y":10,"time":9},{"x":30,"y":90,"time":20}]}"#
    let ink = #"{"points":[{"x":10,"y":50,"time":1},{"x":90,"y":50,"time":5}]}"#
    let version = field.view.version
    let first = await status {
      _ = try await bench.device().importStrokes(
        ImportStrokesRequest(
          fieldID: field.view.fieldID, expectedVersion: version, content: Array("[\(eraser),\(ink)]".utf8)))
    }
    #expect(first?.message.contains("erases, and nothing is drawn yet") == true, "\(String(describing: first))")
    _ = try await imported(bench, &field, Array("[\(ink),\(eraser)]".utf8))
    try await field.save()
    let stored = try StrokeBlob.read(try await bench.blob(of: field.view.saved))
    #expect(stored.strokes.map(\.pen.erases) == [false, true] && stored.strokes.allSatisfy(\.pen.isFiltered))
  }

  @Test("a field states colours and crop of its saved picture, and the view what to ask for")
  func picture() async throws {
    let bench = try await SignatureBench(on: .sqlite)
    var settings = FieldSettings(header: "Sign", inkColor: "#102080", paperColor: "transparent")
    settings.crop = FieldCrop(padding: 16)
    let made = try #require(
      try await bench.device().createField(
        CreateFieldRequest(reference: FieldReference(subjectID: "p-1"), settings: settings)
      ).view)
    var field = FieldDriver(client: bench.device(), view: made)
    try await field.tap()
    try await field.draw([
      Stroke(points: (0..<30).map { StrokePoint(x: 100 + Double($0) * 6, y: 100, time: Double($0) * 16) })
    ])
    try await field.save()
    let image = try #require(field.view.savedImage)
    #expect(image.settings?.inkColor == "#102080" && image.settings?.trim == true && image.settings?.trimMargin == 16)
    var bad = settings
    bad.inkColor = "blue"
    let refused = bad
    let refusal = await status {
      _ = try await bench.device().createField(
        CreateFieldRequest(reference: FieldReference(subjectID: "p-1"), settings: refused))
    }
    #expect(refusal?.code == .invalidArgument && refusal?.message.contains("ink_color") == true)
  }
}
