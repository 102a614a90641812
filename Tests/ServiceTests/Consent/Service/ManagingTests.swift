import Base
import ConsentContract
import ConsentService
import RPC
import Storage
import StorageTestKit
import TestSupport
import Testing
import Wire

@Suite("Managing what is published, invited and held")
struct ManagingTests {
  @Test("a discarded draft is gone, its number is not used again, and what is published stays")
  func discardedDocument() async throws {
    let world = try await World()
    try await world.open()
    let documents = world.publisher.documents
    let draft = try await documents.createDocumentDraft(CreateDocumentDraftRequest(documentID: Example.documentID))
    #expect(draft.version?.version == 2)
    await expectRefusal(.aborted, "stale_version") {
      try await documents.discardDocumentDraft(
        DiscardDocumentDraftRequest(documentID: Example.documentID, expectedRevision: 9))
    }
    let discard = DiscardDocumentDraftRequest(documentID: Example.documentID, expectedRevision: 1)
    let left = try await documents.discardDocumentDraft(discard).document
    #expect(left?.draftVersion == 0 && left?.publishedVersion == 1)
    await expectRefusal(.failedPrecondition, "no_draft") { try await documents.discardDocumentDraft(discard) }
    let again = try await documents.createDocumentDraft(CreateDocumentDraftRequest(documentID: Example.documentID))
    #expect(again.version?.version == 3 && again.version?.content == draft.version?.content)
    let list = try await documents.listDocumentVersions(ListDocumentVersionsRequest(documentID: Example.documentID))
    #expect(list.versions.map(\.version) == [3, 1])
    await world.end()
  }

  @Test("a flow's draft is discarded in the same way")
  func discardedFlow() async throws {
    let world = try await World()
    try await world.open()
    let flows = world.publisher.flows
    let draft = try await flows.createFlowDraft(CreateFlowDraftRequest(flowID: "flow")).version
    let left = try await flows.discardFlowDraft(
      DiscardFlowDraftRequest(flowID: "flow", expectedRevision: draft?.revision ?? 0))
    #expect(left.flow?.draftVersion == 0 && left.flow?.publishedVersion == 1)
    let again = try await flows.createFlowDraft(CreateFlowDraftRequest(flowID: "flow")).version
    #expect(again?.version == 3 && again?.definition?.steps.count == Example.flow().steps.count)
    await world.end()
  }

  @Test("what was retired comes back while nothing has taken its place, and version 0 tells its state meanwhile")
  func reinstated() async throws {
    let world = try await World()
    try await world.open()
    let (documents, flows) = (world.publisher.documents, world.publisher.flows)
    let retire = RetireDocumentVersionRequest(documentID: Example.documentID, version: 1, reason: "pause")
    _ = try await documents.retireDocumentVersion(retire)
    _ = try await flows.retireFlowVersion(RetireFlowVersionRequest(flowID: "flow", version: 1, reason: "pause"))
    let newest = try await documents.getDocument(GetDocumentRequest(documentID: Example.documentID)).version
    #expect(newest?.version == 1 && newest?.state == .retired && newest?.endedReason == "pause")
    #expect(try await flows.getFlow(GetFlowRequest(flowID: "flow")).version?.state == .retired)
    await expectRefusal(.failedPrecondition, "not_published") { try await world.walk() }
    let reinstate = ReinstateDocumentVersionRequest(documentID: Example.documentID, version: 1)
    for _ in 0..<2 {
      #expect(try await documents.reinstateDocumentVersion(reinstate).version?.state == .published)
      let answer = try await flows.reinstateFlowVersion(ReinstateFlowVersionRequest(flowID: "flow", version: 1))
      #expect(answer.version?.state == .published)
    }
    #expect(try await world.events().count { $0.kind == .versionReinstated } == 2)
    #expect(try await world.walk().outcome == .completed)
    var content = Example.content()
    content.settings?.reconsent = .noAction
    try await world.publish(content)
    await expectRefusal(.failedPrecondition, "replaced") { try await documents.reinstateDocumentVersion(reinstate) }
    _ = try await documents.stopDocumentVersion(
      StopDocumentVersionRequest(documentID: Example.documentID, version: 2, reason: "wrong"))
    await expectRefusal(.failedPrecondition, "not_retired") {
      try await documents.reinstateDocumentVersion(
        ReinstateDocumentVersionRequest(documentID: Example.documentID, version: 2))
    }
    let stopped = try await documents.getDocument(GetDocumentRequest(documentID: Example.documentID)).version
    #expect(stopped?.version == 2 && stopped?.state == .stopped)
    await world.end()
  }

  @Test("a version of a flow that another one has replaced comes back once that one is retired")
  func reinstatedFlow() async throws {
    let world = try await World()
    try await world.open()
    let flows = world.publisher.flows
    let draft = try await world.redraft(Example.flow()).version
    _ = try await flows.publishFlowDraft(
      PublishFlowDraftRequest(flowID: "flow", expectedRevision: draft?.revision ?? 0))
    let reinstate = ReinstateFlowVersionRequest(flowID: "flow", version: 1)
    await expectRefusal(.failedPrecondition, "replaced") { try await flows.reinstateFlowVersion(reinstate) }
    _ = try await flows.retireFlowVersion(RetireFlowVersionRequest(flowID: "flow", version: 2, reason: "pause"))
    await expectRefusal(.failedPrecondition, "not_published") { try await world.walk() }
    for _ in 0..<2 {
      #expect(try await flows.reinstateFlowVersion(reinstate).version?.state == .published)
      #expect(try await flows.getFlow(GetFlowRequest(flowID: "flow")).flow?.publishedVersion == 1)
    }
    #expect(try await world.events().count { $0.kind == .versionReinstated } == 1)
    #expect(try await world.walk().outcome == .completed)
    await world.end()
  }

  @Test("a version to which a later one ends all consents comes back only once that one was stopped")
  func reinstatedBelow() async throws {
    let world = try await World()
    try await world.open()
    let documents = world.publisher.documents
    var content = Example.content()
    content.settings?.reconsent = .byDate
    content.settings?.reconsentBy = Timestamp(Example.now + .days(1))
    try await world.publish(content)
    let retire = RetireDocumentVersionRequest(documentID: Example.documentID, version: 2, reason: "a mistake")
    _ = try await documents.retireDocumentVersion(retire)
    let reinstate = ReinstateDocumentVersionRequest(documentID: Example.documentID, version: 1)
    // Before the date as after it.
    for _ in 0..<2 {
      await expectRefusal(.failedPrecondition, "reconsent_demanded") {
        try await documents.reinstateDocumentVersion(reinstate)
      }
      world.clock.move(by: .seconds(86_401))
    }
    _ = try await documents.stopDocumentVersion(
      StopDocumentVersionRequest(documentID: Example.documentID, version: 2, reason: "a mistake"))
    #expect(try await documents.reinstateDocumentVersion(reinstate).version?.state == .published)
    try await world.walk()
    #expect(try await world.check().permitted)
    await world.end()
  }

  @Test("a flow that is stopped ends its running sessions at their next step, and begins no more")
  func stoppedFlow() async throws {
    let world = try await World()
    try await world.open()
    let running = try await world.walk { $0.kind == .sharing }
    let stop = StopFlowVersionRequest(flowID: "flow", version: 1, reason: "wrong order")
    for _ in 0..<2 {
      #expect(try await world.publisher.flows.stopFlowVersion(stop).version?.state == .stopped)
    }
    let ended = try await world.act(running, FlowAction(kind: .share, sharing: .wide))
    #expect(ended.outcome == .stopped && ended.screen?.ways.map(\.kind) == [.contact, .close])
    await expectRefusal(.failedPrecondition, "not_published") { try await world.walk(subject: "s2") }
    #expect(try await world.events().count { $0.kind == .versionStopped } == 1)
    await world.end()
  }

  @Test("who is stopped while something newer is published may start again")
  func stoppedWithSuccessor() async throws {
    let world = try await World()
    try await world.open()
    let running = try await world.walk { $0.kind == .sharing }
    let draft = try await world.redraft(Example.flow())
    _ = try await world.publisher.flows.publishFlowDraft(
      PublishFlowDraftRequest(flowID: "flow", expectedRevision: draft.version?.revision ?? 0))
    _ = try await world.publisher.flows.stopFlowVersion(
      StopFlowVersionRequest(flowID: "flow", version: 1, reason: "wrong order"))
    let ended = try await world.act(running, FlowAction(kind: .share, sharing: .wide))
    #expect(ended.outcome == .stopped && ended.screen?.ways.map(\.kind) == [.startAgain, .contact, .close])
    await world.end()
  }

  @Test("versions are listed with their counts, and forms are counted too", arguments: TestEngine.allCases)
  func counts(engine: TestEngine) async throws {
    let world = try await World(engine)
    var flow = Example.flow()
    flow.steps.insert(Example.form("news"), at: 0)
    try await world.open(flow: flow)
    for subject in ["s1", "s2"] { _ = try await world.walk(subject: subject) }
    _ = try await world.walk(subject: "t1", test: true)
    let refused = try await world.walk(subject: "s3") { $0.kind == .form }
    _ = try await world.act(refused, FlowAction(kind: .notNow))
    _ = try await world.app.records.withdrawConsent(
      WithdrawConsentRequest(subjectID: "s2", studyID: World.study, purposes: ["news"]))
    let forms = try await world.coordinator.flows.getFormCounts(GetFormCountsRequest(flowID: "flow"))
    #expect(forms.version == 1)
    #expect(forms.forms == [FormCounts(stepID: "news", allowed: 2, refused: 1, withdrawn: 1, inForce: 1)])
    let test = try await world.coordinator.flows.getFormCounts(GetFormCountsRequest(flowID: "flow", test: true))
    #expect(test.forms.map(\.allowed) == [1])
    var content = Example.content()
    content.settings?.reconsent = .notify
    try await world.publish(content)
    let list = try await world.coordinator.documents.listDocumentVersions(
      ListDocumentVersionsRequest(documentID: Example.documentID))
    #expect(list.versions.map(\.state) == [.published, .retired])
    #expect(list.versions.allSatisfy { $0.locales == ["de", "en"] })
    #expect(list.versions.map { $0.counts?.completed } == [0, 2] && list.versions[1].counts?.started == 3)
    let page = try await world.coordinator.documents.listDocumentVersions(
      ListDocumentVersionsRequest(documentID: Example.documentID, pageSize: 1))
    #expect(page.versions.map(\.version) == [2] && !page.nextPageToken.isEmpty)
    await world.end()
  }

  @Test("codes of usable invitations are shown to who may revoke them, and no page's token tells them")
  func codes() async throws {
    let world = try await World()
    try await world.open()
    var codes: [String] = []
    for index in 0..<20 {
      let invitation = StudyInvitation(flowID: "flow", siteID: index < 10 ? "north" : "south")
      let made = try await world.coordinator.studies.createInvitation(CreateInvitationRequest(invitation: invitation))
      codes.append(try #require(made.invitation?.code))
    }
    let (used, revoked) = (codes[0], codes[10])
    let begun = try await world.app.sessions.startSession(StartSessionRequest(invitationCode: used, clientSchema: 2))
    _ = try await world.app.sessions.abandonSession(
      AbandonSessionRequest(sessionID: try #require(begun.session?.sessionID)))
    _ = try await world.coordinator.studies.revokeInvitation(RevokeInvitationRequest(code: revoked))
    func list(_ clients: ConsentClients, by size: Int32) async throws -> [String] {
      var (shown, token) = ([String](), "")
      repeat {
        let page = try await clients.studies.listInvitations(
          ListInvitationsRequest(studyID: World.study, pageSize: size, pageToken: token))
        #expect(page.invitations.count <= Int(size))
        shown += page.invitations.map(\.code)
        token = page.nextPageToken
        let told = String(decoding: try #require(Base64URL.decode(token)), as: UTF8.self)
        #expect(!codes.contains { told.contains($0) })
      } while !token.isEmpty
      return shown
    }
    let inspector = world.client("ida", ["inspector@heart"])
    let both = world.client("bo", ["inspector@heart", "coordinator@heart/north"])
    for size: Int32 in [1, 7, 20] {
      #expect(try await list(world.coordinator, by: size) == codes.sorted())
      let inspected = try await list(inspector, by: size)
      #expect(inspected.count == 20 && Set(inspected) == [used, revoked, ""])
      #expect(try await Set(list(both, by: size)) == Set(codes[..<11] + [""]))
    }
    await world.end()
  }

  @Test("invitations are listed where one may invite, and a revoked one lets nobody in", arguments: TestEngine.allCases)
  func invitations(engine: TestEngine) async throws {
    let world = try await World(engine)
    try await world.open()
    let north = world.client("nora", ["coordinator@heart/north"])
    func invite(_ clients: ConsentClients, _ site: String) async throws -> StudyInvitation {
      let answer = try await clients.studies.createInvitation(
        CreateInvitationRequest(invitation: StudyInvitation(flowID: "flow", siteID: site)))
      return answer.invitation ?? StudyInvitation()
    }
    let first = try await invite(north, "north")
    let second = try await invite(north, "north")
    _ = try await invite(world.coordinator, "south")
    func list(_ clients: ConsentClients) async throws -> [StudyInvitation] {
      try await clients.studies.listInvitations(ListInvitationsRequest(studyID: World.study)).invitations
    }
    #expect(try await list(world.coordinator).count == 3)
    #expect(try await Set(list(north).map(\.code)) == [first.code, second.code])
    let south = world.client("sora", ["coordinator@heart/south"])
    await expectRefusal(.permissionDenied, "not_admitted") {
      try await south.studies.revokeInvitation(RevokeInvitationRequest(code: first.code))
    }
    for _ in 0..<2 {
      let revoked = try await north.studies.revokeInvitation(RevokeInvitationRequest(code: first.code)).invitation
      #expect(revoked?.state == .revoked)
    }
    #expect(try await world.events().count { $0.kind == .invitationChanged && $0.note == "revoked" } == 1)
    await expectRefusal(.failedPrecondition, "invitation_revoked") {
      try await world.app.sessions.startSession(StartSessionRequest(invitationCode: first.code))
    }
    let begun = try await world.app.sessions.startSession(StartSessionRequest(invitationCode: second.code))
    _ = try await world.app.sessions.abandonSession(
      AbandonSessionRequest(sessionID: try #require(begun.session?.sessionID)))
    await expectRefusal(.failedPrecondition, "invitation_used_up") {
      try await north.studies.revokeInvitation(RevokeInvitationRequest(code: second.code))
    }
    await expectRefusal(.notFound, "unknown_invitation") {
      try await north.studies.revokeInvitation(RevokeInvitationRequest(code: "none"))
    }
    await world.end()
  }

  @Test("a hold is read with its reason by those who may, on record")
  func holds() async throws {
    let world = try await World()
    try await world.open()
    _ = try await world.walk()
    func holds(_ clients: ConsentClients) async throws -> [SubjectHold] {
      try await clients.records.getLegalHold(GetLegalHoldRequest(subjectID: "s1")).holds
    }
    #expect(try await holds(world.admin).isEmpty)
    _ = try await world.admin.records.setLegalHold(
      SetLegalHoldRequest(subjectID: "s1", held: true, reason: "audit 2026/4"))
    let found = try await holds(world.client("ivan", ["inspector@heart"]))
    #expect(found.map(\.reason) == ["audit 2026/4"] && found.map(\.setBy) == ["admin"])
    #expect(try await world.events().contains { $0.kind == .personalDataRead && $0.purpose == "legal hold" })
    await expectRefusal(.permissionDenied, "not_admitted") { try await holds(world.coordinator) }
    await expectRefusal(.notFound, "unknown_subject") {
      try await world.admin.records.getLegalHold(GetLegalHoldRequest(subjectID: "nobody"))
    }
    _ = try await world.admin.records.setLegalHold(
      SetLegalHoldRequest(subjectID: "s1", held: false, reason: "audit closed"))
    #expect(try await holds(world.admin).isEmpty)
    await world.end()
  }
}
