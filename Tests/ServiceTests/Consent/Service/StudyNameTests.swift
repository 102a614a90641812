import Base
import ConsentContract
import ConsentDomain
import RPC
import StorageTestKit
import Testing

/// What a study is called, in the language of whoever reads it.
@Suite("Names of studies") struct StudyNameTests {
  @Test(
    "a name is found in shorter tags and in the script that a tag implies; else it is the one without a locale",
    arguments: [
      ("de", "Herz"), ("de-AT", "Herz"), ("de-CH", "Härz"), ("zh-TW", "心臟"), ("zh-HK", "心臟"), ("zh-CN", "心脏"),
      ("zh", "心脏"), ("fr", "Heart"), ("en-GB", "Heart"), ("en", "Heart"),
    ])
  func fallback(locale: String, expected: String) throws {
    let study = ConsentStudy(
      studyID: World.study, name: "Heart", defaultLocale: "en",
      names: LocalizedText(["de": "Herz", "de-CH": "Härz", "zh-Hans": "心脏", "zh-Hant": "心臟"]))
    let tag = try #require(LocaleTag(locale))
    #expect(study.name(for: tag) == expected)
    #expect(ConsentStudy(name: "Heart", defaultLocale: "en").name(for: tag) == "Heart")
  }

  @Test("the name without a locale is the one in the default locale, before a longer way round")
  func defaultLocale() throws {
    let study = ConsentStudy(name: "Herz", defaultLocale: "de", names: LocalizedText(["en": "Heart"]))
    let (austrian, french) = (try #require(LocaleTag("de-AT")), try #require(LocaleTag("fr")))
    #expect(study.name(for: austrian) == "Herz" && study.name(for: french) == "Herz")
  }

  @Test("names have bounds, a locale each, and each locale once, the default one none")
  func bounds() async throws {
    let world = try await World()
    func put(_ names: [Translation]) async throws -> CreateStudyResponse {
      let study = ConsentStudy(name: "Heart", names: LocalizedText(translations: names))
      return try await world.admin.studies.createStudy(CreateStudyRequest(study: study))
    }
    func names(_ count: Int) -> [Translation] { (0..<count).map { Translation(locale: "de-x\($0)", text: "Herz") } }
    await expectRefusal(.invalidArgument, "too_many") { try await put(names(51)) }
    await expectRefusal(.invalidArgument, "unknown_locale") {
      try await put([Translation(locale: "no such tag", text: "Herz")])
    }
    await expectRefusal(.invalidArgument, "duplicate_name") {
      try await put([Translation(locale: "de-AT", text: "Herz"), Translation(locale: "DE_at", text: "Herz")])
    }
    await expectRefusal(.invalidArgument, "duplicate_name") { try await put([Translation(locale: "EN", text: "Herz")]) }
    await expectRefusal(.invalidArgument, "duplicate_name") {
      let study = ConsentStudy(
        name: "Herz", defaultLocale: "de_at", names: LocalizedText(["en": "Heart", "de-AT": "Kardio"]))
      return try await world.admin.studies.createStudy(CreateStudyRequest(study: study))
    }
    await expectRefusal(.invalidArgument, "missing_text") { try await put([Translation(locale: "de", text: " ")]) }
    func long(_ length: Int) -> [Translation] {
      [Translation(locale: "de", text: String(repeating: "x", count: length))]
    }
    await expectRefusal(.invalidArgument, "too_long") { try await put(long(1001)) }
    #expect(try await put(long(1000)).study?.names?.translations == long(1000))
    #expect(try await put(names(50)).study?.names?.translations.count == 50)
    #expect(try await put([]).study?.names == nil)
    await world.end()
  }

  @Test(
    "names are stored in one spelling and order, are there after a restart, and go with an update",
    arguments: TestEngine.allCases)
  func stored(engine: TestEngine) async throws {
    let world = try await World(engine)
    try await world.open()
    func update(_ names: LocalizedText?) async throws -> ConsentStudy? {
      let study = ConsentStudy(studyID: World.study, name: "Heart", names: names)
      return try await world.admin.studies.updateStudy(UpdateStudyRequest(study: study)).study
    }
    let names = LocalizedText(["de-AT": "Herz", "fr": "Cœur"])
    #expect(try await update(LocalizedText(["fr": "Cœur", "DE_at": "Herz"]))?.names == names)
    let events = try await world.events().count
    #expect(try await update(names)?.names == names)
    #expect(try await world.events().count == events, "another order changes nothing")
    let replica = try await Replica(of: world)
    let found = try await replica.app.studies.getStudy(GetStudyRequest(studyID: World.study)).study
    #expect(found?.names == names && found?.name == "Heart")
    await replica.end()
    #expect(try await update(nil)?.names == nil)
    await world.end()
  }

  @Test("a copy has the name in the language of its document", arguments: [("de-AT", "Herz"), ("fr", "Heart")])
  func copies(locale: String, expected: String) async throws {
    let world = try await CopyWorld()
    try await world.open()
    let study = ConsentStudy(
      studyID: World.study, name: "Heart", names: LocalizedText(["de": "Herz", "fr": "Cœur"]))
    _ = try await world.consent.admin.studies.updateStudy(UpdateStudyRequest(study: study))
    // There is no French document, so that it is the English one that is shown.
    let start = try await world.consent.app.sessions.startSession(
      StartSessionRequest(flowID: "flow", subjectID: "s1", locale: locale, clientSchema: 2))
    let session = try #require(start.session?.sessionID)
    let preview = try await world.consent.app.sessions.previewSignedCopy(PreviewSignedCopyRequest(sessionID: session))
    let text = try await CopyWorld.text(of: preview.content)
    #expect(text.split(separator: "\n").contains { $0 == expected }, "\(text.prefix(400))")
    await world.end()
  }
}
