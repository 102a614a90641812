import Base
import Storage
import StorageTestKit
import Synchronization
import TestSupport
import Testing

@Suite struct PeriodicTaskTests {
  private func open(_ engine: TestEngine, _ time: MovableClock) async throws -> TestDatabase {
    try await engine.makeDatabase(migrations: NoteStore.migrations, statements: NoteStore.statements, clock: time.clock)
  }

  @Test("a periodic task runs once in an interval, in one of the processes", arguments: TestEngine.allCases)
  func onceAnInterval(engine: TestEngine) async throws {
    let time = MovableClock()
    let test = try await open(engine, time)
    let other = try await test.reopen(clock: time.clock)
    let count = Mutex(0)
    let here = PeriodicTaskRunner(
      test.database, [PeriodicTask("tidy", every: .seconds(60)) { count.withLock { $0 += 1 } }])
    let there = PeriodicTaskRunner(other, [PeriodicTask("tidy", every: .seconds(60)) { count.withLock { $0 += 1 } }])
    for day in 1...5 {
      async let first = here.runDue()
      async let second = there.runDue()
      #expect(await (first + second) == ["tidy"])
      #expect(await here.runDue().isEmpty, "not due yet")
      #expect(await there.runDue().isEmpty, "not due yet")
      #expect(count.withLock { $0 } == day)
      time.move(by: .seconds(61))
    }
    await other.close()
  }

  @Test("a task that ends with its process has not failed, and is run by the next", arguments: TestEngine.allCases)
  func endsWithProcess(engine: TestEngine) async throws {
    let time = MovableClock()
    let test = try await open(engine, time)
    let started = Signal()
    let failures = Mutex<[String]>([])
    let long = PeriodicTask("check", every: .seconds(60)) {
      started.set()
      try await untilCancelled()
    }
    let ended = Task {
      await PeriodicTaskRunner(test.database, [long]) { task, _ in failures.withLock { $0.append(task) } }.runDue()
    }
    await started.wait()
    ended.cancel()
    #expect(await ended.value.isEmpty)
    #expect(failures.withLock { $0 }.isEmpty)
    #expect(try await test.database.periodicTasks().map(\.failure) == [nil])
    time.move(by: .seconds(31))
    let next = PeriodicTaskRunner(test.database, [PeriodicTask("check", every: .seconds(60)) {}])
    #expect(await next.runDue() == ["check"])
    await test.database.close()
  }

  @Test(
    "a running periodic task is left alone, and taken over when its process stops renewing the lease",
    arguments: TestEngine.allCases)
  func takenOver(engine: TestEngine) async throws {
    let time = MovableClock()
    let test = try await open(engine, time)
    let (started, start) = AsyncStream.makeStream(of: Void.self)
    let silent = Task {
      await PeriodicTaskRunner(
        test.database,
        [
          PeriodicTask("tidy", every: .seconds(60)) {
            start.yield()
            try await untilCancelled()
          }
        ]
      ).runDue()
    }
    for await _ in started { break }
    let other = PeriodicTaskRunner(test.database, [PeriodicTask("tidy", every: .seconds(60)) {}])
    #expect(await other.runDue().isEmpty)
    time.move(by: .seconds(31))
    #expect(await other.runDue() == ["tidy"], "its lease ran out")
    silent.cancel()
    #expect(await silent.value.isEmpty)
    #expect(try await test.database.periodicTasks().map(\.failure) == [nil], "what the silent one says counts no more")
  }

  @Test("a periodic task that fails is reported and tried again within a minute", arguments: TestEngine.allCases)
  func failure(engine: TestEngine) async throws {
    struct Broken: Error {}
    let time = MovableClock()
    let test = try await open(engine, time)
    let isBroken = Mutex(true)
    let reports = Mutex<[String]>([])
    let runner = PeriodicTaskRunner(
      test.database,
      [PeriodicTask("tidy", every: .seconds(86_400)) { if isBroken.withLock({ $0 }) { throw Broken() } }],
      report: { name, _ in reports.withLock { $0.append(name) } })
    #expect(await runner.runDue().isEmpty)
    #expect(reports.withLock { $0 } == ["tidy"])
    #expect(try await test.database.periodicTasks().map(\.failure) == ["Broken"])
    isBroken.withLock { $0 = false }
    #expect(await runner.runDue().isEmpty, "not at once")
    time.move(by: .seconds(61))
    #expect(await runner.runDue() == ["tidy"])
    #expect(try await test.database.periodicTasks().map(\.failure) == [nil])
  }

  @Test("a clock that was set back delays no periodic task")
  func clockSetBack() async throws {
    let time = MovableClock()
    let test = try await open(.sqlite, time)
    let runner = PeriodicTaskRunner(test.database, [PeriodicTask("tidy", every: .seconds(60)) {}])
    #expect(await runner.runDue() == ["tidy"])
    time.move(by: .seconds(-86_400))
    #expect(await runner.runDue() == ["tidy"])
  }

  @Test("cleanup deletes expired answers and ended jobs, retention erases subjects", arguments: TestEngine.allCases)
  func cleanup(engine: TestEngine) async throws {
    let time = MovableClock()
    let test = try await open(engine, time)
    let scope = test.database.scope(.named("a"))
    let subject = try #require(Subject("s1"))
    _ = try await scope.write(once: Idempotency(caller: "c", key: "k", request: [])) { transaction in
      try transaction.vault.setPolicy("study", keep: .seconds(86_400), by: "admin")
      try transaction.vault.put([1], as: "name", of: subject)
      try transaction.vault.keep(subject, under: "study")
      return []
    }
    try await endJobs(in: test.database)
    let runner = PeriodicTaskRunner(
      test.database,
      PeriodicTask.cleanup(of: test.database, every: .seconds(60), keepingJobs: .seconds(60)) + [
        PeriodicTask.retention(in: test.database, every: .seconds(60))
      ])
    time.move(by: .seconds(30 * 86_400))
    #expect(await runner.runDue().count == 3)
    #expect(try await test.database.expireIdempotencyKeys() == 0, "the periodic task was first")
    #expect(try await test.database.jobCounts().map(\.state) == [.waiting], "those that ended are gone")
    #expect(try await !scope.read { try $0.vault.isErased(subject) }, "its period has not begun")
    try await scope.write { try $0.vault.retain(subject, under: "study") }
    time.move(by: .seconds(2 * 86_400))
    await runner.runDue()
    #expect(try await scope.read { try $0.vault.isErased(subject) })
  }

  /// Leaves a job that was given up, one that was finished, and one that waits.
  private func endJobs(in database: Database) async throws {
    try await database.scope(.named("a")).write { transaction in
      for kind in ["odd", "plain", "later"] { try transaction.enqueue(kind, []) }
    }
    let handlers = [
      JobHandler("odd", judging: { _ in .pointless }) { _ in throw CancellationError() },
      JobHandler("plain") { _ in },
    ]
    let running = Task { await JobRunner(database, handlers: handlers).run() }
    try await eventually("two have ended", await Set(database.jobCounts().map(\.state))) {
      $0 == [.dead, .finished, .waiting]
    }
    running.cancel()
    await running.value
  }
}
