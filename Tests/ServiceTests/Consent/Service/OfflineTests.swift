import Base
import Bus
import ConsentContract
import ConsentService
import Storage
import StorageTestKit
import Testing
import Wire

@Suite("Without a connection")
struct OfflineTests {
  /// Walks with the table alone, like a client without any consent logic.
  private func walk(
    _ bundle: OfflineBundle, right: Bool = true, _ change: (inout FlowAction) -> Void = { _ in }
  ) -> [FlowAction] {
    var row = 0
    var actions: [FlowAction] = []
    while let screen = bundle.screens[row].screen, !bundle.screens[row].edges.isEmpty {
      let good = Walker.goodAction(on: screen)
      var action = Walker.filled(good.kind, on: screen, right: right)
      action.deviceTime = DeviceTime(at: Timestamp(Example.now + .seconds(-5)), utcOffsetMinutes: 60)
      change(&action)
      actions.append(action)
      row = Int(bundle.screens[row].edges.first { $0.action == action.kind }?.successor ?? 0)
    }
    return actions
  }

  private func start(_ world: World, birthDate: CalendarDate? = nil) async throws -> OfflineBundle {
    let view = try await world.app.sessions.startSession(
      StartSessionRequest(flowID: "flow", subjectID: "s1", clientSchema: 2, birthDate: birthDate))
    let answer = try await world.app.sessions.getOfflineBundle(
      GetOfflineBundleRequest(sessionID: view.session?.sessionID ?? ""))
    return try #require(answer.bundle)
  }

  private func submit(
    _ world: World, _ bundle: OfflineBundle, _ actions: [FlowAction]
  ) async throws -> SubmitOfflineWalkResponse {
    try await world.app.sessions.submitOfflineWalk(
      SubmitOfflineWalkRequest(sessionID: bundle.sessionID, bundleHash: bundle.bundleHash, actions: actions))
  }

  @Test("a walk along the table makes the same record, with the device's times")
  func good() async throws {
    let world = try await World()
    try await world.open()
    let bundle = try await start(world)
    let answer = try await submit(world, bundle, walk(bundle))
    #expect(answer.attention.isEmpty && answer.session?.outcome == .completed)
    let record = try await world.record(of: try #require(answer.session))
    #expect(record.state == .inForce)
    #expect(record.history.first?.deviceTime?.at == Timestamp(Example.now + .seconds(-5)))
    #expect(try await world.check().permitted)
    await world.end()
  }

  @Test("questions are scored at submission: below the pass mark the consent needs attention and permits nothing")
  func failedQuestions() async throws {
    let world = try await World()
    try await world.open()
    let bundle = try await start(world)
    let answer = try await submit(world, bundle, walk(bundle, right: false))
    #expect(answer.attention.hasPrefix("below_pass_mark"))
    let record = try await world.record(of: try #require(answer.session))
    #expect(record.state == .needsAttention && record.attempts.map(\.passed) == [false])
    #expect(try await world.check().reason == "needs_attention")
    await world.end()
  }

  @Test("a person who turns out to be too young needs attention as well")
  func tooYoung() async throws {
    let world = try await World()
    var content = Example.content()
    content.settings?.age = AgePolicy(minimumAge: 18)
    try await world.open(content: content)
    let bundle = try await start(world)
    let actions = walk(bundle) { action in
      for index in action.answers.indices where action.answers[index].date != nil {
        action.answers[index].date = CalendarDate(year: 2015, month: 1, day: 1)
      }
    }
    let answer = try await submit(world, bundle, actions)
    #expect(answer.attention.hasPrefix("under_age"))
    #expect(try await world.check().permitted == false)
    await world.end()
  }

  @Test("a version that was stopped meanwhile makes the submission need attention")
  func stopped() async throws {
    let world = try await World()
    try await world.open()
    let bundle = try await start(world)
    _ = try await world.publisher.documents.stopDocumentVersion(
      StopDocumentVersionRequest(documentID: Example.documentID, version: 1, reason: "x"))
    let answer = try await submit(world, bundle, walk(bundle))
    #expect(answer.attention.hasPrefix("version_stopped"))
    #expect(try await world.check().reason == "needs_attention")
    await world.end()
  }

  @Test("a submission is refused after its session ended or expired, and from a device that was replaced")
  func tooLate() async throws {
    let world = try await World()
    try await world.open()
    let bundle = try await start(world)
    _ = try await world.app.sessions.resumeSession(
      ResumeSessionRequest(sessionID: bundle.sessionID, deviceID: "tablet"))
    let phone = world.client("app", kind: .device, device: "phone")
    await expectRefusal(.failedPrecondition, "other_device") {
      try await phone.sessions.submitOfflineWalk(
        SubmitOfflineWalkRequest(
          sessionID: bundle.sessionID, bundleHash: bundle.bundleHash, actions: walk(bundle)))
    }
    world.clock.move(by: .seconds(8 * 86_400))
    await expectRefusal(.failedPrecondition, "session_expired") { try await submit(world, bundle, walk(bundle)) }
    _ = try await world.app.sessions.abandonSession(AbandonSessionRequest(sessionID: bundle.sessionID))
    await expectRefusal(.failedPrecondition, "session_ended") { try await submit(world, bundle, walk(bundle)) }
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
      validUntil: Timestamp(now + .milliseconds(-1)))
    try await world.open(content: content)
    // A decision counts as made between the session's start and its submission, and no session starts any more.
    await expectRefusal(.failedPrecondition, "outside_ethics_approval") { try await start(world) }
    await world.end()
  }

  @Test("a submission that the table does not allow is refused as a whole, and so is one for another bundle")
  func refused() async throws {
    let world = try await World()
    try await world.open()
    let bundle = try await start(world)
    var actions = walk(bundle)
    actions.remove(at: 3)
    await expectRefusal(.failedPrecondition, "not_offered") { try await submit(world, bundle, actions) }
    var other = bundle
    other.bundleHash = "x"
    await expectRefusal(.aborted, "stale_bundle") { try await submit(world, other, walk(bundle)) }
    #expect(
      try await world.app.sessions.getSession(GetSessionRequest(sessionID: bundle.sessionID)).session?.version == 1)
    await world.end()
  }
}
