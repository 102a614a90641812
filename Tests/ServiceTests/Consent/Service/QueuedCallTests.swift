import Base
import ConsentContract
import ConsentService
import RPC
import ServicePolicy
import Storage
import StorageTestKit
import TestSupport
import Testing
import Wire

/// What was agreed to without a connection, and what was decided in between.
@Suite("A queued call and what came in between") struct QueuedCallTests {
  private func start(_ world: World, flow: String = "flow") async throws -> SessionView {
    let view = try await world.app.sessions.startSession(
      StartSessionRequest(flowID: flow, subjectID: "s1", clientSchema: 2))
    return try #require(view.session)
  }

  private func walk(_ world: World, _ view: SessionView) async throws -> SubmitOfflineWalkRequest {
    let answer = try await world.app.sessions.getOfflineBundle(GetOfflineBundleRequest(sessionID: view.sessionID))
    let bundle = try #require(answer.bundle)
    return SubmitOfflineWalkRequest(
      sessionID: view.sessionID, bundleHash: bundle.bundleHash, actions: bundle.walked())
  }

  private func withdraw(_ world: World, _ record: String) async throws -> Int64 {
    _ = try await world.client("s1").records.withdrawConsent(WithdrawConsentRequest(recordID: record))
    return try #require(try await world.events().last { $0.entry == .withdrawn }?.sequence)
  }

  /// Hands in a walk that is recorded, and needs attention.
  private func expectAttention(
    _ call: () async throws -> SubmitOfflineWalkResponse, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let answer = try await call()
    #expect(answer.session?.outcome == .needsAttention, sourceLocation: sourceLocation)
    #expect(answer.attention.hasPrefix("said_no_meanwhile: "), sourceLocation: sourceLocation)
  }

  @Test("a yes needs attention after a withdrawal that its person had not seen, and counts once they have")
  func unseen() async throws {
    let world = try await World()
    try await world.open()
    let given = try await world.record(of: try await world.walk())
    var walks: [SubmitOfflineWalkRequest] = []
    for _ in 0..<4 { walks.append(try await walk(world, try await start(world))) }
    let event = try await withdraw(world, given.recordID)
    let person = world.client("s1").sessions
    for (request, seen) in zip(walks, [0, event - 1]) {
      try await expectAttention { try await person.submitOfflineWalk(request, options: .queued(seen: seen)) }
    }
    // What somebody else has seen, who acts for the subject, says nothing about this.
    try await expectAttention {
      try await world.app.sessions.submitOfflineWalk(walks[2], options: .queued(seen: event + 99))
    }
    #expect(try await world.check().permitted == false)
    let done = try await person.submitOfflineWalk(walks[3], options: .queued(seen: event))
    #expect(done.session?.outcome == .completed)
    #expect(try await world.check().permitted)
    await world.end()
  }

  @Test(
    "a step of a session that waited in a queue is held to what its person had seen then", arguments: [true, false])
  func step(isSeen: Bool) async throws {
    let world = try await World()
    var flow = Example.flow()
    flow.steps.insert(Example.form("newsletter"), at: 0)
    try await world.open(flow: flow)
    let first = try await world.act(try await start(world), FlowAction(kind: .allow))
    let record = try #require(first.recordIDs.first)
    let view = try await start(world)
    let event = try await withdraw(world, record)
    let allow = ActOnSessionRequest(
      sessionID: view.sessionID, expectedVersion: view.version, action: FlowAction(kind: .allow), clientSchema: 2)
    let answer = try await world.client("s1").sessions.actOnSession(
      allow, options: .queued(seen: isSeen ? event : event - 1))
    #expect(answer.session?.outcome == .unspecified, "nothing is lost or refused")
    #expect(try await world.check("s1", "newsletter").reason == (isSeen ? "" : "needs_attention"))
    await world.end()
  }

  @Test("a sharing choice from a queue brings nothing back that was narrowed meanwhile, and narrows all the same")
  func sharing() async throws {
    let world = try await World()
    try await world.open()
    let id = try await world.record(of: try await world.walk()).recordID
    let person = world.client("s1").records
    func choose(_ choice: SharingChoice, seen: Int64) async throws -> SharingChoice? {
      let request = UpdateSharingRequest(recordID: id, sharing: choice)
      return try await person.updateSharing(request, options: .queued(seen: seen)).record?.sharing
    }
    #expect(try await choose(.investigatorOnly, seen: 0) == .investigatorOnly)
    let event = try #require(try await world.events().last { $0.entry == .sharingChanged }?.sequence)
    for seen in [0, event - 1] {
      await expectRefusal(.aborted, "sharing_changed_meanwhile") { try await choose(.wide, seen: seen) }
    }
    #expect(try await world.check().sharing == .investigatorOnly)
    #expect(try await choose(.wide, seen: event) == .wide)
    #expect(try await choose(.investigatorOnly, seen: 0) == .investigatorOnly)
    // With a connection it is what the person wants now.
    let now = try await person.updateSharing(UpdateSharingRequest(recordID: id, sharing: .wide)).record
    #expect(now?.sharing == .wide)
    await world.end()
  }

  @Test("a queued sharing choice conflicts with none that the same queue brought before, but with another device's")
  func sharingFromOneQueue() async throws {
    let world = try await World()
    try await world.open()
    let id = try await world.record(of: try await world.walk()).recordID
    func choose(_ choice: SharingChoice, on device: String) async throws -> ConsentRecord {
      let request = UpdateSharingRequest(recordID: id, sharing: choice)
      let person = world.client("s1", device: device).records
      return try #require(try await person.updateSharing(request, options: .queued(seen: 0)).record)
    }
    // Both were recorded before either went up: the queue states the same for both.
    _ = try await choose(.investigatorOnly, on: "tablet")
    let widened = try await choose(.wide, on: "tablet")
    #expect(widened.sharing == .wide && widened.history.last?.queuedBy == "tablet")
    _ = try await choose(.investigatorOnly, on: "phone")
    await expectRefusal(.aborted, "sharing_changed_meanwhile") { try await choose(.wide, on: "tablet") }
    #expect(try await world.check().sharing == .investigatorOnly)
    await world.end()
  }

  @Test("what was seen of a log that was restored since counts for nothing")
  func restored() async throws {
    let world = try await World()
    try await world.open()
    let given = try await world.record(of: try await world.walk())
    var walks: [SubmitOfflineWalkRequest] = []
    for _ in 0..<4 { walks.append(try await walk(world, try await start(world))) }
    let event = try await withdraw(world, given.recordID)
    let person = world.client("s1").sessions
    for position in ["\(event).0011223344556677", "\(event + 99).0011223344556677", "no position"] {
      let early = walks.removeLast()
      try await expectAttention {
        try await person.submitOfflineWalk(early, options: .queued(seen: event, until: position))
      }
    }
    let request = walks.removeLast()
    let position = try await world.admin.records.listEvents(ListEventsRequest(pageSize: 1000)).nextPageToken
    let done = try await person.submitOfflineWalk(request, options: .queued(seen: event, until: position))
    #expect(done.session?.outcome == .completed)
    await world.end()
  }

  @Test("a session that was begun after the withdrawal is a new decision; one from before it needs attention")
  func newer() async throws {
    let world = try await World()
    try await world.open()
    let given = try await world.record(of: try await world.walk())
    let before = try await walk(world, try await start(world))
    _ = try await withdraw(world, given.recordID)
    let after = try await walk(world, try await start(world))
    let person = world.client("s1").sessions
    #expect(try await person.submitOfflineWalk(after, options: .queued(seen: 0)).session?.outcome == .completed)
    let stands = try await world.check()
    let late = try await person.submitOfflineWalk(before)
    #expect(late.session?.outcome == .needsAttention && late.attention.hasPrefix("said_no_meanwhile: "))
    #expect(try await world.check() == stands && stands.permitted)
    await world.end()
  }

  @Test("what was denied in another session meanwhile counts like a withdrawal", arguments: [true, false])
  func denied(isForm: Bool) async throws {
    let world = try await World()
    var flow = Example.flow()
    flow.steps.insert(Example.form("newsletter"), at: 0)
    try await world.open(flow: flow)
    var walks: [SubmitOfflineWalkRequest] = []
    for _ in 0..<3 { walks.append(try await walk(world, try await start(world))) }
    let other = try await world.goOn(try await start(world)) { $0.kind == (isForm ? .form : .review) }
    _ = try await world.act(other, FlowAction(kind: isForm ? .notNow : .disagree))
    let event = try #require(try await world.events().last { $0.entry == .declined }?.sequence)
    let (person, purpose) = (world.client("s1").sessions, isForm ? "newsletter" : "research")
    // The event before is the step by which the person denied it.
    for (request, seen) in zip(walks, [0, event - 2]) {
      _ = try await person.submitOfflineWalk(request, options: .queued(seen: seen))
      #expect(try await world.check("s1", purpose).reason == "needs_attention")
    }
    _ = try await person.submitOfflineWalk(walks[2], options: .queued(seen: event))
    #expect(try await world.check("s1", purpose).permitted)
    await world.end()
  }

  @Test("what was denied in the same session is followed by what its person does there next")
  func deniedHere() async throws {
    let world = try await World()
    var flow = Example.flow()
    flow.steps.insert(Example.form("newsletter"), at: 0)
    try await world.open(flow: flow)
    var view = try await start(world)
    for kind in [ActionKind.notNow, .next] {
      let act = ActOnSessionRequest(
        sessionID: view.sessionID, expectedVersion: view.version, action: FlowAction(kind: kind), clientSchema: 2)
      view = try #require(
        try await world.client("s1").sessions.actOnSession(act, options: .queued(seen: 0)).session)
    }
    #expect(try await world.events().contains { $0.entry == .declined })
    await world.end()
  }

  @Test("a withdrawal of something else conflicts with nothing")
  func unrelated() async throws {
    let world = try await World()
    var withForm = Example.flow()
    withForm.steps.insert(Example.form("newsletter"), at: 0)
    try await world.open(flow: withForm)
    let draft = try await world.publisher.flows.createFlow(
      CreateFlowRequest(studyID: World.study, flowID: "plain", name: "Plain", definition: Example.flow()))
    _ = try await world.publisher.flows.publishFlowDraft(
      PublishFlowDraftRequest(flowID: "plain", expectedRevision: draft.version?.revision ?? 0))
    _ = try await world.walk()
    let records = try await world.app.records.getSubjectHistory(GetSubjectHistoryRequest(subjectID: "s1")).records
    let form = try #require(records.first { $0.kind == .form })
    let plain = try await walk(world, try await start(world, flow: "plain"))
    let both = try await walk(world, try await start(world))
    _ = try await withdraw(world, form.recordID)
    let person = world.client("s1").sessions
    #expect(try await person.submitOfflineWalk(plain, options: .queued(seen: 0)).session?.outcome == .completed)
    _ = try await person.submitOfflineWalk(both, options: .queued(seen: 0))
    #expect(try await world.check("s1", "newsletter").reason == "needs_attention")
    #expect(try await world.check().permitted)
    await world.end()
  }
}
