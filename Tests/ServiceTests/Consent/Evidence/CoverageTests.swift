import ConsentService
import Storage
import StorageTestKit
import Testing

@Suite struct ConsentCoverageTests {
  @Test("every column of every table is committed to, or exempt for a reason", arguments: TestEngine.allCases)
  func noGaps(engine: TestEngine) async throws {
    let test = try await engine.makeDatabase(ConsentSchema.all)
    #expect(try await test.database.coverageGaps() == [])
    await test.database.close()
  }
}
