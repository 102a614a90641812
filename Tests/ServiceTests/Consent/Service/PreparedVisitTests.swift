import Base
import ConsentContract
import ConsentDomain
import ConsentService
import RPC
import ServicePolicy
import Storage
import StorageTestKit
import TestSupport
import Testing
import Wire

/// Visits that began without a connection, on a table that was made before, and came up later as they would from a
/// device's queue.
@Suite("Begun without a connection") struct PreparedVisitTests {
  /// A visit of one person at a device: what the device chose, and what it was given.
  private struct Visit {
    let world: World
    let bundle: OfflineBundle
    var person: ConsentClients
    var start: StartSessionRequest
    let recordID = IdentifierSource().next()

    init(_ world: World, _ bundle: OfflineBundle, of subject: String, at time: Instant = Example.now) {
      self.world = world
      self.bundle = bundle
      person = world.client(subject, device: "tablet")
      start = StartSessionRequest(
        flowID: "flow", deviceTime: DeviceTime(at: Timestamp(time)), sessionID: IdentifierSource().next(),
        prepared: bundle.prepared)
    }

    func begin(seen: Int64 = 0) async throws -> SessionView {
      try #require(try await person.sessions.startSession(start, options: .queued(seen: seen)).session)
    }

    func submit(seen: Int64 = 0) async throws -> SubmitOfflineWalkResponse {
      try await person.sessions.submitOfflineWalk(
        SubmitOfflineWalkRequest(
          sessionID: start.sessionID, bundleHash: bundle.bundleHash, actions: bundle.walked(),
          recordIDs: [ChosenRecord(stepID: "review", recordID: recordID)]),
        options: .queued(seen: seen))
    }
  }

  private func prepare(
    _ world: World, by client: ConsentClients, _ begin: StartSessionRequest = StartSessionRequest(flowID: "flow")
  ) async throws -> OfflineBundle {
    try #require(try await client.sessions.getOfflineBundle(GetOfflineBundleRequest(begin: begin)).bundle)
  }

  private func ended(_ world: World, _ version: Int32, stops: Bool) async throws {
    if stops {
      _ = try await world.publisher.documents.stopDocumentVersion(
        StopDocumentVersionRequest(documentID: Example.documentID, version: version, reason: "unsafe"))
    } else {
      var content = Example.content()
      content.settings?.reconsent = .noAction
      try await world.publish(content)
    }
  }

  private func record(_ id: String, of subject: String, _ world: World) async throws -> ConsentRecord {
    let answer = try await world.client(subject).records.getRecord(GetRecordRequest(recordID: id))
    return try #require(answer.record)
  }

  @Test("a visit arrives as if it had been online, under the identifiers that the device chose")
  func whole() async throws {
    let world = try await World()
    try await world.open()
    let person = world.client("s1", device: "tablet")
    let visit = Visit(world, try await prepare(world, by: person), of: "s1", at: Example.now + .seconds(60))
    world.clock.move(by: .days(20))
    let begun = try await visit.begin()
    #expect(begun.sessionID == visit.start.sessionID && begun.version == 1)
    let answer = try await visit.submit()
    #expect(answer.attention.isEmpty && answer.session?.outcome == .completed && answer.session?.version == 2)
    let record = try await record(visit.recordID, of: "s1", world)
    #expect(record.recordID == visit.recordID && record.state == .inForce && record.deviceID == "tablet")
    #expect(record.history.allSatisfy { $0.kind == .inForce || $0.queuedBy == "tablet" })
    let result = try await person.sessions.getSessionResult(GetSessionResultRequest(sessionID: begun.sessionID)).result
    let longestAgo = Example.now + .days(13)
    #expect(result?.startedAt == Timestamp(longestAgo), "no longer ago than a session lasts")
    #expect(answer.session?.recordIDs == [visit.recordID])
    await world.end()
  }

  @Test("what a device chose belongs to it and its person, and the same call has one effect")
  func bound() async throws {
    let world = try await World()
    try await world.open()
    let bundle = try await prepare(world, by: world.client("s1", device: "tablet"))
    var visit = Visit(world, bundle, of: "s1")
    let options = CallOptions(
      metadata: try CallOptions.queued(seen: 0).metadata, idempotencyKey: .given("sync/tablet/i1"))
    for _ in 0..<2 {
      let view = try await visit.person.sessions.startSession(visit.start, options: options).session
      #expect(view?.sessionID == visit.start.sessionID)
    }
    for (subject, device) in [("s1", "tablet"), ("s1", "phone"), ("s2", "tablet")] {
      let other = world.client(subject, device: device).sessions
      await expectRefusal(.alreadyExists, "session_exists") { try await other.startSession(visit.start) }
    }
    visit.person = world.client("s1", device: "phone")
    await expectRefusal(.failedPrecondition, "other_device") { try await visit.submit() }
    visit.person = world.client("s2", device: "tablet")
    await expectRefusal(.permissionDenied, "not_admitted") { try await visit.submit() }
    visit.person = world.client("s1", device: "tablet")
    #expect(try await visit.submit().session?.outcome == .completed)
    // A record's identifier is used once, too.
    let (record, actions) = (visit.recordID, bundle.walked())
    let next = Visit(world, try await prepare(world, by: visit.person), of: "s1")
    _ = try await next.begin()
    for (id, code, rule) in [
      (record, StatusCode.alreadyExists, "record_exists"), ("mine", .invalidArgument, "bad_identifier"),
    ] {
      let chosen = [ChosenRecord(stepID: "review", recordID: id)]
      await expectRefusal(code, rule) {
        try await visit.person.sessions.submitOfflineWalk(
          SubmitOfflineWalkRequest(
            sessionID: next.start.sessionID, bundleHash: next.bundle.bundleHash, actions: actions, recordIDs: chosen))
      }
    }
    for id in ["Visit-1", next.start.sessionID.uppercased(), "3f2504e0-4f89-41d3-9a0c-0305e82c3301"] {
      var start = next.start
      start.sessionID = id
      await expectRefusal(.invalidArgument, "bad_identifier") { try await visit.person.sessions.startSession(start) }
    }
    await world.end()
  }

  @Test("one table serves the visits of several people, each with a place of its own for the field")
  func shared() async throws {
    let world = try await World()
    try await world.open()
    let bundle = try await prepare(world, by: world.app)
    #expect(bundle.sessionID.isEmpty && bundle.prepared?.position.isEmpty == false)
    let places = bundle.screens.compactMap { $0.screen?.signatureForm?.place }
    #expect(!places.isEmpty && places.allSatisfy { $0.sessionID.isEmpty && $0.subjectID.isEmpty })
    for subject in ["s1", "s2"] {
      var visit = Visit(world, bundle, of: subject)
      visit.person = world.app
      visit.start.subjectID = subject
      #expect(try await visit.begin().screen?.id == bundle.screens.first?.screen?.id)
      #expect(try await visit.submit().session?.outcome == .completed)
      #expect(try await world.check(subject).permitted)
    }
    // Of one visit, the table names it.
    let id = IdentifierSource().next()
    let own = try await prepare(
      world, by: world.app, StartSessionRequest(flowID: "flow", subjectID: "s3", sessionID: id))
    let named = own.screens.compactMap { $0.screen?.signatureForm?.place }
    #expect(own.sessionID == id && named.allSatisfy { $0.sessionID == id && $0.subjectID == "s3" })
    #expect(own.bundleHash == bundle.bundleHash)
    await world.end()
  }

  @Test(
    "on versions that ended meanwhile: replaced ones count as they would with a connection, stopped ones need attention",
    arguments: [true, false])
  func ended(stops: Bool) async throws {
    let world = try await World()
    try await world.open()
    let bundle = try await prepare(world, by: world.client("s1", device: "tablet"))
    world.clock.move(by: .days(1))
    try await ended(world, 1, stops: stops)
    world.clock.move(by: .days(5))
    let visit = Visit(world, bundle, of: "s1")
    _ = try await visit.begin()
    let answer = try await visit.submit()
    let record = try await record(visit.recordID, of: "s1", world)
    #expect(record.documentVersion == 1)
    #expect(record.state == (stops ? .needsAttention : .inForce))
    #expect(answer.attention.hasPrefix("version_stopped") == stops)
    // A session that had begun when the table was made would have expired by now.
    world.clock.move(by: .days(2))
    await expectRefusal(.failedPrecondition, "preparation_expired") { try await Visit(world, bundle, of: "s2").begin() }
    await world.end()
  }

  @Test("a flow that was replaced is walked no longer either, though its earlier version stays published")
  func earlierFlow() async throws {
    let world = try await World()
    try await world.open()
    let bundle = try await prepare(world, by: world.client("s1", device: "tablet"))
    world.clock.move(by: .days(1))
    let draft = try await world.redraft(Example.flow()).version
    _ = try await world.publisher.flows.publishFlowDraft(
      PublishFlowDraftRequest(flowID: "flow", expectedRevision: draft?.revision ?? 0))
    let visit = Visit(world, bundle, of: "s1")
    _ = try await visit.begin()
    #expect(try await visit.submit().attention.isEmpty)
    world.clock.move(by: .days(7))
    await expectRefusal(.failedPrecondition, "preparation_expired") { try await Visit(world, bundle, of: "s2").begin() }
    await world.end()
  }

  @Test("a table that claims to be made after its version had ended opens nothing")
  func forged() async throws {
    let world = try await World()
    try await world.open()
    let bundle = try await prepare(world, by: world.client("s1", device: "tablet"))
    world.clock.move(by: .seconds(1))
    try await ended(world, 1, stops: false)
    world.clock.move(by: .seconds(1))
    var visit = Visit(world, bundle, of: "s1")
    visit.start.prepared?.preparedAt = Timestamp(Example.now + .days(900))
    await expectRefusal(.failedPrecondition, "preparation_expired") { try await visit.begin() }
    visit.start.prepared?.documents[0].version = 7
    await expectRefusal(.failedPrecondition, "not_published") { try await visit.begin() }
    visit.start.prepared = bundle.prepared
    visit.start.prepared?.texts?.textsVersion = 40
    await expectRefusal(.invalidArgument, "unknown_texts") { try await visit.begin() }
    visit.start.prepared = bundle.prepared
    visit.start.prepared?.flowVersion = 9
    await expectRefusal(.notFound, "unknown_version") { try await visit.begin() }
    await world.end()
  }

  @Test("a no counts that was said after the table was made, whoever began the visit, and none from before")
  func saidNo() async throws {
    let world = try await World()
    try await world.open()
    for (subject, client) in [("s1", world.client("s1", device: "tablet")), ("s2", world.app)] {
      func withdraw(_ id: String) async throws {
        _ = try await world.client(subject).records.withdrawConsent(WithdrawConsentRequest(recordID: id))
      }
      try await withdraw(try #require(try await world.walk(subject: subject).recordIDs.last))
      let bundle = try await prepare(world, by: client, StartSessionRequest(flowID: "flow", subjectID: subject))
      var visit = Visit(world, bundle, of: subject)
      (visit.person, visit.start.subjectID) = (client, subject)
      _ = try await visit.begin()
      #expect(try await visit.submit().attention.isEmpty, "the no was known when the table was made")
      try await withdraw(visit.recordID)
      var late = Visit(world, bundle, of: subject)
      (late.person, late.start.subjectID) = (client, subject)
      _ = try await late.begin()
      let answer = try await late.submit()
      #expect(answer.attention.hasPrefix("said_no_meanwhile: ") && answer.session?.outcome == .needsAttention)
    }
    await world.end()
  }

  @Test("ages count on the day of the visit, and never on a later one than that of its arrival")
  func age() async throws {
    let world = try await World()
    var content = Example.content()
    content.settings?.age = AgePolicy(minimumAge: 18)
    try await world.open(content: content)
    // Of age two days after the table was made.
    let born = CalendarDate(year: 2008, month: 3, day: 3)
    for (subject, days, rule) in [("s1", 1, "under_age"), ("s2", 900, "")] {
      let client = world.client(subject, device: "tablet")
      let begin = StartSessionRequest(flowID: "flow")
      let visit = Visit(world, try await prepare(world, by: client, begin), of: subject, at: Example.now + .days(days))
      world.clock.move(by: .days(4))
      _ = try await visit.begin()
      let answer = try await client.sessions.submitOfflineWalk(
        SubmitOfflineWalkRequest(
          sessionID: visit.start.sessionID, bundleHash: visit.bundle.bundleHash,
          actions: visit.bundle.walked { action in
            guard action.answers.contains(where: { $0.questionID == "birth-date" }) else { return }
            action.answers = [QuestionAnswer(questionID: "birth-date", date: born)]
          }), options: .queued(seen: 0))
      #expect(rule.isEmpty ? answer.attention.isEmpty : answer.attention.hasPrefix(rule))
    }
    await world.end()
  }

  @Test("what an app asked for on screens of its own comes up on the versions that it showed, and finds an unseen no")
  func ownScreens() async throws {
    let world = try await World()
    try await world.open()
    let client = world.client("s1", device: "tablet")
    let begin = StartSessionRequest(flowID: "flow", siteID: "north")
    let bundle = try await prepare(world, by: client, begin)
    world.clock.move(by: .days(1))
    try await ended(world, 1, stops: false)
    func request(_ prepared: PreparedVisit?) -> RecordConsentRequest {
      Example.recordConsent { request in
        (request.subjectID, request.sessionID, request.prepared) = ("", IdentifierSource().next(), prepared)
        request.documents[0].recordID = IdentifierSource().next()
      }
    }
    await expectRefusal(.failedPrecondition, "other_version") {
      try await client.sessions.recordConsent(request(nil), options: .queued(seen: 0))
    }
    let given = request(bundle.prepared)
    let answer = try await client.sessions.recordConsent(given, options: .queued(seen: 0))
    #expect(answer.records.map(\.recordID) == given.documents.map(\.recordID))
    #expect(answer.records.first?.documentVersion == 1 && answer.records.first?.history.first?.queuedBy == "tablet")
    _ = try await client.records.withdrawConsent(WithdrawConsentRequest(recordID: given.documents[0].recordID))
    let late = try await client.sessions.recordConsent(request(bundle.prepared), options: .queued(seen: 0))
    #expect(late.records.first?.state == .needsAttention)
    try await ended(world, 1, stops: true)
    await expectRefusal(.failedPrecondition, "version_stopped") {
      try await client.sessions.recordConsent(request(bundle.prepared), options: .queued(seen: 0))
    }
    await world.end()
  }

  @Test("no visit is prepared with an invitation, or on what was prepared before")
  func refused() async throws {
    let world = try await World()
    try await world.open()
    let bundle = try await prepare(world, by: world.app)
    for begin in [
      StartSessionRequest(flowID: "flow", invitationCode: "ABC"),
      StartSessionRequest(flowID: "flow", prepared: bundle.prepared),
    ] {
      await expectRefusal(.invalidArgument, "not_before_visit") { try await prepare(world, by: world.app, begin) }
    }
    await expectRefusal(.permissionDenied, "not_admitted") {
      try await prepare(world, by: world.client("s1"), StartSessionRequest(flowID: "flow", subjectID: "s2"))
    }
    await world.end()
  }
}
