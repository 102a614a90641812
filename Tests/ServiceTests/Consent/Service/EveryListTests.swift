import StorageTestKit
import Testing

@testable import ConsentService

@Suite struct EveryListTests {
  @Test("every list has the right rows at every page size")
  func lists() async throws {
    let problems = try await ListCheck.problems(of: ConsentSchema.all)
    #expect(problems == [])
  }
}
