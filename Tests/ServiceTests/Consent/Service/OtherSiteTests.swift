import Base
import ConsentContract
import ConsentService
import RPC
import StorageTestKit
import Testing
import Wire

/// Staff of one site does nothing to a participant of another by naming them.
@Suite("Participants of another site", .timeLimit(.minutes(2))) struct OtherSiteTests {
  private func paper(_ site: String, of subject: String = "s1", born: CalendarDate? = nil) -> CreatePaperRecordRequest {
    CreatePaperRecordRequest(
      studyID: World.study, siteID: site, subjectID: subject, documentID: Example.documentID, documentVersion: 1,
      locale: "en", sharing: .wide, birthDate: born, signedAt: Timestamp(Example.now),
      scan: Array("%PDF-1.7 scan".utf8), attestedBy: "Carl")
  }

  @Test("a paper record and an assisted session need a right at each site of the participant")
  func sites() async throws {
    let world = try await World()
    try await world.open()
    let north = try await world.record(of: try await world.walk(site: "north"))
    let start = StartSessionRequest(
      flowID: "flow", siteID: "south", subjectID: "s1", clientSchema: 2, assistance: .readsAloud)
    let south = world.client("sue", ["coordinator@heart/south"])
    await expectRefusal(.permissionDenied, "not_admitted") { try await south.records.createPaperRecord(paper("south")) }
    await expectRefusal(.permissionDenied, "not_admitted") { try await south.sessions.startSession(start) }
    let request = GetRecordRequest(recordID: north.recordID)
    let untouched = try await world.client("nora", ["coordinator@heart/north"]).records.getRecord(request).record
    #expect(untouched?.state == north.state)
    let both = world.client("bo", ["coordinator@heart/south", "coordinator@heart/north"])
    _ = try await both.sessions.startSession(start)
    let registered = try await both.records.createPaperRecord(paper("south")).record
    #expect(registered?.state == .inForce)
    await world.end()
  }

  @Test(
    "whoever repeats an assisted start by an invitation gets its answer; once the session has ended, nobody begins by it"
  )
  func invited() async throws {
    let world = try await World()
    try await world.open()
    _ = try await world.walk(site: "north")
    let invitation = StudyInvitation(flowID: "flow", siteID: "south", subjectID: "s1")
    let made = try await world.client("bo", ["coordinator@heart/south", "coordinator@heart/north"]).studies
      .createInvitation(CreateInvitationRequest(invitation: invitation))
    let start = StartSessionRequest(
      invitationCode: try #require(made.invitation?.code), clientSchema: 2, assistance: .readsAloud)
    let south = world.client("sue", ["coordinator@heart/south"]).sessions
    let once = CallOptions(idempotencyKey: .given("once"))
    let first = try await south.startSession(start, options: once)
    #expect(first.subjectID == "s1")
    #expect(try await south.startSession(start, options: once) == first)
    // Whoever else assists goes on with the same session.
    let other = world.client("sam", ["coordinator@heart/south"]).sessions
    #expect(try await other.startSession(start).session?.sessionID == first.session?.sessionID)
    _ = try await other.abandonSession(AbandonSessionRequest(sessionID: try #require(first.session?.sessionID)))
    #expect(try await south.startSession(start, options: once) == first)
    for (client, key) in [(south, "again"), (other, "other")] {
      await expectRefusal(.failedPrecondition, "invitation_used_up") {
        try await client.startSession(start, options: CallOptions(idempotencyKey: .given(key)))
      }
    }
    await world.end()
  }

  @Test("the identifier that stays after a merge is no way around the sites of the other one")
  func otherIdentifier() async throws {
    let world = try await World()
    try await world.open()
    let north = try await world.record(of: try await world.walk(subject: "old", site: "north"))
    try await world.merge("old", into: "new")
    let south = world.client("sue", ["coordinator@heart/south"])
    await expectRefusal(.permissionDenied, "not_admitted") {
      try await south.records.createPaperRecord(paper("south", of: "new"))
    }
    await expectRefusal(.permissionDenied, "not_admitted") {
      try await south.sessions.startSession(
        StartSessionRequest(
          flowID: "flow", siteID: "south", subjectID: "new", clientSchema: 2, assistance: .readsAloud))
    }
    await expectRefusal(.permissionDenied, "not_admitted") {
      try await south.studies.createInvitation(
        CreateInvitationRequest(invitation: StudyInvitation(flowID: "flow", siteID: "south", subjectID: "new")))
    }
    await expectRefusal(.permissionDenied, "not_admitted") {
      try await south.studies.setGuardian(
        SetGuardianRequest(
          studyID: World.study, siteID: "south", subjectID: "new", guardianID: "gil", authority: .appointed))
    }
    #expect(try await world.check("new").recordID == north.recordID)
    let both = world.client("bo", ["coordinator@heart/south", "coordinator@heart/north"])
    #expect(try await both.records.createPaperRecord(paper("south", of: "new")).record?.siteID == "south")
    await world.end()
  }

  @Test("a strange device begins for nobody by the identifier that stays; the person's own goes on under it")
  func strangeDevice() async throws {
    let world = try await World()
    try await world.open()
    _ = try await world.walk(subject: "old", site: "north")
    try await world.merge("old", into: "new")
    let start = StartSessionRequest(flowID: "flow", siteID: "north", subjectID: "new", clientSchema: 2)
    let strange = world.client("pad", kind: .device).sessions
    await expectRefusal(.permissionDenied, "not_admitted") { try await strange.startSession(start) }
    await expectRefusal(.permissionDenied, "not_admitted") {
      try await strange.recordConsent(
        RecordConsentRequest(flowID: "flow", siteID: "north", subjectID: "new", locale: "en"))
    }
    #expect(try await world.app.sessions.startSession(start).subjectID == "new")
    // From now on the other identifier is not the only one with something on record.
    await expectRefusal(.permissionDenied, "not_admitted") { try await strange.startSession(start) }
    await world.end()
  }

  @Test("a paper record with another birth date than the stated one is refused")
  func birthDate() async throws {
    let world = try await World()
    try await world.open()
    let born = CalendarDate(year: 1986, month: 7, day: 13)
    _ = try await world.app.sessions.startSession(
      StartSessionRequest(flowID: "flow", siteID: "north", subjectID: "s1", clientSchema: 2, birthDate: born))
    let other = CalendarDate(year: 1986, month: 7, day: 14)
    await expectRefusal(.failedPrecondition, "birth_date_stated") {
      try await world.coordinator.records.createPaperRecord(paper("north", born: other))
    }
    let same = try await world.coordinator.records.createPaperRecord(paper("north", born: born)).record
    #expect(same?.state == .inForce)
    await world.end()
  }
}
