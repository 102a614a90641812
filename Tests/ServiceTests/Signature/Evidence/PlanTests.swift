import StorageTestKit
import Testing

@testable import SignatureService

@Suite struct PlanTests {
  @Test("no statement reads all of a tenant's rows to find a few")
  func plans() async throws {
    let database = try await TestEngine.sqlite.makeDatabase(SignatureSchema.all)
    // What is read page by page, or from a place on; and tables of which a tenant has few rows.
    let slow = try await SlowPlan.unexpected(in: database, besides: ["storage.events.after"])
    #expect(slow == [])
  }
}
