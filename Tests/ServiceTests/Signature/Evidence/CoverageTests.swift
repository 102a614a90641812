import SignatureService
import Storage
import StorageTestKit
import Testing

@Suite struct SignatureCoverageTests {
  @Test("every column of every table is committed to, or exempt for a reason", arguments: TestEngine.allCases)
  func noGaps(engine: TestEngine) async throws {
    let test = try await engine.makeDatabase(SignatureSchema.all)
    #expect(try await test.database.coverageGaps() == [])
    await test.database.close()
  }
}
