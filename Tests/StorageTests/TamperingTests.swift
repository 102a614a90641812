import Base
import Storage
import StorageTestKit
import Testing

/// Changes rows by hand, one way after the other, each on a copy of the same database, and wants each to be found by
/// name.
@Suite struct TamperingTests {
  @Test("every tampering by hand is found and named", arguments: TestEngine.allCases)
  func all(engine: TestEngine) async throws {
    let bench = try await TamperBench(engine)
    #expect(try await bench.problems(after: "SELECT 1") == [], "what was not touched is well")
    let tamperings = Tampering.list(engine) + (try bench.computed())
    #expect(tamperings.count >= 60 && Set(tamperings.map(\.name)).count == tamperings.count)
    for tampering in tamperings {
      let problems = try await bench.problems(after: tampering.sql)
      #expect(
        problems.contains { $0.contains(tampering.finding) }, "\(tampering.name): \(tampering.finding): \(problems)")
    }
    try await bench.end()
  }

  @Test("a copy from before is found by any later head", arguments: TestEngine.allCases)
  func olderCopy(engine: TestEngine) async throws {
    let bench = try await TamperBench(engine)
    #expect(try await bench.problemsOfOlderCopy(heads: []) == [], "by itself it is well")
    let problems = try await bench.problemsOfOlderCopy(heads: bench.heads)
    #expect(
      problems.contains { $0.contains("the given head has") && $0.hasSuffix("what followed is missing") },
      "\(problems)")
    try await bench.end()
  }

  @Test(
    "a history that was written anew as a whole, and signed by another, does not pass", arguments: TestEngine.allCases)
  func writtenAnew(engine: TestEngine) async throws {
    let honest = try await LetterCase.make(engine)
    let forged = try await LetterCase.make(engine, key: .example("66"), withdraws: false)
    #expect(try await forged.test.database.check().problems == [], "by itself it is well")
    let trusted = [EvidenceKey.example().verifyingKey]
    let unsigned = try await forged.test.database.check(trusted: trusted).problems
    #expect(unsigned.contains { $0.contains("is signed by no trusted key") }, "\(unsigned)")
    // The two databases differ in their names alone, and so do the honest heads as given here.
    let heads = try SignedCheckpoint.list(String(decoding: try Files.read(honest.headPath), as: UTF8.self))
    let given = heads.map(\.checkpoint).map {
      Checkpoint(
        origin: $0.origin.replacing(honest.test.schema.name, with: forged.test.schema.name), size: $0.size,
        root: $0.root
      ).signed(by: EvidenceKey.example().key)
    }
    let problems = try await forged.test.database.check(heads: given).problems
    #expect(problems.contains { $0.contains("something among events 1 to") }, "\(problems)")
  }
}

/// A database to be copied, and what was handed out of it.
private struct TamperBench {
  let engine: TestEngine
  let schema: String
  let keys: MasterKeys
  let folder: TemporaryFolder
  let heads: [SignedCheckpoint]
  /// The events of tenant a.
  let events: [Event]
  private let base: DatabaseLocation
  private let older: DatabaseLocation

  init(_ engine: TestEngine) async throws {
    self.engine = engine
    var older: DatabaseLocation?
    let made = try await LetterCase.make(engine) { test in
      older = try await Self.copy(of: test.location, in: test.folder, named: "older", schema: test.schema.name)
    }
    (schema, keys, folder) = (made.test.schema.name, made.test.keys, made.test.folder)
    heads = try SignedCheckpoint.list(String(decoding: try Files.read(made.headPath), as: UTF8.self))
    events = try await made.test.database.scope(.named("a")).read { try $0.events(after: 0, limit: 1000) }
    base = try await Self.copy(of: made.test.location, in: folder, named: "base", schema: schema)
    guard let older else { throw EvidenceMissing() }
    self.older = older
    await made.test.database.close()
  }

  struct EvidenceMissing: Error {}

  /// On PostgreSQL a database of its own, which others are made from in an instant.
  private static func copy(
    of location: DatabaseLocation, in folder: TemporaryFolder, named name: String, schema: String
  ) async throws -> DatabaseLocation {
    let archive = folder.file("\(name).assent")
    let database = try await Database.inspect(location, schema: schema, keys: nil)
    _ = try await database.backup(to: archive)
    await database.close()
    var copy = DatabaseLocation.sqlite(path: folder.file("\(name).db"))
    if case .postgres(let url) = location {
      let own = "\(name)_\(schema)"
      try await PostgresServer.run("CREATE DATABASE \(own)", url: url)
      copy = .postgres(url: url.replacing("/postgres?", with: "/\(own)?"))
    }
    _ = try await Database.restore(archive, to: copy)
    return copy
  }

  func problems(after sql: String) async throws -> [String] {
    let copy: DatabaseLocation
    switch base {
    case .sqlite(let path):
      let place = folder.file("tampered.db")
      try Files.write(try Files.read(path), to: place)
      copy = .sqlite(path: place)
    case .postgres(let url):
      let server = url.replacing("/base_\(schema)?", with: "/postgres?")
      let own = "tampered_\(schema)"
      try await PostgresServer.run("DROP DATABASE IF EXISTS \(own) WITH (FORCE)", url: server)
      try await PostgresServer.run("CREATE DATABASE \(own) TEMPLATE base_\(schema)", url: server)
      copy = .postgres(url: url.replacing("/base_\(schema)?", with: "/\(own)?"))
    }
    try await copy.alter(sql, schema: schema)
    return try await check(copy, heads: heads)
  }

  func problemsOfOlderCopy(heads: [SignedCheckpoint]) async throws -> [String] { try await check(older, heads: heads) }

  /// As `assent data check` does it, which knows nothing of the service.
  private func check(_ location: DatabaseLocation, heads: [SignedCheckpoint]) async throws -> [String] {
    let database = try await Database.inspect(location, schema: schema, keys: keys)
    let report = try await database.check(heads: heads, trusted: [EvidenceKey.example().verifyingKey])
    await database.close()
    return report.problems
  }

  func end() async throws {
    guard case .postgres(let url) = base else { return }
    let server = url.replacing("/base_\(schema)?", with: "/postgres?")
    for name in ["base", "older", "tampered"] {
      try await PostgresServer.run("DROP DATABASE IF EXISTS \(name)_\(schema) WITH (FORCE)", url: server)
    }
  }

  /// Tamperings that compute what they can: the chain has no key.
  func computed() throws -> [Tampering] {
    let tenant = Tenant.named("a")
    var sql = engine.unguarding("storage_events")
    var chain = events[2].chain
    for (index, event) in events.enumerated() where index >= 3 {
      let forged = event.forged(payload: index == 3 ? [0] : event.payload, after: chain, of: tenant)
      chain = forged.chain
      sql +=
        "UPDATE storage_events SET payload = \(engine.literal(forged.payload)), chain = \(engine.literal(chain.bytes)) "
        + "WHERE tenant = 'a' AND sequence = \(event.sequence);"
    }
    sql += "UPDATE storage_event_heads SET chain = \(engine.literal(chain.bytes)) WHERE tenant = 'a';"
    let (count, kept) = (events.count, events[events.count - 3])
    let shorter =
      engine.unguarding("storage_events")
      + "DELETE FROM storage_events WHERE tenant = 'a' AND sequence > \(kept.sequence);"
      + "UPDATE storage_event_heads SET last = \(kept.sequence), chain = \(engine.literal(kept.chain.bytes)), "
      + "last_ms = \(kept.at.millisecondsSince1970) WHERE tenant = 'a';"
    let size = "size = (SELECT max(size) FROM storage_signed_heads WHERE tenant = 'a')"
    let head = heads.filter { $0.checkpoint.origin.hasSuffix("/a") }.max { $0.checkpoint.size < $1.checkpoint.size }
    guard let newest = head?.checkpoint else { throw EvidenceMissing() }
    let resigned = newest.signed(by: EvidenceKey.example("66").key)
    let unguarded = engine.unguarding("storage_signed_heads")
    return [
      Tampering("payload changed, chain recomputed", sql, "event 4 is not the one that was hashed into the tree"),
      Tampering("payload changed, chain recomputed: heads", sql, "events are not those of the signed head"),
      Tampering("payload changed, chain recomputed: given heads", sql, "something among events 1 to"),
      Tampering("last events deleted, head recomputed", shorter, "its tree has \(count) events, the log \(count - 2)"),
      Tampering(
        "last events deleted, head recomputed: given heads", shorter,
        "the given head has \(count) events, the log \(count - 2): what followed is missing"),
      Tampering(
        "head signed by another key",
        "\(unguarded) UPDATE storage_signed_heads SET checkpoint = '\(resigned.note)' WHERE tenant = 'a' AND \(size)",
        "the signed head of \(newest.size) events is signed by no trusted key"),
    ]
  }
}
