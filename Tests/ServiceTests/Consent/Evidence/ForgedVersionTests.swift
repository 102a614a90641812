import Base
import ConsentContract
import ConsentService
import RPC
import Storage
import StorageTestKit
import TestSupport
import Testing
import Wire

/// Versions of documents and flows that were changed by hand: no change adopts them, nothing is decided by them, and
/// what they require of earlier consents is not hidden.
@Suite("Versions that were changed by hand", .serialized, .timeLimit(.minutes(4))) struct ForgedVersionTests {
  private func expectLoss(
    sourceLocation: SourceLocation = #_sourceLocation, _ call: () async throws -> some Any
  ) async {
    await expectRefusal(.dataLoss, "data_corrupt", sourceLocation: sourceLocation, call)
  }

  private func alter(_ sql: String, _ world: World) async throws {
    try await world.test.location.alter(sql, schema: world.test.schema.name)
  }

  @Test("no change adopts a forged version of a document, and nobody acts by it", arguments: TestEngine.allCases)
  func documents(engine: TestEngine) async throws {
    let world = try await World(engine, evidence: .example())
    try await world.open()
    let record = try await world.record(of: try await world.walk()).recordID
    let (id, documents, records) = (Example.documentID, world.publisher.documents, world.coordinator.records)
    let draft = try #require(
      try await documents.createDocumentDraft(CreateDocumentDraftRequest(documentID: id)).version)
    try await world.signer?.signAll()
    let known = try await world.events().count
    try await alter("UPDATE document_versions SET reconsent = reconsent + 1", world)

    await expectLoss {
      try await documents.updateDocumentDraft(
        UpdateDocumentDraftRequest(
          documentID: id, expectedRevision: draft.revision, content: Example.content()))
    }
    await expectLoss {
      let file = DocumentFile(format: 1, documentID: id, name: "Heart study", content: Example.content())
      return try await documents.importDocument(ImportDocumentRequest(studyID: World.study, file: file))
    }
    await expectLoss {
      try await documents.publishDocumentDraft(
        PublishDocumentDraftRequest(documentID: id, expectedRevision: draft.revision))
    }
    await expectLoss {
      try await documents.discardDocumentDraft(
        DiscardDocumentDraftRequest(documentID: id, expectedRevision: draft.revision))
    }
    await expectLoss {
      try await documents.setDocumentTranslation(
        SetDocumentTranslationRequest(documentID: id, version: 1, text: Example.text("fr")))
    }
    await expectLoss {
      try await documents.retireDocumentVersion(RetireDocumentVersionRequest(documentID: id, version: 1))
    }
    await expectLoss {
      try await documents.stopDocumentVersion(StopDocumentVersionRequest(documentID: id, version: 1))
    }
    await expectLoss {
      try await documents.reinstateDocumentVersion(ReinstateDocumentVersionRequest(documentID: id, version: 1))
    }
    await expectLoss {
      try await documents.diffDocumentVersions(
        DiffDocumentVersionsRequest(documentID: id, fromVersion: 1, toVersion: draft.version))
    }
    await expectLoss { try await documents.validateDocument(ValidateDocumentRequest(documentID: id)) }
    await expectLoss { try await documents.listDocumentVersions(ListDocumentVersionsRequest(documentID: id)) }
    await expectLoss {
      try await world.publisher.flows.validateFlow(
        ValidateFlowRequest(studyID: World.study, definition: Example.flow()))
    }
    await expectLoss {
      try await world.investigator.sessions.signRecord(
        SignRecordRequest(
          recordID: record, signatureID: "investigator", name: PersonName(given: "Ines", family: "Ito"),
          signature: SignatureInput(image: .typed(TypedSignature(text: "Ines Ito")))))
    }
    await expectLoss {
      try await records.createPaperRecord(
        CreatePaperRecordRequest(
          studyID: World.study, siteID: "north", subjectID: "s2", documentID: id, documentVersion: 1, locale: "en",
          sharing: .wide, signedAt: Timestamp(Example.now), scan: Array("%PDF-1.7 scan".utf8), attestedBy: "Carl"))
    }
    await expectLoss {
      try await world.coordinator.sessions.renewAttempts(
        RenewAttemptsRequest(subjectID: "s1", documentID: id, documentVersion: 1, reason: "asked for"))
    }
    await expectLoss {
      try await world.app.records.exportRecord(ExportRecordRequest(recordID: record, format: .receipt))
    }
    await expectLoss { try await world.app.records.exportSubject(ExportSubjectRequest(subjectID: "s1")) }
    #expect(try await world.events().count == known)

    try await alter("UPDATE document_versions SET reconsent = reconsent - 1", world)
    let versions = try await documents.listDocumentVersions(ListDocumentVersionsRequest(documentID: id)).versions
    #expect(versions.map(\.state) == [.draft, .published])
    let retired = try await documents.retireDocumentVersion(RetireDocumentVersionRequest(documentID: id, version: 1))
    #expect(retired.version?.state == .retired)
    // A number that no version ever had is no loss.
    await expectRefusal(.notFound, "unknown_version") {
      try await documents.stopDocumentVersion(StopDocumentVersionRequest(documentID: id, version: 9))
    }
    await world.end()
  }

  @Test("no change adopts a forged version of a flow", arguments: TestEngine.allCases)
  func flows(engine: TestEngine) async throws {
    let world = try await World(engine, evidence: .example())
    try await world.open(flow: Example.forms(Example.form("photos")))
    let record = try await world.record(of: try await world.walk()).recordID
    let flows = world.publisher.flows
    try await world.signer?.signAll()
    func forge() async throws { try await alter("UPDATE flow_versions SET state = state + 7", world) }
    func putRight() async throws { try await alter("UPDATE flow_versions SET state = state - 7", world) }
    try await forge()
    await expectLoss { try await flows.createFlowDraft(CreateFlowDraftRequest(flowID: "flow")) }
    await expectLoss {
      try await world.app.records.exportRecord(ExportRecordRequest(recordID: record, format: .receipt))
    }
    try await putRight()
    let draft = try #require(try await flows.createFlowDraft(CreateFlowDraftRequest(flowID: "flow")).version)
    let known = try await world.events().count
    try await forge()
    await expectLoss {
      try await flows.updateFlowDraft(
        UpdateFlowDraftRequest(flowID: "flow", expectedRevision: draft.revision, definition: Example.flow()))
    }
    await expectLoss {
      try await flows.publishFlowDraft(PublishFlowDraftRequest(flowID: "flow", expectedRevision: draft.revision))
    }
    await expectLoss {
      try await flows.discardFlowDraft(DiscardFlowDraftRequest(flowID: "flow", expectedRevision: draft.revision))
    }
    await expectLoss { try await flows.retireFlowVersion(RetireFlowVersionRequest(flowID: "flow", version: 1)) }
    await expectLoss { try await flows.stopFlowVersion(StopFlowVersionRequest(flowID: "flow", version: 1)) }
    await expectLoss { try await flows.reinstateFlowVersion(ReinstateFlowVersionRequest(flowID: "flow", version: 1)) }
    #expect(try await world.events().count == known)
    try await putRight()
    let retired = try await flows.retireFlowVersion(RetireFlowVersionRequest(flowID: "flow", version: 1))
    #expect(retired.version?.state == .retired)
    await expectRefusal(.notFound, "unknown_version") {
      try await flows.stopFlowVersion(StopFlowVersionRequest(flowID: "flow", version: 9))
    }
    await world.end()
  }

  @Test("a session ends where its version was stopped, whatever became of the row", arguments: TestEngine.allCases)
  func sessions(engine: TestEngine) async throws {
    let world = try await World(engine, evidence: .example())
    try await world.open()
    // Afterwards this process has heard of all changes so far, and drops no script because of them any more.
    _ = try await world.check()
    func begin(_ subject: String) async throws -> SessionView {
      let request = StartSessionRequest(flowID: "flow", subjectID: subject, clientSchema: 2)
      return try #require(try await world.app.sessions.startSession(request).session)
    }
    let (first, second, third) = (try await begin("s1"), try await begin("s2"), try await begin("s3"))
    let last = try await begin("s4")
    try await world.signer?.signAll()
    // An action makes the script, and reads what has become of the versions.
    let goodAction = Walker.goodAction(on: try #require(first.screen))
    _ = try await world.act(try await begin("s5"), goodAction)
    // Nobody has stopped it.
    try await alter("UPDATE document_versions SET state = 5", world)
    #expect(try await world.act(first, goodAction).outcome == .unspecified)

    try await alter("UPDATE document_versions SET state = 3", world)
    _ = try await world.publisher.documents.stopDocumentVersion(
      StopDocumentVersionRequest(documentID: Example.documentID, version: 1, reason: "wrong dose"))
    // As above, of the stop.
    _ = try await world.check()
    try await alter("UPDATE document_versions SET state = 3", world)
    await expectLoss { try await world.act(second, FlowAction(kind: .next)) }
    try await alter("UPDATE document_versions SET state = 5", world)
    #expect(try await world.act(second, FlowAction(kind: .next)).outcome == .stopped)
    // By now this process knows the script, and what the log says of the row.
    try await alter("UPDATE document_versions SET state = 3", world)
    #expect(try await world.act(third, FlowAction(kind: .next)).outcome == .stopped)
    try await alter("DELETE FROM document_versions", world)
    #expect(try await world.act(last, FlowAction(kind: .next)).outcome == .stopped)
    await world.end()
  }

  @Test("a session ends where its flow was stopped, whatever became of the row", arguments: TestEngine.allCases)
  func sessionsOfFlow(engine: TestEngine) async throws {
    let world = try await World(engine, evidence: .example())
    try await world.open()
    let request = StartSessionRequest(flowID: "flow", subjectID: "s1", clientSchema: 2)
    let view = try #require(try await world.app.sessions.startSession(request).session)
    _ = try await world.publisher.flows.stopFlowVersion(
      StopFlowVersionRequest(flowID: "flow", version: 1, reason: "a mistake"))
    try await world.signer?.signAll()
    for forgery in ["UPDATE flow_versions SET state = 3", "UPDATE flow_versions SET version = 7"] {
      try await alter("CREATE TABLE kept AS SELECT * FROM flow_versions", world)
      try await alter(forgery, world)
      await expectLoss { try await world.act(view, FlowAction(kind: .next)) }
      try await alter(
        "DELETE FROM flow_versions; INSERT INTO flow_versions SELECT * FROM kept; DROP TABLE kept", world)
    }
    #expect(try await world.act(view, FlowAction(kind: .next)).outcome == .stopped)
    await world.end()
  }

  /// Ways to hide that version 2 ends consents to version 1.
  private static let hidings = [
    "UPDATE document_versions SET reconsent = 1 WHERE version = 2",
    "UPDATE document_versions SET state = 5 WHERE version = 2",
    "UPDATE document_versions SET reconsent_by_ms = reconsent_by_ms + 864000000 WHERE version = 2",
    "UPDATE document_versions SET version = 7 WHERE version = 2",
    "DELETE FROM document_versions WHERE version = 2",
  ]

  @Test("no consent outlasts the version that ends it by an altered row", arguments: TestEngine.allCases)
  func demands(engine: TestEngine) async throws {
    let world = try await World(engine, evidence: .example())
    try await world.open()
    let record = try await world.record(of: try await world.walk()).recordID
    var content = Example.content()
    content.settings?.reconsent = .byDate
    content.settings?.reconsentBy = Timestamp(Example.now + .days(1))
    try await world.publish(content)
    world.clock.move(by: .seconds(86_401))
    try await world.signer?.signAll()
    let check = CheckConsentRequest(studyID: World.study, subjectID: "s1", purpose: "research")
    try await alter("CREATE TABLE kept AS SELECT * FROM document_versions", world)
    for hiding in Self.hidings {
      try await alter(hiding, world)
      let replica = try await Replica(of: world)
      await expectLoss {
        try await world.app.records.exportRecord(ExportRecordRequest(recordID: record, format: .receipt))
      }
      await expectLoss {
        try await world.coordinator.records.listDueConsents(ListDueConsentsRequest(studyID: World.study))
      }
      try await alter(
        "DELETE FROM document_versions; INSERT INTO document_versions SELECT * FROM kept", world)
      #expect(try await replica.app.records.checkConsent(check).answer?.reason == "reconsent_due", "\(hiding)")
      await replica.end()
    }
    await world.end()
  }

  @Test("a damaged version keeps no consent that it cannot end from expiring, and no deadline of one that has ended")
  func deadlines() async throws {
    let world = try await World(evidence: .example())
    var content = Example.content()
    content.settings?.validity = ValidityPeriod(lastsDays: 60)
    try await world.open(content: content)
    let standing = try await world.record(of: try await world.walk())
    let withdrawn = try await world.record(of: try await world.walk(subject: "s2"))
    _ = try await world.app.records.withdrawConsent(WithdrawConsentRequest(recordID: withdrawn.recordID))
    try await world.signer?.signAll()
    try await alter("UPDATE document_versions SET reconsent = reconsent + 1", world)
    world.clock.move(by: .days(61))
    await world.runPeriodicTasks()
    #expect(try await world.events().filter { $0.entry == .expired }.map(\.recordID) == [standing.recordID])
    await world.end()
  }
}
