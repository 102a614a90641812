import Base
import Bus
import Ink
import RPC
import SignatureContract
import SignatureService
import StorageTestKit
import Testing
import Typesetting

/// Pictures of typed names, from RenderService without any database.
@Suite(.timeLimit(.minutes(2))) struct TypedNameTests {
  private let client: RenderServiceClient

  init() {
    client = Self.client(Typesetter())
  }

  private static func client(_ typesetter: Typesetter) -> RenderServiceClient {
    let bus = InProcessBus()
    bus.serve([SignatureBench.render(from: NoSignatures(), typesetter: typesetter)])
    return RenderServiceClient(bus.channel(for: CallerIdentity(kind: .device, tenant: "clinic")))
  }

  private func picture(
    _ text: String, _ font: String = "", _ settings: RenderSettings? = nil
  ) async throws -> RenderResponse {
    try await client.render(RenderRequest(source: .typed(TypedName(text: text, font: font)), settings: settings))
  }

  @Test("a typed name becomes a picture in every font and format, as the typesetter and Ink make it")
  func formats() async throws {
    var tags: Set<String> = []
    for font in NameFont.allCases {
      let letters = try Typesetter().letters(
        try TypedText(validating: "Zoë Müller"), font: font, on: Canvas(width: 600, height: 200))
      for format in [SignatureFormat.png, .svg, .pdf] {
        let settings = RenderSettings(format: format, inkColor: "#102030")
        let answer = try await picture(" Zoë  Müller", font.rawValue, settings)
        #expect(answer.image == (try Renderer().render(letters, RenderOptions(settings)).bytes))
        #expect(answer.width == 600 && answer.height == 200)
        tags.insert(answer.etag)
      }
    }
    #expect(tags.count == 6)
    #expect(try await picture("Zoë Müller") == picture("Zoë Müller", "script"))
  }

  @Test("a caller who has the picture of a name does not get it again")
  func notModified() async throws {
    var request = RenderRequest(source: .typed(TypedName(text: "Ada")))
    request.ifNoneMatch = try await client.render(request).etag
    let again = try await client.render(request)
    #expect(again.notModified && again.image.isEmpty)
  }

  @Test(
    "an invalid name, an unknown font and letters that no font has are refused with the field and the value",
    arguments: [
      ("", "", "typed.text is empty"), (String(repeating: "x", count: 101), "", "typed.text has 101 characters"),
      ("Anna\u{1B}[2J", "", "typed.text has U+001B"), ("Anna", "comic", "typed.font is 'comic'"),
      ("ᏣᎳ", "", "typed.text has 'Ꮳ' (U+13E3"), ("\u{200E}", "", "typed.text shows no letter"),
    ])
  func refusals(text: String, font: String, words: String) async throws {
    let refusal = await status { _ = try await picture(text, font) }
    #expect(refusal?.code == .invalidArgument && refusal?.message.contains(words) == true, "\(refusal?.message ?? "")")
  }

  @Test("a process without the fonts says which are missing, and still draws strokes")
  func missingFonts() async throws {
    let folder = try TemporaryFolder()
    let bare = Self.client(Typesetter(folder: folder.path))
    let refusal = await status { _ = try await bare.render(RenderRequest(source: .typed(TypedName(text: "Ada")))) }
    #expect(refusal?.code == .failedPrecondition)
    #expect(refusal?.message.contains("Debian's package fonts-dancingscript cannot be used") == true)
    let dot = InkDrawing(strokes: [InkStroke(x: [5], y: [5])])
    #expect(try await !bare.render(RenderRequest(source: .drawing(dot))).image.isEmpty)
  }

  @Test("a saved typed name is drawn by its identifier, here and by a process without a database")
  func saved() async throws {
    let bench = try await SignatureBench(on: .sqlite)
    var field = try await FieldDriver.create(bench.device())
    try await field.tap()
    try await field.type("Ada Lovelace", font: "plain")
    let request = RenderRequest(source: .signatureID(try #require(field.view.saved).signatureID))
    let drawn = try await RenderServiceClient(bench.channel()).render(request)
    let plain = try await picture("Ada Lovelace", "plain")
    #expect(drawn.image == plain.image && drawn.etag != plain.etag, "whoever has the ETag cannot try names")

    let bus = InProcessBus()
    bus.serve([SignatureHandlers(data: bench.data, pictures: SignatureBench.maker())])
    bus.serve([SignatureBench.render(from: RemoteSignatures(channel: bus.channel()))])
    let identity = CallerIdentity(kind: .device, tenant: "clinic", subject: "tablet-7")
    #expect(drawn == (try await RenderServiceClient(bus.channel(for: identity)).render(request)))
  }
}
