import Base
internal import Bus
import InteropContract
import RPC
import TestSupport
import Testing

/// More calls than the workers can answer.
@Suite(.serialized) struct LoadTests {
  private struct Outcome {
    var code: StatusCode
    var took: Duration
  }

  private static let slots = 4
  private static let work: UInt32 = 20

  @Test(
    "at twice the capacity the workers stay busy, admitted calls keep their deadline, and the rest is refused soon",
    .timeLimit(.minutes(2)))
  func overload() async throws {
    let system = try await TestSystem.start()
    _ = try await system.startWorker("InteropService", ["--slots", "\(Self.slots)"])
    let connection = try await system.connect()
    let client = InteropServiceClient(connection.channel)
    // A gateway learns how long calls take from earlier calls.
    for _ in 0..<20 { _ = try await call(client).code }
    // Two calls for each slot in the time of one, for three seconds.
    let pause = Duration.milliseconds(Int64(Self.work)) / (2 * Self.slots)
    let start = Clock.system.monotonic
    let outcomes = try await withThrowingTaskGroup(of: Outcome.self) { group in
      for number in 0..<1_200 {
        let wait = start + pause * number - Clock.system.monotonic
        if wait > .zero { try await Task.sleep(for: wait) }
        group.addTask { try await call(client) }
      }
      return try await group.reduce(into: [Outcome]()) { $0.append($1) }
    }
    let elapsed = Clock.system.monotonic - start
    let answered = outcomes.count { $0.code == .ok }
    let refused = outcomes.filter { $0.code == .resourceExhausted }
    // The number of calls that always busy slots could have answered in that time. A busy machine's timers are late.
    let capacity = Double(Self.slots) * Double(elapsed.wholeMilliseconds) / Double(Self.work)
    // What overload must not do is bring the work to a stop. How near it comes to capacity is a figure of
    // `scripts/bench bus`, for it depends on how punctual the machine's timers are.
    #expect(Double(answered) > 0.1 * capacity)
    #expect(Double(outcomes.count - answered - refused.count) < 0.5 * Double(outcomes.count))
    #expect(!refused.isEmpty)
    let soon = refused.map(\.took).sorted()
    #expect(soon.isEmpty || soon[soon.count / 2] < .milliseconds(500))
    try await connection.close()
  }

  private func call(_ client: InteropServiceClient) async throws -> Outcome {
    var request = IdempotentUnaryCallRequest()
    request.sleepMs = Self.work
    let start = Clock.system.monotonic
    var code = StatusCode.ok
    do throws(Status) {
      _ = try await client.idempotentUnaryCall(request, deadline: .seconds(1))
    } catch {
      code = error.code
    }
    return Outcome(code: code, took: Clock.system.monotonic - start)
  }
}
