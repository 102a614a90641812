import Base
import StorageTestKit
import Testing

@testable import Storage

@Suite struct SchemaTests {
  private func open(_ engine: TestEngine) async throws -> TestDatabase {
    try await engine.makeDatabase(migrations: NoteStore.migrations, statements: NoteStore.statements)
  }

  @Test("an older database is migrated and keeps its data", arguments: TestEngine.allCases)
  func forward(engine: TestEngine) async throws {
    let old = try await engine.makeDatabase(
      migrations: [NoteStore.migrations[0]], statements: [NoteStore.insertOnce])
    try await old.database.scope(.named("a")).write { try $0.run(NoteStore.insertOnce, "one", 1) }
    let new = try await old.reopen(
      schema: Schema(name: old.schema.name, migrations: NoteStore.migrations, statements: NoteStore.statements))
    try await new.scope(.named("a")).write { try $0.run(NoteStore.comment, "one", 1, "well") }
    #expect(try await new.scope(.named("a")).read { try $0.all(NoteStore.commented).count } == 1)
    await new.close()
  }

  @Test("statistics that somebody had SQLite make are dropped: with them version 3.40 skips rows of some lists")
  func statistics() async throws {
    let test = try await open(.sqlite)
    try await test.database.writeAcrossTenants { connection in
      try connection.execute("CREATE TABLE other (a, b, c); CREATE INDEX other_by ON other (a, b, c); ANALYZE")
      try connection.execute("INSERT INTO sqlite_stat1 VALUES ('other', 'other_by', '1000000 10 9 8')")
    }
    let opened = try await test.reopen()
    let program = Query(
      uncached: "program", "EXPLAIN SELECT c FROM other WHERE a = 1 AND b IN (3, 4) ORDER BY c LIMIT 2")
    let steps: @Sendable (any Connection) throws -> [String] = { try $0.all(program, []).map { try $0.get("opcode") } }
    for steps in try await [opened.writeAcrossTenants(steps), opened.readAcrossTenants(steps)] {
      #expect(steps.contains("SeekGE") && !steps.contains("SeekScan"))
    }
    await opened.close()
  }

  @Test("a schema newer than the program is refused", arguments: TestEngine.allCases)
  func newer(engine: TestEngine) async throws {
    let test = try await open(engine)
    let old = Schema(name: test.schema.name, migrations: [NoteStore.migrations[0]], statements: [])
    let error = await #expect(throws: DatabaseError.self) { try await test.reopen(schema: old) }
    #expect(error?.code == .newerSchema)
    #expect(error?.message.contains("are at version 2, this program knows 1: run the newer program") == true)
  }

  @Test("a migration that was changed after its release is refused", arguments: TestEngine.allCases)
  func changed(engine: TestEngine) async throws {
    let test = try await open(engine)
    let edited = Migration(1, "notes", NoteStore.migrations[0].sql + "CREATE INDEX more ON notes (tenant, body);")
    let schema = Schema(name: test.schema.name, migrations: [edited, NoteStore.migrations[1]], statements: [])
    let error = await #expect(throws: DatabaseError.self) { try await test.reopen(schema: schema) }
    #expect(error?.code == .changedMigration)
    #expect(error?.message.contains("migration 1 'notes'") == true)
  }

  @Test("a migration that fails changes nothing", arguments: TestEngine.allCases)
  func failing(engine: TestEngine) async throws {
    let test = try await open(engine)
    let broken = Migration(3, "broken", "CREATE INDEX fine ON notes (tenant, body); DROP TABLE missing;")
    for _ in 0..<2 {
      let schema = Schema(name: test.schema.name, migrations: NoteStore.migrations + [broken], statements: [])
      let error = await #expect(throws: DatabaseError.self) { try await test.reopen(schema: schema) }
      #expect(error?.message.contains("migration 3 'broken'") == true)
    }
    let mended = Migration(3, "mended", "CREATE INDEX fine ON notes (tenant, body);")
    let schema = Schema(name: test.schema.name, migrations: NoteStore.migrations + [mended], statements: [])
    await (try test.reopen(schema: schema)).close()
  }

  @Test("migrating takes its time, however soon the wait for others ends")
  func slowly() async throws {
    let old = try await TestEngine.sqlite.makeDatabase(migrations: [NoteStore.migrations[0]], statements: [])
    await old.database.close()
    try await old.location.alter(
      "INSERT INTO notes (tenant, id, place) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n "
        + "WHERE i < 20000) SELECT 'a', 'n-' || i, i FROM n", schema: old.schema.name)
    // To statements, which look at the system's clock, that wait is over when they begin.
    let behind = Clock(wall: { Clock.system.now }, monotonic: { Clock.system.monotonic + .seconds(-60) })
    let more = Migration(2, "by weight", "CREATE INDEX notes_by_weight ON notes (tenant, weight, id);")
    let schema = Schema(name: old.schema.name, migrations: [NoteStore.migrations[0], more], statements: [])
    let database = try await Database.open(old.location, schema: schema, keys: old.keys, clock: behind)
    #expect(try await database.check(opensVault: false).problems == [])
    await database.close()
  }

  @Test("a migration does not wait long for a table that somebody keeps: all others would wait behind it")
  func keptTable() async throws {
    let old = try await TestEngine.postgres.makeDatabase(migrations: [NoteStore.migrations[0]], statements: [])
    let more = Migration(2, "shelves", "ALTER TABLE notes ADD COLUMN shelf TEXT;")
    let schema = Schema(name: old.schema.name, migrations: [NoteStore.migrations[0], more], statements: [])
    // As a backup keeps it; until the test says so, ten seconds at most.
    func waiting(for condition: String) -> String {
      "DO $$ BEGIN FOR i IN 1..1000 LOOP EXIT WHEN \(condition); PERFORM pg_sleep(0.01); END LOOP; END $$;"
    }
    let done = "relname = 'done' AND relnamespace = current_schema()::regnamespace"
    let untilDone = waiting(for: "EXISTS (SELECT 1 FROM pg_class WHERE \(done))")
    let keeping = "BEGIN; LOCK TABLE notes IN ACCESS SHARE MODE; \(untilDone) COMMIT"
    async let backup: Void = old.location.alter(keeping, schema: old.schema.name)
    let kept = "relation = 'notes'::regclass AND mode = 'AccessShareLock' AND granted"
    try await old.location.alter(
      waiting(for: "EXISTS (SELECT 1 FROM pg_locks WHERE \(kept))"), schema: old.schema.name)
    let error = await #expect(throws: DatabaseError.self) {
      try await Database.open(old.location, schema: schema, keys: old.keys, patience: .seconds(2))
    }
    #expect(
      error?.code == .unavailable && error?.message.contains("another transaction keeps the table") == true,
      "\(error?.message ?? "")")
    try await old.location.alter("CREATE TABLE done ()", schema: old.schema.name)
    try await backup
    await (try old.reopen(schema: schema)).close()
    await old.database.close()
  }

  @Test("when many processes open at once, one migrates and the others wait", arguments: TestEngine.allCases)
  func together(engine: TestEngine) async throws {
    let test = try await engine.makeDatabase(migrations: [], statements: [])
    let schema = Schema(name: test.schema.name, migrations: NoteStore.migrations, statements: NoteStore.statements)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<6 { group.addTask { await (try test.reopen(schema: schema)).close() } }
      try await group.waitForAll()
    }
  }

  @Test("no statement of one tenant sees or changes a row of another", arguments: TestEngine.allCases)
  func twoTenants(engine: TestEngine) async throws {
    let test = try await open(engine)
    let (mine, theirs) = (test.database.scope(.named("a")), test.database.scope(.named("b")))
    try await theirs.write { transaction in
      for index in 0..<5 { try transaction.run(NoteStore.insert, "note-\(index)", index, "theirs", 1.5, [1, 2]) }
      for index in 0..<5 { try transaction.run(NoteStore.comment, "note-\(index)", 1, "theirs") }
    }
    try await mine.write { transaction in
      for index in 0..<5 { try transaction.run(NoteStore.insert, "note-\(index)", index, "mine", 1.5, [1, 2]) }
    }
    let before = try await contents(theirs)
    for statement in test.schema.statements {
      let arguments = try #require(Self.arguments[statement.name], "no arguments to try '\(statement.name)' with")
      // A row comes back unchanged, so that one of another tenant would show its text.
      let rows = try await mine.write { transaction in
        let rows = try arguments(transaction)
        return rows
      }
      for row in rows { #expect((try? row.get("body", as: String?.self)) != "theirs", "\(statement.name)") }
    }
    #expect(try await contents(theirs) == before)
  }

  /// How each statement is tried. A statement that is missing here makes the test fail.
  private static let arguments: [String: @Sendable (Transaction) throws -> [Row]] = [
    "note.insert": { changed(try $0.run(NoteStore.insert, "new", 1, "mine", 0.5, [UInt8]()), 1) },
    "note.insert-once": { changed(try $0.run(NoteStore.insertOnce, "note-1", 1), 0) },
    "note.find": { try $0.all(NoteStore.find, "note-1") },
    "note.list": { transaction in
      let first = try transaction.page(NoteStore.list, after: nil, limit: 2)
      let rest = try transaction.page(NoteStore.list, after: first.next, limit: 100)
      #expect(first.rows.count == 2 && rest.rows.count == 4 && rest.next == nil)
      return first.rows + rest.rows
    },
    "note.newest": { transaction in
      let rows = try transaction.page(NoteStore.newest, 0, after: nil, limit: 100).rows
      #expect(rows.count == 6)
      return rows
    },
    "note.count": { transaction in
      let row = try transaction.one(NoteStore.count)
      let count: Int = try row.get("notes")
      #expect(count == 6)
      return [row]
    },
    "note.total": { try $0.all(NoteStore.total) },
    "note.move": { changed(try $0.run(NoteStore.move, 77, "note-1"), 1) },
    "note.lock": { try $0.all(NoteStore.lock, "note-1") },
    "note.delete": { changed(try $0.run(NoteStore.delete, "note-2"), 1) },
    "comment.insert": { changed(try $0.run(NoteStore.comment, "note-1", 9, "mine"), 1) },
    "comment.list": { transaction in
      let rows = try transaction.all(NoteStore.commented)
      #expect(rows.count == 1)
      return rows
    },
  ]

  private static func changed(_ count: Int, _ expected: Int) -> [Row] {
    #expect(count == expected)
    return []
  }

  private func contents(_ scope: Scope) async throws -> [[Value]] {
    try await scope.read { snapshot in
      let comments = try snapshot.all(NoteStore.commented).map { row in
        [try row.get("id", as: Value.self), try row.get("body", as: Value.self)]
      }
      let notes = try snapshot.page(NoteStore.list, after: nil, limit: 100).rows.map { row in
        [try row.get("id", as: Value.self), try row.get("place", as: Value.self)]
      }
      return notes + comments
    }
  }

  @Test("pages continue where the last ended, and a cursor of another list is refused", arguments: TestEngine.allCases)
  func paging(engine: TestEngine) async throws {
    let test = try await open(engine)
    let scope = test.database.scope(.named("a"))
    try await scope.write { transaction in
      for index in 0..<25 { try transaction.run(NoteStore.insertOnce, "n-\(index)", index / 3) }
    }
    var seen: [String] = []
    var cursor: PageCursor?
    repeat {
      let from = cursor
      let page = try await scope.read { try $0.page(NoteStore.list, after: from, limit: 4) }
      for row in page.rows { seen.append(try row.get("id")) }
      cursor = page.next.map { PageCursor(text: $0.text) }
    } while cursor != nil
    #expect(seen.count == 25 && Set(seen).count == 25)
    let down = try await scope.read { try $0.page(NoteStore.newest, 2, after: nil, limit: 3) }
    for bad in [down.next?.text ?? "", "", "!!", "AAAA"] {
      let error = await #expect(throws: DatabaseError.self) {
        try await scope.read { try $0.page(NoteStore.list, after: PageCursor(text: bad), limit: 4) }
      }
      #expect(error?.code == .badCursor)
    }
  }
}
