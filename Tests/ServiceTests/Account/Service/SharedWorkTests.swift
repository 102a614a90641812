import Synchronization
import Testing

@testable import AccountService

@Suite("Work that is shared", .timeLimit(.minutes(1))) struct SharedWorkTests {
  @Test("who is cancelled waits no longer, and the work goes on for the others")
  func cancelled() async throws {
    let (gate, open) = AsyncStream<Void>.makeStream()
    let runs = Mutex(0)
    let work = SharedWork {
      for await _ in gate {}
      runs.withLock { $0 += 1 }
    }
    let one = Task { try await work.run() }
    let other = Task { try await work.run() }
    one.cancel()
    await #expect(throws: CancellationError.self) { try await one.value }
    #expect(runs.withLock { $0 } == 0)
    open.finish()
    try await other.value
    #expect(runs.withLock { $0 } >= 1)
  }
}
