import Base
import Storage
import StorageTestKit
import Synchronization
import TestSupport
import Testing

@Suite struct JobTests {
  struct Failure: Error {}

  private func open(_ engine: TestEngine, clock: Clock = .system) async throws -> TestDatabase {
    try await engine.makeDatabase(migrations: NoteStore.migrations, statements: NoteStore.statements, clock: clock)
  }

  private var hasty: JobPolicy {
    var policy = JobPolicy()
    policy.firstDelay = .milliseconds(2)
    policy.longestDelay = .milliseconds(20)
    policy.interval = .milliseconds(10)
    return policy
  }

  @Test("jobs of all tenants are run once each, whichever replica takes them", arguments: TestEngine.allCases)
  func runsOnce(engine: TestEngine) async throws {
    let test = try await open(engine)
    let other = try await test.reopen()
    let handler = JobHandler("note") { job in
      try await job.finish { transaction in
        // A second finish would fail here: the note's key is the job's.
        try transaction.run(NoteStore.insert, job.id, 1, "x", 0.5, [UInt8]())
      }
    }
    for index in 0..<40 {
      try await test.database.scope(.named(index.isMultiple(of: 2) ? "a" : "b")).write { transaction in
        try transaction.enqueue("note", [], id: "job-\(index)")
      }
    }
    try await running([test.database, other], handler) {
      try await eventually("the jobs are done", await test.database.jobCounts()) {
        $0.first { $0.state == .finished }?.count == 40
      }
    }
    for tenant in ["a", "b"] {
      #expect(try await other.scope(.named(tenant)).read { try $0.one(NoteStore.count).get("notes") } == 20)
    }
    await other.close()
  }

  @Test(
    "a job that fails goes on, however often, until its handler finds that it is pointless",
    arguments: TestEngine.allCases)
  func givenUp(engine: TestEngine) async throws {
    let test = try await open(engine)
    let scope = test.database.scope(.named("a"))
    let attempts = Mutex<[Int]>([])
    let handler = JobHandler("fragile", judging: { $0 is Failure ? .fault : .pointless }) { job in
      attempts.withLock { $0.append(job.attempt) }
      if job.attempt < 25 { throw Failure() }
      throw CancellationError()
    }
    try await scope.write { try $0.enqueue("fragile", [1]) }
    try await running([test.database], handler) {
      try await eventually("the jobs are done", await test.database.jobCounts()) { $0.map(\.state) == [.dead] }
    }
    #expect(attempts.withLock { $0 } == Array(1...25))
    #expect(try await scope.read { try $0.events(after: 0).map(\.type) } == ["storage.job.dead"])
    // Another one for the same work is another job.
    try await scope.write { try $0.enqueue("fragile", [1]) }
    try await running([test.database], JobHandler("fragile") { _ in }) {
      try await eventually("the jobs are done", await test.database.jobCounts()) {
        $0.map(\.state) == [.dead, .finished]
      }
    }
  }

  @Test(
    "a job whose runner stopped renewing its lease is taken by another, and finished by one of them",
    arguments: TestEngine.allCases)
  func lostLease(engine: TestEngine) async throws {
    let time = MovableClock()
    let test = try await open(engine, clock: time.clock)
    let scope = test.database.scope(.named("a"))
    let (first, second) = (Signal(), Signal())
    let outcomes = Mutex<[String]>([])
    let handler = JobHandler("slow") { job in
      if job.attempt == 1 {
        first.set()
        await second.wait()
      }
      do {
        try await job.finish { try $0.run(NoteStore.insertOnce, "by-\(job.attempt)", job.attempt) }
        outcomes.withLock { $0.append("finished by \(job.attempt)") }
      } catch is JobLost {
        outcomes.withLock { $0.append("lost by \(job.attempt)") }
      }
      if job.attempt == 2 { second.set() }
    }
    try await scope.write { try $0.enqueue("slow", []) }
    try await running([test.database], handler) {
      await first.wait()
      // The lease expires by the clock, as for a process that was suspended.
      time.move(by: .seconds(60))
      try await eventually("both attempts have ended", outcomes.withLock { $0.count } == 2)
    }
    #expect(outcomes.withLock { $0 } == ["finished by 2", "lost by 1"])
    #expect(try await scope.read { try $0.one(NoteStore.count).get("notes") } == 1)
  }

  @Test(
    "a clock that was set back for years does not keep a job leased to a dead runner", arguments: TestEngine.allCases)
  func clockSetBack(engine: TestEngine) async throws {
    let time = MovableClock()
    let test = try await open(engine, clock: time.clock)
    let scope = test.database.scope(.named("a"))
    try await scope.write { try $0.enqueue("slow", []) }
    // A runner that is killed leaves its lease, here for another minute.
    let lease = time.clock.now.millisecondsSince1970 + 60_000
    try await test.location.alter(
      "UPDATE storage_jobs SET state = 1, attempts = 1, lease = 'dead', lease_ms = \(lease)", schema: test.schema.name)
    #expect(try await test.database.jobCounts().map(\.state) == [.running])
    time.move(by: .seconds(-5 * 365 * 86_400))
    try await running([test.database], JobHandler("slow") { _ in }) {
      try await eventually("the jobs are done", await test.database.jobCounts()) { $0.map(\.state) == [.finished] }
    }
  }

  @Test(
    "what was queued or put off while the clock was years ahead is done now that it is right",
    arguments: TestEngine.allCases)
  func clockWasAhead(engine: TestEngine) async throws {
    let time = MovableClock()
    let test = try await open(engine, clock: time.clock)
    let scope = test.database.scope(.named("a"))
    let years = 5 * 365 * 86_400
    try await scope.write { try $0.enqueue("slow", [], id: "failed") }
    try await test.location.alter(
      "UPDATE storage_jobs SET attempts = 1, failure = 'x', due_ms = due_ms + \(years * 1000)",
      schema: test.schema.name)
    time.move(by: .seconds(years))
    try await scope.write { try $0.enqueue("slow", [], id: "queued") }
    time.move(by: .seconds(-years))
    try await scope.write { try $0.enqueue("slow", [], id: "later", after: .seconds(years)) }
    let done = Mutex<Set<String>>([])
    let handler = JobHandler("slow") { job in done.withLock { _ = $0.insert(job.id) } }
    try await running([test.database], handler) {
      try await eventually("the jobs are done", await test.database.jobCounts()) {
        $0.first { $0.state == .finished }?.count == 2
      }
    }
    #expect(done.withLock { $0 } == ["failed", "queued"])
  }

  @Test("a job that somebody added or altered by hand is not done", arguments: TestEngine.allCases)
  func forged(engine: TestEngine) async throws {
    let test = try await open(engine)
    let scope = test.database.scope(.named("a"))
    try await scope.write { transaction in
      for id in ["true", "altered"] { try transaction.enqueue("merge", Array(id.utf8), id: id) }
    }
    try await test.location.alter(
      "INSERT INTO storage_jobs (tenant, id, kind, payload, state, due_ms, attempts, created_ms, code) "
        + "SELECT tenant, 'copied', kind, payload, state, due_ms, attempts, created_ms, code FROM storage_jobs "
        + "WHERE id = 'true'; INSERT INTO storage_jobs (tenant, id, kind, payload, state, due_ms, attempts, created_ms) "
        + "SELECT tenant, 'added', kind, payload, state, due_ms, attempts, created_ms FROM storage_jobs "
        + "WHERE id = 'true'; UPDATE storage_jobs SET payload = \(engine.literal([1])) WHERE id = 'altered';",
      schema: test.schema.name)
    let done = Mutex<Set<String>>([])
    let fresh = try await test.reopen()
    let handler = JobHandler("merge") { job in done.withLock { _ = $0.insert(job.id) } }
    try await running([test.database, fresh], handler) {
      try await eventually("the jobs are done", await test.database.jobCounts()) { counts in
        [JobState.dead, .finished].map { state in counts.first { $0.state == state }?.count } == [3, 1]
      }
    }
    #expect(done.withLock { $0 } == ["true"])
    await fresh.close()
    await test.database.close()
  }

  @Test("jobs that never end leave room for those of other kinds", arguments: TestEngine.allCases)
  func neverEnding(engine: TestEngine) async throws {
    let test = try await open(engine)
    let scope = test.database.scope(.named("a"))
    let begun = Mutex(0)
    let endless = JobHandler("endless") { _ in
      begun.withLock { $0 += 1 }
      try await untilCancelled()
    }
    try await scope.write { transaction in
      for _ in 0..<8 { try transaction.enqueue("endless", []) }
    }
    try await running([test.database], endless, JobHandler("short") { _ in }) {
      try await eventually("three run", begun.withLock { $0 } >= 3)
      for id in ["one", "two"] { try await scope.write { try $0.enqueue("short", [], id: id) } }
      try await eventually("the jobs are done", await test.database.jobCounts()) {
        $0.first { $0.state == .finished }?.count == 2
      }
    }
  }

  @Test("of jobs of two kinds that are due at once, both begin", arguments: TestEngine.allCases)
  func shares(engine: TestEngine) async throws {
    let test = try await open(engine)
    try await test.database.scope(.named("a")).write { transaction in
      for kind in ["first", "second"] { for _ in 0..<8 { try transaction.enqueue(kind, []) } }
    }
    let begun = Mutex<[String]>([])
    func endless(_ kind: String) -> JobHandler {
      JobHandler(kind) { _ in
        begun.withLock { $0.append(kind) }
        try await untilCancelled()
      }
    }
    try await running([test.database], endless("first"), endless("second")) {
      try await eventually("four run", begun.withLock { $0.count } == 4)
    }
    #expect(begun.withLock { $0.sorted() } == ["first", "first", "second", "second"])
  }

  @Test("faults are counted from the last setback that passed by itself", arguments: TestEngine.allCases)
  func faults(engine: TestEngine) async throws {
    struct Outage: Error {}
    let test = try await open(engine)
    let passing = JobSetback.passing(within: .milliseconds(20))
    let handler = JobHandler("fragile", judging: { $0 is Outage ? passing : .fault }) { job in
      switch job.attempt {
      case 1, 2, 4: throw Failure()
      case 3: throw Outage()
      default: return
      }
    }
    try await test.database.scope(.named("a")).write { try $0.enqueue("fragile", []) }
    let runner = JobRunner(test.database, policy: hasty, handlers: [handler])
    let counted = Mutex<[Int]>([])
    let work = Task { await runner.run { report in counted.withLock { $0.append(report.faults) } } }
    try await eventually("the jobs are done", await test.database.jobCounts()) { $0.map(\.state) == [.finished] }
    work.cancel()
    await work.value
    #expect(counted.withLock { $0 } == [1, 2, 0, 1])
  }

  @Test("a name whose job was given up can be used again, and no other", arguments: TestEngine.allCases)
  func begunAnew(engine: TestEngine) async throws {
    let test = try await open(engine)
    let scope = test.database.scope(.named("a"))
    let done = Mutex<[String]>([])
    let handler = JobHandler("fragile", judging: { _ in .pointless }) { job in
      done.withLock { $0.append("\(job.attempt) \(job.payload)") }
      if job.payload == [1] { throw Failure() }
    }
    try await running([test.database], handler) {
      for (payload, state) in [([1], JobState.dead), ([2], .finished)] as [([UInt8], JobState)] {
        try await scope.write { try $0.enqueue("fragile", payload, id: "render-1") }
        try await eventually("the jobs are done", await test.database.jobCounts()) { $0.map(\.state) == [state] }
      }
      try await scope.write { try $0.enqueue("fragile", [3], id: "render-1") }
      try await scope.write { try $0.enqueue("fragile", [4], id: "render-2") }
      try await eventually("the jobs are done", await test.database.jobCounts()) { $0.map(\.count) == [2] }
    }
    #expect(done.withLock { $0 } == ["1 [1]", "1 [2]", "1 [4]"])
  }

  /// Runs `body` while runners work on all databases, and then stops the runners and waits for them.
  private func running(
    _ databases: [Database], _ handlers: JobHandler..., while body: () async throws -> Void
  ) async throws {
    let policy = hasty
    try await withThrowingTaskGroup(of: Void.self) { group in
      for database in databases {
        group.addTask { await JobRunner(database, policy: policy, handlers: handlers).run() }
      }
      defer { group.cancelAll() }
      try await body()
    }
  }
}
