import Base
import ConsentContract
import ConsentService
import RPC
import StorageTestKit
import TestSupport
import Testing
import Wire

/// What counts for a subject over all sessions: the birth date that was stated first, and attempts at questions.
@Suite("What counts for a subject") struct SubjectFactTests {
  private static let child = CalendarDate(year: 2013, month: 1, day: 9)
  private static let adult = CalendarDate(year: 1996, month: 1, day: 9)

  private func open(_ world: World) async throws {
    var content = Example.content()
    content.settings?.age = AgePolicy(minimumAge: 16)
    try await world.open(content: content)
  }

  private func start(
    _ world: World, _ subject: String = "s1", born: CalendarDate? = nil, site: String = ""
  ) async throws -> SessionView {
    let answer = try await world.app.sessions.startSession(
      StartSessionRequest(flowID: "flow", siteID: site, subjectID: subject, clientSchema: 2, birthDate: born))
    return try #require(answer.session)
  }

  private func birthDatePage(_ world: World, _ view: SessionView) async throws -> SessionView {
    try await world.goOn(view) { $0.questions.contains { $0.id == "birth-date" } }
  }

  private func stating(_ date: CalendarDate) -> FlowAction {
    FlowAction(kind: .answer, answers: [QuestionAnswer(questionID: "birth-date", date: date)])
  }

  // MARK: Birth dates

  @Test("a birth date cannot be stated anew: not by going back, in a new session, in a parallel one, or at its start")
  func firstStands() async throws {
    let world = try await World()
    var content = Example.content()
    content.settings?.age = AgePolicy(minimumAge: 8, majorityAge: 18, assentAge: 9)
    content.settings?.signatures.append(
      SignatureDefinition(id: "guardian", role: .guardian, order: 1, requiresName: true))
    for index in content.texts.indices {
      content.texts[index].signatures.append(
        SignatureText(signatureID: "guardian", title: "Guardian", meaning: "I permit it."))
    }
    try await world.open(content: content)
    let parallel = try await birthDatePage(world, try await start(world))
    var view = try await birthDatePage(world, try await start(world))
    view = try await world.act(view, stating(Self.child))
    view = try await world.act(view, FlowAction(kind: .back))
    let refused = view
    await expectRefusal(.failedPrecondition, "birth_date_stated") { try await world.act(refused, stating(Self.adult)) }
    await expectRefusal(.failedPrecondition, "birth_date_stated") { try await world.act(parallel, stating(Self.adult)) }
    await expectRefusal(.failedPrecondition, "birth_date_stated") { try await start(world, born: Self.adult) }
    // The date itself may be said again, and a new session does not ask for it.
    view = try await world.act(view, stating(Self.child))
    let again = try await world.goOn(try await start(world)) { $0.kind == .name }
    let screens = try await world.goOn(view) { $0.kind == .name }
    #expect(again.screen?.nameForm?.signatureID == screens.screen?.nameForm?.signatureID)
    let record = try await world.record(of: try await world.goOn(again))
    #expect(record.ageCheck?.needsGuardian == true)
    _ = try await start(world, "s2", born: Self.adult)
    await world.end()
  }

  @Test("a session shows a birth date only if it was stated in it, and uses it all the same")
  func toldWhereStated() async throws {
    let world = try await World()
    try await open(world)
    let waiting = try await birthDatePage(world, try await start(world))
    _ = try await start(world, born: Self.adult)
    let silent = try await world.goOn(try await start(world))
    func shown(_ id: String) async throws -> SessionView {
      let request = GetSessionRequest(sessionID: id, clientSchema: 2)
      return try #require(try await world.app.sessions.getSession(request).session)
    }
    func result(_ id: String) async throws -> String {
      try await world.app.sessions.getSessionResult(GetSessionResultRequest(sessionID: id)).jsonText()
    }
    for id in [waiting.sessionID, silent.sessionID] {
      let answers = try await shown(id).screen?.entries?.answers ?? []
      let told = try await result(id)
      #expect(answers.isEmpty && !told.contains("1996"))
    }
    #expect(silent.outcome == .completed, "it was old enough by the date that it does not tell")
    let back = try await world.act(try await world.act(waiting, stating(Self.adult)), FlowAction(kind: .back))
    #expect(back.screen?.entries?.answers.first?.date == Self.adult)
    let told = try await result(waiting.sessionID)
    #expect(told.contains("1996"))
    await world.end()
  }

  @Test("on the page that asks for it, too, a birth date is compared with a bound")
  func boundOnThePage() async throws {
    let world = try await World()
    try await open(world)
    let waiting = try await birthDatePage(world, try await start(world))
    _ = try await start(world, born: Self.adult)
    for _ in 0..<5 {
      await expectRefusal(.failedPrecondition, "birth_date_stated") {
        try await world.act(waiting, stating(Self.child))
      }
    }
    for date in [Self.child, Self.adult] {
      await expectRefusal(.failedPrecondition, "birth_date_guessed") { try await world.act(waiting, stating(date)) }
    }
    await world.end()
  }

  @Test("events commit to a birth date and do not tell it")
  func events() async throws {
    let world = try await World()
    try await open(world)
    _ = try await start(world, born: Self.child)
    _ = try await start(world)
    let events = try await world.events()
    let stated = events.filter { $0.kind == .birthDateStated }
    #expect(stated.count == 1 && stated.first?.subjectID == "s1" && stated.first?.hash.count == 64)
    for event in events {
      let text = try event.jsonText()
      #expect(!text.contains("2013") && !text.contains(Digest(of: Array("2013-01-09".utf8)).hex))
    }
    await world.end()
  }

  @Test(
    "staff corrects a birth date with a reason: sessions that went by it end, consents it would not have let through need attention"
  )
  func correction() async throws {
    let world = try await World()
    try await open(world)
    let consented = try await world.goOn(try await start(world, born: Self.adult, site: "north"))
    let running = try await start(world, site: "north")
    #expect(try await world.check().permitted)
    let request = CorrectBirthDateRequest(
      studyID: World.study, subjectID: "s1", birthDate: Self.child, reason: "a misread form")
    for (subject, grants) in [
      ("app", []), ("s1", []), ("pia", ["publisher@heart"]), ("ian", ["inspector@heart"]),
      ("carl", ["coordinator@heart/south"]), ("carl", ["coordinator@lung"]),
    ] as [(String, [String])] {
      await expectRefusal(.permissionDenied, "not_admitted") {
        try await world.client(subject, grants).sessions.correctBirthDate(request)
      }
    }
    let staff = world.client("carl", ["coordinator@heart/north"]).sessions
    var unfounded = request
    unfounded.reason = " "
    await expectRefusal(.invalidArgument, "reason_missing") { try await staff.correctBirthDate(unfounded) }
    var impossible = request
    impossible.birthDate = CalendarDate(year: 2026, month: 2, day: 30)
    await expectRefusal(.invalidArgument, "no_such_day") { try await staff.correctBirthDate(impossible) }
    var unknown = request
    unknown.subjectID = "s9"
    await expectRefusal(.notFound, "unknown_subject") { try await world.coordinator.sessions.correctBirthDate(unknown) }

    let answer = try await staff.correctBirthDate(request)
    #expect(answer.endedSessionIDs == [running.sessionID])
    #expect(answer.attentionRecordIDs == [try #require(consented.recordIDs.last)])
    #expect(try await world.check().reason == "needs_attention")
    #expect(try await staff.correctBirthDate(request) == CorrectBirthDateResponse(), "a repeat changes nothing")
    // The subject is under age from now on.
    let view = try await world.goOn(try await start(world))
    #expect(view.outcome == .underAge)
    let events = try await world.events()
    let corrected = events.filter { $0.kind == .birthDateCorrected }
    #expect(corrected.map(\.actor) == ["carl"])
    for event in events { #expect(try !event.jsonText().contains("misread")) }
    let export = try await world.app.records.exportSubject(ExportSubjectRequest(subjectID: "s1"))
    let text = String(decoding: export.content, as: UTF8.self)
    #expect(text.contains("a misread form") && text.contains("1996-01-09") && text.contains("2013-01-09"))
    await world.end()
  }

  @Test("a consent on paper is questioned by a corrected birth date, too, and in force again once that lets it be")
  func correctionOfPaper() async throws {
    let world = try await World()
    try await open(world)
    let session = try await start(world, born: Self.adult)
    let paper = try #require(
      try await world.coordinator.records.createPaperRecord(
        CreatePaperRecordRequest(
          studyID: World.study, subjectID: "s1", documentID: Example.documentID, documentVersion: 1, locale: "en",
          sharing: .wide, birthDate: Self.adult, signedAt: Timestamp(Example.now + .seconds(-60)),
          scan: Array("%PDF-1.7 scan".utf8), attestedBy: "Dr. Carl")
      ).record)
    #expect(paper.state == .inForce)
    func correct(_ date: CalendarDate) async throws -> CorrectBirthDateResponse {
      try await world.coordinator.sessions.correctBirthDate(
        CorrectBirthDateRequest(studyID: World.study, subjectID: "s1", birthDate: date, reason: "a misread form"))
    }
    let confirm = ResolveAttentionRequest(recordID: paper.recordID, decision: .confirm, reason: "looked at the scan")
    let answer = try await correct(Self.child)
    #expect(answer.endedSessionIDs == [session.sessionID] && answer.attentionRecordIDs == [paper.recordID])
    #expect(try await world.check().reason == "needs_attention")
    await expectRefusal(.failedPrecondition, "attention_still_needed") {
      try await world.coordinator.records.resolveAttention(confirm)
    }
    _ = try await correct(CalendarDate(year: 1995, month: 1, day: 9))
    let confirmed = try await world.coordinator.records.resolveAttention(confirm).record
    #expect(confirmed?.state == .inForce && confirmed?.ageCheck?.oldEnough == true)
    #expect(try await world.check().permitted)
    let tasks = try await world.investigator.sessions.listSigningTasks(ListSigningTasksRequest(studyID: World.study))
    #expect(tasks.tasks.isEmpty, "it was signed on paper")
    await world.end()
  }

  @Test("a walk without a connection that states another date is on record with the first one, and needs attention")
  func offline() async throws {
    let world = try await World()
    try await open(world)
    let walked = try await start(world)
    let bundle = try #require(
      try await world.app.sessions.getOfflineBundle(GetOfflineBundleRequest(sessionID: walked.sessionID)).bundle)
    _ = try await start(world, born: Self.child)
    var actions: [FlowAction] = []
    var row = 0
    while let screen = bundle.screens[row].screen, !screen.offered.isEmpty {
      var action = Walker.goodAction(on: screen)
      action.deviceTime = DeviceTime(at: Timestamp(Example.now))
      actions.append(action)
      row = Int(try #require(bundle.screens[row].edges.first { $0.action == action.kind }).successor)
    }
    let answer = try await world.app.sessions.submitOfflineWalk(
      SubmitOfflineWalkRequest(
        sessionID: bundle.sessionID, bundleHash: bundle.bundleHash, actions: actions, clientSchema: 2))
    #expect(answer.attention.hasPrefix("birth_date_stated: "), "\(answer.attention)")
    #expect(try await world.record(of: try #require(answer.session)).ageCheck?.oldEnough == false)
    await world.end()
  }

  @Test("a walk that states a date, goes back and states another one counts by the first, and needs attention")
  func restatedOffline() async throws {
    let world = try await World()
    try await open(world)
    let walked = try await start(world)
    let bundle = try #require(
      try await world.app.sessions.getOfflineBundle(GetOfflineBundleRequest(sessionID: walked.sessionID)).bundle)
    var dates = [Self.child, Self.adult]
    var actions: [FlowAction] = []
    var row = 0
    while let screen = bundle.screens[row].screen, !screen.offered.isEmpty {
      var action = Walker.goodAction(on: screen)
      if let date = dates.first, screen.questions.contains(where: { $0.id == "birth-date" }) {
        action = stating(date)
        dates.removeFirst()
      } else if dates == [Self.adult] {
        action = FlowAction(kind: .back)
      }
      action.deviceTime = DeviceTime(at: Timestamp(Example.now))
      actions.append(action)
      row = Int(try #require(bundle.screens[row].edges.first { $0.action == action.kind }).successor)
    }
    #expect(dates.isEmpty)
    let answer = try await world.app.sessions.submitOfflineWalk(
      SubmitOfflineWalkRequest(
        sessionID: bundle.sessionID, bundleHash: bundle.bundleHash, actions: actions, clientSchema: 2))
    #expect(answer.attention.hasPrefix("birth_date_stated: ") && answer.session?.outcome == .needsAttention)
    let record = try await world.record(of: try #require(answer.session))
    #expect(record.state == .needsAttention && record.ageCheck?.oldEnough == false)
    #expect(try await world.events().contains { $0.kind == .accessDenied && $0.subjectID == "s1" })
    await expectRefusal(.failedPrecondition, "birth_date_stated") { try await start(world, born: Self.adult) }
    _ = try await start(world, born: Self.child)
    await world.end()
  }

  // MARK: Attempts

  /// Fails the questions once; the example allows two attempts.
  private func fail(_ world: World, _ view: SessionView) async throws -> SessionView {
    var view = try await world.goOn(view) { $0.kind == .questions }
    let made = view.screen?.entries?.attemptsMade
    while let screen = view.screen, screen.kind == .questions, screen.entries?.attemptsMade == made {
      view = try await world.act(view, Walker.filled(.answer, on: screen, right: false))
    }
    return view
  }

  @Test("attempts count for a subject and a version, over new sessions and parallel ones")
  func attempts() async throws {
    let world = try await World()
    try await world.open()
    let parallel = try await start(world)
    let first = try await fail(world, try await start(world))
    #expect(first.outcome == .unspecified && first.screen?.entries?.attemptsLeft == 1)
    let second = try await world.goOn(try await start(world)) { $0.kind == .questions }
    #expect(second.screen?.entries?.attemptsMade == 1 && second.screen?.entries?.attemptsLeft == 1)
    #expect(try await fail(world, second).outcome == .failedQuestions)
    await expectRefusal(.failedPrecondition, "attempts_used_up") { try await start(world) }
    // Right answers come too late in a session that began before.
    #expect(try await world.goOn(parallel).outcome == .failedQuestions)
    #expect(try await world.goOn(try await start(world, "s2")).outcome == .completed)
    #expect(try await world.check().permitted == false)
    await world.end()
  }

  @Test("a new version has its own attempts, and what failed elsewhere is on the record")
  func versions() async throws {
    let world = try await World()
    try await world.open()
    let failed = try await fail(world, try await start(world))
    let record = try await world.record(of: try await world.goOn(try await start(world)))
    #expect(record.attempts.map(\.passed) == [false, true])
    #expect(record.attempts.first?.sessionID == failed.sessionID)
    var next = Example.content()
    next.settings?.reconsent = .noAction
    try await world.publish(next)
    let fresh = try await world.goOn(try await start(world)) { $0.kind == .questions }
    #expect(fresh.screen?.entries?.attemptsMade == 0)
    await world.end()
  }

  @Test("attempts are renewed after the time that the document says, and not before")
  func renewedByTime() async throws {
    let world = try await World()
    var content = Example.content()
    content.settings?.comprehension?.renewedAfter = ProtobufDuration(.days(7))
    try await world.open(content: content)
    _ = try await fail(world, try await fail(world, try await start(world)))
    world.clock.move(by: .days(7) - .seconds(1))
    await expectRefusal(.failedPrecondition, "attempts_used_up") { try await start(world) }
    world.clock.move(by: .seconds(1))
    let view = try await fail(world, try await start(world))
    #expect(view.outcome == .unspecified && view.screen?.entries?.attemptsMade == 1, "earlier ones count no more")
    await world.end()
  }

  @Test("staff renews attempts where the document lets them, on record with a reason")
  func renewedByStaff() async throws {
    for (renewal, coordinatorMay, investigatorMay) in [
      (AttemptRenewal.unspecified, true, true), (.investigator, false, true), (.nobody, false, false),
    ] {
      let world = try await World()
      var content = Example.content()
      content.settings?.comprehension?.renewedBy = renewal
      try await world.open(content: content)
      _ = try await fail(world, try await fail(world, try await start(world)))
      let request = RenewAttemptsRequest(
        subjectID: "s1", documentID: Example.documentID, documentVersion: 1, reason: "explained once more")
      await expectRefusal(.permissionDenied, "not_admitted") {
        try await world.client("s1").sessions.renewAttempts(request)
      }
      if !coordinatorMay, renewal == .investigator {
        await expectRefusal(.permissionDenied, "not_admitted") {
          try await world.coordinator.sessions.renewAttempts(request)
        }
      }
      guard investigatorMay else {
        await expectRefusal(.failedPrecondition, "renewal_refused") {
          try await world.investigator.sessions.renewAttempts(request)
        }
        await world.end()
        continue
      }
      var unfounded = request
      unfounded.reason = ""
      let silent = unfounded
      await expectRefusal(.invalidArgument, "reason_missing") {
        try await world.investigator.sessions.renewAttempts(silent)
      }
      let staff = coordinatorMay ? world.coordinator : world.investigator
      #expect(try await staff.sessions.renewAttempts(request).renewedCount == 2)
      let event = try await world.events().last { $0.kind == .attemptsRenewed }
      #expect(event?.subjectID == "s1" && event?.version == 1 && event?.documentID == Example.documentID)
      world.clock.move(by: .seconds(1))
      #expect(try await world.goOn(try await start(world)).outcome == .completed)
      await world.end()
    }
  }
}
