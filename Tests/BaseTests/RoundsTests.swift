import Base
import Synchronization
import Testing

@Suite struct RoundsTests {
  private let clock = Clock.system

  @Test(
    "pauses that need no exact time end together, near their own ends",
    arguments: [(2, 2), (3, 2), (5, 2), (8, 8), (10, 8), (15, 8), (60, 8), (3600, 8)])
  func together(seconds: Int, step: Int) {
    let pause = Duration.seconds(seconds)
    for begun in stride(from: 0, to: 20_000, by: 137) {
      let begun = Duration.milliseconds(begun)
      let end = Rounds.end(of: pause, from: begun)
      #expect(end / .seconds(step) == (end / .seconds(step)).rounded(), "\(end)")
      #expect(end - begun >= pause - .seconds(step) / 2 && end - begun <= pause + .seconds(step) / 2)
    }
    #expect(Rounds.end(of: .milliseconds(250), from: .milliseconds(123)) == .milliseconds(373))
  }

  @Test("a short pause, and an exact one, does not end before its time")
  func exact() async throws {
    for pause in [Duration.milliseconds(1), .milliseconds(40), .milliseconds(2100)] {
      let begun = clock.monotonic
      try await Rounds.wait(exactly: pause)
      #expect(clock.monotonic - begun >= pause)
    }
    let begun = clock.monotonic
    try await Rounds.wait(about: .milliseconds(30))
    #expect(clock.monotonic - begun >= .milliseconds(30))
  }

  @Test("a pause that is cancelled ends at once, whether it has begun or not", .timeLimit(.minutes(1)))
  func cancelled() async {
    let tasks = (0..<200).map { number in
      Task {
        if number.isMultiple(of: 2) { await Task.yield() }
        try await Rounds.wait(about: .seconds(3600))
      }
    }
    for task in tasks { task.cancel() }
    for task in tasks { await #expect(throws: CancellationError.self) { try await task.value } }
  }

  @Test("a look is repeated until it says that it is enough", .timeLimit(.minutes(1)))
  func looks() async {
    let (ends, over) = AsyncStream<Int>.makeStream()
    let count = Mutex(0)
    Rounds.repeat {
      let looks = count.withLock { count in
        count += 1
        return count
      }
      if looks == 4 { over.yield(looks) }
      return looks < 4 ? .milliseconds(1) : nil
    }
    for await looks in ends {
      #expect(looks == 4)
      break
    }
  }
}
