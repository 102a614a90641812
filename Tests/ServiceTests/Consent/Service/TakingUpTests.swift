import Base
import ConsentContract
import ConsentDomain
import RPC
import TestSupport
import Testing

/// What the last screens of a session promise, and what comes of it.
@Suite("What a session says at its end", .timeLimit(.minutes(2))) struct TakingUpTests {
  /// A flow in which something follows what is signed.
  private func open(_ world: World) async throws {
    var flow = Example.flow()
    flow.steps.insert(Example.form("terms"), at: flow.steps.count - 1)
    try await world.open(flow: flow)
  }

  private func quit(_ world: World) async throws -> SessionView {
    let form = try await world.walk { $0.stepID == "terms" }
    let asked = try await world.act(form, FlowAction(kind: .cancel))
    #expect(asked.screen?.alert?.message == Catalog.text(.quitMessageSigned, language: "en"))
    return try await world.act(asked, FlowAction(kind: .confirm))
  }

  private func resume(_ view: SessionView, _ world: World) async throws -> SessionView {
    let request = ResumeSessionRequest(sessionID: view.sessionID, clientSchema: 2)
    return try #require(try await world.app.sessions.resumeSession(request).session)
  }

  @Test("a session that was quit after signing goes on at what is left, and nothing is signed twice")
  func goesOn() async throws {
    let world = try await World()
    try await open(world)
    let ended = try await quit(world)
    #expect(ended.outcome == .quit && ended.screen?.ways.map(\.kind) == [.goOn, .contact, .close])
    #expect(ended.screen?.text == Catalog.text(.endedQuitGoOn, language: "en"))
    let again = try await resume(ended, world)
    #expect(again.outcome == .unspecified && again.screen?.stepID == "terms" && again.screen?.alert == nil)
    #expect(again.recordIDs == ended.recordIDs)
    let counts = try await world.coordinator.records.getVersionCounts(
      GetVersionCountsRequest(documentID: Example.documentID, version: 1)
    ).counts
    #expect(counts?.stoppedAt.allSatisfy { $0.count == 0 } == true, "it did not stop there")
    let done = try await world.goOn(again)
    #expect(done.outcome == .completed && done.recordIDs.count == 2)
    await world.end()
  }

  @Test("after its time it does not, and says so; one that was quit before anything was signed starts again")
  func over() async throws {
    let world = try await World()
    try await open(world)
    let ended = try await quit(world)
    world.clock.move(by: .days(8))
    let late = try await resume(ended, world)
    #expect(late.outcome == .quit && late.screen?.ways.first?.kind == .startAgain)
    #expect(late.screen?.text == Catalog.text(.endedQuitSigned, language: "en"))
    let early = try await world.walk(subject: "s2") { $0.kind == .sharing }
    let asked = try await world.act(early, FlowAction(kind: .cancel))
    let left = try await world.act(asked, FlowAction(kind: .confirm))
    #expect(left.screen?.ways.first?.kind == .startAgain)
    #expect(try await resume(left, world).outcome == .quit)
    // One that was taken up again and left alone expires like any other.
    let other = try await quit(world)
    _ = try await resume(other, world)
    world.clock.move(by: .days(8))
    await world.runPeriodicTasks()
    let view = try await world.app.sessions.getSession(GetSessionRequest(sessionID: other.sessionID)).session
    #expect(view?.outcome == .expired)
    await world.end()
  }

  @Test("one that was taken up again is told of as unfinished, and one that stays as it was left is not")
  func unfinished() async throws {
    let world = try await World()
    try await open(world)
    _ = try await world.admin.studies.updateStudy(
      UpdateStudyRequest(study: ConsentStudy(studyID: World.study, name: "Heart", unfinishedAfterDays: 2)))
    _ = try await quit(world)
    let again = try await resume(try await quit(world), world)
    world.clock.move(by: .days(2))
    await world.runPeriodicTasks()
    let told = try await world.events().filter { $0.kind == .sessionUnfinished }
    #expect(told.map(\.sessionID) == [again.sessionID])
    await world.end()
  }

  @Test("that everything is complete is said when nobody has to sign any more")
  func others() async throws {
    let world = try await World()
    try await world.open()
    let done = try await world.walk()
    #expect(done.screen?.text == Catalog.text(.completionWaitingText, language: "en"))
    _ = try await world.counterSign(try await world.record(of: done))
    let later = try await world.app.sessions.getSession(GetSessionRequest(sessionID: done.sessionID)).session
    #expect(later?.screen?.text == Catalog.text(.completionText, language: "en"))
    await world.end()
  }

  @Test("a record names what needs attention as long as it does; its history names it for good")
  func attention() async throws {
    let world = try await World()
    try await world.open()
    let bundle = try await world.offlineBundle()
    let answer = try await world.submit(bundle, bundle.walked(right: false))
    let record = try await world.record(of: try #require(answer.session))
    #expect(record.attention.hasPrefix("below_pass_mark: "))
    let rejected = try await world.investigator.records.resolveAttention(
      ResolveAttentionRequest(recordID: record.recordID, decision: .reject, reason: "never passed")
    ).record
    #expect(rejected?.attention.isEmpty == true)
    #expect(rejected?.history.first { $0.kind == .needsAttention }?.attention == record.attention)
    await world.end()
  }
}
