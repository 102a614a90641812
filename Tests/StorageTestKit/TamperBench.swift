public import Base
public import Storage

/// A database as it was at one moment, to be changed by hand in one way after the other, each time from the same state.
public struct TamperBench: Sendable {
  private let name: String
  private let schema: String
  private let keys: MasterKeys
  private let folder: TemporaryFolder
  private let heads: [SignedCheckpoint]
  private let trusted: [VerifyingKey]
  private let base: DatabaseLocation

  /// - Parameters:
  ///   - name: tells several copies of one database apart.
  ///   - heads: what was handed out of the database and is known to the check.
  public init(
    _ test: TestDatabase, named name: String = "base", heads: [SignedCheckpoint], trusting trusted: [VerifyingKey]
  ) async throws {
    (self.name, self.heads, self.trusted) = (name, heads, trusted)
    (schema, keys, folder) = (test.schema.name, test.keys, test.folder)
    let archive = folder.file("\(name).assent")
    let database = try await Database.inspect(test.location, schema: schema, keys: nil)
    _ = try await database.backup(to: archive)
    await database.close()
    var copy = DatabaseLocation.sqlite(path: folder.file("\(name).db"))
    if case .postgres(let url) = test.location {
      // A database of its own, which others are made from in an instant.
      let own = "\(name)_\(schema)"
      try await PostgresServer.run("CREATE DATABASE \(own)", url: url)
      copy = .postgres(url: url.replacing("/postgres?", with: "/\(own)?"))
    }
    _ = try await Database.restore(archive, to: copy)
    base = copy
  }

  /// What the check, which knows nothing of the service, finds after a change.
  ///
  /// - Parameter heads: known to the check; those of the bench unless given.
  public func problems(after sql: String, heads: [SignedCheckpoint]? = nil) async throws -> [String] {
    let copy = try await altered(sql)
    let database = try await Database.inspect(copy, schema: schema, keys: keys)
    let report = try await database.check(heads: heads ?? self.heads, trusted: trusted)
    await database.close()
    return report.problems
  }

  private func altered(_ sql: String) async throws -> DatabaseLocation {
    let copy: DatabaseLocation
    switch base {
    case .sqlite(let path):
      let place = folder.file("tampered.db")
      try Files.write(try Files.read(path), to: place)
      copy = .sqlite(path: place)
    case .postgres(let url):
      let own = "tampered_\(schema)"
      try await drop(own, at: url)
      try await PostgresServer.run("CREATE DATABASE \(own) TEMPLATE \(name)_\(schema)", url: server(url))
      copy = .postgres(url: url.replacing("/\(name)_\(schema)?", with: "/\(own)?"))
    }
    try await copy.alter(sql, schema: schema)
    return copy
  }

  public func end() async throws {
    guard case .postgres(let url) = base else { return }
    for name in [name, "tampered"] { try await drop("\(name)_\(schema)", at: url) }
  }

  private func drop(_ database: String, at url: String) async throws {
    try await PostgresServer.run("DROP DATABASE IF EXISTS \(database) WITH (FORCE)", url: server(url))
  }

  private func server(_ url: String) -> String { url.replacing("/\(name)_\(schema)?", with: "/postgres?") }
}
