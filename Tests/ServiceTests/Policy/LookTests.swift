import Base
import Bus
import CommonContract
import ServicePolicy
import Storage
import StorageTestKit
import Testing

/// What a screen asks for again and again is on record before it is shown.
@Suite("Looks", .timeLimit(.minutes(2))) struct LookTests {
  @Test("a look is an event before it is answered, and others within the time are counted")
  func repeats() async throws {
    let bench = try await PolicyBench()
    let screen = bench.screen(as: "ines")
    for _ in 0..<20 { #expect(try await screen.put("") == "seen") }
    #expect(try await bench.recorded(.read).map(\.count) == [0])
    try await bench.data.writeCounts()
    #expect(try await bench.recorded(.read).map(\.count) == [0, 19])
  }

  @Test(
    "a look whose event cannot be written shows nothing and counts for nothing: the next one is an event",
    arguments: TestEngine.allCases)
  func unwritten(engine: TestEngine) async throws {
    let bench = try await PolicyBench(engine)
    let screen = bench.screen(as: "ines")
    try await bench.withoutEvents {
      for _ in 0..<2 {
        let failure = await status { _ = try await screen.put("") }
        #expect(failure != nil)
      }
    }
    #expect(try await bench.recorded(.read).isEmpty)
    #expect(try await screen.put("") == "seen")
    let look = try #require(try await bench.recorded(.read).last)
    #expect(look.actor == "ines" && look.subjectID == "bea" && look.count == 0)
    #expect(try await screen.put("") == "seen")
    #expect(try await bench.recorded(.read).count == 1)
  }

  @Test("a look that comes while the first one is being written down waits as well", arguments: TestEngine.allCases)
  func together(engine: TestEngine) async throws {
    let bench = try await PolicyBench(engine)
    let screen = bench.screen(as: "ines")
    let look: @Sendable () async throws -> Void = {
      #expect(try await screen.put("") == "seen")
      let looks = try await bench.recorded(.read)
      #expect(!looks.isEmpty, "it was answered while nothing was on record")
    }
    try await whileNothingIsCommitted(in: bench.test, [look, look])
    let written = try await bench.recorded(.read).count
    #expect((1...2).contains(written))
    try await look()
    #expect(try await bench.recorded(.read).count == written)
  }

  /// Makes calls at the same time, none of whose changes is committed before all have come to theirs.
  private func whileNothingIsCommitted(
    in test: TestDatabase, _ calls: [@Sendable () async throws -> Void]
  ) async throws {
    guard test.engine == .sqlite else { return try await test.together(calls) }
    let (held, report) = AsyncStream<Void>.makeStream()
    let release = BlockingQueue<Void>()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        try await test.database.scope(.named("other")).write { _ in
          report.finish()
          _ = release.pop()
        }
      }
      for await _ in held {}
      for call in calls { group.addTask { try await call() } }
      // Nobody can see how far they are.
      try await Task.sleep(for: .milliseconds(500))
      release.close()
      try await group.waitForAll()
    }
  }
}
