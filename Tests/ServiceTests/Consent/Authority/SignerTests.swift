import AuthorityKit
import Base
import ConsentContract
import ConsentDomain
import RPC
import ServicePolicy
import Testing

/// People act for themselves: who signs, who assists, whom a device begins for, who is a guardian.
@Suite("In nobody's place", .timeLimit(.minutes(5))) struct SignerTests {
  @Test(
    "the signers of one record are distinct, and who assisted is not its witness, unless the document says otherwise")
  func distinct() throws {
    var settings = Example.settings()
    settings.signatures.append(SignatureDefinition(id: "witness", role: .witness, order: 2))
    var record = ConsentRecord(recordID: "r", subjectID: "bea", state: .inForce)
    record.assistedBy = "asa"
    record.signatures = [RecordSignature(signatureID: "participant", role: .participant, personID: "bea")]
    func refused(_ id: String, by person: String, _ record: ConsentRecord) -> String? {
      let signature = RecordSignature(signatureID: id, personID: person)
      do throws(Refusal) {
        _ = try Signing.adding(signature, to: record, settings, entry: RecordEntry())
        return nil
      } catch {
        return error.rule
      }
    }
    #expect(refused("investigator", by: "bea", record) == "same_signer")
    #expect(refused("witness", by: "asa", record) == "same_signer")
    #expect(refused("investigator", by: "asa", record) == nil, "helping does not forbid to countersign")
    #expect(refused("witness", by: "wim", record) == nil && refused("witness", by: "", record) == nil)
    var witnessed = record
    witnessed.signatures.append(RecordSignature(signatureID: "witness", role: .witness, personID: "wim"))
    #expect(refused("investigator", by: "wim", witnessed) == "same_signer")
    settings.signersMayCoincide = true
    #expect(refused("investigator", by: "wim", witnessed) == nil && refused("investigator", by: "bea", record) == nil)
  }

  @Test("a device begins for a person who is new or was invited, and comes to nobody's data by naming them")
  func devices() async throws {
    let world = try await AuthorityWorld()
    let (bea, kiosk) = (world.targets[0], world.clients(Actor(name: "kiosk", kind: .device)))
    var start = StartSessionRequest(
      flowID: bea.flow, siteID: bea.site, subjectID: bea.subject, locale: "en", clientSchema: 2)
    await expectRefusal(.permissionDenied, "not_admitted") { try await kiosk.sessions.startSession(start) }
    await expectRefusal(.permissionDenied, "not_admitted") {
      try await kiosk.records.getRecord(GetRecordRequest(recordID: bea.record))
    }
    start.subjectID = ""
    let fresh = try await kiosk.sessions.startSession(start)
    #expect(!fresh.subjectID.isEmpty && fresh.subjectID != "kiosk")
    let own = GetSessionRequest(sessionID: try #require(fresh.session).sessionID)
    _ = try await kiosk.sessions.getSession(own)
    await expectRefusal(.permissionDenied, "not_admitted") {
      try await world.clients(Actor(name: "pad-bea", kind: .device)).sessions.getSession(own)
    }
    let coordinator = world.clients(Actor(name: "cora", grants: ["coordinator@heart/north"]))
    let invitation = try await coordinator.studies.createInvitation(
      CreateInvitationRequest(
        invitation: StudyInvitation(flowID: bea.flow, siteID: bea.site, subjectID: bea.subject)))
    let code = try #require(invitation.invitation?.code)
    _ = try await kiosk.sessions.startSession(
      StartSessionRequest(invitationCode: code, locale: "en", clientSchema: 2))
    _ = try await kiosk.records.getRecord(GetRecordRequest(recordID: bea.record))
    let south = world.clients(Actor(name: "cosima", grants: ["coordinator@heart/south"]))
    await expectRefusal(.permissionDenied, "not_admitted") {
      try await south.studies.createInvitation(
        CreateInvitationRequest(invitation: StudyInvitation(flowID: bea.flow, siteID: "south", subjectID: "bea")))
    }
    await world.end()
  }

  @Test("a person who names nobody begins for themselves, and for nobody else")
  func selves() async throws {
    let world = try await AuthorityWorld()
    let zoe = world.clients(Actor(name: "zoe"))
    let flow = world.targets[0].flow
    let own = StartSessionRequest(flowID: flow, siteID: "north", locale: "en", clientSchema: 2)
    #expect(try await zoe.sessions.startSession(own).subjectID == "zoe")
    var other = own
    other.subjectID = "new-person"
    await expectRefusal(.permissionDenied, "not_admitted") { try await zoe.sessions.startSession(other) }
    let staff = world.clients(Actor(name: "ines", grants: ["investigator@heart"]))
    await expectRefusal(.permissionDenied, "not_admitted") { try await staff.sessions.startSession(other) }
    await world.end()
  }

  @Test("assistance is on record in the session, its events and the record, and the participant stays the signer")
  func assistance() async throws {
    let world = try await AuthorityWorld()
    let target = world.targets[0]
    let asa = world.clients(Actor(name: "asa", grants: ["coordinator@heart"]))
    let session = GetSessionRequest(sessionID: target.runningSession, clientSchema: 2)
    var view = try #require(try await asa.sessions.getSession(session).session)
    #expect(view.assistedBy == "asa" && view.assistance == .operatesDevice)
    while let next = AuthorityWorld.next(view.screen?.offered ?? []) {
      let action = ActOnSessionRequest(
        sessionID: view.sessionID, expectedVersion: view.version, action: FlowAction(kind: next), clientSchema: 2)
      view = try #require(try await asa.sessions.actOnSession(action).session)
    }
    #expect(view.outcome == .completed)
    let id = try #require(view.recordIDs.first)
    let ines = world.clients(Actor(name: "ines", grants: ["investigator@heart"]))
    let record = try #require(try await ines.records.getRecord(GetRecordRequest(recordID: id)).record)
    #expect(record.assistedBy == "asa" && record.assistance == .operatesDevice)
    #expect(record.signatures.map(\.personID) == ["bea"] && record.history.first?.actor == "asa")
    let events = try await ines.records.listEvents(ListEventsRequest(studyID: "heart", pageSize: 1000)).events
    let ended = events.filter { $0.sessionID == target.runningSession && $0.kind == .sessionEnded }
    #expect(ended.map(\.assistedBy) == ["asa"])
    // Whoever is no staff there cannot say that they assist.
    let kiosk = world.clients(Actor(name: "pad-ben", kind: .device))
    await expectRefusal(.invalidArgument, "assistant_missing") {
      try await kiosk.sessions.resumeSession(
        ResumeSessionRequest(sessionID: world.targets[1].runningSession, assistance: .readsAloud))
    }
    await world.end()
  }

  @Test("staff makes neither itself nor the person a guardian; a guardian reaches the ward and nobody else")
  func guardians() async throws {
    let world = try await AuthorityWorld()
    let cora = world.clients(Actor(name: "cora", grants: ["coordinator@heart/north"]))
    for guardian in ["cora", "bea"] {
      await expectRefusal(.invalidArgument, "bad_guardian") {
        try await cora.studies.setGuardian(
          SetGuardianRequest(studyID: "heart", subjectID: "bea", guardianID: guardian, authority: .parent))
      }
    }
    let gil = world.clients(Actor(name: "gil"))
    let list = try await gil.studies.listGuardians(ListGuardiansRequest(studyID: "heart", subjectID: "bea")).guardians
    #expect(list.map(\.guardianID) == ["gil"] && list.first?.registeredBy == "ines")
    _ = try await gil.records.getRecord(GetRecordRequest(recordID: world.targets[0].record))
    await expectRefusal(.permissionDenied, "not_admitted") {
      try await gil.records.getRecord(GetRecordRequest(recordID: world.targets[1].record))
    }
    await world.end()
  }
}
