import Base
import ConsentContract
import ConsentService
import RPC
import Storage
import StorageTestKit
import TestSupport
import Testing
import Wire

/// Every refusal has its own rule, and changes nothing.
@Suite("Refusals")
struct RefusalTests {
  @Test("a document with problems is not published, and a published one not published again")
  func publishing() async throws {
    let world = try await World()
    try await world.open()
    await expectRefusal(.failedPrecondition, "already_published") {
      try await world.publisher.documents.publishDocumentDraft(
        PublishDocumentDraftRequest(documentID: Example.documentID, expectedRevision: 1))
    }
    await expectRefusal(.failedPrecondition, "already_published") {
      try await world.publisher.flows.publishFlowDraft(PublishFlowDraftRequest(flowID: "flow", expectedRevision: 1))
    }
    var content = Example.content()
    content.texts[1].title = ""
    let draft = try await world.publisher.documents.importDocument(
      ImportDocumentRequest(
        studyID: World.study, file: DocumentFile(format: 1, documentID: Example.documentID, content: content)))
    #expect(Set(draft.problems.errors.map(\.rule)) == ["missing_translation", "missing_reconsent_policy"])
    await expectRefusal(.failedPrecondition, "missing_reconsent_policy") {
      try await world.publisher.documents.publishDocumentDraft(
        PublishDocumentDraftRequest(documentID: Example.documentID, expectedRevision: draft.version?.revision ?? 0))
    }
    await expectRefusal(.aborted, "stale_version") {
      try await world.publisher.documents.publishDocumentDraft(
        PublishDocumentDraftRequest(documentID: Example.documentID, expectedRevision: 77))
    }
    let stored = try await world.publisher.documents.getDocument(GetDocumentRequest(documentID: Example.documentID))
    #expect(stored.document?.publishedVersion == 1 && stored.document?.draftVersion == 2)
    await world.end()
  }

  @Test("where the study asks for it, a second person approves the publication")
  func secondPerson() async throws {
    let world = try await World()
    _ = try await world.admin.studies.createStudy(
      CreateStudyRequest(study: ConsentStudy(studyID: World.study, name: "Heart", secondPerson: true)))
    let asked = try await world.publish(Example.content())
    #expect(asked.state == .awaitingApproval)
    let approve = PublishDocumentDraftRequest(documentID: Example.documentID, expectedRevision: asked.revision)
    await expectRefusal(.failedPrecondition, "second_person_needed") {
      try await world.publisher.documents.publishDocumentDraft(approve)
    }
    let other = world.client("paul", ["publisher@heart"])
    let published = try #require(try await other.documents.publishDocumentDraft(approve).version)
    #expect(published.state == .published && published.publishedBy == "pia" && published.approvedBy == "paul")
    await world.end()
  }

  @Test("a translation added later gets its own hash, leaves the version hash alone, and never changes again")
  func translation() async throws {
    let world = try await World()
    try await world.open()
    let before = try await world.publisher.documents.getDocument(GetDocumentRequest(documentID: Example.documentID))
      .version
    let request = SetDocumentTranslationRequest(documentID: Example.documentID, version: 1, text: Example.text("fr"))
    let after = try #require(try await world.publisher.documents.setDocumentTranslation(request).version)
    #expect(after.versionHash == before?.versionHash && after.localeHashes.count == 3)
    #expect(after.localeHashes.last?.addedLater == true)
    let events = try await world.events().count
    #expect(try await world.publisher.documents.setDocumentTranslation(request).version == after, "set already")
    #expect(try await world.events().count == events)
    var changed = request
    changed.text?.title = "Autre"
    await expectRefusal(.alreadyExists, "already_published") {
      try await world.publisher.documents.setDocumentTranslation(changed)
    }
    var incomplete = SetDocumentTranslationRequest(documentID: Example.documentID, version: 1, text: Example.text("es"))
    incomplete.text?.sections.removeAll()
    await expectRefusal(.failedPrecondition, "missing_translation") {
      try await world.publisher.documents.setDocumentTranslation(incomplete)
    }
    #expect(try await world.record(of: try await world.walk(locale: "fr")).locale == "fr")
    await world.end()
  }

  @Test("another tenant's study is not found; another site's is forbidden")
  func scopes() async throws {
    let world = try await World()
    try await world.open()
    let record = try await world.record(of: try await world.walk(site: "north"))
    let stranger = world.client("app", kind: .device, tenant: "t2")
    await expectRefusal(.notFound, "unknown_record") {
      try await stranger.records.getRecord(GetRecordRequest(recordID: record.recordID))
    }
    await expectRefusal(.notFound, "unknown_flow") {
      try await stranger.sessions.startSession(StartSessionRequest(flowID: "flow"))
    }
    let south = world.client("sam", ["investigator@heart/south"])
    await expectRefusal(.permissionDenied, "not_admitted") {
      try await south.records.getRecord(GetRecordRequest(recordID: record.recordID))
    }
    await expectRefusal(.permissionDenied, "not_admitted") {
      try await south.records.listRecords(ListRecordsRequest(studyID: World.study, siteID: "north"))
    }
    await expectRefusal(.permissionDenied, "not_admitted") {
      try await world.client("somebody").records.getSubjectHistory(GetSubjectHistoryRequest(subjectID: "s1"))
    }
    let bound = world.client("app", ["device@heart/south"], kind: .device)
    await expectRefusal(.permissionDenied, "not_admitted") {
      try await bound.sessions.startSession(StartSessionRequest(flowID: "flow", siteID: "north", subjectID: "s2"))
    }
    await expectRefusal(.notFound, "unknown_site") {
      try await world.app.sessions.startSession(StartSessionRequest(flowID: "flow", siteID: "west", subjectID: "s2"))
    }
    let north = world.client("nora", ["investigator@heart/north"])
    #expect(
      try await north.records.listRecords(ListRecordsRequest(studyID: World.study, siteID: "north")).records.count
        == 1)
    await world.end()
  }

  @Test("an inspector reads everything of a study and changes nothing")
  func inspector() async throws {
    let world = try await World()
    try await world.open()
    let record = try await world.record(of: try await world.walk())
    let inspector = world.client("ivy", ["inspector@heart"])
    #expect(try await inspector.records.listRecords(ListRecordsRequest(studyID: World.study)).records.count == 1)
    #expect(
      try await inspector.records.getRecord(GetRecordRequest(recordID: record.recordID)).record?.recordID
        == record.recordID)
    await expectRefusal(.permissionDenied, "not_admitted") {
      try await inspector.documents.stopDocumentVersion(
        StopDocumentVersionRequest(documentID: Example.documentID, version: 1))
    }
    await expectRefusal(.permissionDenied, "not_admitted") {
      try await inspector.studies.createInvitation(CreateInvitationRequest(invitation: StudyInvitation(flowID: "flow")))
    }
    await world.end()
  }

  @Test("withdrawing on somebody's behalf needs a reason, which is stored in the vault")
  func onBehalf() async throws {
    let world = try await World()
    try await world.open()
    let record = try await world.record(of: try await world.walk())
    await expectRefusal(.invalidArgument, "reason_missing") {
      try await world.coordinator.records.withdrawConsent(WithdrawConsentRequest(recordID: record.recordID))
    }
    await expectRefusal(.invalidArgument, "unknown_purpose") {
      try await world.app.records.withdrawConsent(
        WithdrawConsentRequest(recordID: record.recordID, purposes: ["nothing"]))
    }
    _ = try await world.coordinator.records.withdrawConsent(
      WithdrawConsentRequest(subjectID: "s1", studyID: World.study, reason: "asked by telephone"))
    let seen = try await world.app.records.getRecord(GetRecordRequest(recordID: record.recordID)).record
    #expect(seen?.state == .withdrawn && seen?.history.last?.reason == "asked by telephone")
    #expect(seen?.history.last?.actor == "carl")
    await expectRefusal(.failedPrecondition, "not_withdrawable") {
      try await world.client("s2").records.withdrawConsent(
        WithdrawConsentRequest(subjectID: "s2", studyID: World.study))
    }
    await world.end()
  }

  @Test("paper: registered as a consent of its own kind, with its witness; under age and unknown locale are refused")
  func paper() async throws {
    let world = try await World()
    var content = Example.content()
    content.settings?.age = AgePolicy(minimumAge: 18)
    try await world.open(content: content)
    let request = CreatePaperRecordRequest(
      studyID: World.study, subjectID: "p1", documentID: Example.documentID, documentVersion: 1, locale: "de",
      sharing: .investigatorOnly, birthDate: CalendarDate(year: 1990, month: 2, day: 3),
      signedAt: Timestamp(Example.now + .seconds(-1)), scan: Array("%PDF-1.7 scan".utf8), attestedBy: "Dr. Carl")
    let cases: [(StatusCode, String, (inout CreatePaperRecordRequest) -> Void)] = [
      (.invalidArgument, "unknown_locale", { $0.locale = "fr" }),
      (.failedPrecondition, "under_age", { $0.birthDate?.year = 2015 }),
      (.invalidArgument, "bad_scan", { $0.scan = Array("hello".utf8) }),
      (.invalidArgument, "attester_missing", { $0.attestedBy = " " }),
      (.invalidArgument, "time_out_of_bounds", { $0.signedAt = Timestamp(seconds: .max) }),
      (.invalidArgument, "sharing_not_chosen", { $0.sharing = .unspecified }),
      (.notFound, "unknown_version", { $0.documentVersion = 9 }),
    ]
    for (code, rule, change) in cases {
      var bad = request
      change(&bad)
      await expectRefusal(code, rule) { try await world.coordinator.records.createPaperRecord(bad) }
    }
    let record = try #require(try await world.coordinator.records.createPaperRecord(request).record)
    #expect(record.kind == .paper && record.state == .inForce && record.attestedBy == "Dr. Carl")
    #expect(try await world.check("p1").permitted)
    let shown = try await world.coordinator.records.getShownContent(GetShownContentRequest(recordID: record.recordID))
    #expect(shown.contentType == "application/pdf" && shown.content == request.scan)
    await world.end()
  }

  @Test("a device is named by an identifier, wherever a call names one: the name stays on record for good")
  func devices() async throws {
    let world = try await World()
    try await world.open()
    let session = try await world.walk { $0.kind == .review }
    let sessions = world.app.sessions
    for device in ["Wilhelmina's iPad", "tablet 7", "Gerät", String(repeating: "x", count: 129)] {
      await expectRefusal(.invalidArgument, "bad_name") {
        try await sessions.startSession(StartSessionRequest(flowID: "flow", subjectID: "s2", deviceID: device))
      }
      await expectRefusal(.invalidArgument, "bad_name") {
        try await sessions.resumeSession(ResumeSessionRequest(sessionID: session.sessionID, deviceID: device))
      }
      await expectRefusal(.invalidArgument, "bad_name") {
        try await sessions.recordConsent(
          Example.recordConsent { request in (request.subjectID, request.deviceID) = ("s2", device) })
      }
    }
    // Whatever a registered device, a key of the bus or an API key may be called.
    for device in ["", "tablet-7_B", "site.north.tablet", String(repeating: "x", count: 64)] {
      _ = try await sessions.resumeSession(ResumeSessionRequest(sessionID: session.sessionID, deviceID: device))
    }
    await world.end()
  }

  @Test("nobody is named like what services keep for themselves: such a name could be held or erased like a person")
  func reservedNames() async throws {
    let world = try await World()
    try await world.open()
    for name in ["device:0a", "key:0123456789abcdef", "onboarding:1", "webhook:1"] {
      await expectRefusal(.invalidArgument, "prefix_reserved") {
        try await world.app.sessions.startSession(StartSessionRequest(flowID: "flow", subjectID: name))
      }
      await expectRefusal(.invalidArgument, "prefix_reserved") {
        try await world.coordinator.records.createPaperRecord(
          CreatePaperRecordRequest(
            studyID: World.study, subjectID: name, documentID: Example.documentID, documentVersion: 1, locale: "en",
            sharing: .wide, signedAt: Timestamp(Example.now), scan: Array("%PDF-1.7 scan".utf8), attestedBy: "Carl"))
      }
      await expectRefusal(.invalidArgument, "prefix_reserved") {
        try await world.coordinator.studies.setGuardian(
          SetGuardianRequest(studyID: World.study, subjectID: "s1", guardianID: name, authority: .appointed))
      }
      await expectRefusal(.invalidArgument, "prefix_reserved") {
        try await world.coordinator.studies.createInvitation(
          CreateInvitationRequest(invitation: StudyInvitation(flowID: "flow", subjectID: name)))
      }
      // What is sealed under such a name is no person's.
      await expectRefusal(.invalidArgument, "prefix_reserved") {
        try await world.admin.records.setLegalHold(
          SetLegalHoldRequest(subjectID: name, held: true, reason: "a lawsuit"))
      }
      await expectRefusal(.invalidArgument, "prefix_reserved") {
        try await world.admin.records.eraseSubject(EraseSubjectRequest(subjectID: name, reason: "asked for it"))
      }
    }
    _ = try await world.app.sessions.startSession(StartSessionRequest(flowID: "flow", subjectID: "devices:1"))
    await world.end()
  }

  @Test("every other kind of bad input has its own error")
  func badInput() async throws {
    let world = try await World()
    try await world.open()
    await expectRefusal(.invalidArgument, "unknown_locale") {
      try await world.app.sessions.startSession(StartSessionRequest(flowID: "flow", locale: "??"))
    }
    await expectRefusal(.invalidArgument, "bad_name") {
      try await world.app.sessions.startSession(StartSessionRequest(flowID: "flow", subjectID: "a b"))
    }
    for name in ["Ada Lovelace", String(repeating: "x", count: 129)] {
      await expectRefusal(.invalidArgument, "bad_name") {
        try await world.coordinator.studies.createInvitation(
          CreateInvitationRequest(invitation: StudyInvitation(flowID: "flow", subjectID: name)))
      }
    }
    await expectRefusal(.invalidArgument, "birth_date_out_of_bounds") {
      try await world.app.sessions.startSession(
        StartSessionRequest(flowID: "flow", birthDate: CalendarDate(year: 2090, month: 1, day: 1)))
    }
    await expectRefusal(.invalidArgument, "bad_page_token") {
      try await world.coordinator.records.listRecords(ListRecordsRequest(studyID: World.study, pageToken: "x"))
    }
    await expectRefusal(.invalidArgument, "page_size_out_of_bounds") {
      try await world.coordinator.records.listRecords(ListRecordsRequest(studyID: World.study, pageSize: 5000))
    }
    await expectRefusal(.invalidArgument, "asset_kind_differs") {
      try await world.publisher.documents.createAsset(CreateAssetRequest(kind: .png, data: Array("no".utf8)))
    }
    await expectRefusal(.invalidArgument, "too_many") {
      try await world.app.records.batchCheckConsents(BatchCheckConsentsRequest(studyID: World.study))
    }
    let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" onload=\"x()\"><path d=\"M0 0\"/></svg>"
    let asset = try await world.publisher.documents.createAsset(CreateAssetRequest(kind: .svg, data: Array(svg.utf8)))
    #expect(asset.removed.contains { $0.what == "onload on <svg>" })
    await world.end()
  }
}
