import ConsentContract
import ConsentDomain
import ConsentService
import RPC
import StorageTestKit
import Testing
import Wire

/// A session shows to its end the texts that it began with, whatever is added or set meanwhile.
@Suite("The texts of a session")
struct SessionTextTests {
  private func addTranslation(_ locale: String, _ world: World) async throws {
    _ = try await world.publisher.documents.setDocumentTranslation(
      SetDocumentTranslationRequest(documentID: Example.documentID, version: 1, text: Example.text(locale)))
  }

  @Test("a translation that comes while somebody reads is for the sessions that begin after it")
  func translation() async throws {
    let world = try await World()
    try await world.open()
    let reading = try await world.walk(locale: "de-AT") { $0.offered.contains(.agree) }
    #expect(reading.screen?.locale == "de")
    try await addTranslation("de-AT", world)
    let shown = try await world.app.sessions.getSession(
      GetSessionRequest(sessionID: reading.sessionID, clientSchema: 2))
    #expect(shown.session?.screen?.html == reading.screen?.html)
    let record = try await world.record(of: try await world.goOn(reading))
    #expect(record.locale == "de" && record.shownHash == reading.screen?.shownHash)
    let later = try await world.record(of: try await world.walk(subject: "s2", locale: "de-AT"))
    #expect(later.locale == "de-AT" && later.shownHash != record.shownHash)
    await world.end()
  }

  @Test("a tenant's words that are set while somebody reads change nothing that is agreed to")
  func words() async throws {
    let world = try await World()
    try await world.open()
    let reading = try await world.walk { $0.offered.contains(.agree) }
    let words = LocalizedText(translations: [Translation(locale: "en", text: "Read this")])
    _ = try await world.admin.studies.setTexts(
      SetTextsRequest(overrides: [TextOverride(key: "review.title", text: words)]))
    let record = try await world.record(of: try await world.goOn(reading))
    #expect(record.shownHash == reading.screen?.shownHash && record.textsVersion == 0)
    let later = try await world.record(of: try await world.walk(subject: "s2"))
    #expect(later.textsVersion == 1)
    await world.end()
  }

  @Test("in another language and back, a session goes on with what there is by then")
  func thereAndBack() async throws {
    let world = try await World()
    try await world.open()
    let reading = try await world.walk(locale: "de-AT") { $0.offered.contains(.agree) }
    try await addTranslation("de-AT", world)
    var view = reading
    for locale in ["en", "de-AT"] {
      let request = ResumeSessionRequest(sessionID: view.sessionID, locale: locale, clientSchema: 2)
      view = try #require(try await world.app.sessions.resumeSession(request).session)
      #expect(view.screen?.locale == locale && view.screen?.offered.contains(.agree) == false)
    }
    #expect(try await world.record(of: try await world.goOn(view)).locale == "de-AT")
    await world.end()
  }

  @Test("a test participant reads a draft again that its authors changed meanwhile")
  func draft() async throws {
    let world = try await World()
    try await world.open()
    let draft = try await world.publisher.documents.createDocumentDraft(
      CreateDocumentDraftRequest(documentID: Example.documentID))
    var content = try #require(draft.version?.content)
    content.settings?.reconsent = .noAction
    func save(after revision: Int32?) async throws -> Int32? {
      let update = UpdateDocumentDraftRequest(
        documentID: Example.documentID, expectedRevision: revision ?? 0, content: content)
      return try await world.publisher.documents.updateDocumentDraft(update).version?.revision
    }
    let revision = try await save(after: draft.version?.revision)
    let reading = try await world.walkDraft { $0.offered.contains(.agree) }
    for index in content.texts.indices { content.texts[index].reviewText = "Please read this instead." }
    _ = try await save(after: revision)
    await expectRefusal(.aborted, "text_changed") { try await world.act(reading, FlowAction(kind: .agree)) }
    let resumed = try #require(
      try await world.app.sessions.resumeSession(
        ResumeSessionRequest(sessionID: reading.sessionID, clientSchema: 2)
      ).session)
    #expect(resumed.screen?.offered.contains(.agree) == false && resumed.version > reading.version)
    #expect(try await world.goOn(resumed).outcome == .completed)
    await world.end()
  }
}
