import Base
import Storage
import StorageTestKit
import Synchronization
import Testing

@Suite struct ArchiveTests {
  private func filled(_ engine: TestEngine) async throws -> TestDatabase {
    let test = try await engine.makeDatabase(migrations: NoteStore.migrations, statements: NoteStore.statements)
    for tenant in ["a", "b"] {
      try await test.database.scope(.named(tenant)).write { transaction in
        for index in 0..<300 {
          try transaction.run(NoteStore.insert, "n-\(index)", index, "text \(index)", Double?.none, [UInt8(index % 7)])
          transaction.append("made", [UInt8(index % 7)], to: "n")
        }
        try transaction.run(NoteStore.comment, "n-1", 1, "fine")
        try transaction.vault.put([1, 2, 3], as: "name", of: .named("s"))
        _ = try transaction.vault.commit(to: [9], as: "nine", of: .named("s"))
        try transaction.enqueue("job", [])
      }
      let once = Idempotency(caller: "c", key: "k", request: [1])
      _ = try await test.database.scope(.named(tenant)).write(once: once) { _ in [7] }
    }
    return test
  }

  @Test("a backup taken during writes shows one moment, and restores on either engine", arguments: TestEngine.allCases)
  func roundTrip(engine: TestEngine) async throws {
    let test = try await filled(engine)
    let scope = test.database.scope(.named("a"))
    let writing = Task {
      var number = 0
      while !Task.isCancelled {
        number += 1
        let id = "live-\(number)"
        try await scope.write { transaction in
          try transaction.run(NoteStore.insertOnce, id, 1)
          transaction.append("live", Array(id.utf8), to: "n")
        }
      }
    }
    let path = test.folder.file("backup.assent")
    let summary = try await test.database.backup(to: path)
    writing.cancel()
    try? await writing.value
    #expect(summary.schema == test.schema.name && summary.rows > 1200)

    for target in TestEngine.allCases {
      let copy = try await target.emptyPlace(in: test.folder, schema: test.schema.name)
      #expect(try await Database.restore(path, to: copy) == summary)
      let restored = try await Database.open(copy, schema: test.schema, keys: test.keys)
      let report = try await restored.check()
      #expect(report.problems.isEmpty, "\(report.problems)")
      #expect(report.items == 2 && report.commitments == 2 && report.answers == 2)
      let (notes, events) = try await restored.scope(.named("a")).read { snapshot in
        (try snapshot.one(NoteStore.count).get("notes", as: Int64.self), try snapshot.lastEvent())
      }
      // Row and event of a change are in the archive together, or not at all.
      #expect(notes == events)
      #expect(try await restored.scope(.named("b")).read { try $0.vault.get("name", of: .named("s")) } == [1, 2, 3])
      // A restored database works like any other: its numbers continue where the archive ended.
      try await restored.scope(.named("a")).write { $0.append("later", [], to: "n") }
      let again = await #expect(throws: DatabaseError.self) { try await Database.restore(path, to: copy) }
      #expect(again?.message.contains("not empty") == true)
      await restored.close()
    }
  }

  @Test("an archive of tables that were made before those that they refer to restores", arguments: TestEngine.allCases)
  func otherOrder(engine: TestEngine) async throws {
    let test = try await filled(engine)
    // As after a copy by pg_dump and psql, which creates tables by name, the one that is referred to comes last.
    let columns =
      switch engine {
      case .sqlite: "place INTEGER NOT NULL, body TEXT, weight REAL, picture BLOB, PRIMARY KEY (tenant, id)) STRICT"
      case .postgres: "place BIGINT NOT NULL, body TEXT, weight FLOAT8, picture BYTEA, PRIMARY KEY (tenant, id))"
      }
    let again =
      switch engine {
      case .sqlite: ""
      case .postgres: "ALTER TABLE comments ADD FOREIGN KEY (tenant, note) REFERENCES notes (tenant, id);"
      }
    try await test.location.alter(
      "CREATE TABLE late_notes (tenant TEXT NOT NULL, id TEXT NOT NULL, \(columns); "
        + "INSERT INTO late_notes SELECT tenant, id, place, body, weight, picture FROM notes; "
        + "DROP TABLE notes\(engine == .postgres ? " CASCADE" : ""); ALTER TABLE late_notes RENAME TO notes; \(again)",
      schema: test.schema.name)
    let path = test.folder.file("backup.assent")
    let summary = try await test.database.backup(to: path)
    for target in TestEngine.allCases {
      let copy = try await target.emptyPlace(in: test.folder, schema: test.schema.name)
      #expect(try await Database.restore(path, to: copy) == summary)
    }
  }

  @Test("a backup replaces an earlier one, and no other file", arguments: TestEngine.allCases)
  func otherFiles(engine: TestEngine) async throws {
    let test = try await filled(engine)
    let other = try await TestEngine.sqlite.makeDatabase(
      named: "other", migrations: NoteStore.migrations, statements: NoteStore.statements)
    let (key, mine, theirs) = (
      test.folder.file("master.key"), test.folder.file("mine.assent"), test.folder.file("theirs.assent")
    )
    try Files.write(Array("the only copy".utf8), to: key)
    _ = try await other.database.backup(to: theirs)
    for file in [key, theirs] {
      let before = try Files.read(file)
      let error = await #expect(throws: DatabaseError.self) { try await test.database.backup(to: file) }
      #expect(error?.code == .foreignFile && error?.message.contains("is not replaced") == true)
      #expect(try Files.read(file) == before)
    }
    // As `mktemp` makes it.
    try Files.write([], to: mine)
    for _ in 0..<2 { _ = try await test.database.backup(to: mine) }
    #expect(try Database.schemaName(ofArchive: mine) == test.schema.name)
  }

  @Test("backups to one file at a time are whole ones, and what others left unfinished goes")
  func together() async throws {
    let test = try await filled(.sqlite)
    let path = test.folder.file("backup.assent")
    try Files.write(Array("assent archive 1\n".utf8), to: "\(path).draft-0123456789abcdef")
    for _ in 0..<5 {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<4 { group.addTask { _ = try await test.database.backup(to: path) } }
        try await group.waitForAll()
      }
      let mode = try await ChildProcess.output(of: ChildCommand("stat", ["--format", "%a", path]))
      #expect(mode.lines == ["600"])
      let copy = try await TestEngine.sqlite.emptyPlace(in: test.folder, schema: test.schema.name)
      _ = try await Database.restore(path, to: copy)
    }
    #expect(try Files.names(in: test.folder.path).filter { $0.hasPrefix("backup.assent") } == ["backup.assent"])
  }

  @Test("tables that refer to each other in a circle are not backed up: no order of them could be restored")
  func circle() async throws {
    let columns = "tenant TEXT NOT NULL, id TEXT NOT NULL, other TEXT, PRIMARY KEY (tenant, id)"
    let tables = [("hens", "eggs"), ("eggs", "hens")].map { name, other in
      "CREATE TABLE \(name) (\(columns), FOREIGN KEY (tenant, other) REFERENCES \(other) (tenant, id));"
    }
    let test = try await TestEngine.sqlite.makeDatabase(
      migrations: [Migration(1, "poultry", tables.joined(separator: " "))], statements: [])
    let path = test.folder.file("circle.assent")
    let error = await #expect(throws: DatabaseError.self) { try await test.database.backup(to: path) }
    #expect(error?.code == .badStatement && error?.message.contains("refers to itself through") == true)
    #expect(!Files.exists(path))
  }

  @Test("what others put beside a service's tables is in no backup, and hinders none", arguments: TestEngine.allCases)
  func tablesOfOthers(engine: TestEngine) async throws {
    let test = try await filled(engine)
    let clean = try await test.database.backup(to: test.folder.file("clean.assent"))
    try await test.location.alter(
      "CREATE TABLE hens (id BIGINT PRIMARY KEY, \"order\" TEXT); CREATE TABLE eggs (id BIGINT PRIMARY KEY, "
        + "hen BIGINT REFERENCES hens (id)); INSERT INTO hens VALUES (1, 'first')", schema: test.schema.name)
    let path = test.folder.file("backup.assent")
    #expect(try await test.database.backup(to: path) == clean)
    let copy = try await engine.emptyPlace(in: test.folder, schema: test.schema.name)
    #expect(try await Database.restore(path, to: copy) == clean)
  }

  @Test("a backup that might lack a table is refused", arguments: TestEngine.allCases)
  func tablesInDoubt(engine: TestEngine) async throws {
    let alterations: [(sql: String, code: DatabaseError.Code)] = [
      ("UPDATE storage_migrations SET sql = 'SELECT 1' WHERE version = 1 AND history <> 'storage'", .changedMigration),
      ("UPDATE storage_migrations SET sql = 'CREATE TABLE \"later' WHERE version = 2", .newerSchema),
      ("DROP TABLE comments", .corrupt),
    ]
    for (sql, code) in alterations {
      let test = try await filled(engine)
      let path = test.folder.file("backup.assent")
      try await test.location.alter(sql, schema: test.schema.name)
      let error = await #expect(throws: DatabaseError.self) { try await test.database.backup(to: path) }
      #expect(error?.code == code, "\(sql): \(error?.message ?? "")")
      #expect(!Files.exists(path))
      await test.database.close()
    }
  }

  @Test("a damaged archive is refused, and leaves nothing in the database", arguments: TestEngine.allCases)
  func damaged(engine: TestEngine) async throws {
    let test = try await filled(engine)
    let path = test.folder.file("backup.assent")
    _ = try await test.database.backup(to: path)
    let whole = try Files.read(path)
    var flipped = whole
    flipped[whole.count / 2] ^= 1
    var generator = SeededGenerator(seed: 1)
    var versions = [
      flipped, Array(whole.dropLast()), Array(whole.prefix(100)), [], Array("something else entirely".utf8),
      // A record of four gigabytes that are not there.
      Array("assent archive 1\n".utf8) + [0xFF, 0xFF, 0xFF, 0xFF],
    ]
    for _ in 0..<4 {
      var bytes = whole
      bytes[Int.random(in: 20..<whole.count, using: &generator)] ^= 0x40
      versions.append(bytes)
    }
    let copy = try await engine.emptyPlace(in: test.folder, schema: test.schema.name)
    for version in versions {
      let bad = test.folder.file("bad.assent")
      try Files.write(version, to: bad)
      await #expect(throws: (any Error).self) { try await Database.restore(bad, to: copy) }
    }
    _ = try await Database.restore(path, to: copy)
  }

  @Test("an archive fills only tables that its migrations make", arguments: TestEngine.allCases)
  func otherTables(engine: TestEngine) async throws {
    let test = try await filled(engine)
    let path = test.folder.file("backup.assent")
    _ = try await test.database.backup(to: path)
    func record(_ name: String) -> [UInt8] {
      ["table", name].flatMap { word in [3, 0, 0, 0, UInt8(word.utf8.count)] + Array(word.utf8) }
    }
    let (wanted, other) = (record("notes"), record("nodes"))
    try Files.write(try Files.read(path).replacing(wanted, with: other), to: path)
    let copy = try await engine.emptyPlace(in: test.folder, schema: test.schema.name)
    let error = await #expect(throws: DatabaseError.self) { try await Database.restore(path, to: copy) }
    #expect(error?.code == .corrupt && error?.message.contains("its migrations do not make") == true)
  }

  @Test("a backup, a restore and a check tell how far they are", arguments: TestEngine.allCases)
  func progress(engine: TestEngine) async throws {
    let test = try await filled(engine)
    let told = Told()
    let path = test.folder.file("backup.assent")
    let summary = try await test.database.backup(to: path, progress: { told.add($0, $1) })
    #expect(told.most("rows are written, now those of table ") == summary.rows)
    let copy = try await engine.emptyPlace(in: test.folder, schema: test.schema.name)
    _ = try await Database.restore(path, to: copy, progress: { told.add($0, $1) })
    #expect(told.most("rows are read, now those of table ") == summary.rows)
    let report = try await test.database.check(progress: { told.add($0, $1) })
    #expect(["a", "b"].map { told.most("events of tenant '\($0)' are read") }.reduce(0, +) == report.events)
    #expect(
      ["a", "b"].map { told.most("subjects are opened, now those of tenant '\($0)'") }.reduce(0, +) == report.subjects)
  }

  @Test("the check finds data that was altered without Storage", arguments: TestEngine.allCases)
  func check(engine: TestEngine) async throws {
    let test = try await filled(engine)
    let clean = try await test.database.check()
    #expect(clean.problems.isEmpty, "\(clean.problems)")
    #expect(clean.events == 600 && clean.subjects == 2)
    let alterations: [(sql: String, finding: String)] = [
      (engine.unguarding("storage_events"), "the guard 'storage_events_keeps_update' of append-only table"),
      (
        "UPDATE storage_events SET type = 'other' WHERE tenant = 'a' AND sequence = 7", "hash of event 7 does not match"
      ),
      ("DELETE FROM storage_events WHERE tenant = 'b' AND sequence = 9", "event 10 stands where 9 belongs"),
      ("UPDATE storage_event_heads SET last = 500 WHERE tenant = 'b'", "the log's head does not match"),
      (
        "UPDATE storage_vault_commitments SET label = 'ten' WHERE tenant = 'a'", "does not open to its digest"
      ),
      (
        "UPDATE storage_vault_items SET item = 'other' WHERE tenant = 'b'", "item 'other' of subject 's' does not open"
      ),
      ("UPDATE storage_idempotency SET caller = 'd' WHERE tenant = 'a'", "idempotency key does not open"),
      (
        "UPDATE storage_migrations SET sql = 'SELECT 1' WHERE version = 1 AND history <> 'storage'",
        "does not match its checksum"
      ),
    ]
    for alteration in alterations { try await test.location.alter(alteration.sql, schema: test.schema.name) }
    let report = try await test.database.check()
    for alteration in alterations {
      #expect(report.problems.contains { $0.contains(alteration.finding) }, "\(alteration.finding): \(report.problems)")
    }
  }
}

/// The highest count that was told for each kind of thing.
private final class Told: Sendable {
  private let counts = Mutex<[String: Int]>([:])

  func add(_ count: Int, _ what: String) { counts.withLock { $0[what] = max($0[what] ?? 0, count) } }

  func most(_ beginning: String) -> Int {
    counts.withLock { $0 }.filter { $0.key.hasPrefix(beginning) }.values.max() ?? 0
  }
}

extension TestEngine {
  /// The location of a restored copy: another file, or another database on the server.
  func emptyPlace(in folder: TemporaryFolder, schema: String) async throws -> DatabaseLocation {
    switch self {
    case .sqlite: return .sqlite(path: folder.file("copy-\(Randomness.system.word()).db"))
    case .postgres:
      let name = "copy_\(Randomness.system.word() % 1_000_000_000)"
      let url = try await PostgresServer.shared.url
      try await PostgresServer.run("CREATE DATABASE \(name)", url: url)
      return .postgres(url: url.replacing("/postgres?", with: "/\(name)?"))
    }
  }
}
