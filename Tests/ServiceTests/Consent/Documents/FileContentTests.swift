import Base
import ConsentContract
import ConsentDomain
import ConsentService
import RPC
import ServicePolicy
import SignatureContract
import Storage
import StorageTestKit
import TestSupport
import Testing
import Wire

/// A PDF file as the content of a document: from its upload to the signed copy.
@Suite("PDF files as content") struct FileContentTests {
  /// What two people would upload, the English and the German one.
  private let files = ["en": PlainPDF("First page", "Second page", "Third page"), "de": PlainPDF("Erste", "Letzte")]

  private func store(_ world: World, _ file: [UInt8]) async throws -> CreateAssetResponse {
    try await world.publisher.documents.createAsset(CreateAssetRequest(kind: .pdf, data: file))
  }

  /// The example's document with files in place of its sections' content.
  private func content(_ hashes: [String: String]) -> DocumentContent {
    var content = Example.content()
    content.settings?.comprehension = nil
    content.settings?.sections = []
    for index in content.texts.indices {
      (content.texts[index].sections, content.texts[index].questions) = ([], [])
      content.texts[index].file = PagedFile(asset: hashes[content.texts[index].locale] ?? "")
    }
    return content
  }

  private var flow: FlowDefinition {
    var flow = Example.flow()
    flow.steps.removeAll { ["sections", "quiz"].contains($0.id) }
    return flow
  }

  /// A world in which people are shown the files.
  private func open(_ world: World) async throws -> [String: String] {
    var hashes: [String: String] = [:]
    for (locale, file) in files { hashes[locale] = try await store(world, file.bytes).hash }
    try await world.open(content: content(hashes), flow: flow)
    return hashes
  }

  private func start(_ world: World, locale: String = "en") async throws -> SessionView {
    try #require(
      try await world.app.sessions.startSession(
        StartSessionRequest(flowID: "flow", subjectID: "s1", locale: locale, clientSchema: 4)
      ).session)
  }

  /// Goes on to a screen, as a client that knows all.
  private func goOn(
    _ world: World, _ start: SessionView, until isThere: (ConsentScreen) -> Bool = { _ in false }
  ) async throws -> [ConsentScreen] {
    var view = start
    var screens: [ConsentScreen] = []
    while let screen = view.screen {
      screens.append(screen)
      if screen.offered.isEmpty || isThere(screen) { break }
      let request = ActOnSessionRequest(
        sessionID: view.sessionID, expectedVersion: view.version, action: Walker.goodAction(on: screen),
        clientSchema: 4)
      view = try #require(try await world.app.sessions.actOnSession(request).session)
    }
    return screens
  }

  @Test("page by page, with image and words; the file's hash is on screens, record and events, and its bytes are kept")
  func shown() async throws {
    let world = try await World()
    let hashes = try await open(world)
    let file = try #require(files["en"]).bytes
    let hash = try #require(hashes["en"])
    #expect(hash == Digest(of: file).hex)
    let session = try await start(world)
    let screens = try await goOn(world, session)
    let pages = screens.filter { $0.kind == .page }
    #expect(pages.map(\.text) == ["First page", "Second page", "Third page"])
    #expect(pages.map { $0.navigationBar?.pageLabel } == ["1 of 3", "2 of 3", "3 of 3"])
    #expect(pages.allSatisfy { $0.fileHash == hash && $0.schemaVersion == 4 && $0.stepID == "review" })
    for page in pages {
      let request = GetAssetRequest(hash: page.image?.asset ?? "")
      let asset = try #require(try await world.app.documents.getAsset(request).asset)
      #expect(asset.kind == .jpeg && AssetReading.fault(in: asset.data, of: .jpeg) == nil)
    }
    let review = try #require(screens.first { $0.kind == .review })
    #expect(review.fileHash == hash && review.html.contains(hash))
    for page in pages { #expect(review.html.contains("asset:\(page.image?.asset ?? "?")\" alt=\"\(page.text)\"")) }

    let view = try #require(
      try await world.app.sessions.getSession(GetSessionRequest(sessionID: session.sessionID)).session)
    let record = try await world.record(of: view)
    #expect(record.fileHash == hash && record.shownHash == review.shownHash)
    let shown = try await world.app.records.getShownContent(GetShownContentRequest(recordID: record.recordID))
    #expect(shown.file == file && shown.content == Array(review.html.utf8))
    let entries = try await world.events().filter { $0.kind == .recordEntry }
    #expect(!entries.isEmpty && entries.allSatisfy { $0.fileHash == hash })
    await world.end()
  }

  @Test("Back leads from page to page, and another language begins at its own first page")
  func moves() async throws {
    let world = try await World()
    let hashes = try await open(world)
    let session = try await start(world)
    let last = try await goOn(world, session) { $0.kind == .signature }
    #expect(last.last?.kind == .signature)
    let resumed = try #require(
      try await world.app.sessions.resumeSession(
        ResumeSessionRequest(sessionID: session.sessionID, locale: "de", clientSchema: 4)
      ).session)
    #expect(resumed.screen?.kind == .page && resumed.screen?.text == "Erste")
    let next = try await goOn(world, resumed) { $0.text == "Letzte" }
    let bar = next.last?.navigationBar
    #expect(bar?.leading?.title == "Zurück zu „1 von 2“" && bar?.leading?.action == .back)
    #expect(next.last?.fileHash == hashes["de"])
    await world.end()
  }

  @Test("a client that knows no pages is told to be updated, and is shown nothing wrong")
  func olderClient() async throws {
    let world = try await World()
    _ = try await open(world)
    let view = try await world.walk { $0.id == "review/file-page-1" }
    #expect(view.screen?.kind == .plain && view.screen?.offered.contains(.next) == false)
    await world.end()
  }

  @Test("what is used offline has the pages' images and the file, and a walk of it makes the same record")
  func offline() async throws {
    let world = try await World()
    let hashes = try await open(world)
    let session = try await start(world)
    let bundle = try #require(
      try await world.app.sessions.getOfflineBundle(GetOfflineBundleRequest(sessionID: session.sessionID)).bundle)
    let images = bundle.screens.compactMap(\.screen).filter { $0.kind == .page }.compactMap(\.image?.asset)
    #expect(Set(images).count == 3 && Set(images).isSubset(of: bundle.assets))
    #expect(bundle.assets.contains(try #require(hashes["en"])))
    for hash in bundle.assets {
      #expect(try await world.app.documents.getAsset(GetAssetRequest(hash: hash)).asset?.hash == hash)
    }
    await world.end()
  }

  @Test("the signed copy shows the pages and carries the file")
  func copy() async throws {
    let world = try await CopyWorld()
    let hashes = try await open(world.consent)
    let start = try await start(world.consent)
    let preview = try await world.consent.app.sessions.previewSignedCopy(
      PreviewSignedCopyRequest(sessionID: start.sessionID))
    let folder = try TemporaryFolder()
    try Files.write(preview.content, to: folder.file("copy.pdf"))
    func output(_ tool: String, _ arguments: [String]) async throws -> [String] {
      var command = ChildCommand(tool, arguments)
      command.directory = folder.path
      let (exit, lines) = try await ChildProcess.output(of: command)
      #expect(exit.isSuccess, "\(tool): \(lines)")
      return lines
    }
    _ = try await output("pdfdetach", ["-save", "1", "-o", "file.pdf", "copy.pdf"])
    #expect(try Files.read(folder.file("file.pdf")) == files["en"]?.bytes)
    let images = try await output("pdfimages", ["-list", "copy.pdf"])
    #expect(images.count { $0.contains("jpeg") } == 3, "\(images)")
    let words = try await output("pdftotext", ["copy.pdf", "-"]).joined()
    #expect(words.contains("Heart study (en)") && words.contains("SHA-256"))
    let hash = try #require(hashes["en"])
    #expect(words.filter { $0 != "\n" }.contains(hash.prefix(20)), "\(words)")
    _ = try await output("qpdf", ["--check", "copy.pdf"])
    await world.end()
  }

  @Test("the file stays attached to the copy with evidence, beside the evidence and the sealed file")
  func withEvidence() async throws {
    let world = try await CopyWorld()
    _ = try await open(world.consent)
    world.startSealing()
    let start = try await start(world.consent)
    let screens = try await goOn(world.consent, start) { $0.kind == .signature }
    let field = try await world.evidence.field(for: try #require(screens.last?.signatureForm?.place))
    let asked = GetSessionRequest(sessionID: start.sessionID)
    let waiting = try #require(try await world.consent.app.sessions.getSession(asked).session)
    let drawn = DrawnSignature(fieldID: field.fieldID, revision: field.saved?.revision ?? 0)
    let request = ActOnSessionRequest(
      sessionID: start.sessionID, expectedVersion: waiting.version,
      action: FlowAction(kind: .sign, signature: SignatureInput(image: .drawn(drawn))), clientSchema: 4)
    let signed = try #require(try await world.consent.app.sessions.actOnSession(request).session)
    _ = try await goOn(world.consent, signed)
    let ended = try #require(try await world.consent.app.sessions.getSession(asked).session)
    let record = try await world.consent.record(of: ended)
    try await world.run(record.recordID, participants: true) { $0.state == .sealed }
    let plain = try await CopyWorld.attachments(of: try await world.get(record.recordID).content)
    #expect(plain.keys.sorted() == ["document.pdf"] && plain["document.pdf"] == files["en"]?.bytes)
    let full = try await CopyWorld.attachments(of: try await world.get(record.recordID, evidence: true).content)
    #expect(full.keys.sorted() == ["document.pdf", "evidence.json", "signed-copy.pdf"])
    await world.end()
  }

  @Test("a scan needs its words from its author, a draft names a file that is there, and one content is enough")
  func problems() async throws {
    let world = try await World()
    try await world.open()
    let scan = try await store(world, PlainPDF("Words", PlainPDF.scan).bytes)
    #expect(scan.pages.map(\.text) == ["Words", ""])
    func rules(_ change: (inout DocumentContent) -> Void) async throws -> [String] {
      var content = content(["en": scan.hash, "de": scan.hash])
      change(&content)
      let request = ValidateDocumentRequest(content: content)
      return try await world.publisher.documents.validateDocument(request).problems
        .filter { $0.severity == .error }.map { "\($0.rule) \($0.field)" }
    }
    #expect(
      try await rules { _ in } == [
        "missing_alt_text texts[en].file.page_texts[1]", "missing_alt_text texts[de].file.page_texts[1]",
      ])
    let words = try await rules { content in
      for index in content.texts.indices { content.texts[index].file?.pageTexts = ["", "What the scan says"] }
    }
    #expect(words == [])
    let forged = try await rules { content in
      for index in content.texts.indices {
        content.texts[index].file?.pages = [FilePage(imageAsset: "0", text: "a"), FilePage(imageAsset: "0", text: "b")]
      }
    }
    #expect(forged.count == 2, "pages that an author states count for nothing")
    let unknown = try await rules { content in
      for index in content.texts.indices { content.texts[index].file?.asset = "<script>" }
    }
    #expect(unknown == ["unknown_asset texts[en].file.asset", "unknown_asset texts[de].file.asset"])
    let both = try await rules { content in
      for index in content.texts.indices {
        content.texts[index].file?.pageTexts = ["", "b", "c"]
        content.texts[index].htmlReviewContent = "<p>Text</p>"
      }
    }
    #expect(both.contains("two_contents texts[en].html_review_content"))
    #expect(both.contains("too_many texts[en].file.page_texts"))
    let none = try await rules { $0.texts[1].file = nil }
    #expect(none.contains("no_sections settings.sections"))
    await world.end()
  }

  @Test("a document goes out and in again with its file")
  func exported() async throws {
    let world = try await World()
    let hashes = try await open(world)
    let request = ExportDocumentRequest(documentID: Example.documentID)
    var file = try #require(try await world.publisher.documents.exportDocument(request).file)
    #expect(Set(file.assets.map(\.hash)) == Set(hashes.values))
    file.documentID = "again"
    let draft = try await world.publisher.documents.importDocument(
      ImportDocumentRequest(studyID: World.study, file: file))
    #expect(draft.problems.filter { $0.severity == .error }.isEmpty, "\(draft.problems)")
    #expect(draft.version?.content?.texts.first { $0.locale == "de" }?.file?.pages.map(\.text) == ["Erste", "Letzte"])
    await world.end()
  }

  @Test("garbage, bombs, encrypted and truncated files are refused with the reason")
  func refused() async throws {
    let world = try await World()
    try await world.open()
    let sound = PlainPDF("One").bytes
    var script = PlainPDF("One")
    script.catalog = "/OpenAction<</S/JavaScript/JS(1)>>"
    var unknown = PlainPDF("One) Tj ET /X1 Do BT (")
    unknown.objects = ["<</Type/XObject/Subtype/Form/BBox[0 0 9 9]/Length 9>>\nstream\n(((((((((\nendstream"]
    for (file, words) in [
      (Array("%PDF-1.7\nnothing".utf8), "end is missing"), (Array(sound.dropLast(60)), "refused"),
      (script.bytes, "script"), (unknown.bytes, "drawn whole"),
    ] {
      let error = await #expect(throws: Status.self) { try await store(world, file) }
      #expect(error?.message.hasPrefix("broken_asset: ") == true && error?.message.contains(words) == true, "\(error)")
    }
    let folder = try TemporaryFolder()
    try Files.write(sound, to: folder.file("in.pdf"))
    var encrypt = ChildCommand("qpdf", ["--encrypt", "", "owner", "256", "--", "in.pdf", "out.pdf"])
    encrypt.directory = folder.path
    #expect(try await ChildProcess.output(of: encrypt).exit.isSuccess)
    let encrypted = try Files.read(folder.file("out.pdf"))
    let error = await #expect(throws: Status.self) { try await store(world, encrypted) }
    #expect(error?.message.contains("the file is encrypted") == true, "\(error)")
    await expectRefusal(.invalidArgument, "asset_size_out_of_bounds") {
      try await store(world, sound + [UInt8](repeating: 32, count: 5 << 20))
    }
    await expectRefusal(.invalidArgument, "asset_kind_differs") { try await store(world, [1, 2, 3]) }
    await world.end()
  }

  @Test("a file of a kilobyte that would be drawn for years is given up after its time")
  func bomb() throws {
    var file = PlainPDF("One) Tj ET /X1 Do BT (")
    file.objects = (0..<12).map { level in
      let content = String(repeating: level == 11 ? "0 0 9 9 re f " : "/X1 Do ", count: 12)
      let next = level == 11 ? "" : "/Resources<</XObject<</X1 \(11 + level) 0 R>>>>"
      return "<</Type/XObject/Subtype/Form/BBox[0 0 900 900]\(next)/Length \(content.utf8.count)>>\nstream\n"
        + "\(content)\nendstream"
    }
    let refusal = #expect(throws: Refusal.self) {
      try PageDrawer(patience: .seconds(1)).pages(of: file.bytes, count: 1, "data")
    }
    #expect(refusal?.rule == "takes_too_long" && refusal?.kind == .invalid, "\(String(describing: refusal))")
  }

  @Test("images are of bounded size, however large the paper")
  func largePaper() throws {
    var file = PlainPDF("One")
    file.box = "[0 0 14400 7200]"
    let page = try #require(try PageDrawer().pages(of: file.bytes, count: 1, "data").first)
    #expect(page.width == 1600 && page.height == 800 && page.text == "One")
  }
}
