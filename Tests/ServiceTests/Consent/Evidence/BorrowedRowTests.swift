import ConsentContract
import RPC
import Storage
import StorageTestKit
import Testing

/// A row may not borrow what another row committed to: its body has to speak of the row in which it stands.
@Suite("Rows that borrow another row's body", .timeLimit(.minutes(2))) struct BorrowedRowTests {
  @Test("nobody has a consent by a copy of somebody else's row", arguments: TestEngine.allCases)
  func record(engine: TestEngine) async throws {
    let world = try await World(engine)
    try await world.open()
    _ = try await world.record(of: try await world.walk(site: "north"))
    #expect(try await world.check("s1").permitted)
    #expect(try await !world.check("s2").permitted)
    let columns =
      "study_id, site_id, session_id, document_id, document_version, version_hash, state, decided_ms, test, body"
    try await world.test.location.alter(
      """
      INSERT INTO records (tenant, id, subject_id, \(columns))
      SELECT tenant, 'borrowed', 's3', \(columns) FROM records
      """, schema: world.test.schema.name)
    let error = await #expect(throws: Status.self) { _ = try await world.check("s3") }
    #expect(error?.code == .dataLoss, "\(String(describing: error))")
    await world.end()
  }
}
