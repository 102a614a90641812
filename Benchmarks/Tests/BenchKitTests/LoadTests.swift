import Base
import Synchronization
import Testing

@testable import BenchKit

/// What figures under load count, and what they leave out.
@Suite struct LoadTests {
  @Test("a rate counts the answers that came within the time, and no later ones")
  func rates() {
    let start = MonotonicTime(nanoseconds: 5_000_000_000)
    let answers = [0, 500, 1999, 2000, 2400].map { start + .milliseconds($0) }
    #expect(rate(of: answers, from: start, over: .seconds(2)) == 1.5)
    #expect(rate(of: [], from: start, over: .seconds(2)) == 0)
  }

  @Test("a storm has ended when it returns, also after an error")
  func stormEnds() async throws {
    let running = Atomic(0)
    let caller: @Sendable () async throws -> Void = {
      running.add(1, ordering: .relaxed)
      await Task.yield()
      running.subtract(1, ordering: .relaxed)
    }
    let answer = try await Storm.during([caller, caller], rise: .milliseconds(1)) { 42 }
    #expect(answer == 42)
    #expect(running.load(ordering: .relaxed) == 0)
    await #expect(throws: Failed.self) {
      try await Storm.during([caller], rise: .zero) { throw Failed() }
    }
    #expect(running.load(ordering: .relaxed) == 0)
  }

  @Test("a storm in which nobody gets an answer is none")
  func stormWithoutAnswers() async {
    let error = await #expect(throws: (any Error).self) {
      try await Storm.during([{ throw Failed() }], rise: .milliseconds(1)) {}
    }
    let text = "none of the 1 callers of the storm got an answer; one was told: Failed()"
    #expect(error.map { "\($0)" } == text)
  }

  @Test("processes are idle when they use less than a quarter of a core")
  func idle() {
    #expect(Idleness.isIdle(.milliseconds(70), over: .milliseconds(300)))
    #expect(!Idleness.isIdle(.milliseconds(80), over: .milliseconds(300)))
  }

  @Test("who waits for idle processes goes on when they are, and hears of one that has ended")
  func waiting() async throws {
    let child = try await ChildProcess.start(ChildCommand("sleep", ["60"]))
    try await Idleness.wait(for: [child.id], window: .milliseconds(20))
    let id = child.id
    await child.stop()
    await #expect(throws: FileError.self) { try await Idleness.wait(for: [id], window: .milliseconds(20)) }
  }
}

private struct Failed: Error {}
