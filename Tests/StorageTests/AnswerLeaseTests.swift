import Base
import Storage
import StorageTestKit
import Synchronization
import Testing

/// A cache that keeps nothing but how many events it has heard of from each tenant.
private final class Listener: Sendable {
  let lease: AnswerLease
  let database: Database
  private let heard = Mutex<[Tenant: Int64]>([:])
  /// What the following task waits for before it takes news; nil: nothing.
  private let obstacle = Mutex<Waiter?>(nil)
  private let following = Mutex<Task<Void, Never>?>(nil)

  init(_ database: Database, for duration: Duration) {
    self.database = database
    lease = AnswerLease(database, for: duration)
    let task = Task { [self] in await lease.follow { [self] in take($0) } }
    following.withLock { $0 = task }
  }

  func lastEvent(of tenant: Tenant) -> Int64? { heard.withLock { $0[tenant] } }

  /// Whether an answer from before a tenant's event `number` would still be given.
  func answersFromBefore(_ number: Int64, of tenant: Tenant) -> Bool {
    guard let last = lastEvent(of: tenant) else { return false }
    return last < number && lease.isHeld
  }

  func block(on waiter: Waiter) { obstacle.withLock { $0 = waiter } }
  func unblock() { obstacle.withLock { $0.take() }?.finish() }

  func end() async {
    let task = following.withLock { $0.take() }
    task?.cancel()
    await task?.value
    await database.close()
  }

  private func take(_ news: AnswerLease.News) {
    if let waiter = obstacle.withLock({ $0 }) { waiter.wait() }
    heard.withLock { heard in
      switch news {
      case .all: heard = [:]
      case .tenant(let tenant): heard[tenant] = nil
      case .events(let tenant, let events): heard[tenant] = events.last?.sequence
      }
    }
  }
}

extension Scope {
  /// A change that takes answers back; the number of its event, if nobody else writes to the tenant.
  fileprivate func takeBack() async throws -> Int64 {
    try await write { transaction in
      transaction.append("taken back", [], to: "s")
      transaction.recallAnswers()
    }
    return try await read { try $0.lastEvent() }
  }
}

@Suite("Answers from memory have a lease")
struct AnswerLeaseTests {
  private func open(_ engine: TestEngine) async throws -> TestDatabase {
    try await engine.makeDatabase(migrations: NoteStore.migrations, statements: NoteStore.statements)
  }

  private func elapsed(_ work: () async throws -> Void) async rethrows -> Duration {
    let start = Clock.system.monotonic
    try await work()
    return Clock.system.monotonic - start
  }

  /// After a time in which nothing was heard, asking fails at once until something is.
  private func holdAgain(_ listener: Listener) async throws {
    for _ in 0..<400 {
      if (try? await listener.lease.hold(within: .seconds(1))) != nil { return }
      try await Task.sleep(for: .milliseconds(50))
    }
    Issue.record("the lease is not held again")
  }

  @Test(
    "when a change that takes answers back returns, no replica answers from before it", .timeLimit(.minutes(2)),
    arguments: TestEngine.allCases)
  func acknowledged(engine: TestEngine) async throws {
    let test = try await open(engine)
    let replicas = [
      Listener(try await test.reopen(), for: .seconds(5)), Listener(try await test.reopen(), for: .seconds(5)),
    ]
    for replica in replicas { try await replica.lease.hold(within: .seconds(5)) }
    let tenants = (0..<4).map { test.database.scope(.named("t\($0)")) }
    let time = try await elapsed {
      for scope in tenants {
        for _ in 0..<5 {
          let number = try await scope.takeBack()
          for replica in replicas {
            #expect(replica.lastEvent(of: scope.tenant) == number)
            #expect(!replica.answersFromBefore(number, of: scope.tenant))
          }
        }
      }
    }
    // All twenty have waited for acknowledgements, and none for the end of a lease.
    #expect(time < .seconds(20 * 4), "\(time)")
    for replica in replicas { await replica.end() }
    await test.database.close()
  }

  @Test(
    "a replica that hangs delays such a change until its lease has run out", .timeLimit(.minutes(2)),
    arguments: TestEngine.allCases)
  func hanging(engine: TestEngine) async throws {
    let test = try await open(engine)
    let replica = Listener(try await test.reopen(), for: .seconds(1))
    let scope = test.database.scope(.named("a"))
    try await replica.lease.hold(within: .seconds(10))
    let known = try await scope.takeBack()
    #expect(replica.lastEvent(of: scope.tenant) == known)
    try await replica.lease.hold(within: .seconds(10))
    replica.block(on: Waiter())
    #expect(replica.lease.isHeld)
    let number = try await scope.takeBack()
    #expect(replica.lastEvent(of: scope.tenant) == known && !replica.lease.isHeld, "it heard nothing, and is silent")
    replica.unblock()
    try await holdAgain(replica)
    #expect(replica.lastEvent(of: scope.tenant) == number)
    // It is in doubt now, and registers again before it answers.
    try await Task.sleep(for: .seconds(2))
    let next = try await scope.takeBack()
    #expect(!replica.answersFromBefore(next, of: scope.tenant))
    await replica.end()
    await test.database.close()
  }

  @Test(
    "a replica that died is waited for once or twice, and then forgotten", .timeLimit(.minutes(2)),
    arguments: TestEngine.allCases)
  func dead(engine: TestEngine) async throws {
    let test = try await open(engine)
    let lease = Duration.seconds(2)
    // A process that is killed leaves its row.
    try await test.location.alter(
      "INSERT INTO storage_answer_leases (holder, lease_ms, wanted, seen) VALUES ('dead', 2000, 0, 0)",
      schema: test.schema.name)
    let scope = test.database.scope(.named("a"))
    let first = try await elapsed { _ = try await scope.takeBack() }
    #expect(first >= lease, "\(first)")
    try await Task.sleep(for: lease * 2)
    let later = try await elapsed { _ = try await scope.takeBack() }
    #expect(later < lease, "\(later)")
    await test.database.close()
  }

  @Test(
    "a process that ends while a replica has not heard of a change says that it was made", .timeLimit(.minutes(2)),
    arguments: TestEngine.allCases)
  func ended(engine: TestEngine) async throws {
    let test = try await open(engine)
    let other = try await test.reopen()
    try await test.location.alter(
      "INSERT INTO storage_answer_leases (holder, lease_ms, wanted, seen) VALUES ('hanging', 5000, 0, 0)",
      schema: test.schema.name)
    let change = Task { try await test.database.scope(.named("a")).takeBack() }
    while try await other.scope(.named("a")).read({ try $0.lastEvent() }) == 0 {
      try await Task.sleep(for: .milliseconds(5))
    }
    await test.database.close()
    let error = await #expect(throws: DatabaseError.self) { try await change.value }
    #expect(error?.code == .unfollowed)
    await other.close()
  }

  @Test("a replica that stops in order is waited for no longer", arguments: TestEngine.allCases)
  func leaving(engine: TestEngine) async throws {
    let test = try await open(engine)
    let replica = Listener(try await test.reopen(), for: .seconds(5))
    try await replica.lease.hold(within: .seconds(10))
    let before = replica.lease.isHeld
    await replica.end()
    #expect(before && !replica.lease.isHeld)
    let time = try await elapsed { _ = try await test.database.scope(.named("a")).takeBack() }
    #expect(time < .seconds(5), "\(time)")
    await test.database.close()
  }

  @Test("with the database hung, the lease runs out and asking for it fails soon; later it is held again")
  func hungDatabase() async throws {
    let server = try await PostgresServer()
    let schema = Schema(name: "lease", migrations: NoteStore.migrations, statements: NoteStore.statements)
    let listener = Listener(
      try await Database.open(.postgres(url: server.url), schema: schema, keys: .example), for: .milliseconds(500))
    try await listener.lease.hold(within: .seconds(10))
    try await server.freeze()
    try await Task.sleep(for: .milliseconds(600))
    #expect(!listener.lease.isHeld)
    let time = await elapsed {
      let error = await #expect(throws: DatabaseError.self) { try await listener.lease.hold(within: .seconds(30)) }
      #expect(error?.code == .leaseExpired)
    }
    #expect(time < .seconds(5), "\(time)")
    try await server.thaw()
    try await holdAgain(listener)
    await listener.end()
    await server.end()
  }

  @Test(
    "under load no replica answers from before a change that has returned", .timeLimit(.minutes(5)),
    arguments: TestEngine.allCases)
  func load(engine: TestEngine) async throws {
    let test = try await open(engine)
    let replicas = [
      Listener(test.database, for: .seconds(1)), Listener(try await test.reopen(), for: .seconds(1)),
      Listener(try await test.reopen(), for: .milliseconds(300)),
    ]
    for replica in replicas { try await replica.lease.hold(within: .seconds(10)) }
    let stale = try await withThrowingTaskGroup(of: Int.self) { group in
      // Others write all the time, from two processes.
      for (index, database) in [test.database, replicas[1].database].enumerated() {
        group.addTask {
          for number in 0..<200 {
            try await database.scope(.named("other\(index)")).write { $0.append("x", [], to: "s\(number % 7)") }
          }
          return 0
        }
      }
      for index in 0..<4 {
        let scope = (index < 2 ? test.database : replicas[1].database).scope(.named("own\(index)"))
        group.addTask {
          var stale = 0
          for _ in 0..<20 {
            let number = try await scope.takeBack()
            for replica in replicas where replica.answersFromBefore(number, of: scope.tenant) { stale += 1 }
          }
          return stale
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(stale == 0)
    for replica in replicas.dropFirst() { await replica.end() }
    await replicas[0].end()
  }
}
