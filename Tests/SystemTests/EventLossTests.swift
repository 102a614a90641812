import Base
internal import Bus
import ConsentContract
import RPC
import Storage
import StorageTestKit
import TestSupport
import Testing
import Wire

/// A service's process whose newest events somebody deletes.
@Suite(.serialized, .timeLimit(.minutes(2))) struct EventLossTests {
  @Test("an erasure returns with a head outside that covers it, and a running process notices events that were deleted")
  func missed() async throws {
    let system = try await TestSystem.start()
    let (heads, data) = (system.folder.file("heads"), system.folder.file("data"))
    let service = try await RunningProgram.start(
      "ConsentService",
      [
        "--bus-folder", system.busFolder, "--data", data, "--ops-listen", "127.0.0.1:0", "--evidence-heads", heads,
        "--evidence-interval", "60s",
      ],
      environment: [
        "ASSENT_MASTER_KEY": String(repeating: "5a", count: 32),
        "ASSENT_EVIDENCE_KEY": String(repeating: "6b", count: 32),
      ])
    let ready = try #require(await service.line(containing: "ready"), "\(service.logLines)")
    let place = try #require(ready.split(separator: " ").last { $0.hasPrefix("http://") }.map(String.init), "\(ready)")
    #expect(try await HTTP.fetch("\(place)/readyz").first == "ready")
    let connection = try await system.connect()
    let admin = ConsentClients(
      connection.channel.acting(
        for: CallerIdentity(kind: .person, tenant: "t1", subject: "admin", grants: ["admin@*"])))
    try await ConsentWalkers(channel: connection.channel).open(
      flow: Repository.path("samples/field-service/flow.json"))
    let app = ConsentClients(
      connection.channel.acting(for: CallerIdentity(kind: .device, tenant: "t1", subject: "app")))
    _ = try await app.sessions.startSession(
      StartSessionRequest(flowID: "field-onboarding", subjectID: "s1", clientSchema: 2), deadline: .seconds(30))
    let before = try self.newest(heads)
    _ = try await admin.records.eraseSubject(
      EraseSubjectRequest(subjectID: "s1", reason: "request"), deadline: .seconds(30))
    #expect(try self.newest(heads) > before, "the next head is a minute away")

    let database = DatabaseLocation.sqlite(path: "\(data)/consent.db")
    try await database.alter("CREATE TABLE kept_heads AS SELECT * FROM storage_event_heads", schema: "consent")
    _ = try await admin.studies.createStudy(
      CreateStudyRequest(study: ConsentStudy(studyID: "lung", name: "Lung")), deadline: .seconds(30))
    try await database.alter(
      TestEngine.sqlite.unguarding("storage_events")
        + "DELETE FROM storage_events WHERE tenant = 't1' AND sequence > "
        + "(SELECT last FROM kept_heads WHERE tenant = 't1'); DELETE FROM storage_event_heads WHERE tenant = 't1'; "
        + "INSERT INTO storage_event_heads SELECT * FROM kept_heads WHERE tenant = 't1';", schema: "consent")
    _ = try #require(await service.logLine(containing: "events are gone"), "\(service.logLines)")
    let told = try await HTTP.fetch("\(place)/readyz")
    #expect(told.contains { $0.contains("events that were seen are gone") }, "\(told)")
    let refused = await #expect(throws: Status.self) {
      try await admin.studies.createStudy(
        CreateStudyRequest(study: ConsentStudy(studyID: "liver", name: "Liver")), deadline: .seconds(30))
    }
    #expect(refused?.code == .dataLoss)
    try await connection.close()
    service.send(.terminate)
    #expect(await service.wait() == .code(0), "\(service.logLines)")
  }

  /// How many events the newest head outside covers.
  private func newest(_ path: String) throws -> Int64 {
    guard Files.exists(path) else { return 0 }
    let heads = try SignedCheckpoint.list(String(decoding: try Files.read(path), as: UTF8.self))
    return heads.filter { $0.checkpoint.origin.hasSuffix("/t1") }.map(\.checkpoint.size).max() ?? 0
  }
}
