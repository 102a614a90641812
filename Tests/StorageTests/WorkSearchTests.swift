import Base
import Storage
import StorageTestKit
import Synchronization
import TestSupport
import Testing

@Suite struct WorkSearchTests {
  /// Whether a search has begun since `time`.
  private final class Searches: Sendable {
    private let last = Mutex<MonotonicTime?>(nil)
    private let count = Mutex(0)

    /// The number of the search that begins, from 1 on.
    func begin() -> Int {
      last.withLock { $0 = Clock.system.monotonic }
      return count.withLock { count in
        count += 1
        return count
      }
    }

    func hasBegun(since time: MonotonicTime) -> Bool { last.withLock { $0.map { $0 >= time } ?? false } }

    var number: Int { count.withLock { $0 } }
  }

  private let clock = Clock.system

  private func open(_ engine: TestEngine = .sqlite) async throws -> TestDatabase {
    try await engine.makeDatabase(migrations: NoteStore.migrations, statements: NoteStore.statements)
  }

  /// Lets searches begin what `work` says while `body` runs.
  private func searching(
    _ database: Database, restingFor rest: Duration = .zero,
    _ work: @escaping @Sendable (_ number: Int, _ begin: WorkSearch.Begin) -> Duration,
    _ body: (Searches) async throws -> Void
  ) async throws {
    let searches = Searches()
    let task = Task {
      await WorkSearch(database, restingFor: rest).run { begin in work(searches.begin(), begin) }
    }
    defer { task.cancel() }
    try await body(searches)
    task.cancel()
    await task.value
  }

  @Test("a commit brings about a search, in every process", .timeLimit(.minutes(2)), arguments: TestEngine.allCases)
  func commits(engine: TestEngine) async throws {
    let test = try await open(engine)
    let other = try await test.reopen()
    try await searching(test.database, { _, _ in .seconds(3600) }) { searches in
      try await eventually("there was a first search", searches.number > 0)
      for (name, database) in [("own", test.database), ("other", other)] {
        let begun = clock.monotonic
        // Other processes see that a file of SQLite has changed.
        try await database.scope(.named("a")).write { transaction in
          try transaction.run(NoteStore.insert, name, 1, "text", 0.5, [UInt8]())
          transaction.wakeWatchers()
        }
        try await eventually("a search follows", searches.hasBegun(since: begun))
      }
    }
    await other.close()
  }

  @Test("work that has ended brings about a search, and another after the pause that it names", .timeLimit(.minutes(2)))
  func endedWork() async throws {
    let test = try await open()
    let first = Signal()
    let begun = Mutex(0)
    let hasEnded = Mutex<MonotonicTime?>(nil)
    let pause = Duration.milliseconds(40)
    try await searching(test.database) { _, begin in
      // A search may have other reasons than this test's.
      begun.withLock { step in
        switch step {
        case 0:
          step = 1
          begin {
            await first.wait()
            begun.withLock { $0 = 2 }
            return nil
          }
        case 2:
          step = 3
          begin {
            hasEnded.withLock { $0 = Clock.system.monotonic }
            return pause
          }
        default: break
        }
      }
      return .seconds(3600)
    } _: { searches in
      try await eventually("there was a first search", searches.number > 0)
      first.set()
      try await eventually("the work that the second search began has ended", hasEnded.withLock { $0 != nil })
      let end = try #require(hasEnded.withLock { $0 })
      try await eventually("a search follows after its pause", searches.hasBegun(since: end + pause))
    }
  }

  @Test("a search follows after the pause that the one before it chose", .timeLimit(.minutes(2)))
  func pauses() async throws {
    let test = try await open()
    try await searching(test.database, { number, _ in number < 4 ? .milliseconds(5) : .seconds(3600) }) { searches in
      try await eventually("four searches have begun", searches.number >= 4)
    }
  }

  @Test("while a search rests, commits by the dozen bring about one more", .timeLimit(.minutes(2)))
  func rests() async throws {
    let test = try await open()
    let rest = Duration.milliseconds(500)
    let begun = clock.monotonic
    try await searching(test.database, restingFor: rest, { _, _ in .seconds(3600) }) { searches in
      for _ in 0..<24 { try await test.database.scope(.named("a")).write { $0.wakeWatchers() } }
      let written = clock.monotonic
      try await eventually("a search follows the last commit", searches.hasBegun(since: written))
      #expect(searches.number <= 3 + Int((clock.monotonic - begun) / rest))
    }
  }

  @Test("a search ends with its task and with its database, and cancels what it began", .timeLimit(.minutes(2)))
  func ends() async throws {
    for closes in [false, true] {
      let test = try await open()
      let running = Signal()
      let cancelled = Mutex(false)
      let task = Task {
        await WorkSearch(test.database).run { begin in
          begin {
            running.set()
            do { try await Task.sleep(for: .seconds(3600)) } catch { cancelled.withLock { $0 = true } }
            return .seconds(3600)
          }
          return .seconds(3600)
        }
      }
      await running.wait()
      if closes { await test.database.close() } else { task.cancel() }
      await task.value
      #expect(cancelled.withLock { $0 })
    }
  }
}
