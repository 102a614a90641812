import Base
import ConsentContract
import RPC
import TestSupport
import Testing
import Wire

/// Walks as a test: what counts for a subject in other walks, and what does not.
@Suite("What is tried out counts for tests alone") struct TriedOutTests {
  private static let child = CalendarDate(year: 2013, month: 1, day: 9)
  private static let adult = CalendarDate(year: 1996, month: 1, day: 9)

  @Test("a birth date that was stated in a test is not the first one of the person, and is compared in tests")
  func birthDate() async throws {
    let world = try await World()
    var content = Example.content()
    content.settings?.age = AgePolicy(minimumAge: 16)
    try await world.open(content: content)
    func start(_ date: CalendarDate, test: Bool) async throws -> SessionView? {
      let request = StartSessionRequest(flowID: "flow", subjectID: "s1", clientSchema: 2, birthDate: date, test: test)
      return try await world.app.sessions.startSession(request).session
    }
    _ = try await start(Self.child, test: true)
    for _ in 0..<6 { _ = try? await start(Self.adult, test: true) }
    await expectRefusal(.failedPrecondition, "birth_date_guessed") { try await start(Self.adult, test: true) }
    let view = try #require(try await start(Self.adult, test: false))
    let record = try await world.record(of: try await world.goOn(view))
    #expect(record.state == .inForce && record.ageCheck?.oldEnough == true)
    // A correction is about the person, and questions no test.
    let tried = try await world.walk(subject: "s2", test: true)
    #expect(tried.outcome == .completed)
    let correction = CorrectBirthDateRequest(
      studyID: World.study, subjectID: "s2", birthDate: Self.child, reason: "misread")
    await expectRefusal(.failedPrecondition, "birth_date_missing") {
      try await world.coordinator.sessions.correctBirthDate(correction)
    }
    await world.end()
  }

  @Test("attempts in tests use up no others, and staff renews both")
  func attempts() async throws {
    let world = try await World()
    try await world.open()
    func record(test: Bool, right: Bool) async throws -> SessionOutcome? {
      let request = Example.recordConsent { request in
        request.test = test
        if !right { request.answers[0].answers[0].choiceIDs = ["never"] }
      }
      return try await world.app.sessions.recordConsent(request).session?.outcome
    }
    for _ in 0..<2 { #expect(try await record(test: true, right: false) == .failedQuestions) }
    await expectRefusal(.failedPrecondition, "attempts_used_up") { try await record(test: true, right: true) }
    #expect(try await record(test: false, right: true) == .completed)
    let renewed = try await world.coordinator.sessions.renewAttempts(
      RenewAttemptsRequest(subjectID: "s1", documentID: Example.documentID, documentVersion: 1, reason: "once more"))
    #expect(renewed.renewedCount == 3)
    world.clock.move(by: .seconds(1))
    #expect(try await record(test: true, right: true) == .completed)
    await world.end()
  }

  @Test("questions that were passed in a test let staff confirm no other consent")
  func passed() async throws {
    let world = try await World()
    try await world.open()
    let bundle = try await world.offlineBundle()
    let walked = try await world.submit(bundle, bundle.walked(right: false))
    let record = try await world.record(of: try #require(walked.session))
    #expect(record.state == .needsAttention)
    let confirm = ResolveAttentionRequest(recordID: record.recordID, decision: .confirm, reason: "talked to them")
    _ = try await world.walk(test: true) { $0.kind == .sharing }
    await expectRefusal(.failedPrecondition, "attention_still_needed") {
      try await world.coordinator.records.resolveAttention(confirm)
    }
    _ = try await world.walk { $0.kind == .sharing }
    #expect(try await world.coordinator.records.resolveAttention(confirm).record?.state == .inForce)
    await world.end()
  }
}
