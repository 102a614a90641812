import Base
import ConsentContract
import ConsentService
import Storage
import StorageTestKit
import Testing
import Wire

/// A record names what was shown, and the bytes are stored, whatever happens between reading and signing.
@Suite("What was shown")
struct ShownContentTests {
  private func checkShown(_ world: World, _ record: ConsentRecord, contains title: String) async throws {
    let shown = try await world.app.records.getShownContent(GetShownContentRequest(recordID: record.recordID))
    #expect(Digest(of: shown.content).hex == record.shownHash && shown.hash == record.shownHash)
    #expect(String(decoding: shown.content, as: UTF8.self).contains(title))
  }

  @Test("in another language a review starts again: nobody signs in German what was read in English")
  func otherLanguage() async throws {
    let world = try await World()
    try await world.open()
    let naming = try await world.walk { $0.kind == .name }
    let resumed = try #require(
      try await world.app.sessions.resumeSession(
        ResumeSessionRequest(sessionID: naming.sessionID, locale: "de", clientSchema: 2)
      ).session)
    #expect(resumed.screen?.kind == .review && resumed.screen?.locale == "de")
    #expect(resumed.screen?.offered.contains(.agree) == false, "the gate waits for the end of the German text")
    let record = try await world.record(of: try await world.goOn(resumed))
    let version = try #require(
      try await world.publisher.documents.getDocument(GetDocumentRequest(documentID: Example.documentID)).version)
    #expect(record.locale == "de")
    #expect(record.localeHash == version.localeHashes.first { $0.locale == "de" }?.hash)
    try await checkShown(world, record, contains: "Heart study (de)")
    await world.end()
  }

  @Test("in the same language the session stays where it is")
  func sameLanguage() async throws {
    let world = try await World()
    try await world.open()
    let naming = try await world.walk { $0.kind == .name }
    let resumed = try await world.app.sessions.resumeSession(
      ResumeSessionRequest(sessionID: naming.sessionID, locale: "en", clientSchema: 2))
    #expect(resumed.session?.screen?.kind == .name)
    await world.end()
  }

  @Test("a form of several pages starts again in another language, and the record holds only that language")
  func formInAnotherLanguage() async throws {
    let world = try await World()
    try await world.open(flow: Example.forms(Example.form("terms", pages: 3)))
    let last = try await world.walk { $0.navigationBar?.page == 3 }
    let resumed = try #require(
      try await world.app.sessions.resumeSession(
        ResumeSessionRequest(sessionID: last.sessionID, locale: "de", clientSchema: 2)
      )
      .session)
    #expect(resumed.screen?.navigationBar?.page == 1)
    let record = try await world.record(of: try await world.goOn(resumed))
    // The form was never translated: the record says in which language it was read.
    #expect(record.locale == "en")
    try await checkShown(world, record, contains: "<section lang=\"en\" dir=\"ltr\"><h1>")
    await world.end()
  }

  @Test("changing a tenant's texts between agreement and signature leaves the shown bytes unchanged")
  func words() async throws {
    let world = try await World()
    try await world.open()
    let naming = try await world.walk { $0.kind == .name }
    // The title of the review is part of what is shown.
    let words = LocalizedText(translations: [Translation(locale: "en", text: "Read this")])
    _ = try await world.admin.studies.setTexts(
      SetTextsRequest(overrides: [TextOverride(key: "review.title", text: words)]))
    let record = try await world.record(of: try await world.goOn(naming))
    try await checkShown(world, record, contains: "<h1>Review</h1>")
    let later = try await world.record(of: try await world.walk(subject: "s2"))
    try await checkShown(world, later, contains: "<h1>Read this</h1>")
    await world.end()
  }

  @Test("a tenant's new texts and a translation added later reach every replica", arguments: TestEngine.allCases)
  func replicas(engine: TestEngine) async throws {
    let world = try await World(engine)
    try await world.open()
    let replica = try await Replica(of: world)
    func firstScreen() async throws -> ConsentScreen? {
      try await replica.app.sessions.startSession(StartSessionRequest(flowID: "flow", locale: "fr", clientSchema: 2))
        .session?
        .screen
    }
    #expect(try await firstScreen()?.toolbar?.buttons.first?.title == "Suivant")
    let words = LocalizedText(translations: [Translation(locale: "fr", text: "En avant")])
    _ = try await world.admin.studies.setTexts(
      SetTextsRequest(overrides: [TextOverride(key: "button.next", text: words)]))
    #expect(try await firstScreen()?.toolbar?.buttons.first?.title == "En avant")
    _ = try await world.publisher.documents.setDocumentTranslation(
      SetDocumentTranslationRequest(documentID: Example.documentID, version: 1, text: Example.text("fr")))
    #expect(try await world.record(of: try await world.walk(locale: "fr")).locale == "fr")
    #expect(try await firstScreen()?.title != nil)
    await replica.end()
    await world.end()
  }
}
