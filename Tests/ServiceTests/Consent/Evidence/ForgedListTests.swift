import AuthorityKit
import Base
import ConsentContract
import RPC
import Storage
import StorageTestKit
import Testing

/// Lists of ConsentService show no row that was changed by hand.
@Suite(.serialized) struct ForgedListTests {
  private struct List {
    let name: String
    let forgery: String
    /// The table that is forged, and put back before the next one; nil for the last.
    var table: String? {
      guard forgery.hasPrefix("UPDATE ") else { return nil }
      return forgery.split(separator: " ").dropFirst().first.map { String($0) }
    }
    let call: @Sendable (ConsentClients) async throws -> Int
  }

  @Test("a forged row ends its list with DATA_LOSS", arguments: TestEngine.allCases)
  func refused(engine: TestEngine) async throws {
    let world = try await AuthorityWorld(engine, forgives: true)
    let target = world.targets[0]
    let staff = world.clients(
      Actor(name: "ida", grants: ["inspector@*", "admin@*", "investigator@*", "coordinator@*", "witness@*"]))
    let study = target.study
    _ = try await staff.webhooks.createWebhook(
      CreateWebhookRequest(webhook: Webhook(url: "https://hooks.example.org/assent")))
    // Who may see a list follows from other rows, which are verified too: each forgery is undone before the next.
    let lists = [
      List(name: "ListSigningTasks", forgery: "UPDATE signing_tasks SET since_ms = since_ms + 1") {
        try await $0.sessions.listSigningTasks(ListSigningTasksRequest(studyID: study)).tasks.count
      },
      List(name: "ListWebhooks", forgery: "UPDATE webhooks SET url = 'https://evil.example.org/'") {
        try await $0.webhooks.listWebhooks(ListWebhooksRequest()).webhooks.count
      },
      List(name: "ListInvitations", forgery: "UPDATE invitations SET used = 1 - used") {
        try await $0.studies.listInvitations(ListInvitationsRequest(studyID: study)).invitations.count
      },
      List(name: "ListFlows", forgery: "UPDATE flows SET body = \(engine.literal([]))") {
        try await $0.flows.listFlows(ListFlowsRequest(studyID: study)).flows.count
      },
      List(name: "ListDocuments", forgery: "UPDATE documents SET body = \(engine.literal([]))") {
        try await $0.documents.listDocuments(ListDocumentsRequest(studyID: study)).documents.count
      },
      List(name: "ListGuardians", forgery: "UPDATE guardians SET body = \(engine.literal([]))") {
        try await $0.studies.listGuardians(ListGuardiansRequest(studyID: study, subjectID: target.subject))
          .guardians.count
      },
      List(name: "ListConsentSessions", forgery: "UPDATE sessions SET locale = 'de'") {
        try await $0.sessions.listConsentSessions(
          ListConsentSessionsRequest(studyID: study, subjectID: target.subject)
        ).sessions.count
      },
      List(name: "ListRecords", forgery: "UPDATE records SET decided_ms = decided_ms + 1") {
        try await $0.records.listRecords(ListRecordsRequest(studyID: study)).records.count
      },
      List(name: "ListSites", forgery: "UPDATE sites SET body = \(engine.literal([]))") {
        try await $0.studies.listSites(ListSitesRequest(studyID: study)).sites.count
      },
      List(name: "ListStudies", forgery: "UPDATE studies SET body = \(engine.literal([]))") {
        try await $0.studies.listStudies(ListStudiesRequest()).studies.count
      },
      List(
        name: "ListEvents",
        forgery: "\(engine.unguarding("storage_events")) UPDATE storage_events SET payload = \(engine.literal([]))"
      ) { try await $0.records.listEvents(ListEventsRequest()).events.count },
    ]
    for list in lists {
      let before = try await list.call(staff)
      #expect(before > 0, "\(list.name)")
      let schema = world.test.schema.name
      let keeping = list.table.map { "CREATE TABLE kept AS SELECT * FROM \($0); " } ?? ""
      try await world.test.location.alter(keeping + list.forgery, schema: schema)
      let error = await #expect(throws: Status.self, "\(list.name)") { _ = try await list.call(staff) }
      #expect(error?.code == .dataLoss, "\(list.name): \(String(describing: error))")
      guard let table = list.table else { continue }
      try await world.test.location.alter(
        "DELETE FROM \(table); INSERT INTO \(table) SELECT * FROM kept; DROP TABLE kept", schema: schema)
    }
    await world.end()
  }

  @Test(
    "what a list of records shows of them is verified, and the erased ones are listed", arguments: TestEngine.allCases)
  func items(engine: TestEngine) async throws {
    let world = try await World(engine, evidence: .example())
    try await world.open()
    var records: [String] = []
    for subject in ["s1", "s2", "s3"] {
      records.append(try await world.record(of: try await world.walk(subject: subject)).recordID)
    }
    _ = try await world.admin.records.eraseSubject(EraseSubjectRequest(subjectID: "s3", reason: "asked for"))
    try await world.signer?.signAll()
    func list() async throws -> [ConsentRecord] {
      try await world.coordinator.records.listRecords(ListRecordsRequest(studyID: World.study)).records
    }
    let told = try await list()
    #expect(Set(records).isSubset(of: told.map(\.recordID)))
    for record in told where record.subjectID != "s3" {
      let alone = try await world.coordinator.records.getRecord(GetRecordRequest(recordID: record.recordID)).record
      #expect(record.attempts == alone?.attempts && record.signedCopy == alone?.signedCopy)
    }
    func alter(_ change: Int) async throws {
      try await world.test.location.alter(
        "UPDATE storage_vault_items SET changed_ms = changed_ms + \(change) WHERE item = 'record/\(records[1])'",
        schema: world.test.schema.name)
    }
    try await alter(1)
    await expectRefusal(.dataLoss, "data_corrupt") { try await list() }
    try await alter(-1)
    #expect(try await list() == told)
    await world.end()
  }

  @Test("a guardian who was added by hand is nobody's guardian", arguments: TestEngine.allCases)
  func guardian(engine: TestEngine) async throws {
    let world = try await AuthorityWorld(engine, forgives: true)
    let target = world.targets[0]
    let zoe = world.clients(Actor(name: "zoe"))
    func read() async throws { _ = try await zoe.records.getRecord(GetRecordRequest(recordID: target.record)) }
    let stranger = await #expect(throws: Status.self) { try await read() }
    #expect(stranger?.code == .permissionDenied)
    try await world.test.location.alter(
      "INSERT INTO guardians (tenant, study_id, subject_id, guardian_id, body) SELECT tenant, study_id, subject_id, "
        + "'zoe', body FROM guardians WHERE guardian_id = 'gil'", schema: world.test.schema.name)
    let forged = await #expect(throws: Status.self) { try await read() }
    #expect(forged?.code == .dataLoss)
    await world.end()
  }
}
