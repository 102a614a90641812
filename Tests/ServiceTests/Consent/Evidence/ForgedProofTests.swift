import Base
internal import Bus
import CommonContract
import ConsentContract
import RPC
import SignatureContract
import Storage
import StorageTestKit
import TestSupport
import Testing
import Wire

/// Nothing is handed out as proof from rows that were changed by hand: the call ends with DATA_LOSS, and says nothing
/// of what stands there.
@Suite(.serialized, .timeLimit(.minutes(4))) struct ForgedProofTests {
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

  /// The calls that hand out proof about a record.
  private func proofs(of record: String, _ world: World, subject: String = "s1") -> [(String, Call)] {
    let app = world.app.records
    return [
      ("ExportRecord", { try await app.exportRecord(ExportRecordRequest(recordID: record, format: .fhirR5)) }),
      ("ExportSubject", { try await app.exportSubject(ExportSubjectRequest(subjectID: subject)) }),
      (
        "IssueStatement",
        {
          try await app.issueStatement(
            IssueStatementRequest(studyID: World.study, subjectID: subject, purpose: "research"))
        }
      ),
    ]
  }

  @Test("a forged row of ConsentService is in no proof", arguments: TestEngine.allCases)
  func consent(engine: TestEngine) async throws {
    let world = try await EvidenceWorld(engine)
    let names = try await world.fill()
    let (record, app) = (names.withdrawn.recordID, world.consent.app)
    func alter(_ sql: String) async throws {
      try await world.consent.test.location.alter(sql, schema: world.consent.test.schema.name)
    }
    let shown: (String, Call) = (
      "GetShownContent", { try await app.records.getShownContent(GetShownContentRequest(recordID: record)) }
    )
    let copy: (String, Call) = (
      "GetSignedCopy", { try await app.records.getSignedCopy(GetSignedCopyRequest(recordID: record)) }
    )
    let evidence: (String, Call) = (
      "GetEvidence",
      { try await world.consent.investigator.records.getEvidence(GetEvidenceRequest(recordID: record)) }
    )
    let proofs = proofs(of: record, world.consent)
    for (_, call) in proofs + [shown, copy, evidence] { _ = try await call() }
    let items = "WHERE item = 'record/\(record)'"
    let version = "UPDATE document_versions SET reconsent_by_ms = reconsent_by_ms"
    for (name, forged, put, calls) in [
      (
        "withdrawal reverted", "UPDATE records SET state = 2 WHERE id = '\(record)'",
        "UPDATE records SET state = 4 WHERE id = '\(record)'", proofs + [shown, copy, evidence]
      ),
      ("published text changed", "\(version) + 1", "\(version) - 1", proofs + [shown, copy, evidence]),
      (
        "flow changed", "UPDATE flow_versions SET state = state + 7", "UPDATE flow_versions SET state = state - 7",
        proofs + [shown, copy]
      ),
      (
        "copy said to be sealed", "UPDATE signed_copies SET state = state + 7",
        "UPDATE signed_copies SET state = state - 7", Array(proofs.prefix(2)) + [copy, evidence]
      ),
      (
        "secrets put back", "UPDATE storage_vault_items SET changed_ms = changed_ms + 1 \(items)",
        "UPDATE storage_vault_items SET changed_ms = changed_ms - 1 \(items)", proofs + [shown, copy]
      ),
    ] {
      try await alter(forged)
      await expectLoss(name, calls)
      try await alter(put)
      for (_, call) in calls { _ = try await call() }
    }
    let forged = engine.literal(Array("forged".utf8))
    try await alter("\(engine.unguarding("shown")) UPDATE shown SET content = \(forged)")
    await expectLoss("shown bytes replaced", [shown])
    try await alter("\(engine.unguarding("assets")) UPDATE assets SET data = \(forged)")
    await expectLoss(
      "asset replaced",
      [
        ("GetAsset", { try await world.consent.publisher.documents.getAsset(GetAssetRequest(hash: names.asset)) })
      ])
    try await alter(
      engine.unguarding("record_entries")
        + "UPDATE record_entries SET body = "
        + "(SELECT body FROM record_entries WHERE record_id = '\(record)' AND sequence = 1) "
        + "WHERE record_id = '\(record)' AND sequence = \(names.withdrawn.history.count)")
    await expectLoss("entry replaced", [proofs[0], proofs[1], evidence])
    let events: (String, Call) = (
      "ListEvents", { try await world.consent.admin.records.listEvents(ListEventsRequest()) }
    )
    _ = try await events.1()
    try await alter("\(engine.unguarding("storage_events")) UPDATE storage_events SET payload = \(engine.literal([]))")
    await expectLoss("events emptied", [events])
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
          (
            "GetShownContent",
            { try await app.records.getShownContent(GetShownContentRequest(recordID: record)) }
          )
        ])
    }
    await replica.end()
    await world.end()
  }

  @Test("a forged row of SignatureService is in no document and no proof", arguments: TestEngine.allCases)
  func signature(engine: TestEngine) async throws {
    let world = try await EvidenceWorld(engine)
    let names = try await world.fill()
    func alter(_ sql: String) async throws {
      try await world.capture.location.alter(sql, schema: world.capture.schema.name)
    }
    let saved = try await world.saved(in: names.drawnField)
    let picture = GetPicturedSignatureRequest(signatureID: saved)
    let proofs: [(String, Call)] = [
      ("GetStrokes", { try await world.inspector.getStrokes(GetStrokesRequest(signature: .signatureID(saved))) }),
      ("GetPicturedSignature", { try await world.inspector.getPicturedSignature(picture) }),
      (
        "GetFieldEvidence",
        { try await world.service.getFieldEvidence(GetFieldEvidenceRequest(fieldIDs: [names.drawnField])) }
      ),
    ]
    for (_, call) in proofs { _ = try await call() }
    try await alter("UPDATE signatures SET saved_by = 'mallory' WHERE id = '\(saved)'")
    await expectLoss("signed by somebody else", proofs)
    try await alter("UPDATE signatures SET saved_by = 'app' WHERE id = '\(saved)'")
    for (_, call) in proofs { _ = try await call() }
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

  /// Ways to hide that version 2 ends consents to version 1.
  private static let hidings = [
    "UPDATE document_versions SET reconsent = 1 WHERE version = 2",
    "UPDATE document_versions SET state = 5 WHERE version = 2",
    "UPDATE document_versions SET reconsent_by_ms = reconsent_by_ms + 864000000 WHERE version = 2",
    "UPDATE document_versions SET version = 7 WHERE version = 2",
    "DELETE FROM document_versions WHERE version = 2",
  ]

  @Test("no proof hides the version that ends a consent", arguments: TestEngine.allCases)
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
    func alter(_ sql: String) async throws {
      try await world.test.location.alter(sql, schema: world.test.schema.name)
    }
    let proofs = proofs(of: record, world)
    try await alter("CREATE TABLE kept AS SELECT * FROM document_versions")
    for hiding in Self.hidings {
      try await alter(hiding)
      await expectLoss(hiding, proofs)
      try await alter("DELETE FROM document_versions; INSERT INTO document_versions SELECT * FROM kept")
      for (_, call) in proofs { _ = try await call() }
    }
    await world.end()
  }

  @Test("a form's proof has the flow as it was written", arguments: TestEngine.allCases)
  func form(engine: TestEngine) async throws {
    let world = try await World(engine, evidence: .example())
    try await world.open(flow: Example.forms(Example.form("photos")))
    let record = try await world.record(of: try await world.walk()).recordID
    try await world.signer?.signAll()
    try await world.test.location.alter(
      "UPDATE flow_versions SET state = state + 7", schema: world.test.schema.name)
    await expectLoss("flow changed", proofs(of: record, world))
    await world.end()
  }
}
