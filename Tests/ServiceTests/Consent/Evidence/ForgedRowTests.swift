import Base
internal import Bus
import ConsentContract
import RPC
import SignatureContract
import Storage
import StorageTestKit
import Testing
import Wire

/// Rows that were changed by hand are not answered from: the call ends with DATA_LOSS, and says nothing of what stands
/// there.
@Suite(.serialized) struct ForgedRowTests {
  private typealias Call = () async throws -> Any

  private func expectLoss(_ name: String, _ calls: [(String, Call)]) async {
    for (call, body) in calls {
      do {
        _ = try await body()
        Issue.record("\(name): \(call) was answered")
      } catch {
        let status = error as? Status
        #expect(status?.code == .dataLoss, "\(name): \(call): \(error)")
        // Behind it stands only the number under which the service's log tells more.
        #expect(
          status?.message.hasPrefix("data_corrupt: stored data were altered or damaged") == true, "\(name): \(call)")
      }
    }
  }

  @Test("a forged row of ConsentService is refused wherever it would be shown", arguments: TestEngine.allCases)
  func consent(engine: TestEngine) async throws {
    let world = try await EvidenceWorld(engine)
    let names = try await world.fill()
    let (record, app) = (names.withdrawn.recordID, world.consent.app)
    func alter(_ sql: String) async throws {
      try await world.consent.test.location.alter(sql, schema: world.consent.test.schema.name)
    }
    /// Sessions that begin in a language nobody used yet read flow, document and texts anew.
    func begin(_ locale: String) -> (String, Call) {
      (
        "StartSession",
        {
          try await app.sessions.startSession(
            StartSessionRequest(flowID: "flow", subjectID: "s7", locale: locale, clientSchema: 2))
        }
      )
    }
    let readings: [(String, Call)] = [
      ("GetRecord", { try await app.records.getRecord(GetRecordRequest(recordID: record)) }),
      (
        "GetSubjectHistory",
        {
          try await app.records.getSubjectHistory(GetSubjectHistoryRequest(subjectID: "s1", studyID: World.study))
        }
      ),
      ("GetShownContent", { try await app.records.getShownContent(GetShownContentRequest(recordID: record)) }),
      (
        "GetSignatureImage",
        {
          try await app.records.getSignatureImage(
            GetSignatureImageRequest(recordID: record, signatureID: "participant"))
        }
      ),
      ("ExportRecord", { try await app.records.exportRecord(ExportRecordRequest(recordID: record, format: .fhirR5)) }),
      ("ExportSubject", { try await app.records.exportSubject(ExportSubjectRequest(subjectID: "s1")) }),
      (
        "GetEvidence",
        {
          try await world.consent.investigator.records.getEvidence(GetEvidenceRequest(recordID: record))
        }
      ),
    ]
    for (_, call) in readings { _ = try await call() }
    try await alter("UPDATE records SET state = 2 WHERE id = '\(record)'")
    let account = ConsentClients(
      world.consent.bus.channel().acting(for: CallerIdentity(kind: .service, tenant: "t1", subject: "account")))
    let merging = NoteMergedSubjectRequest(endedID: "s1", stayingID: "s9")
    await expectLoss(
      "withdrawal reverted",
      readings + [("NoteMergedSubject", { try await account.records.noteMergedSubject(merging) })])
    let replica = try await Replica(of: world.consent)
    let check = CheckConsentRequest(studyID: World.study, subjectID: "s1", purpose: "research")
    await expectLoss("withdrawal reverted", [("CheckConsent", { try await replica.app.records.checkConsent(check) })])
    try await alter("UPDATE records SET state = 4 WHERE id = '\(record)'")
    #expect(try await replica.app.records.checkConsent(check).answer?.reason == "withdrawn")

    let publisher = world.consent.publisher
    try await alter("UPDATE document_versions SET reconsent_by_ms = reconsent_by_ms + 1")
    await expectLoss(
      "published text changed",
      [
        begin("de"),
        (
          "GetDocument",
          {
            try await publisher.documents.getDocument(GetDocumentRequest(documentID: Example.documentID))
          }
        ),
        (
          "ExportDocument",
          {
            try await publisher.documents.exportDocument(ExportDocumentRequest(documentID: Example.documentID))
          }
        ),
      ])
    try await alter("UPDATE document_versions SET reconsent_by_ms = reconsent_by_ms - 1")
    try await alter("UPDATE flow_versions SET state = state + 1")
    let getFlow = GetFlowRequest(flowID: "flow")
    await expectLoss(
      "flow changed",
      [
        begin("de"), ("GetFlow", { try await app.flows.getFlow(getFlow) }),
        ("GetFlow by its author", { try await publisher.flows.getFlow(getFlow) }),
      ])
    try await alter("UPDATE flow_versions SET state = state - 1")
    // As if there were no such version.
    for (table, call): (String, Call) in [
      ("flow_versions", { try await publisher.flows.getFlow(GetFlowRequest(flowID: "flow", version: 1)) }),
      (
        "document_versions",
        {
          try await publisher.documents.getDocument(GetDocumentRequest(documentID: Example.documentID, version: 1))
        }
      ),
    ] {
      let published = VersionState.published.number
      try await alter("UPDATE \(table) SET state = 0 WHERE state = \(published) AND version = 1")
      await expectLoss("state taken", [(table, call)])
      try await alter("UPDATE \(table) SET state = \(published) WHERE state = 0")
    }
    let forged = engine.literal(Array("forged".utf8))
    try await alter("\(engine.unguarding("shown")) UPDATE shown SET content = \(forged)")
    await expectLoss("shown bytes replaced", [readings[2]])
    try await alter("\(engine.unguarding("assets")) UPDATE assets SET data = \(forged)")
    await expectLoss(
      "asset replaced",
      [
        ("GetAsset", { try await publisher.documents.getAsset(GetAssetRequest(hash: names.asset)) })
      ])
    try await alter("\(engine.unguarding("text_versions")) UPDATE text_versions SET body = \(engine.literal([]))")
    await expectLoss("overrides replaced", [begin("de")])
    try await alter(
      engine.unguarding("record_entries")
        + "UPDATE record_entries SET body = "
        + "(SELECT body FROM record_entries WHERE record_id = '\(record)' AND sequence = 1) "
        + "WHERE record_id = '\(record)' AND sequence = \(names.withdrawn.history.count)")
    await expectLoss("entry replaced", [readings[0]])
    await replica.end()
    await world.end()
  }

  @Test(
    "an event that was forged with all hashes after it does not stand under the signed head",
    arguments: TestEngine.allCases)
  func event(engine: TestEngine) async throws {
    let world = try await EvidenceWorld(engine)
    let names = try await world.fill()
    let record = names.withdrawn.recordID
    let tenant = Tenant.named("t1")
    let events = try await world.consent.test.database.scope(tenant).read { try $0.events(after: 0, limit: 10_000) }
    // The withdrawal is the record's last event.
    let index = try #require(
      events.lastIndex { event in
        (try? ConsentEvent(decoding: event.payload)).map { $0.recordID == record && $0.kind == .recordEntry } ?? false
      })
    var sql = engine.unguarding("storage_events")
    var chain = events[index - 1].chain
    for (offset, event) in events[index...].enumerated() {
      let forged = event.forged(payload: offset == 0 ? [] : event.payload, after: chain, of: tenant)
      chain = forged.chain
      sql +=
        "UPDATE storage_events SET payload = \(engine.literal(forged.payload)), chain = \(engine.literal(chain.bytes)) "
        + "WHERE tenant = 't1' AND sequence = \(event.sequence);"
    }
    try await world.consent.test.location.alter(sql, schema: world.consent.test.schema.name)
    let replica = try await Replica(of: world.consent)
    for app in [world.consent.app, replica.app] {
      await expectLoss(
        "event forged",
        [
          ("GetRecord", { try await app.records.getRecord(GetRecordRequest(recordID: record)) })
        ])
    }
    await replica.end()
    await world.end()
  }

  @Test("a forged row of SignatureService is refused wherever it would be shown", arguments: TestEngine.allCases)
  func signature(engine: TestEngine) async throws {
    let world = try await EvidenceWorld(engine)
    let names = try await world.fill()
    func alter(_ sql: String) async throws {
      try await world.capture.location.alter(sql, schema: world.capture.schema.name)
    }
    let saved = try await world.saved(in: names.drawnField)
    let field: (String, Call) = (
      "GetField", { try await world.service.getField(GetFieldRequest(fieldID: names.drawnField)) }
    )
    let strokes: (String, Call) = (
      "GetStrokes", { try await world.inspector.getStrokes(GetStrokesRequest(signature: .signatureID(saved))) }
    )
    let watch: (String, Call) = (
      "WatchField",
      {
        let stream = try world.service.watchField(
          WatchFieldRequest(fieldID: names.drawnField), deadline: .seconds(20))
        defer { stream.cancel() }
        for try await change in stream { return change }
        return WatchFieldResponse()
      }
    )
    var readings: [(String, Call)] = [
      field, strokes, watch,
      (
        "ListRevisions",
        {
          try await world.service.listRevisions(ListRevisionsRequest(fieldID: names.drawnField))
        }
      ),
      (
        "GetFieldEvidence",
        {
          try await world.service.getFieldEvidence(GetFieldEvidenceRequest(fieldIDs: [names.drawnField]))
        }
      ),
    ]
    let session = try #require(try await world.service.getField(GetFieldRequest(fieldID: names.drawnField)).view)
      .reference?.sessionID
    let list: (String, Call) = (
      "ListFields", { try await world.inspector.listFields(ListFieldsRequest(sessionID: session ?? "")) }
    )
    readings.append(list)
    for (_, call) in readings { _ = try await call() }
    try await alter("UPDATE signatures SET saved_by = 'mallory' WHERE id = '\(saved)'")
    await expectLoss("signed by somebody else", readings)
    try await alter("UPDATE signatures SET saved_by = 'app' WHERE id = '\(saved)'")
    for (_, call) in readings { _ = try await call() }
    try await alter("UPDATE fields SET pinned = pinned + 1 WHERE id = '\(names.drawnField)'")
    await expectLoss("another revision pinned", [field, list, strokes, watch])
    try await alter("UPDATE fields SET pinned = pinned - 1 WHERE id = '\(names.drawnField)'")
    let trail: (String, Call) = (
      "ListSignatureTrail",
      { try await world.inspector.listSignatureTrail(ListSignatureTrailRequest(studyID: World.study)) }
    )
    _ = try await trail.1()
    try await alter(
      "\(engine.unguarding("storage_events")) UPDATE storage_events SET payload = \(engine.literal([])) "
        + "WHERE sequence = 2")
    await expectLoss("event emptied", [trail])
    await world.end()
  }
}
