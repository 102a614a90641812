import StorageTestKit
import Testing

@testable import ConsentService

@Suite struct PlanTests {
  @Test("no statement reads all of a tenant's rows to find a few")
  func plans() async throws {
    // What is read page by page, or from a place on; and tables of which a tenant has few rows.
    let pages: Set = ["study.list", "deadline.due", "storage.events.after"]
    let few: Set = [
      "study.bodies", "task.list-all", "texts.newest", "texts.newest-number", "texts.pending", "texts.settle",
      "webhook.list", "guess.forget",
    ]
    let slow = try await SlowPlan.unexpected(in: ConsentSchema.all, besides: pages.union(few))
    #expect(slow == [])
  }
}
