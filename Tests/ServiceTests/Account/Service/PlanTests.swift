import StorageTestKit
import Testing

@testable import AccountService

@Suite struct PlanTests {
  @Test("no statement reads all of a tenant's rows to find a few")
  func plans() async throws {
    // What is read page by page, or from a place on; and tables of which a tenant has few rows.
    let pages: Set = [
      "device.list", "waiting.devices", "person.list", "onboarding.due", "apikey.list", "storage.events.after",
    ]
    let soon: Set = [
      "revocation.since", "revocation.forget", "code.forget", "session.forget", "guess.forget", "verifier.forget",
      "verifier.forget-reports", "device.wiped", "onboarding.at-device",
    ]
    let few: Set = ["apikey.count", "apikey.inuse", "apikey.forget", "apikey.forgetuses"]
    // What happens after a restore, of another service's database or of this one.
    let all: Set = ["change.forget-rules", "change.raise-all"]
    let slow = try await SlowPlan.unexpected(in: AccountSchema.all, besides: pages.union(soon).union(few).union(all))
    #expect(slow == [])
  }
}
