import AccountContract
import RPC
import Storage
import StorageTestKit
import Testing

@Suite struct ForgedAttemptTests {
  @Test("a count of wrong passcodes that was forged is counted on from")
  func failures() async throws {
    let world = try await AccountWorld()
    let anna = try await world.open("Anna")[0]
    // The first guess makes the rows.
    for sql in ["SELECT 1", "UPDATE guesses SET failures = \(Int64.max), blocked_ms = 0"] {
      try await world.test.location.alter(sql, schema: world.test.schema.name)
      await expectRefusal(.unauthenticated, "wrong_passcode") {
        try await world.signIn(anna, passcode: "a wrong guess")
      }
    }
    await world.end()
  }
}
