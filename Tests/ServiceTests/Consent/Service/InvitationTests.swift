import Base
import Bus
import ConsentContract
import RPC
import ServicePolicy
import StorageTestKit
import TestSupport
import Testing
import Wire

/// Invitations live until the session that they began has ended: at devices and in browsers, one at a time.
@Suite("Invitations") struct InvitationTests {
  private func invite(
    _ world: World, _ request: CreateInvitationRequest = CreateInvitationRequest()
  ) async throws -> StudyInvitation {
    var request = request
    request.invitation = request.invitation ?? StudyInvitation(flowID: "flow", siteID: "north")
    return try #require(try await world.coordinator.studies.createInvitation(request).invitation)
  }

  private func stranger(_ world: World) -> ConsentClients { world.client("", kind: .stranger, tenant: "") }

  /// The caller as which the gateway calls for a browser that has opened a link.
  private func browser(_ world: World, _ opened: OpenInvitationResponse) -> ConsentClients {
    world.client(
      opened.browserID, ["session@\(opened.session?.sessionID ?? "")"], kind: .device, tenant: opened.tenant,
      device: opened.browserID)
  }

  private func device(_ world: World, _ name: String) -> ConsentClients {
    world.client(name, kind: .device, device: name)
  }

  @Test("the same code goes on with the session, at another device too, and the first is told in the person's language")
  func resumed() async throws {
    let world = try await World()
    try await world.open()
    let invitation = try await invite(
      world, CreateInvitationRequest(invitation: StudyInvitation(flowID: "flow", siteID: "north", test: true)))
    #expect(invitation.code.count == 10 && invitation.link == "/c#t1.\(invitation.code)")
    #expect(invitation.state == .usable && invitation.sessionID.isEmpty)
    let (one, two) = (device(world, "tablet-1"), device(world, "tablet-2"))
    func start(_ clients: ConsentClients, _ name: String) async throws -> StartSessionResponse {
      // Codes are read aloud and typed.
      let typed = "\(invitation.code.prefix(5).lowercased())- \(invitation.code.dropFirst(5))"
      return try await clients.sessions.startSession(
        StartSessionRequest(invitationCode: typed, locale: "de", clientSchema: 2, deviceID: name))
    }
    let first = try await start(one, "tablet-1")
    let view = try #require(first.session)
    #expect(view.test && view.screen?.navigationBar?.title.contains("TEST") == true)
    #expect(view.flowID == "flow" && view.studyID == World.study && view.siteID == "north")
    #expect(view.invitationState == .usable)
    let second = try await start(two, "tablet-2")
    #expect(second.session?.sessionID == view.sessionID && second.subjectID == first.subjectID)
    #expect(second.session?.screen?.id == view.screen?.id)
    await expectRefusal(.failedPrecondition, "other_device") {
      try await one.sessions.actOnSession(
        ActOnSessionRequest(sessionID: view.sessionID, expectedVersion: 2, action: FlowAction(kind: .cancel)))
    }
    let told = try await one.sessions.getSession(GetSessionRequest(sessionID: view.sessionID)).session?.screen
    #expect(told?.id == "elsewhere" && told?.title == "An anderer Stelle fortgesetzt" && told?.offered.isEmpty == true)
    let notes = try await world.events().filter { $0.kind == .invitationChanged }
    #expect(notes.map(\.note) == ["", "begun", "taken over"] && notes.last?.subjectID == first.subjectID)
    _ = try await two.sessions.abandonSession(AbandonSessionRequest(sessionID: view.sessionID))
    for clients in [one, two] {
      await expectRefusal(.failedPrecondition, "invitation_used_up") { try await start(clients, "") }
    }
    let listed = try await world.coordinator.studies.listInvitations(ListInvitationsRequest(studyID: World.study))
    #expect(listed.invitations.map(\.state) == [.usedUp])
    #expect(listed.invitations.map(\.sessionID) == [view.sessionID])
    await world.end()
  }

  @Test("an invitation expires, and not before it is made; a revoked one goes on with nothing")
  func ends() async throws {
    let world = try await World()
    try await world.open()
    func until(_ end: Duration) -> CreateInvitationRequest {
      CreateInvitationRequest(
        invitation: StudyInvitation(flowID: "flow", siteID: "north", expiresAt: Timestamp(Example.now + end)))
    }
    for end: Duration in [.zero, .seconds(-1)] {
      await expectRefusal(.invalidArgument, "expiry_past") {
        try await world.coordinator.studies.createInvitation(until(end))
      }
    }
    let late = try await invite(world, until(.seconds(1)))
    let revoked = try await invite(world)
    let session = try await world.app.sessions.startSession(StartSessionRequest(invitationCode: revoked.code)).session
    _ = try await world.coordinator.studies.revokeInvitation(RevokeInvitationRequest(code: revoked.code))
    world.clock.move(by: .seconds(2))
    for (code, rule) in [(late.code, "invitation_expired"), (revoked.code, "invitation_revoked")] {
      await expectRefusal(.failedPrecondition, rule) {
        try await world.app.sessions.startSession(StartSessionRequest(invitationCode: code))
      }
    }
    // The session itself goes on.
    let seen = try await world.app.sessions.getSession(GetSessionRequest(sessionID: try #require(session?.sessionID)))
    #expect(seen.session?.invitationState == .revoked && seen.session?.screen?.offered.isEmpty == false)
    await world.end()
  }

  @Test("what an invitation asks for besides is needed each time, and guessing it takes ever longer")
  func challenges() async throws {
    let world = try await World(.sqlite)
    try await world.open()
    let born = CalendarDate(year: 1990, month: 4, day: 13)
    await expectRefusal(.invalidArgument, "two_challenges") {
      try await world.coordinator.studies.createInvitation(
        CreateInvitationRequest(
          invitation: StudyInvitation(flowID: "flow"), toldCode: "1234", birthDate: born))
    }
    await expectRefusal(.invalidArgument, "bad_told_code") {
      try await world.coordinator.studies.createInvitation(
        CreateInvitationRequest(invitation: StudyInvitation(flowID: "flow"), toldCode: "12 "))
    }
    let told = try await invite(world, CreateInvitationRequest(toldCode: "ab12"))
    #expect(told.challenge == .toldCode && !told.subjectID.isEmpty)
    await expectRefusal(.failedPrecondition, "challenge_missing") {
      try await world.app.sessions.startSession(StartSessionRequest(invitationCode: told.code))
    }
    let anybody = stranger(world).sessions
    do {
      _ = try await anybody.openInvitation(OpenInvitationRequest(link: told.link, toldCode: "ab13"))
      Issue.record("opened with a wrong answer")
    } catch {
      #expect(error.isRefusal(.failedPrecondition, "challenge_wrong"))
      let notice = try #require(error.details.first { $0.typeName == InvitationNotice.messageName })
      #expect(try InvitationNotice(decoding: notice.value).challenge == .toldCode)
    }
    for _ in 0..<4 {
      await expectRefusal(.failedPrecondition, "challenge_wrong") {
        try await world.app.sessions.startSession(StartSessionRequest(invitationCode: told.code, toldCode: "x"))
      }
    }
    // Now even the right one has to wait.
    await expectRefusal(.resourceExhausted, "too_many_attempts") {
      try await anybody.openInvitation(OpenInvitationRequest(link: told.link, toldCode: "AB-12"))
    }
    world.clock.move(by: .seconds(31))
    let opened = try await anybody.openInvitation(OpenInvitationRequest(link: told.link, toldCode: "AB-12"))
    #expect(opened.session?.outcome == .unspecified)
    await expectRefusal(.failedPrecondition, "challenge_missing") {
      try await anybody.openInvitation(OpenInvitationRequest(link: told.link))
    }
    let dated = try await invite(world, CreateInvitationRequest(birthDate: born))
    await expectRefusal(.failedPrecondition, "challenge_wrong") {
      try await anybody.openInvitation(
        OpenInvitationRequest(link: dated.link, birthDate: CalendarDate(year: 1990, month: 4, day: 14)))
    }
    _ = try await anybody.openInvitation(OpenInvitationRequest(link: dated.link, birthDate: born))
    await world.end()
  }

  @Test("a device that guesses codes has to wait longer and longer")
  func guesses() async throws {
    let world = try await World()
    try await world.open()
    let known = try await invite(world)
    let start = StartSessionRequest(invitationCode: "K7M2N4P9QX")
    for _ in 0..<20 {
      await expectRefusal(.notFound, "unknown_invitation") { try await world.app.sessions.startSession(start) }
    }
    await expectRefusal(.resourceExhausted, "too_many_attempts") {
      try await world.app.sessions.startSession(StartSessionRequest(invitationCode: known.code))
    }
    // Others are not concerned.
    _ = try await device(world, "kiosk").sessions.startSession(StartSessionRequest(invitationCode: known.code))
    world.clock.move(by: .seconds(31))
    _ = try await world.app.sessions.startSession(StartSessionRequest(invitationCode: known.code))
    await world.end()
  }

  @Test("a link opens its session in a browser, which reaches that one alone", arguments: TestEngine.allCases)
  func link(engine: TestEngine) async throws {
    let world = try await World(engine)
    try await world.open()
    let done = try await world.walk(subject: "s1", site: "north")
    let invitation = try await invite(
      world, CreateInvitationRequest(invitation: StudyInvitation(flowID: "flow", siteID: "north", subjectID: "s1")))
    let open = OpenInvitationRequest(link: "https://host.example\(invitation.link)", locale: "de", clientSchema: 2)
    let opened = try await stranger(world).sessions.openInvitation(open)
    let own = browser(world, opened)
    let session = try #require(opened.session)
    // Without an identifier the browser's own session is meant.
    let seen = try await own.sessions.getSession(GetSessionRequest(clientSchema: 2)).session
    #expect(seen?.sessionID == session.sessionID && seen?.screen?.id == session.screen?.id)
    let acted = try await own.sessions.actOnSession(
      ActOnSessionRequest(
        sessionID: session.sessionID, expectedVersion: session.version,
        action: Walker.goodAction(on: try #require(session.screen)), clientSchema: 2))
    #expect(acted.session?.version == session.version + 1)
    // Not even what the same person did elsewhere.
    await expectRefusal(.permissionDenied, "not_admitted") {
      try await own.sessions.getSession(GetSessionRequest(sessionID: done.sessionID))
    }
    let record = try #require(done.recordIDs.first)
    await expectRefusal(.permissionDenied, "not_admitted") {
      try await own.records.getShownContent(GetShownContentRequest(recordID: record))
    }
    await expectRefusal(.permissionDenied, "not_admitted") {
      try await own.sessions.startSession(StartSessionRequest(flowID: "flow", subjectID: "s1"))
    }
    await expectRefusal(.permissionDenied, "not_admitted") {
      try await own.sessions.listConsentSessions(
        ListConsentSessionsRequest(studyID: World.study, subjectID: "s1"))
    }
    await expectRefusal(.permissionDenied, "not_admitted") {
      try await own.studies.getStudy(GetStudyRequest(studyID: World.study))
    }
    await world.end()
  }

  @Test("a second browser takes over, and the first sees that and nothing else; signing out ends its turn")
  func takenOver() async throws {
    let world = try await World()
    try await world.open()
    let invitation = try await invite(world)
    let open = OpenInvitationRequest(link: invitation.link, locale: "de", clientSchema: 2)
    let opened = try await stranger(world).sessions.openInvitation(open)
    let again = try await stranger(world).sessions.openInvitation(open)
    #expect(again.session?.sessionID == opened.session?.sessionID && again.browserID != opened.browserID)
    let (first, second) = (browser(world, opened), browser(world, again))
    let told = try #require(try await first.sessions.getSession(GetSessionRequest()).session?.screen)
    #expect(told.id == "elsewhere" && told.kind == .plain && told.offered.isEmpty && told.locale == "de")
    #expect(told.title == "An anderer Stelle fortgesetzt" && told.text.contains("Ihren Link noch einmal"))
    let id = try #require(opened.session?.sessionID)
    await expectRefusal(.failedPrecondition, "other_device") {
      try await first.sessions.actOnSession(ActOnSessionRequest(sessionID: id, expectedVersion: 2))
    }
    await expectRefusal(.failedPrecondition, "other_device") {
      try await first.sessions.resumeSession(ResumeSessionRequest(sessionID: id))
    }
    await expectRefusal(.failedPrecondition, "other_device") {
      try await first.sessions.previewSignedCopy(PreviewSignedCopyRequest(sessionID: id))
    }
    // Resuming changes the language, and names no other device.
    let french = try await second.sessions.resumeSession(
      ResumeSessionRequest(sessionID: id, deviceID: "tablet", locale: "en", clientSchema: 2))
    let done = try await goOn(second, try #require(french.session))
    #expect(done.outcome == .completed && done.invitationState == .usedUp)
    let record = try #require(done.recordIDs.last)
    _ = try await second.records.getShownContent(GetShownContentRequest(recordID: record))
    await expectRefusal(.failedPrecondition, "other_device") {
      try await first.records.getShownContent(GetShownContentRequest(recordID: record))
    }
    for _ in 0..<2 { _ = try await second.sessions.leaveSession(LeaveSessionRequest()) }
    let left = try await second.sessions.getSession(GetSessionRequest()).session?.screen
    #expect(left?.title == "You have left" && left?.html.isEmpty == true)
    await expectRefusal(.failedPrecondition, "other_device") {
      try await second.records.getShownContent(GetShownContentRequest(recordID: record))
    }
    await expectRefusal(.failedPrecondition, "invitation_used_up") {
      try await stranger(world).sessions.openInvitation(open)
    }
    await expectRefusal(.notFound, "unknown_invitation") {
      try await stranger(world).sessions.openInvitation(OpenInvitationRequest(link: "/c#t1.K7M2N4P9QX"))
    }
    await expectRefusal(.notFound, "unknown_invitation") {
      try await stranger(world).sessions.openInvitation(OpenInvitationRequest(link: "no link"))
    }
    await world.end()
  }

  private func goOn(_ clients: ConsentClients, _ start: SessionView) async throws -> SessionView {
    var view = start
    while let screen = view.screen, !screen.offered.isEmpty {
      let answer = try await clients.sessions.actOnSession(
        ActOnSessionRequest(
          sessionID: view.sessionID, expectedVersion: view.version, action: Walker.goodAction(on: screen),
          clientSchema: 2))
      view = try #require(answer.session)
    }
    return view
  }
}
