import Base
import Ink
import InkSamples
import RPC
import SignatureContract
import SignatureService
import Storage
import StorageTestKit
import Testing
import Wire

/// Fields over the bus, with a real database.
@Suite(.timeLimit(.minutes(2))) struct LifeCycleTests {
  @Test(
    "a person taps, draws, saves; the field shows the picture of exactly those strokes", arguments: TestEngine.allCases)
  func signing(engine: TestEngine) async throws {
    let bench = try await SignatureBench(on: engine)
    var field = try await FieldDriver.create(
      bench.device(),
      settings: FieldSettings(
        header: "Participant", required: true, label: "I agree", helperText: "With finger or pen", placeholder: "Here"))
    #expect(field.view.state == .inactive && field.view.scrimShown && !field.view.drawable)
    #expect(field.view.requiredMark == "*" && field.view.placeholder == "Here")
    try await field.tap()
    #expect(field.view.state == .active && field.view.drawable && field.view.signatureLineShown)
    let ink = SampleSignature.reference.ink
    try await field.draw(ink.strokes)
    #expect(field.view.state == .signed)
    #expect(field.view.strokeCount == Int32(ink.strokes.count) && field.view.pointCount == Int32(ink.pointCount))
    try await field.save(SigningTime(at: Timestamp(seconds: 1_700_000_000), utcOffsetMinutes: 60))

    let saved = try #require(field.view.saved)
    let kept = try Ink(validating: ink.strokes, canvas: Canvas(width: 600, height: 200), device: "stylus")
    #expect(try await bench.blob(of: saved) == StrokeBlob(kept).bytes)
    #expect(saved.revision == 1 && saved.kind == .drawn && saved.savedBy == "tablet-7")
    #expect(saved.signingTime == SigningTime(at: Timestamp(seconds: 1_700_000_000), utcOffsetMinutes: 60))

    let image = try #require(field.view.savedImage)
    var settings = RenderSettings()
    settings.penWidth = image.penWidth
    let picture = try await RenderServiceClient(bench.channel()).render(
      RenderRequest(source: .signatureID(image.signatureID), settings: settings))
    #expect(picture.etag == image.etag)
    var options = RenderOptions()
    options.penWidth = 3
    #expect(try Renderer().render(kept, options).bytes == picture.image)
  }

  @Test(
    "a device's time is kept in whole milliseconds, and that of a clock that was never set is none",
    arguments: TestEngine.allCases)
  func signingTime(engine: TestEngine) async throws {
    let bench = try await SignatureBench(on: engine)
    let times = [
      (Timestamp(seconds: 5, nanos: 123_456_789), Timestamp(seconds: 5, nanos: 123_000_000)), (Timestamp(), nil),
    ]
    for (stated, kept) in times {
      var field = try await FieldDriver.create(bench.device())
      try await field.tap()
      try await field.draw(SampleSignature.reference.ink.strokes)
      try await field.save(SigningTime(at: stated, utcOffsetMinutes: 60))
      let saved = field.view.saved
      #expect(saved?.signingTime == SigningTime(at: kept, utcOffsetMinutes: 60))
      try await field.refresh()
      #expect(field.view.saved == saved)
    }
  }

  @Test("re-entering empties the field; the revision before stays on record", arguments: TestEngine.allCases)
  func reEntering(engine: TestEngine) async throws {
    let bench = try await SignatureBench(on: engine)
    var field = try await FieldDriver.signed(bench.device())
    let first = try #require(field.view.saved)
    try await field.reEnter()
    #expect(field.view.state == .inactive && !field.view.scrimShown)
    #expect(field.view.saved == nil && field.view.savedImage == nil && field.view.revisionCount == 1)
    try await field.tap()
    try await field.cancel()
    #expect(field.view.state == .inactive && field.view.saved == nil)
    try await field.tap()
    try await field.draw(SampleSignature.all[0].ink.strokes)
    try await field.save()
    let second = try #require(field.view.saved)
    #expect(second.revision == 2 && second.hash != first.hash)

    let list = try await bench.device().listRevisions(ListRevisionsRequest(fieldID: field.view.fieldID, pageSize: 1))
    #expect(list.revisions.map(\.signatureID) == [first.signatureID])
    #expect(list.revisions[0].replacedAt != nil)
    let rest = try await bench.device().listRevisions(
      ListRevisionsRequest(fieldID: field.view.fieldID, pageToken: list.nextPageToken))
    #expect(rest.revisions == [second] && rest.nextPageToken.isEmpty)
    let strokes = try await bench.service.getStrokes(GetStrokesRequest(signature: .hash(first.hash)))
    #expect(strokes.saved?.signatureID == first.signatureID)
  }

  @Test("clearing and cancelling delete the drawing", arguments: TestEngine.allCases)
  func forgetting(engine: TestEngine) async throws {
    let bench = try await SignatureBench(on: engine)
    var field = try await FieldDriver.create(bench.device())
    try await field.tap()
    try await field.draw(SampleSignature.all[1].ink.strokes)
    try await field.clear()
    #expect(field.view.state == .active && field.view.pointCount == 0 && field.view.strokeCount == 0)
    try await field.draw(SampleSignature.all[2].ink.strokes)
    try await field.cancel()
    #expect(field.view.state == .inactive && field.view.pointCount == 0)
    try await field.tap()
    let ink = SampleSignature.all[3].ink
    try await field.draw(ink.strokes)
    try await field.save()
    let kept = try Ink(validating: ink.strokes, canvas: Canvas(width: 600, height: 200), device: "stylus")
    let stored = try await bench.blob(of: field.view.saved)
    #expect(stored == StrokeBlob(kept).bytes, "nothing of the earlier drawings is in it")
  }

  @Test("a typed name is a signature with a salted commitment", arguments: TestEngine.allCases)
  func typing(engine: TestEngine) async throws {
    let bench = try await SignatureBench(on: engine)
    var field = try await FieldDriver.create(bench.device())
    try await field.tap()
    #expect(field.view.fonts == FieldChecks.fonts)
    try await field.type("  Zoë   Müller ")
    let saved = try #require(field.view.saved)
    #expect(field.view.state == .saved && saved.kind == .typed)
    let content = try await bench.service.getStrokes(GetStrokesRequest(signature: .signatureID(saved.signatureID)))
    #expect(content.typed == TypedName(text: "Zoë Müller", font: FieldChecks.fonts[0]))
    #expect(content.salt.count == 16 && content.blob.isEmpty)
  }

  @Test("closing is offered to nobody who is not a service, and the canvas asks for a tap only while it waits for one")
  func wordsAndOffers() async throws {
    let bench = try await SignatureBench(on: .sqlite)
    func canvas(_ view: FieldView) -> String { view.controls.first { $0.kind == .canvas }?.label ?? "" }
    var field = try await FieldDriver.create(bench.device(), settings: FieldSettings(header: "Sign", required: false))
    #expect(canvas(field.view) == "Tap to sign" && field.view.offered == [.tap, .resize])
    try await field.tap()
    #expect(canvas(field.view) == "Signature")
    try await field.type("Zoë Müller")
    #expect(canvas(field.view) == "Signature" && field.view.offered == [.reEnter])
    try await field.reEnter()
    #expect(canvas(field.view) == (field.view.state == .inactive ? "Tap to sign" : "Signature"))
  }

  @Test("a closed field accepts nothing more, and closing it twice closes it once", arguments: TestEngine.allCases)
  func closing(engine: TestEngine) async throws {
    let bench = try await SignatureBench(on: engine)
    var field = try await FieldDriver.signed(bench.device())
    let request = CompleteFieldRequest(fieldID: field.view.fieldID)
    let closed = try #require(try await bench.service.completeField(request).view)
    #expect(closed.completed && closed.offered.isEmpty && closed.version == field.view.version + 1)
    #expect(try await bench.service.completeField(request).view == closed)
    try await field.refresh()
    let refusal = try #require(await status { try await field.reEnter() })
    #expect(refusal.code == .failedPrecondition)
    #expect(refusal.message.contains("the field is closed for good"))
    let denied = await status { _ = try await bench.device().completeField(request) }
    #expect(denied?.code == .permissionDenied)
  }

  @Test("the fields of a session are listed in their order, page by page", arguments: TestEngine.allCases)
  func listing(engine: TestEngine) async throws {
    let bench = try await SignatureBench(on: engine)
    var ids: [String] = []
    for _ in 0..<5 { ids.append(try await FieldDriver.create(bench.device(), session: "s-9").view.fieldID) }
    _ = try await FieldDriver.create(bench.device(), session: "another")
    var listed: [String] = []
    var token = ""
    repeat {
      let page = try await bench.device().listFields(
        ListFieldsRequest(sessionID: "s-9", pageSize: 2, pageToken: token))
      listed += page.views.map(\.fieldID)
      token = page.nextPageToken
    } while !token.isEmpty
    #expect(listed == ids.sorted())
  }

  @Test("a repeat under the same key gets the first answer and changes nothing", arguments: TestEngine.allCases)
  func repeats(engine: TestEngine) async throws {
    let bench = try await SignatureBench(on: engine)
    let client = bench.device()
    let field = try await FieldDriver.create(client)
    let request = TapFieldRequest(fieldID: field.view.fieldID, expectedVersion: 1)
    var options = CallOptions()
    options.idempotencyKey = .given("tap-once")
    let first = try await client.tapField(request, options: options)
    #expect(try await client.tapField(request, options: options) == first)
    let other = TapFieldRequest(fieldID: field.view.fieldID, expectedVersion: 2)
    let refusal = await status { [options] in _ = try await client.tapField(other, options: options) }
    #expect(refusal?.code == .invalidArgument)
  }
}
