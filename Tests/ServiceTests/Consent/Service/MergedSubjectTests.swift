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

/// What is on record of a person under two identifiers, once AccountService has merged their accounts.
@Suite("Subjects whose accounts were merged", .timeLimit(.minutes(3))) struct MergedSubjectTests {
  private func merge(_ world: World, _ ended: String, into staying: String) async throws {
    try await world.merge(ended, into: staying)
  }

  private func answers(_ world: World, staying: String = "new") async throws -> [String] {
    var answers: [String] = []
    for subject in ["old", staying] {
      let answer = try await world.check(subject)
      #expect(answer.subjectID == subject)
      answers.append(answer.permitted ? answer.recordID : answer.reason)
    }
    return answers
  }

  @Test("the person who stays reads, resumes and withdraws what both have", arguments: TestEngine.allCases)
  func both(engine: TestEngine) async throws {
    let world = try await World(engine)
    try await world.open()
    let given = try await world.record(of: try await world.walk(subject: "old", site: "north"))
    // What is done in one millisecond has no order.
    world.clock.move(by: .seconds(1))
    let begun = try await world.walk(subject: "old", site: "north") { $0.kind == .review }
    let person = world.client("new")
    await expectRefusal(.permissionDenied, "not_admitted") {
      try await person.records.getRecord(GetRecordRequest(recordID: given.recordID))
    }
    #expect(try await answers(world) == [given.recordID, "no_consent"])
    try await merge(world, "old", into: "new")
    #expect(try await answers(world) == [given.recordID, given.recordID])

    // Reading.
    #expect(try await person.records.getRecord(GetRecordRequest(recordID: given.recordID)).record?.subjectID == "old")
    for subject in ["old", "new"] {
      let history = try await person.records.getSubjectHistory(GetSubjectHistoryRequest(subjectID: subject))
      #expect(history.records.map(\.recordID) == [given.recordID])
      let export = try await person.records.exportSubject(ExportSubjectRequest(subjectID: subject))
      #expect(String(decoding: export.content, as: UTF8.self).contains(given.recordID))
    }
    // Documents of the study are open to who takes part in it.
    _ = try await person.flows.getFlow(GetFlowRequest(flowID: "flow"))
    var names: [String] = []
    var token = ""
    repeat {
      let page = try await person.sessions.listConsentSessions(
        ListConsentSessionsRequest(studyID: World.study, pageSize: 1, pageToken: token))
      names += page.sessions.map(\.sessionID)
      token = page.nextPageToken
    } while !token.isEmpty
    #expect(names == [given.sessionID, begun.sessionID])
    let readings = try await world.events().filter { $0.kind == .personalDataRead && $0.actor == "new" }
    #expect(readings.isEmpty, "one's own reading is not on record")

    // Resuming: the rest of the walk, by the person.
    var view = try #require(
      try await person.sessions.resumeSession(
        ResumeSessionRequest(sessionID: begun.sessionID, locale: "en", clientSchema: 2)
      ).session)
    while let screen = view.screen, !screen.offered.isEmpty {
      let action = Walker.goodAction(on: screen)
      view = try #require(
        try await person.sessions.actOnSession(
          ActOnSessionRequest(
            sessionID: view.sessionID, expectedVersion: view.version, action: action, clientSchema: 2)
        ).session)
    }
    let second = try await world.record(of: view)
    #expect(second.subjectID == "old" && second.signatures.map(\.personID) == ["new"])
    #expect(try await answers(world) == [second.recordID, second.recordID])

    // Withdrawing, of what the subject has: by the identifier that stays.
    let withdrawn = try await person.records.withdrawConsent(
      WithdrawConsentRequest(subjectID: "new", studyID: World.study))
    #expect(withdrawn.records.map(\.recordID) == [second.recordID])
    #expect(withdrawn.records.allSatisfy { $0.history.last?.onBehalf == false })
    #expect(try await answers(world) == ["withdrawn", "withdrawn"])
    await world.end()
  }

  @Test("the trail names both; others are nobody else's for it", arguments: TestEngine.allCases)
  func trail(engine: TestEngine) async throws {
    let world = try await World(engine)
    try await world.open()
    let given = try await world.record(of: try await world.walk(subject: "old", site: "north"))
    try await merge(world, "old", into: "middle")
    try await merge(world, "middle", into: "new")
    let events = try await world.events().filter { $0.kind == .subjectsMerged }
    #expect(events.map(\.note) == ["into middle", "from old", "into new", "from middle"])
    #expect(events.prefix(2).allSatisfy { $0.studyID == World.study && $0.actor == "account" })
    _ = try await world.client("new").records.getRecord(GetRecordRequest(recordID: given.recordID))
    for other in ["middles", "third"] {
      await expectRefusal(.permissionDenied, "not_admitted") {
        try await world.client(other).records.getRecord(GetRecordRequest(recordID: given.recordID))
      }
    }
    // A person of another tenant has the same name.
    await expectRefusal(.notFound, "unknown_record") {
      try await world.client("new", tenant: "t2").records.getRecord(GetRecordRequest(recordID: given.recordID))
    }
    // An account ends once; a repeat changes nothing.
    try await merge(world, "old", into: "middle")
    await expectRefusal(.failedPrecondition, "person_gone") { try await merge(world, "old", into: "new") }
    await expectRefusal(.failedPrecondition, "person_gone") { try await merge(world, "new", into: "old") }
    await expectRefusal(.permissionDenied, "not_admitted") {
      try await world.admin.records.noteMergedSubject(NoteMergedSubjectRequest(endedID: "a", stayingID: "b"))
    }
    #expect(try await world.events().count { $0.kind == .subjectsMerged } == 4)
    await world.end()
  }

  /// The service itself is "system" in records; a person may be called so as well.
  @Test(
    "two decisions of one person count as one person's: the newest, and each withdrawal",
    arguments: ["new", "system"])
  func decisions(staying: String) async throws {
    let world = try await World()
    try await world.open()
    let older = try await world.record(of: try await world.walk(subject: staying, site: "north"))
    world.clock.move(by: .seconds(60))
    let newer = try await world.record(of: try await world.walk(subject: "old", site: "north"))
    world.clock.move(by: .seconds(60))
    _ = try await world.client(staying).records.withdrawConsent(WithdrawConsentRequest(recordID: older.recordID))
    #expect(try await answers(world, staying: staying) == [newer.recordID, "withdrawn"])
    try await merge(world, "old", into: staying)
    #expect(try await answers(world, staying: staying) == ["withdrawn", "withdrawn"])
    // Deciding anew counts under both, and supersedes what was decided under the other one.
    world.clock.move(by: .seconds(60))
    let third = try await world.record(of: try await world.walk(subject: staying, site: "north"))
    #expect(try await answers(world, staying: staying) == [third.recordID, third.recordID])
    world.clock.move(by: .seconds(60))
    let fourth = try await world.record(of: try await world.walk(subject: "old", site: "north"))
    #expect(try await answers(world, staying: staying) == [fourth.recordID, fourth.recordID])
    let request = GetRecordRequest(recordID: third.recordID)
    #expect(try await world.app.records.getRecord(request).record?.state == .superseded)
    await world.end()
  }

  @Test("an agreement after a withdrawal stands through merges, which withdraw only what is older")
  func agreedSince() async throws {
    let world = try await World()
    try await world.open()
    let withdrawn = try await world.record(of: try await world.walk(subject: "old", site: "north"))
    world.clock.move(by: .seconds(60))
    let between = try await world.record(of: try await world.walk(subject: "middle", site: "north"))
    world.clock.move(by: .seconds(60))
    _ = try await world.client("old").records.withdrawConsent(WithdrawConsentRequest(recordID: withdrawn.recordID))
    world.clock.move(by: .seconds(60))
    let since = try await world.record(of: try await world.walk(subject: "old", site: "north"))
    world.clock.move(by: .seconds(60))
    let newest = try await world.record(of: try await world.walk(subject: "new", site: "north"))
    world.clock.move(by: .seconds(60))
    try await merge(world, "old", into: "middle")
    #expect(try await answers(world) == [since.recordID, newest.recordID])
    let request = GetRecordRequest(recordID: between.recordID)
    #expect(try await world.app.records.getRecord(request).record?.state == .withdrawn)
    // What the first merge wrote is no withdrawal either when there is a second one.
    world.clock.move(by: .seconds(60))
    try await merge(world, "middle", into: "new")
    #expect(try await answers(world) == [newest.recordID, newest.recordID])
    await world.end()
  }

  @Test("of two consents that were given at the same time one counts from the merge on")
  func sameTime() async throws {
    let world = try await World()
    try await world.open()
    let one = try await world.record(of: try await world.walk(subject: "old", site: "north"))
    let other = try await world.record(of: try await world.walk(subject: "new", site: "north"))
    try #require(one.decidedAt == other.decidedAt)
    try await merge(world, "old", into: "new")
    #expect(try await answers(world) == [other.recordID, other.recordID], "the log knows which came later")
    await world.end()
  }

  @Test("of two standing consents the newer one counts from the merge on")
  func standing() async throws {
    let world = try await World()
    try await world.open()
    let older = try await world.record(of: try await world.walk(subject: "old", site: "north"))
    world.clock.move(by: .seconds(60))
    let newer = try await world.record(of: try await world.walk(subject: "new", site: "north"))
    #expect(try await answers(world) == [older.recordID, newer.recordID])
    try await merge(world, "old", into: "new")
    #expect(try await answers(world) == [newer.recordID, newer.recordID])
    await world.end()
  }

  @Test("a newer consent that was withdrawn under the other identifier ends what it was about, and nothing else")
  func withdrawnOtherPurposes() async throws {
    let world = try await World()
    try await world.open()
    _ = try await world.walk(subject: "new", site: "north")
    var content = Example.content()
    content.settings?.reconsent = .noAction
    content.settings?.purposes = [ConsentPurpose(code: "contact")]
    for index in content.texts.indices {
      content.texts[index].purposes = [PurposeText(purposeCode: "contact", title: "Contact")]
    }
    try await world.publish(content)
    world.clock.move(by: .seconds(60))
    let newer = try await world.record(of: try await world.walk(subject: "old", site: "north"))
    world.clock.move(by: .seconds(60))
    _ = try await world.client("old").records.withdrawConsent(WithdrawConsentRequest(recordID: newer.recordID))
    #expect(try await world.check("new").permitted)
    try await merge(world, "old", into: "new")
    for subject in ["old", "new"] {
      for purpose in ["research", "contact"] {
        let isPermitted = try await world.check(subject, purpose).permitted
        #expect(isPermitted == (purpose == "research"), "\(purpose) of \(subject)")
      }
    }
    await world.end()
  }

  /// A walk without a connection, in a session that begins now.
  private func bundle(_ world: World, _ subject: String) async throws -> SubmitOfflineWalkRequest {
    let start = try await world.app.sessions.startSession(
      StartSessionRequest(flowID: "flow", siteID: "north", subjectID: subject, clientSchema: 2))
    let answer = try await world.app.sessions.getOfflineBundle(
      GetOfflineBundleRequest(sessionID: start.session?.sessionID ?? ""))
    let bundle = try #require(answer.bundle)
    return SubmitOfflineWalkRequest(
      sessionID: bundle.sessionID, bundleHash: bundle.bundleHash, actions: bundle.walked())
  }

  @Test("a queued yes in a session of the ended account is held to withdrawals under either")
  func queued() async throws {
    let world = try await World()
    try await world.open()
    let given = try await world.record(of: try await world.walk(subject: "new", site: "north"))
    let (late, seen) = (try await bundle(world, "old"), try await bundle(world, "old"))
    try await merge(world, "old", into: "new")
    let person = world.client("new")
    _ = try await person.records.withdrawConsent(WithdrawConsentRequest(recordID: given.recordID))
    let event = try #require(try await world.events().last { $0.entry == .withdrawn }?.sequence)
    let overtaken = try await person.sessions.submitOfflineWalk(late, options: .queued(seen: event - 1))
    #expect(overtaken.session?.outcome == .needsAttention)
    let counts = try await person.sessions.submitOfflineWalk(seen, options: .queued(seen: event))
    #expect(counts.session?.outcome == .completed)
    await world.end()
  }

  @Test("what a merge withdraws is no withdrawal that overtakes a queued yes")
  func queuedAcrossMerge() async throws {
    let world = try await World()
    try await world.open()
    _ = try await world.walk(subject: "new", site: "north")
    world.clock.move(by: .seconds(60))
    let withdrawn = try await world.record(of: try await world.walk(subject: "old", site: "north"))
    _ = try await world.client("old").records.withdrawConsent(WithdrawConsentRequest(recordID: withdrawn.recordID))
    let seen = try #require(try await world.events().last { $0.entry == .withdrawn }?.sequence)
    let walk = try await bundle(world, "new")
    try await merge(world, "old", into: "new")
    #expect(try #require(try await world.events().last { $0.entry == .withdrawn }?.sequence) > seen)
    let counts = try await world.client("new").sessions.submitOfflineWalk(walk, options: .queued(seen: seen))
    #expect(counts.session?.outcome == .completed)
    await world.end()
  }

  @Test("a hold is on the person, and an erasure takes what was merged along", arguments: TestEngine.allCases)
  func holds(engine: TestEngine) async throws {
    let world = try await World(engine)
    try await world.open()
    _ = try await world.walk(subject: "old", site: "north")
    _ = try await world.walk(subject: "new", site: "north")
    func hold(_ subject: String, _ isHeld: Bool) async throws {
      _ = try await world.admin.records.setLegalHold(
        SetLegalHoldRequest(subjectID: subject, held: isHeld, reason: "a lawsuit"))
    }
    func erase(_ subject: String) async throws {
      _ = try await world.admin.records.eraseSubject(EraseSubjectRequest(subjectID: subject, reason: "asked for"))
    }
    try await hold("old", true)
    try await merge(world, "old", into: "new")
    for subject in ["old", "new"] {
      await expectRefusal(.failedPrecondition, "legal_hold") { try await erase(subject) }
      let holds = try await world.admin.records.getLegalHold(GetLegalHoldRequest(subjectID: subject)).holds
      #expect(holds.map(\.reason) == ["a lawsuit"] && holds.map(\.setBy) == ["admin"])
    }
    #expect(try await answers(world).allSatisfy { $0 != "erased" }, "all or nothing")
    try await hold("new", false)
    try await erase("new")
    #expect(try await answers(world) == ["erased", "erased"])
    await world.end()
  }

  @Test("what was consented to under an identifier whose data were erased permits nothing any more")
  func partlyErased() async throws {
    let world = try await World()
    try await world.open()
    let kept = try await world.record(of: try await world.walk(subject: "new", site: "north"))
    world.clock.move(by: .seconds(60))
    let gone = try await world.record(of: try await world.walk(subject: "old", site: "north"))
    try await merge(world, "old", into: "new")
    #expect(try await answers(world) == [gone.recordID, gone.recordID])
    _ = try await world.admin.records.eraseSubject(EraseSubjectRequest(subjectID: "old", reason: "asked for"))
    #expect(try await answers(world) == ["no_consent", "no_consent"], "the older one was superseded")
    let person = world.client("new").records
    #expect(try await person.getRecord(GetRecordRequest(recordID: kept.recordID)).record?.state == .superseded)
    await world.end()
  }

  @Test("of an identifier whose data were erased nothing is withdrawn, and the rest is")
  func withdrawnBesideErased() async throws {
    let world = try await World()
    try await world.open()
    let kept = try await world.record(of: try await world.walk(subject: "new", site: "north"))
    // One as a test participant: neither supersedes the other.
    let gone = try await world.record(of: try await world.walk(subject: "old", site: "north", test: true))
    try await merge(world, "old", into: "new")
    _ = try await world.admin.records.eraseSubject(EraseSubjectRequest(subjectID: "old", reason: "asked for"))
    let request = WithdrawConsentRequest(subjectID: "new", studyID: World.study, reason: "I move away")
    let withdrawn = try await world.client("new").records.withdrawConsent(request).records
    #expect(withdrawn.map(\.recordID) == [kept.recordID] && withdrawn.first?.state == .withdrawn)
    let erased = try await world.investigator.records.getRecord(GetRecordRequest(recordID: gone.recordID)).record
    #expect(erased?.state == .erased && erased?.history == gone.history, "nothing is added to it")
    await world.end()
  }

  @Test("a guardian stays one under the identifier that stays, and is never one's own")
  func guardians() async throws {
    let world = try await World()
    try await world.open()
    let given = try await world.record(of: try await world.walk(subject: "ward", site: "north"))
    for (subject, guardian) in [("ward", "old"), ("old", "new")] {
      _ = try await world.coordinator.studies.setGuardian(
        SetGuardianRequest(
          studyID: World.study, siteID: "north", subjectID: subject, guardianID: guardian, authority: .appointed))
    }
    try await merge(world, "old", into: "new")
    _ = try await world.client("new").records.getRecord(GetRecordRequest(recordID: given.recordID))
    // What staff may for participants they may not for themselves: not under another identifier either.
    let own = try await world.record(of: try await world.walk(subject: "old", site: "north"))
    let staff = world.client("new", ["coordinator@heart"])
    let withdrawn = try await staff.records.withdrawConsent(WithdrawConsentRequest(recordID: own.recordID))
    #expect(withdrawn.records.first?.history.last?.onBehalf == false)
    await world.end()
  }

  @Test("a guardian is removed under all identifiers of ward and guardian, by any of them", arguments: [false, true])
  func removedGuardian(byEnded: Bool) async throws {
    let world = try await World()
    try await world.open()
    let given = try await world.record(of: try await world.walk(subject: "old", site: "north"))
    func set(
      _ subject: String, _ guardian: String, _ authority: GuardianAuthority = .unspecified, removed: Bool = false
    ) async throws -> [Guardian] {
      try await world.coordinator.studies.setGuardian(
        SetGuardianRequest(
          studyID: World.study, siteID: "north", subjectID: subject, guardianID: guardian, authority: authority,
          removed: removed)
      ).guardians
    }
    func names(_ guardians: [Guardian]) -> [String] {
      guardians.map { "\($0.guardianID) of \($0.subjectID): \($0.authority.number)" }
    }
    _ = try await set("old", "aunt", .appointed)
    _ = try await set("old", "gina", .parent)
    try await merge(world, "old", into: "new")
    try await merge(world, "gina", into: "guardian")
    // Another authority of the same guardian counts under each identifier.
    let changed = ["guardian of new: 2", "aunt of old: 2", "gina of old: 2"]
    #expect(try await names(set("new", "guardian", .appointed)) == changed)
    let list = ListGuardiansRequest(studyID: World.study, subjectID: "new")
    #expect(try await names(world.coordinator.studies.listGuardians(list).guardians) == changed)
    let guardian = world.client("guardian")
    _ = try await guardian.records.getRecord(GetRecordRequest(recordID: given.recordID))

    let (ward, former) = byEnded ? ("old", "gina") : ("new", "guardian")
    for _ in 0..<2 { #expect(try await names(set(ward, former, removed: true)) == ["aunt of old: 2"]) }
    await expectRefusal(.permissionDenied, "not_admitted") {
      try await guardian.records.getRecord(GetRecordRequest(recordID: given.recordID))
    }
    for subject in ["old", "new"] {
      await expectRefusal(.permissionDenied, "not_admitted") {
        try await guardian.sessions.startSession(
          StartSessionRequest(flowID: "flow", siteID: "north", subjectID: subject, clientSchema: 2))
      }
    }
    let events = try await world.events().filter { $0.kind == .guardianChanged && $0.note == "removed" }
    #expect(Set(events.map { "\($0.guardianID) of \($0.subjectID)" }) == ["guardian of new", "gina of old"])
    #expect(events.count == 2, "removing again changes nothing")
    _ = try await world.client("aunt").records.getRecord(GetRecordRequest(recordID: given.recordID))
    await world.end()
  }
}
