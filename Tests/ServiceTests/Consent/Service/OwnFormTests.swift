import Base
import ConsentContract
import RPC
import StorageTestKit
import Testing

/// In which words an app asked by a form of a flow, on screens of its own.
@Suite("Forms on screens of an app's own") struct OwnFormTests {
  /// A world whose flow has a form that is first in English and German, and then asks for more in other words.
  private func worldOfTwoVersions(_ engine: TestEngine = .sqlite) async throws -> World {
    let world = try await World(engine)
    var flow = Example.flow()
    flow.steps.insert(Example.form("news"), at: 0)
    if case .form(var form) = flow.steps[0].step {
      form.pages[0].title?.translations.append(Translation(locale: "de", text: "Neues"))
      flow.steps[0].step = .form(form)
    }
    try await world.open(flow: flow)
    if case .form(var form) = flow.steps[0].step {
      form.pages[0].body = "And pass my data on.".inEnglish
      flow.steps[0].step = .form(form)
    }
    let draft = try await world.redraft(flow)
    _ = try await world.publisher.flows.publishFlowDraft(
      PublishFlowDraftRequest(flowID: "flow", expectedRevision: draft.version?.revision ?? 0))
    return world
  }

  private func withForm(_ version: Int32, _ locale: String, _ subject: String = "s1") -> RecordConsentRequest {
    Example.recordConsent { request in
      request.forms = [FormDecision(stepID: "news", allowed: true)]
      (request.flowVersion, request.flowLocale, request.subjectID) = (version, locale, subject)
    }
  }

  @Test(
    "a form's record has the words that the app says it showed, and none where it does not say",
    arguments: TestEngine.allCases)
  func words(engine: TestEngine) async throws {
    let world = try await worldOfTwoVersions(engine)
    func form(_ version: Int32, _ locale: String, _ subject: String) async throws -> ConsentRecord {
      let answer = try await world.app.sessions.recordConsent(withForm(version, locale, subject))
      return try #require(answer.records.first { $0.kind == .form })
    }
    func shown(_ record: ConsentRecord) async throws -> String {
      let answer = try await world.app.records.getShownContent(GetShownContentRequest(recordID: record.recordID))
      #expect(answer.hash == record.shownHash && Digest(of: answer.content).hex == record.shownHash)
      return String(decoding: answer.content, as: UTF8.self)
    }
    func versionHash(_ number: Int32) async throws -> String? {
      try await world.publisher.flows.getFlow(GetFlowRequest(flowID: "flow", version: number)).version?.versionHash
    }
    // An app that was built before the present version goes on.
    let (old, new) = (try await form(1, "en", "s1"), try await form(2, "en", "s2"))
    #expect([old.flowVersion, new.flowVersion] == [1, 2] && [old.locale, new.locale] == ["en", "en"])
    let hashes = [try await versionHash(1), try await versionHash(2)]
    #expect([old.versionHash, new.versionHash] == hashes)
    #expect(try await shown(old).contains("news body 1"))
    #expect(try await shown(new).contains("pass my data on"))
    #expect(try await world.check("s1", "news").permitted)
    try await world.walk(subject: "s3")
    let ofWalk = try await world.app.records.getSubjectHistory(GetSubjectHistoryRequest(subjectID: "s3")).records
    let walked = try #require(ofWalk.first { $0.kind == .form })
    #expect(walked.shownHash == new.shownHash && walked.versionHash == new.versionHash)
    let german = try await form(1, "de", "s4")
    #expect(german.locale == "de")
    #expect(try await shown(german).contains("Neues"))
    // Without a version nobody knows what was shown.
    let silent = try await form(0, "", "s5")
    #expect(silent.shownHash.isEmpty && silent.locale.isEmpty && silent.flowVersion == 2 && silent.ownScreens)
    #expect(silent.state == .inForce && silent.history.map(\.kind) == old.history.map(\.kind))
    await expectRefusal(.notFound, "unknown_shown_content") { try await shown(silent) }
    let receipt = try await world.app.records.exportRecord(
      ExportRecordRequest(recordID: silent.recordID, format: .receipt))
    let text = String(decoding: receipt.content, as: UTF8.self)
    #expect(!text.contains("shown_hash") && !text.contains("pass my data on"))
    await world.end()
  }

  @Test("a form that was not translated is recorded in the language that stood in, beside one that was")
  func partlyTranslated() async throws {
    let world = try await World()
    var flow = Example.flow()
    flow.steps.insert(contentsOf: [Example.form("news"), Example.form("contact")], at: 0)
    if case .form(var form) = flow.steps[0].step {
      form.pages[0].title?.translations.append(Translation(locale: "de", text: "Neues"))
      flow.steps[0].step = .form(form)
    }
    try await world.open(flow: flow)
    var request = withForm(1, "de")
    request.forms.append(FormDecision(stepID: "contact", allowed: true))
    let forms = try await world.app.sessions.recordConsent(request).records.filter { $0.kind == .form }
    #expect(Set(forms.map { "\($0.stepID) \($0.locale)" }) == ["news de", "contact en"])
    await world.end()
  }

  @Test("words that the flow does not have, or that may not be agreed to any more, are refused")
  func otherWords() async throws {
    let world = try await worldOfTwoVersions()
    func refused(_ code: StatusCode, _ rule: String, _ version: Int32, _ locale: String) async {
      await expectRefusal(code, rule) { try await world.app.sessions.recordConsent(withForm(version, locale)) }
    }
    await refused(.invalidArgument, "not_stated", 1, "")
    await refused(.invalidArgument, "not_stated", 0, "en")
    await refused(.invalidArgument, "unknown_locale", 1, "in English")
    await refused(.failedPrecondition, "other_locale", 1, "fr")
    await refused(.failedPrecondition, "other_version", 3, "en")
    await refused(.failedPrecondition, "other_version", -1, "en")
    _ = try await world.publisher.flows.retireFlowVersion(RetireFlowVersionRequest(flowID: "flow", version: 1))
    await refused(.failedPrecondition, "other_version", 1, "en")
    var flow = Example.flow()
    flow.steps.insert(Example.form("news"), at: 0)
    if case .form(var form) = flow.steps[0].step {
      form.purpose = "advertising"
      flow.steps[0].step = .form(form)
    }
    let draft = try await world.redraft(flow)
    await refused(.failedPrecondition, "other_version", 3, "en")
    _ = try await world.publisher.flows.publishFlowDraft(
      PublishFlowDraftRequest(flowID: "flow", expectedRevision: draft.version?.revision ?? 0))
    // By the step of this name, version 2 asks for something else.
    await refused(.failedPrecondition, "other_version", 2, "en")
    #expect(try await world.app.sessions.recordConsent(withForm(3, "en")).session?.outcome == .completed)
    await world.end()
  }
}
