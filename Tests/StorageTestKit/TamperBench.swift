public import Base
internal import Synchronization

@testable public import Storage

/// A database as it was at one moment, to be changed by hand in one way after the other, each time from the same state.
public struct TamperBench: Sendable {
  private let test: TestDatabase
  private let name: String
  private let heads: [SignedCheckpoint]
  private let trusted: [VerifyingKey]
  private let clock: Clock
  private let base: DatabaseLocation

  /// - Parameters:
  ///   - name: tells several copies of one database apart.
  ///   - heads: what was handed out of the database and is known to `assent data check`.
  public init(
    _ test: TestDatabase, named name: String = "base", heads: [SignedCheckpoint], trusting trusted: [VerifyingKey],
    clock: Clock = .system
  ) async throws {
    (self.test, self.name, self.heads, self.trusted) = (test, name, heads, trusted)
    self.clock = clock
    let archive = test.folder.file("\(name).assent")
    let database = try await Database.inspect(test.location, schema: test.schema.name, keys: nil)
    _ = try await database.backup(to: archive)
    await database.close()
    var copy = DatabaseLocation.sqlite(path: test.folder.file("\(name).db"))
    if case .postgres(let url) = test.location {
      // A database of its own, which others are made from in an instant.
      let own = "\(name)_\(test.schema.name)"
      try await PostgresServer.run("CREATE DATABASE \(own)", url: url)
      copy = .postgres(url: url.replacing("/postgres?", with: "/\(own)?"))
    }
    _ = try await Database.restore(archive, to: copy)
    base = copy
  }

  /// What is wrong with tamperings: that the service did not do what it does after one, or that it was not named by
  /// `assent data check` or by the service's own pass.
  ///
  /// - Parameter running: runs a service on a database for as long as something takes.
  public func faults<World>(
    _ tamperings: [Tampering<World>],
    _ running: (TestDatabase, (World) async throws -> Void) async throws -> Void
  ) async throws -> [String] {
    var faults: [String] = []
    // On PostgreSQL each needs a database of its own, which takes a second: a long run has them all.
    let isShort = test.engine == .postgres && Environment.current["ASSENT_TEST_LONG"] == nil
    for (index, one) in tamperings.enumerated() where !isShort || index % 5 == 0 {
      faults += try await self.faults(one, running).map { "\(one.name): \($0)" }
    }
    return faults
  }

  private func faults<World>(
    _ one: Tampering<World>, _ running: (TestDatabase, (World) async throws -> Void) async throws -> Void
  ) async throws -> [String] {
    let place = try await copy()
    let database = try await Database.open(
      place, schema: test.schema, keys: test.keys, connections: 2, clock: clock)
    var faults: [String] = []
    let copied = TestDatabase(
      database: database, engine: test.engine, location: place, schema: test.schema, folder: test.folder,
      keys: test.keys)
    try await running(copied) { world in
      try await place.alter(one.sql, schema: test.schema.name)
      do {
        try await one.change(world)
        if one.isRefused { faults.append("the change was not refused") }
      } catch {
        if !one.isRefused { faults.append("the change was refused: \(error)") }
      }
    }
    let found = try await check(place, heads)
    if !found.contains(where: { $0.contains(one.finding) }) {
      faults.append("'\(one.finding)' is not among \(found)")
    }
    let own = try await pass(of: database)
    if !own.contains(where: { $0.contains(one.own) }) { faults.append("'\(one.own)' is not among its own \(own)") }
    await database.close()
    return faults
  }

  /// What a service finds by itself that runs on a database.
  private func pass(of database: Database) async throws -> [String] {
    let found = Mutex<[String]>([])
    let check = ContinuousCheck(database, trusting: trusted) { tenant, problem in
      found.withLock { $0.append("tenant '\(tenant)': \(problem)") }
    }
    try await check.restless.pass()
    return found.withLock { $0 } + (try await database.compareLogs())
  }

  /// What `assent data check`, which knows nothing of the service, finds after a change.
  ///
  /// - Parameter heads: known to it; those of the bench unless given.
  public func problems(after sql: String = "SELECT 1", heads: [SignedCheckpoint]? = nil) async throws -> [String] {
    let place = try await copy()
    try await place.alter(sql, schema: test.schema.name)
    return try await check(place, heads ?? self.heads)
  }

  private func check(_ place: DatabaseLocation, _ heads: [SignedCheckpoint]) async throws -> [String] {
    let database = try await Database.inspect(place, schema: test.schema.name, keys: test.keys)
    let report = try await database.check(heads: heads, trusted: trusted)
    await database.close()
    return report.problems
  }

  private func copy() async throws -> DatabaseLocation {
    switch base {
    case .sqlite(let path):
      let place = test.folder.file("tampered.db")
      try Files.write(try Files.read(path), to: place)
      return .sqlite(path: place)
    case .postgres(let url):
      let own = "tampered_\(test.schema.name)"
      try await PostgresServer.run(
        drop(own), "CREATE DATABASE \(own) TEMPLATE \(name)_\(test.schema.name)", url: server(url))
      return .postgres(url: url.replacing("/\(name)_\(test.schema.name)?", with: "/\(own)?"))
    }
  }

  public func end() async throws {
    guard case .postgres(let url) = base else { return }
    let (base, copy) = (drop("\(name)_\(test.schema.name)"), drop("tampered_\(test.schema.name)"))
    try await PostgresServer.run(base, copy, url: server(url))
  }

  private func drop(_ database: String) -> String { "DROP DATABASE IF EXISTS \(database) WITH (FORCE)" }

  private func server(_ url: String) -> String { url.replacing("/\(name)_\(test.schema.name)?", with: "/postgres?") }
}

extension ContinuousCheck {
  /// The same check without rests between its steps.
  public var restless: ContinuousCheck {
    var check = self
    check.rest = 0
    return check
  }
}
