public import Base
public import Storage

/// The engines that every test of stored data runs on.
public enum TestEngine: String, CaseIterable, Sendable, CustomStringConvertible {
  case sqlite
  case postgres

  public var description: String { rawValue }

  /// A new, empty database of a service.
  public func makeDatabase(
    _ schema: Schema, keys: MasterKeys = .example, clock: Clock = .system
  ) async throws -> TestDatabase {
    try await makeDatabase(
      named: schema.name, migrations: schema.migrations, statements: schema.statements, keys: keys, clock: clock,
      coverage: schema.coverage)
  }

  /// A new, empty database that is removed with the returned value.
  public func makeDatabase(
    named name: String = "test", migrations: [Migration], statements: [Statement], keys: MasterKeys = .example,
    clock: Clock = .system, coverage: [TableCoverage] = []
  ) async throws -> TestDatabase {
    let folder = try TemporaryFolder(named: "assent-storage")
    let schema = Schema(name: ownName(name), migrations: migrations, statements: statements, coverage: coverage)
    let location: DatabaseLocation =
      switch self {
      case .sqlite: .sqlite(path: folder.file("\(name).db"))
      case .postgres: .postgres(url: try await PostgresServer.shared.url)
      }
    let database = try await Database.open(
      location, schema: schema, keys: keys, connections: 8, clock: clock)
    return TestDatabase(
      database: database, engine: self, location: location, schema: schema, folder: folder, keys: keys)
  }

  /// On PostgreSQL each test has its own schema, since tests share the server.
  private func ownName(_ name: String) -> String {
    if self == .sqlite { return name }
    return "\(name)_" + String(Randomness.system.bytes(8).map { Character(UnicodeScalar(97 + $0 % 26)) })
  }
}

/// A database made for one test, and what is needed to open it again.
public struct TestDatabase: Sendable {
  public let database: Database
  public let engine: TestEngine
  public let location: DatabaseLocation
  public let schema: Schema
  public let folder: TemporaryFolder
  public let keys: MasterKeys

  /// The same database, opened once more as by another process.
  public func reopen(
    schema: Schema? = nil, keys: MasterKeys? = nil, clock: Clock = .system
  ) async throws -> Database {
    try await Database.open(
      location, schema: schema ?? self.schema, keys: keys ?? self.keys, connections: 8, clock: clock)
  }

  /// What an archive brings back, as a database beside this one.
  ///
  /// - Parameter alongside: what belongs to an erasure that is done again.
  public func restored(
    from archive: String, erasures: ErasureList? = nil, clock: Clock = .system,
    alongside: @escaping @Sendable (Transaction, Subject) throws -> Void = { _, _ in }
  ) async throws -> TestDatabase {
    let place = DatabaseLocation.sqlite(path: folder.file("restored-\(Randomness.system.word()).db"))
    _ = try await Database.restore(archive, to: place)
    let database = try await Database.open(
      place, schema: schema, keys: keys, erasures: erasures, clock: clock, alongside: alongside)
    return TestDatabase(
      database: database, engine: .sqlite, location: place, schema: schema, folder: folder, keys: keys)
  }
}

extension EvidenceKey {
  /// For tests only: one byte repeated.
  public static func example(_ digits: String = "11") -> EvidenceKey {
    guard let key = try? EvidenceKey(text: String(repeating: digits, count: 32)) else { preconditionFailure() }
    return key
  }
}

extension MasterKeys {
  /// For tests only.
  public static let example: MasterKeys = {
    guard let keys = try? MasterKeys(text: String(repeating: "5a", count: 32)) else { preconditionFailure() }
    return keys
  }()
}

extension Tenant {
  /// A tenant whose name is a literal in a test.
  public static func named(_ id: String) -> Tenant {
    guard let tenant = Tenant(id) else { preconditionFailure("'\(id)' names no tenant") }
    return tenant
  }
}
