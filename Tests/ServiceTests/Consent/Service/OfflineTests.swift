import Base
import ConsentContract
import ConsentDomain
import RPC
import ServicePolicy
import Storage
import StorageTestKit
import TestSupport
import Testing
import Wire

@Suite("Without a connection")
struct OfflineTests {
  @Test("a walk along the table makes the same record, with the device's times")
  func good() async throws {
    let world = try await World()
    try await world.open()
    let bundle = try await world.offlineBundle()
    let answer = try await world.submit(bundle, bundle.walked())
    #expect(answer.attention.isEmpty && answer.session?.outcome == .completed)
    let record = try await world.record(of: try #require(answer.session))
    #expect(record.state == .inForce)
    #expect(record.history.first?.deviceTime?.at == Timestamp(Example.now + .seconds(-5)))
    #expect(try await world.check().permitted)
    await world.end()
  }

  @Test("that a table was handed out is on record for devices and guardians, and not for the person")
  func onRecord() async throws {
    let world = try await World()
    try await world.open()
    let bundle = try await world.offlineBundle()
    _ = try await world.coordinator.studies.setGuardian(
      SetGuardianRequest(studyID: World.study, subjectID: "s1", guardianID: "gil", authority: .parent))
    for reader in ["s1", "gil"] {
      _ = try await world.client(reader).sessions.getOfflineBundle(GetOfflineBundleRequest(sessionID: bundle.sessionID))
    }
    let reads = try await world.events().filter { $0.kind == .personalDataRead }
    #expect(reads.map(\.actor) == ["app", "gil"] && reads.allSatisfy { $0.purpose == "offline bundle" })
    #expect(reads.allSatisfy { $0.subjectID == "s1" && $0.sessionID == bundle.sessionID })
    await world.end()
  }

  @Test("questions are scored at submission: below the pass mark the consent needs attention and permits nothing")
  func failedQuestions() async throws {
    let world = try await World()
    try await world.open()
    let bundle = try await world.offlineBundle()
    let answer = try await world.submit(bundle, bundle.walked(right: false))
    #expect(answer.attention.hasPrefix("below_pass_mark"))
    // Nobody is thanked, and nothing was ever in force.
    #expect(answer.session?.outcome == .needsAttention)
    let told = try #require(answer.session?.screen?.text)
    #expect(told.hasPrefix(try #require(Catalog.text(.endedAttention, language: "en"))))
    let record = try await world.record(of: try #require(answer.session))
    #expect(record.state == .needsAttention && record.attempts.map(\.passed) == [false])
    #expect(!record.history.contains { $0.kind == .inForce } && record.inForceAt == nil)
    #expect(try await world.check().reason == "needs_attention")
    await world.end()
  }

  @Test("where a failed attempt ends the session, a walk that goes back and answers again needs attention")
  func endingAttempt() async throws {
    let world = try await World()
    var content = Example.content()
    content.settings?.comprehension?.afterFailedAttempt = .end
    content.settings?.comprehension?.attempts = 3
    try await world.open(content: content)
    let bundle = try await world.offlineBundle()
    let (wrong, right) = (bundle.walked(right: false), bundle.walked())
    let sharing = try #require(right.firstIndex { $0.kind == .share })
    let back = FlowAction(kind: .back)
    let again = Array(wrong[..<sharing]) + [back, back] + Array(right[(sharing - 2)...])
    let answer = try await world.submit(bundle, again)
    #expect(answer.attention.hasPrefix("attempt_failed: ") && answer.session?.outcome == .needsAttention)
    #expect(try await world.check().reason == "needs_attention")
    // What failed in another walk keeps nobody from this one.
    let next = try await world.offlineBundle()
    #expect(try await world.submit(next, next.walked()).session?.outcome == .completed)
    await world.end()
  }

  @Test("a walk finds no birth date: each wrong one is counted and on record, and after some none is compared")
  func guessedBirthDates() async throws {
    let world = try await World()
    var content = Example.content()
    content.settings?.age = AgePolicy(minimumAge: 16)
    try await world.open(content: content)
    let (born, other) = (CalendarDate(year: 1986, month: 7, day: 13), CalendarDate(year: 1986, month: 7, day: 14))
    var bundles: [OfflineBundle] = []
    for _ in 0..<8 { bundles.append(try await world.offlineBundle()) }
    _ = try await world.offlineBundle(birthDate: born)
    func submitted(_ index: Int, _ date: CalendarDate) async throws -> SubmitOfflineWalkResponse {
      let actions = bundles[index].walked { action in
        guard action.answers.contains(where: { $0.questionID == "birth-date" }) else { return }
        action.answers = [QuestionAnswer(questionID: "birth-date", date: date)]
      }
      #expect(actions.contains { $0.answers.contains { $0.date == date } })
      return try await world.submit(bundles[index], actions)
    }
    let right = try await submitted(0, born)
    #expect(right.attention.isEmpty && right.session?.outcome == .completed)
    for index in 1...5 {
      let wrong = try await submitted(index, other)
      #expect(wrong.attention.hasPrefix("birth_date_stated: ") && wrong.session?.outcome == .needsAttention)
      let result = try await world.app.sessions.getSessionResult(
        GetSessionResultRequest(sessionID: bundles[index].sessionID)
      ).jsonText()
      #expect(!result.contains("1986"))
    }
    for (index, date) in [(6, other), (7, born)] {
      #expect(try await submitted(index, date).attention.hasPrefix("birth_date_guessed: "))
    }
    await expectRefusal(.failedPrecondition, "birth_date_guessed") { try await world.offlineBundle(birthDate: born) }
    let denied = try await world.events().filter { $0.kind == .accessDenied }
    #expect(!denied.isEmpty && denied.allSatisfy { $0.subjectID == "s1" && $0.studyID == World.study })
    await world.end()
  }

  @Test("a birth date that was stated before the table was made counts in the walk as it did in the table")
  func birthDateStatedBefore() async throws {
    let world = try await World()
    var content = Example.content()
    content.settings?.age = AgePolicy(minimumAge: 8, majorityAge: 18, assentAge: 9)
    content.settings?.signatures.append(
      SignatureDefinition(id: "guardian", role: .guardian, order: 1, requiresName: true))
    for index in content.texts.indices {
      content.texts[index].signatures.append(
        SignatureText(signatureID: "guardian", title: "Guardian", meaning: "I permit it."))
    }
    var flow = Example.flow()
    let question = FlowQuestion(
      definition: QuestionDefinition(id: "born", kind: .birthDate), prompt: "When were you born?".inEnglish)
    flow.steps[0] = FlowStep(id: "born", step: .question(QuestionStep(questions: [question])))
    try await world.open(content: content, flow: flow)
    var view = try #require(
      try await world.app.sessions.startSession(
        StartSessionRequest(flowID: "flow", subjectID: "s1", clientSchema: 2)
      ).session)
    let born = QuestionAnswer(questionID: "born", date: CalendarDate(year: 2013, month: 1, day: 9))
    view = try await world.act(view, FlowAction(kind: .answer, answers: [born]))
    let answer = try await world.app.sessions.getOfflineBundle(GetOfflineBundleRequest(sessionID: view.sessionID))
    let bundle = try #require(answer.bundle)
    let submitted = try await world.submit(bundle, bundle.walked())
    #expect(submitted.attention.isEmpty && submitted.session?.outcome == .completed)
    let record = try await world.record(of: try #require(submitted.session))
    #expect(record.state == .inForce && record.ageCheck?.needsGuardian == true)
    #expect(record.signatures.map(\.signatureID).sorted() == ["guardian", "participant"])
    await world.end()
  }

  @Test("forms of a walk whose questions were failed stand as they were decided")
  func unrelatedForms() async throws {
    let world = try await World()
    var flow = Example.flow()
    flow.steps.insert(Example.form("newsletter"), at: 0)
    try await world.open(flow: flow)
    let bundle = try await world.offlineBundle()
    let answer = try await world.submit(bundle, bundle.walked(right: false))
    let history = try await world.app.records.getSubjectHistory(GetSubjectHistoryRequest(subjectID: "s1"))
    // Both were decided in one moment, and stand in either order.
    let form = try #require(history.records.first { $0.kind == .form })
    let document = try #require(history.records.first { $0.kind == .document })
    #expect(form.state == .inForce && form.attention.isEmpty)
    #expect(document.state == .needsAttention && answer.session?.outcome == .needsAttention)
    #expect(try await world.check("s1", "newsletter").permitted)
    await world.end()
  }

  @Test("a walk that was handed in half, with something that does not hold, goes no further")
  func half() async throws {
    let world = try await World()
    var flow = Example.flow()
    flow.steps.insert(Example.form("newsletter"), at: flow.steps.count - 1)
    try await world.open(flow: flow)
    let bundle = try await world.offlineBundle()
    let actions = bundle.walked(right: false)
    let answer = try await world.submit(bundle, Array(actions.prefix { $0.kind != .allow }))
    #expect(answer.session?.outcome == .needsAttention && answer.session?.screen?.offered.isEmpty == true)
    await world.end()
  }

  @Test("a person who turns out to be too young needs attention as well")
  func tooYoung() async throws {
    let world = try await World()
    var content = Example.content()
    content.settings?.age = AgePolicy(minimumAge: 18)
    try await world.open(content: content)
    let bundle = try await world.offlineBundle()
    let actions = bundle.walked { action in
      for index in action.answers.indices where action.answers[index].date != nil {
        action.answers[index].date = CalendarDate(year: 2015, month: 1, day: 1)
      }
    }
    let answer = try await world.submit(bundle, actions)
    #expect(answer.attention.hasPrefix("under_age"))
    #expect(try await world.check().permitted == false)
    await world.end()
  }

  @Test("a version that was stopped meanwhile makes the submission need attention")
  func stopped() async throws {
    let world = try await World()
    try await world.open()
    let bundle = try await world.offlineBundle()
    _ = try await world.publisher.documents.stopDocumentVersion(
      StopDocumentVersionRequest(documentID: Example.documentID, version: 1, reason: "x"))
    let answer = try await world.submit(bundle, bundle.walked())
    #expect(answer.attention.hasPrefix("version_stopped"))
    #expect(try await world.check().reason == "needs_attention")
    await world.end()
  }

  @Test("a submission is refused after its session ended or expired, and from a device that was replaced")
  func tooLate() async throws {
    let world = try await World()
    try await world.open()
    let bundle = try await world.offlineBundle()
    _ = try await world.app.sessions.resumeSession(
      ResumeSessionRequest(sessionID: bundle.sessionID, deviceID: "tablet"))
    let phone = world.client("app", kind: .device, device: "phone")
    await expectRefusal(.failedPrecondition, "other_device") {
      try await phone.sessions.submitOfflineWalk(
        SubmitOfflineWalkRequest(
          sessionID: bundle.sessionID, bundleHash: bundle.bundleHash, actions: bundle.walked()))
    }
    world.clock.move(by: .seconds(8 * 86_400))
    await expectRefusal(.failedPrecondition, "session_expired") { try await world.submit(bundle, bundle.walked()) }
    _ = try await world.app.sessions.abandonSession(AbandonSessionRequest(sessionID: bundle.sessionID))
    await expectRefusal(.failedPrecondition, "session_ended") { try await world.submit(bundle, bundle.walked()) }
    #expect(try await world.check().reason == "no_consent")
    await world.end()
  }

  @Test("a device's clock cannot move a decision back into an approval that has ended")
  func backdated() async throws {
    let world = try await World()
    var content = Example.content()
    let now = Example.now
    content.settings?.ethics = EthicsApproval(
      number: "1", committee: "C", validFrom: Timestamp(now + .seconds(-9)),
      validUntil: Timestamp(now + .seconds(9)))
    try await world.open(content: content)
    world.clock.move(by: .seconds(9))
    // A decision counts as made between the session's start and its submission, and no session starts any more.
    await expectRefusal(.failedPrecondition, "outside_ethics_approval") { try await world.offlineBundle() }
    await world.end()
  }

  @Test("a submission that the table does not allow is refused as a whole, and so is one for another bundle")
  func refused() async throws {
    let world = try await World()
    try await world.open()
    let bundle = try await world.offlineBundle()
    var actions = bundle.walked()
    actions.remove(at: 3)
    await expectRefusal(.failedPrecondition, "not_offered") { try await world.submit(bundle, actions) }
    var other = bundle
    other.bundleHash = "x"
    await expectRefusal(.aborted, "stale_bundle") { try await world.submit(other, bundle.walked()) }
    #expect(
      try await world.app.sessions.getSession(GetSessionRequest(sessionID: bundle.sessionID)).session?.version == 1)
    await world.end()
  }

  @Test("of attempts without end the newest are kept")
  func manyAttempts() async throws {
    let world = try await World()
    var content = Example.content()
    content.settings?.comprehension?.attempts = 0
    try await world.open(content: content)
    let bundle = try await world.offlineBundle()
    let actions = bundle.walked(right: false)
    let sharing = try #require(actions.firstIndex { $0.kind == .share })
    let again = [FlowAction(kind: .back), actions[sharing - 1]]
    let walk = Array(actions[..<sharing]) + (0..<600).flatMap { _ in again }
    _ = try await world.submit(bundle, walk)
    let result = try await world.app.sessions.getSessionResult(GetSessionResultRequest(sessionID: bundle.sessionID))
    let attempts = result.result?.steps.first { $0.stepID == "quiz" }?.attempts ?? []
    #expect(attempts.count == AttemptRules.mostKept && attempts.allSatisfy { $0.sessionID == bundle.sessionID })
    await world.end()
  }
}
