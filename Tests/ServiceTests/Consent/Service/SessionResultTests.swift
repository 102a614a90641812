import Base
import ConsentContract
import ConsentService
import RPC
import Storage
import StorageTestKit
import TestSupport
import Testing
import Wire

@Suite("Sessions of a subject, and what came of them")
struct SessionResultTests {
  private func sessions(
    _ clients: ConsentClients, of subject: String, size: Int32 = 0, token: String = ""
  ) async throws -> ListConsentSessionsResponse {
    try await clients.sessions.listConsentSessions(
      ListConsentSessionsRequest(studyID: World.study, subjectID: subject, pageSize: size, pageToken: token))
  }

  @Test(
    "a session whose identifier was lost is found by its subject, and taken up again", arguments: TestEngine.allCases)
  func lost(engine: TestEngine) async throws {
    let world = try await World(engine)
    try await world.open()
    _ = try await world.walk(subject: "s1")
    world.clock.move(by: .seconds(1))
    let left = try await world.walk(subject: "s1") { $0.kind == .review }
    _ = try await world.walk(subject: "s2")
    let first = try await sessions(world.app, of: "s1", size: 1)
    #expect(first.sessions.map(\.outcome) == [.completed] && first.sessions.first?.recordIDs.count == 1)
    let second = try await sessions(world.app, of: "s1", token: first.nextPageToken)
    let found = try #require(second.sessions.first)
    #expect(second.sessions.count == 1 && found.sessionID == left.sessionID && found.outcome == .unspecified)
    #expect(found.version == left.version && found.flowID == "flow" && found.flowVersion == 1)
    let resumed = try await world.app.sessions.resumeSession(
      ResumeSessionRequest(sessionID: found.sessionID, clientSchema: 2))
    #expect(resumed.session?.screen?.kind == .review)
    await world.end()
  }

  @Test("a session that has ended is shown when it is resumed, and stays as it is", arguments: [true, false])
  func ended(isClosed: Bool) async throws {
    let world = try await World()
    try await world.open()
    let start = try await world.app.sessions.startSession(
      StartSessionRequest(flowID: "flow", siteID: "north", subjectID: "s1", clientSchema: 2, deviceID: "phone"))
    let view = try await world.goOn(try #require(start.session)) { !isClosed && $0.offered == [.done] }
    #expect(view.outcome == .completed && view.screen?.offered.isEmpty == isClosed)
    let events = try await world.events().count
    let resume = ResumeSessionRequest(
      sessionID: view.sessionID, deviceID: "tablet", locale: "de", clientSchema: 2, assistance: .interprets)
    let resumed = try await world.coordinator.sessions.resumeSession(resume).session
    #expect(resumed == view)
    #expect(try await world.events().count == events)
    guard !isClosed else { return await world.end() }
    let tablet = world.client("app", kind: .device, device: "tablet").sessions
    let done = try await tablet.actOnSession(
      ActOnSessionRequest(
        sessionID: view.sessionID, expectedVersion: view.version, action: FlowAction(kind: .done), clientSchema: 2))
    #expect(done.session?.screen?.offered.isEmpty == true)
    await world.end()
  }

  @Test("people see their own, staff sees those at its places and is on record, others see nothing")
  func whose() async throws {
    let world = try await World()
    try await world.open()
    _ = try await world.walk(subject: "s1", site: "north")
    #expect(try await sessions(world.client("s1"), of: "").sessions.count == 1)
    await expectRefusal(.permissionDenied, "not_admitted") { try await sessions(world.client("s2"), of: "s1") }
    let north = world.client("nora", ["coordinator@heart/north"])
    #expect(try await sessions(north, of: "s1").sessions.count == 1)
    let read = try await world.events().filter { $0.kind == .personalDataRead && $0.actor == "nora" }
    #expect(read.map(\.purpose) == ["list of sessions"])
    let south = world.client("sora", ["coordinator@heart/south"])
    await expectRefusal(.permissionDenied, "not_admitted") { try await sessions(south, of: "s1") }
    await expectRefusal(.invalidArgument, "page_size_out_of_bounds") { try await sessions(north, of: "s1", size: -1) }
    await world.end()
  }

  @Test("the result has every step with its times, answers, choice, decision and signatures")
  func result() async throws {
    let world = try await World()
    try await world.open()
    let view = try await world.walk()
    func result(_ clients: ConsentClients) async throws -> SessionResult {
      let answer = try await clients.sessions.getSessionResult(GetSessionResultRequest(sessionID: view.sessionID))
      return answer.result ?? SessionResult()
    }
    let found = try await result(world.app)
    #expect(found.outcome == .completed && found.startedAt != nil && found.endedAt != nil)
    #expect(found.steps.map(\.stepID) == ["hello", "sections", "quiz", "sharing", "review", "end"])
    #expect(found.steps.allSatisfy { $0.finished && $0.startedAt != nil && $0.endedAt != nil })
    let quiz = found.steps[2]
    #expect(quiz.answers.map(\.questionID) == ["leave", "data"] && quiz.attempts.map(\.passed) == [true])
    #expect(found.steps[3].sharing == .wide)
    #expect(found.steps[4].document?.agreed == true)
    #expect(found.steps[4].signatures.map(\.name?.family) == ["Lovelace"])
    _ = try await result(world.investigator)
    #expect(
      try await world.events().last { $0.kind == .personalDataRead && $0.actor == "ines" }?.purpose == "session result")
    await expectRefusal(.permissionDenied, "not_admitted") { try await result(world.client("s2")) }
    _ = try await world.admin.records.eraseSubject(EraseSubjectRequest(subjectID: "s1", reason: "asked for"))
    await expectRefusal(.failedPrecondition, "subject_erased") { try await result(world.investigator) }
    #expect(try await sessions(world.investigator, of: "s1").sessions.count == 1, "what is not personal stays")
    await world.end()
  }

  @Test("a session that runs has no end, and holds what was given so far")
  func running() async throws {
    let world = try await World()
    var content = Example.content()
    content.settings?.age = AgePolicy(minimumAge: 18)
    try await world.open(content: content)
    let view = try await world.walk { $0.kind == .name }
    let answer = try await world.app.sessions.getSessionResult(GetSessionResultRequest(sessionID: view.sessionID))
    let result = try #require(answer.result)
    #expect(result.endedAt == nil && result.outcome == .unspecified)
    let review = try #require(result.steps.last)
    #expect(review.stepID == "review" && !review.finished && review.endedAt == nil)
    #expect(review.answers.map(\.questionID) == ["birth-date"] && review.document?.agreed == true)
    await world.end()
  }
}
