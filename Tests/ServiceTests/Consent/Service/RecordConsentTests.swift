import Base
import CommonContract
import ConsentContract
import ConsentService
import RPC
import Storage
import StorageTestKit
import Testing
import Wire

@Suite("Consent on screens of an app's own")
struct RecordConsentTests {
  private func request(_ change: (inout RecordConsentRequest) -> Void = { _ in }) -> RecordConsentRequest {
    Example.recordConsent(change)
  }

  @Test("one call makes the record that a walk would make, and marks it", arguments: TestEngine.allCases)
  func good(engine: TestEngine) async throws {
    let world = try await World(engine)
    var flow = Example.flow()
    flow.steps.insert(Example.form("news", pages: 2), at: 0)
    try await world.open(flow: flow)
    let shown = "Heart study. You may leave at any time."
    let answer = try await world.app.sessions.recordConsent(
      request { request in
        request.forms = [FormDecision(stepID: "news", allowed: true)]
        request.documents[0].shownText = shown
      })
    #expect(answer.session?.outcome == .completed && answer.subjectID == "s1")
    // Both were decided in one moment, and stand in either order.
    #expect(Set(answer.records.map(\.kind)) == [.form, .document] && answer.records.allSatisfy(\.ownScreens))
    let record = try #require(answer.records.first { $0.kind == .document })
    #expect(record.state == .inForce && record.sharing == .wide && record.attempts.map(\.passed) == [true])
    let content = try await world.app.records.getShownContent(GetShownContentRequest(recordID: record.recordID))
    #expect(content.contentType == "text/plain; charset=utf-8" && content.content == Array(shown.utf8))
    let opening = Commitment.Opening(
      label: "shown text", salt: content.salt, value: Digest(of: Array(shown.utf8)).bytes)
    #expect(content.hash == opening.digest.hex && record.shownHash == content.hash)
    #expect(try await world.check().permitted)
    var ofWalk: [ConsentRecord] = []
    for id in try await world.walk(subject: "s2").recordIDs {
      ofWalk.append(try #require(try await world.app.records.getRecord(GetRecordRequest(recordID: id)).record))
    }
    let walked = try #require(ofWalk.first { $0.kind == .document })
    #expect(walked.state == record.state && walked.purposes == record.purposes && !walked.ownScreens)
    #expect(walked.history.map(\.kind) == record.history.map(\.kind))
    let result = try await world.app.sessions.getSessionResult(
      GetSessionResultRequest(sessionID: answer.session?.sessionID ?? ""))
    #expect(result.result?.steps.first { $0.stepID == "quiz" }?.answers.count == 2)
    await world.end()
  }

  @Test("who reads what an app showed is on record, and it is erased with the subject", arguments: TestEngine.allCases)
  func erased(engine: TestEngine) async throws {
    let world = try await World(engine)
    try await world.open()
    let answer = try await world.app.sessions.recordConsent(
      request { $0.documents[0].shownText = "I, Ada Lovelace, may leave at any time." })
    let record = try #require(answer.records.first)
    let shown = GetShownContentRequest(recordID: record.recordID)
    _ = try await world.investigator.records.getShownContent(shown)
    let readings = try await world.events().filter { $0.purpose == "shown text" }
    #expect(readings.map(\.actor) == ["ines"] && readings.first?.kind == .personalDataRead)
    #expect(readings.first?.subjectID == "s1")
    _ = try await world.admin.records.eraseSubject(EraseSubjectRequest(subjectID: "s1", reason: "asked for"))
    await expectRefusal(.failedPrecondition, "subject_erased") {
      try await world.investigator.records.getShownContent(shown)
    }
    let left = try await world.app.records.getRecord(GetRecordRequest(recordID: record.recordID)).record
    #expect(left?.shownHash == record.shownHash && left?.attempts == [])
    // What was composed here speaks of nobody, and stays.
    let ours = try await world.app.sessions.recordConsent(request { $0.subjectID = "s2" })
    _ = try await world.admin.records.eraseSubject(EraseSubjectRequest(subjectID: "s2", reason: "asked for"))
    let kept = try await world.app.records.getShownContent(
      GetShownContentRequest(recordID: try #require(ours.records.first).recordID))
    #expect(Digest(of: kept.content).hex == ours.records.first?.shownHash && kept.salt.isEmpty)
    await world.end()
  }

  @Test("what an app showed is refused once it was replaced or removed by hand", arguments: TestEngine.allCases)
  func altered(engine: TestEngine) async throws {
    let world = try await World(engine)
    try await world.open()
    func record(_ subject: String, _ shown: String) async throws -> String {
      let answer = try await world.app.sessions.recordConsent(
        request { ($0.subjectID, $0.documents[0].shownText) = (subject, shown) })
      return try #require(answer.records.first).recordID
    }
    let (first, second) = (try await record("s1", "You may leave."), try await record("s2", "You may leave."))
    let forged = engine.literal(Array("forged".utf8))
    try await world.test.location.alter(
      "UPDATE storage_vault_items SET sealed = \(forged) WHERE subject = 's1' AND item LIKE 'shown/%'",
      schema: world.test.schema.name)
    try await world.test.location.alter(
      "DELETE FROM storage_vault_items WHERE subject = 's2' AND item LIKE 'shown/%'", schema: world.test.schema.name)
    for id in [first, second] {
      await expectRefusal(.dataLoss, "data_corrupt") {
        try await world.app.records.getShownContent(GetShownContentRequest(recordID: id))
      }
    }
    await world.end()
  }

  @Test("without a text of its own the app showed ours, under its hash; declined is declined")
  func ours() async throws {
    let world = try await World()
    try await world.open()
    let answer = try await world.app.sessions.recordConsent(request())
    let record = try #require(answer.records.first)
    let walked = try await world.record(of: try await world.walk(subject: "s2"))
    #expect(record.shownHash == walked.shownHash)
    let declined = try await world.app.sessions.recordConsent(
      request { request in
        request.subjectID = "s3"
        request.documents[0].agreed = false
        request.documents[0].signatures = []
      })
    #expect(declined.session?.outcome == .declined && declined.records.map(\.state) == [.declined])
    await world.end()
  }

  @Test("what the flow asks for and the app does not give is refused, each by name, and nothing is stored")
  func missing() async throws {
    let world = try await World()
    try await world.open()
    func refused(_ code: StatusCode, _ rule: String, _ change: (inout RecordConsentRequest) -> Void) async {
      await expectRefusal(code, rule) { try await world.app.sessions.recordConsent(request(change)) }
    }
    await refused(.failedPrecondition, "not_given") { $0.answers = [] }
    await refused(.failedPrecondition, "not_given") { $0.documents = [] }
    await refused(.failedPrecondition, "not_given") { $0.documents[0].signatures = [] }
    await refused(.invalidArgument, "sharing_not_chosen") { $0.documents[0].sharing = .unspecified }
    await refused(.invalidArgument, "name_missing") { $0.documents[0].signatures[0].name = nil }
    await refused(.invalidArgument, "signature_missing") { $0.documents[0].signatures[0].signature = nil }
    await refused(.failedPrecondition, "other_version") { $0.documents[0].documentVersion = 7 }
    await refused(.failedPrecondition, "other_locale") { $0.documents[0].locale = "de" }
    await refused(.invalidArgument, "unknown_document") { $0.documents[0].documentID = "another" }
    await refused(.invalidArgument, "too_long") {
      $0.documents[0].shownText = String(repeating: "x", count: (1 << 20) + 1)
    }
    await refused(.notFound, "unknown_flow") { $0.flowID = "another" }
    let history = try await world.admin.records.listEvents(ListEventsRequest(pageSize: 1000))
    #expect(!history.events.contains { $0.kind == .sessionStarted })
    await world.end()
  }

  @Test("what the flow does not ask for is refused, each by name, and nothing is stored")
  func unused() async throws {
    let world = try await World()
    var flow = Example.flow()
    flow.steps.insert(Example.form("news"), at: flow.steps.count - 1)
    try await world.open(flow: flow)
    let answered = QuestionAnswer(questionID: "leave", choiceIDs: ["any-time"])
    let name = PersonName(given: "Ines", family: "Ito")
    func refused(
      _ code: StatusCode, _ rule: String, _ field: String, _ change: (inout RecordConsentRequest) -> Void
    ) async {
      let request = request { request in
        request.forms = [FormDecision(stepID: "news", allowed: true)]
        change(&request)
      }
      do throws(Status) {
        _ = try await world.app.sessions.recordConsent(request)
        Issue.record("not refused; expected \(rule)")
      } catch {
        #expect(error.isRefusal(code, rule) && error.info?.field == field, "\(error)")
      }
    }
    await refused(.invalidArgument, "unknown_step", "forms[1].step_id") {
      $0.forms.append(FormDecision(stepID: "quiz", allowed: false))
    }
    await refused(.invalidArgument, "stated_twice", "forms[1].step_id") {
      $0.forms.append(FormDecision(stepID: "news", allowed: false))
    }
    await refused(.invalidArgument, "unknown_step", "answers[1].step_id") {
      $0.answers.append(StepAnswers(stepID: "hello", answers: [answered]))
    }
    await refused(.invalidArgument, "unknown_question", "answers[0].answers[2].question_id") {
      $0.answers[0].answers.append(QuestionAnswer(questionID: "age", text: "9"))
    }
    await refused(.invalidArgument, "unknown_signature", "documents[0].signatures[1].signature_id") {
      $0.documents[0].signatures.append(RecordedSignature(signatureID: "nobody", name: name))
    }
    await refused(.failedPrecondition, "not_reached", "documents[0].signatures[1]") {
      $0.documents[0].signatures.append(RecordedSignature(signatureID: "investigator", name: name))
    }
    await refused(.failedPrecondition, "not_reached", "forms[0]") {
      ($0.documents[0].agreed, $0.documents[0].signatures) = (false, [])
    }
    let history = try await world.admin.records.listEvents(ListEventsRequest(pageSize: 1000))
    #expect(!history.events.contains { $0.kind == .sessionStarted })
    let answer = try await world.app.sessions.recordConsent(
      request { $0.forms = [FormDecision(stepID: "news", allowed: true)] })
    #expect(answer.session?.outcome == .completed && answer.records.count == 2)
    await world.end()
  }

  @Test("wrong answers count as an attempt and end in no consent; when none is left, nothing begins")
  func attempts() async throws {
    let world = try await World()
    try await world.open()
    let wrong = request { $0.answers[0].answers[0].choiceIDs = ["never"] }
    for _ in 0..<2 {
      let answer = try await world.app.sessions.recordConsent(wrong)
      #expect(answer.session?.outcome == .failedQuestions && answer.records.isEmpty)
    }
    await expectRefusal(.failedPrecondition, "attempts_used_up") {
      try await world.app.sessions.recordConsent(request())
    }
    #expect(try await world.check().reason == "no_consent")
    await world.end()
  }

  @Test("a drawn signature is made for the session by its chosen identifier, which is used once")
  func drawn() async throws {
    let world = try await World()
    try await world.open()
    let session = IdentifierSource().next()
    func drawn(_ subject: String) -> RecordConsentRequest {
      request { request in
        (request.subjectID, request.sessionID) = (subject, session)
        request.documents[0].signatures[0].signature?.image = .drawn(DrawnSignature(fieldID: "f1", revision: 1))
      }
    }
    var place = SignaturePlace(
      subjectID: "s1", studyID: World.study, siteID: "north", sessionID: "other", signatureID: "participant",
      documentID: Example.documentID, documentVersion: 1)
    world.fields.save("f1", at: place)
    await expectRefusal(.failedPrecondition, "field_of_other_session") {
      try await world.app.sessions.recordConsent(drawn("s1"))
    }
    place.sessionID = session
    world.fields.save("f1", at: place)
    let answer = try await world.app.sessions.recordConsent(drawn("s1"))
    #expect(answer.records.first?.signatures.first?.fieldID == "f1" && world.fields.closings == ["f1@1"])
    await expectRefusal(.alreadyExists, "session_exists") {
      try await world.app.sessions.recordConsent(drawn("s2"))
    }
    await world.end()
  }

  @Test("a person records for themselves, staff for nobody, and a minor needs the guardian")
  func who() async throws {
    let world = try await World()
    var content = Example.content()
    content.settings?.age = AgePolicy(minimumAge: 6, majorityAge: 18)
    content.settings?.signatures.append(SignatureDefinition(id: "guardian", role: .guardian, requiresName: true))
    for index in content.texts.indices {
      content.texts[index].signatures.append(
        SignatureText(signatureID: "guardian", title: "Parent", meaning: "I permit it."))
    }
    try await world.open(content: content)
    await expectRefusal(.permissionDenied, "not_admitted") {
      try await world.coordinator.sessions.recordConsent(request())
    }
    await expectRefusal(.failedPrecondition, "not_given") { try await world.app.sessions.recordConsent(request()) }
    let adult = try await world.client("s1").sessions.recordConsent(
      request { $0.birthDate = CalendarDate(year: 1990, month: 1, day: 1) })
    #expect(adult.records.first?.signatures.first?.personID == "s1")
    await expectRefusal(.failedPrecondition, "not_given") {
      try await world.app.sessions.recordConsent(
        request { request in
          (request.subjectID, request.birthDate) = ("s2", CalendarDate(year: 2015, month: 1, day: 1))
        })
    }
    await world.end()
  }

  @Test("SignatureService is asked about each signature once, about few in one call, and not for just anybody")
  func asked() async throws {
    let world = try await World()
    try await world.open()
    func signatures(_ count: Int, _ text: (Int) -> String) -> [RecordedSignature] {
      (0..<count).map { number in
        RecordedSignature(
          signatureID: "s-\(number)", name: PersonName(given: "Ada", family: "Lovelace"),
          signature: SignatureInput(image: .typed(TypedSignature(text: text(number)))))
      }
    }
    await expectRefusal(.permissionDenied, "not_admitted") {
      try await world.client("mallory").sessions.recordConsent(request())
    }
    #expect(world.fields.asked == 0)
    await expectRefusal(.invalidArgument, "unknown_signature") {
      try await world.app.sessions.recordConsent(
        request { $0.documents[0].signatures = signatures(1000) { _ in "Ada Lovelace" } })
    }
    // And about the name, once as well.
    #expect(world.fields.asked == 2)
    await expectRefusal(.invalidArgument, "too_many") {
      try await world.app.sessions.recordConsent(
        request { $0.documents[0].signatures = signatures(1000) { "Ada Lovelace \($0)" } })
    }
    #expect(world.fields.asked == 202)
    await world.end()
  }
}
