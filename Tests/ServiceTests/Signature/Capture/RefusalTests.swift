import Ink
import InkSamples
import RPC
import SignatureContract
import SignatureService
import StorageTestKit
import Testing
import Wire

@Suite(.timeLimit(.minutes(2))) struct RefusalTests {
  @Test("an action that the state does not offer is refused with the state, the offered actions and the view")
  func notOffered() async throws {
    let bench = try await SignatureBench(on: .sqlite)
    var field = try await FieldDriver.create(bench.device())
    try await field.tap()
    let before = field.view
    let refusal = try #require(await status { try await field.save() })
    #expect(refusal.code == .failedPrecondition)
    #expect(
      refusal.message
        == "not_offered: 'save' is not offered in state 'active'; offered: append_strokes, save_typed, cancel, resize")
    let detail = try #require(try refusal.detail(FieldRefusal.self))
    #expect(detail.action == .save && detail.current == before)
    try await field.refresh()
    #expect(field.view == before)
  }

  @Test("a stale version is refused with the current view")
  func stale() async throws {
    let bench = try await SignatureBench(on: .sqlite)
    var field = try await FieldDriver.create(bench.device())
    try await field.tap()
    let request = CancelFieldRequest(fieldID: field.view.fieldID, expectedVersion: 1)
    let refusal = try #require(await status { _ = try await bench.device().cancelField(request) })
    #expect(refusal.code == .aborted)
    #expect(refusal.message.contains("is at version 2 and no longer at 1"))
    let conflict = try #require(try refusal.detail(FieldConflict.self))
    #expect(conflict.expectedVersion == 1 && conflict.current == field.view)
  }

  @Test(
    "an invalid field is refused with the setting, its value and the bound",
    arguments: [
      (FieldSettings(), "settings.header is missing"),
      (FieldSettings(header: String(repeating: "x", count: 201)), "settings.header has more than 200 characters"),
      (FieldSettings(header: "a\u{1}"), "settings.header has control characters"),
      (FieldSettings(header: "a", canvas: InkCanvas(width: 5000, height: 10)), "settings.canvas.width is 5000.0"),
      (FieldSettings(header: "a", canvas: InkCanvas(width: .nan, height: 10)), "settings.canvas.width is NaN"),
      (FieldSettings(header: "a", penWidth: -1), "settings.pen_width is -1.0"),
      (FieldSettings(header: "a", form: .unrecognized(9)), "settings.form is 9"),
      (FieldSettings(header: "a", penWidth: 0.1), "settings.pen_width is 0.1; it is between 1.0 and 100.0"),
      (FieldSettings(header: "a", inkColor: "#ffffff"), "settings.ink_color has a contrast of 1.0 to the paper"),
      (FieldSettings(header: "a", inkColor: "#fdfdfd", paperColor: "transparent"), "settings.ink_color has a contrast"),
      (FieldSettings(header: "a", paperColor: "#101010"), "too_little_contrast: settings.ink_color"),
    ])
  func badSettings(settings: FieldSettings, words: String) async throws {
    let bench = try await SignatureBench(on: .sqlite)
    let refusal = try #require(await status { _ = try await FieldDriver.create(bench.device(), settings: settings) })
    #expect(refusal.code == .invalidArgument)
    #expect(refusal.message.contains(words), "\(refusal.message)")
  }

  @Test("a field's subject must be an identifier")
  func badSubject() async throws {
    let bench = try await SignatureBench(on: .sqlite)
    for name in ["", "Anna Meyer", String(repeating: "x", count: 129)] {
      let refusal = await status { _ = try await FieldDriver.create(bench.device(), subject: name) }
      #expect(refusal?.code == .invalidArgument && refusal?.message.contains("subject_id") == true)
    }
    // What services keep for themselves names nobody.
    for name in ["device:1", "key:1", "onboarding:1", "webhook:1"] {
      let refusal = await status { _ = try await FieldDriver.create(bench.device(), subject: name) }
      #expect(refusal?.message.hasPrefix("prefix_reserved: ") == true, "\(refusal?.message ?? "")")
    }
  }

  @Test(
    "a device's time outside of the years 1970 to 9999 is refused, and nothing is saved",
    arguments: [Timestamp(seconds: -1), Timestamp(seconds: 253_402_300_800), Timestamp(seconds: 1, nanos: -1)])
  func badSigningTime(time: Timestamp) async throws {
    let bench = try await SignatureBench(on: .sqlite)
    var field = try await FieldDriver.create(bench.device())
    try await field.tap()
    try await field.draw(SampleSignature.reference.ink.strokes)
    let before = field.view
    let refusal = try #require(await status { try await field.save(SigningTime(at: time)) })
    #expect(refusal.code == .invalidArgument)
    #expect(refusal.message.hasPrefix("out_of_bounds: signing_time.at is \(time.seconds) seconds"), "\(refusal)")
    try await field.refresh()
    #expect(field.view == before)
  }

  @Test("bad strokes are refused with place, value and bound, and change nothing")
  func badStrokes() async throws {
    let bench = try await SignatureBench(on: .sqlite)
    var field = try await FieldDriver.create(bench.device())
    try await field.tap()
    let cases: [(StrokePiece, String)] = [
      (StrokePiece(beginsStroke: true, x: [1], y: [.infinity], timeMs: [0]), "pieces[0].points[0].y is Infinity"),
      (StrokePiece(beginsStroke: true, x: [1, 2], y: [1], timeMs: [0]), "pieces[0].y has 1 values for 2 points"),
      (StrokePiece(beginsStroke: true), "pieces[0] has no points"),
      (StrokePiece(x: [1], y: [1], timeMs: [0]), "nothing is drawn yet"),
      (
        StrokePiece(
          beginsStroke: true, x: Array(repeating: 1, count: 20_001), y: Array(repeating: 1, count: 20_001),
          timeMs: Array(repeating: 1, count: 20_001)), "one message brings at most 20000"
      ),
    ]
    for (piece, words) in cases {
      let call = bench.device().appendStrokes()
      try await call.requests.send(
        AppendStrokesRequest(fieldID: field.view.fieldID, expectedVersion: 2, pieces: [piece]))
      let refusal = await status { _ = try await call.finish() }
      #expect(
        refusal?.code == .invalidArgument && refusal?.message.contains(words) == true, "\(refusal?.message ?? "")")
    }
    let before = field.view
    try await field.refresh()
    #expect(field.view == before)
  }

  @Test("an unknown field is not found, and neither is another tenant's")
  func unknown() async throws {
    let bench = try await SignatureBench(on: .sqlite)
    let field = try await FieldDriver.signed(bench.device())
    let stranger = bench.device(tenant: "elsewhere")
    let id = field.view.fieldID
    let signature = try #require(field.view.saved).signatureID
    let render = RenderServiceClient(bench.channel(tenant: "elsewhere"))
    let refusals = [
      await status { _ = try await bench.device().getField(GetFieldRequest(fieldID: "nowhere")) },
      await status { _ = try await stranger.getField(GetFieldRequest(fieldID: id)) },
      await status { _ = try await stranger.tapField(TapFieldRequest(fieldID: id, expectedVersion: 1)) },
      await status { _ = try await stranger.listRevisions(ListRevisionsRequest(fieldID: id)) },
      await status { _ = try await render.render(RenderRequest(source: .signatureID(signature))) },
    ]
    #expect(refusals.map(\.?.code) == Array(repeating: .notFound, count: 5))
    #expect(try await stranger.listFields(ListFieldsRequest(sessionID: "session-1")).views.isEmpty)
  }

  @Test(
    "a typed name that is none, or that no font can draw, is refused when it is saved, and nothing is saved",
    arguments: [
      ("Anna\nMeyer", "control_characters: name.text has U+000A"),
      ("Anna\u{2028}Meyer", "control_characters: name.text has U+2028"),
      ("\u{202E}annA", "control_characters: name.text has U+202E"),
      ("Anna\u{2066}", "control_characters: name.text has U+2066"),
      ("\u{1B}[2JAnna", "control_characters: name.text has U+001B"),
      ("\u{200B}", "control_characters: name.text has U+200B"),
      ("\u{3164}", "no_letter: name.text shows no letter"),
      ("\u{200E}\u{200D}", "no_letter: name.text shows no letter"),
      ("12 34", "no_letter: name.text shows no letter"),
      ("Ada 𓀀", "unknown_letter: name.text has '𓀀' (U+13000"),
      ("Łukasz \u{1DF00}", "unknown_letter: name.text has '\u{1DF00}' (U+1DF00"),
    ])
  func noName(text: String, words: String) async throws {
    let bench = try await SignatureBench(on: .sqlite)
    var field = try await FieldDriver.create(bench.device())
    try await field.tap()
    let before = field.view
    let refusal = try #require(await status { try await field.type(text) })
    #expect(refusal.code == .invalidArgument && refusal.message.hasPrefix(words), "\(refusal.message)")
    try await field.refresh()
    #expect(field.view == before)
  }

  @Test("an invalid typed name or font is refused")
  func badTyping() async throws {
    let bench = try await SignatureBench(on: .sqlite)
    var field = try await FieldDriver.create(bench.device())
    try await field.tap()
    for (text, font, words) in [
      ("   ", "", "name.text is empty"),
      (String(repeating: "x", count: 101), "", "name.text has 101 characters; a name has at most 100"),
      ("Anna", "comic", "name.font is 'comic'"),
    ] {
      let refusal = await status { try await field.type(text, font: font) }
      #expect(refusal?.code == .invalidArgument && refusal?.message.contains(words) == true)
    }
    var refusing = try await FieldDriver.create(
      bench.device(), settings: FieldSettings(header: "a", typingRefused: true))
    try await refusing.tap()
    #expect(await status { try await refusing.type("Anna") }?.code == .failedPrecondition)
  }
}
