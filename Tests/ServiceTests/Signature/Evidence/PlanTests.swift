import StorageTestKit
import Testing

@testable import SignatureService

@Suite struct PlanTests {
  @Test("no statement reads all of a tenant's rows to find a few")
  func plans() async throws {
    // What is read page by page, or from a place on; and tables of which a tenant has few rows.
    let slow = try await SlowPlan.unexpected(in: SignatureSchema.all, besides: ["storage.events.after"])
    #expect(slow == [])
  }
}
