import Base
import Storage
import StorageTestKit
import Testing

@Suite struct CoverageTests {
  @Test("every column of every table is committed to or exempt with a reason", arguments: TestEngine.allCases)
  func complete(engine: TestEngine) async throws {
    let test = try await LetterStore.open(engine)
    #expect(try await test.database.coverageGaps() == [])
  }

  @Test("a column or table that is not listed, and one that is not there, are named", arguments: TestEngine.allCases)
  func gaps(engine: TestEngine) async throws {
    let test = try await engine.makeDatabase(
      migrations: LetterStore.migrations, statements: [],
      coverage: [
        TableCoverage(
          "letters", key: ["id"], committed: ["state", "body", "picture"], exempt: ["weight": "", "age": "x"])
      ])
    let gaps = try await test.database.coverageGaps()
    #expect(
      gaps == [
        "'letters.seen_ms' is neither committed to nor exempt", "'letters.age' is listed, and is no column",
        "'letters.weight' is exempt without a reason, or committed to as well", "table 'stamps' is listed 0 times",
      ])
  }

  @Test("a change without the event that its table asks for is refused", arguments: TestEngine.allCases)
  func missingEvent(engine: TestEngine) async throws {
    let test = try await LetterStore.open(engine)
    let scope = test.database.scope(.named("a"))
    let error = await #expect(throws: DatabaseError.self) {
      try await scope.write { transaction in
        try transaction.run(LetterStore.insert, "l-1", "body", [UInt8](), 1.0)
        transaction.append("other", [], to: "s")
      }
    }
    #expect(error?.message == "table 'letters' was changed without an event of kind 'letter'")
    #expect(try await scope.read { try $0.lastEvent() } == 0)
    try await scope.write { transaction in
      try transaction.run(LetterStore.insert, "l-1", "body", [UInt8](), 1.0)
      transaction.append("letter", [], to: "s")
    }
    // What is exempt needs none, and makes none.
    try await scope.write { try $0.run(LetterStore.see, 9, "l-1") }
    #expect(try await scope.read { try $0.lastEvent() } == 1)
    // A table that asks for no kind has an event of its own where there is no other.
    try await scope.write { try $0.run(LetterStore.stamp, "l-1", 1, [UInt8](repeating: 1, count: 3)) }
    let events = try await scope.read { try $0.events(after: 1) }
    #expect(events.map(\.type) == ["storage.rows"])
    #expect(try await test.database.check().problems == [])
    #expect(try await test.database.check().rows == 2)
  }

  @Test("a database whose rows were committed to by other columns is refused", arguments: TestEngine.allCases)
  func otherColumns(engine: TestEngine) async throws {
    let made = try await LetterCase.make(engine)
    await made.test.database.close()
    let schema = made.test.schema
    let other = Schema(
      name: schema.name, migrations: schema.migrations, statements: schema.statements,
      coverage: schema.coverage.map { table in
        table.name == "letters" ? TableCoverage("letters", key: ["id"], committed: ["body"]) : table
      })
    let error = await #expect(throws: DatabaseError.self) { try await made.test.reopen(schema: other) }
    #expect(error?.message.contains("the rows of table 'letters' are committed to by the columns") == true)
    let again = try await made.test.reopen()
    await again.close()
  }

  @Test("an append-only table refuses every change and removal", arguments: TestEngine.allCases)
  func appendOnly(engine: TestEngine) async throws {
    let made = try await LetterCase.make(engine)
    for table in ["stamps", "storage_events", "storage_tree_nodes", "storage_signed_heads", "storage_shapes"] {
      let column = table == "storage_shapes" ? "columns" : "tenant"
      for sql in ["UPDATE \(table) SET \(column) = \(column)", "DELETE FROM \(table)"] {
        await #expect(throws: (any Error).self, "\(sql)") {
          try await made.test.location.alter(sql, schema: made.test.schema.name)
        }
      }
    }
    if engine == .postgres {
      await #expect(throws: (any Error).self) {
        try await made.test.location.alter("TRUNCATE storage_events", schema: made.test.schema.name)
      }
    }
    #expect(try await made.test.database.check().problems == [])
  }

  @Test("on PostgreSQL a role that runs the service cannot change what is append-only, nor its guards")
  func role() async throws {
    let made = try await LetterCase.make(.postgres)
    let name = made.test.schema.name
    guard case .postgres(let url) = made.test.location else { return }
    try await PostgresServer.run("CREATE ROLE \(name) LOGIN", url: url)
    // Neither every role there is, nor the owner.
    for other in ["public", "current_user"] {
      await #expect(throws: DatabaseError.self, "\(other)") { try await made.test.database.grant(to: other) }
    }
    try await made.test.database.grant(to: name)
    await made.test.database.close()
    let theirs = DatabaseLocation.postgres(url: url.replacing("user=postgres", with: "user=\(name)"))
    let database = try await Database.open(theirs, schema: made.test.schema, keys: made.test.keys, connections: 2)
    // It does everything that the service does.
    let scope = database.scope(.named("a"))
    try await scope.write { transaction in
      try transaction.run(LetterStore.setState, "withdrawn", "l-1")
      transaction.append("letter", [], to: "l-1")
      try transaction.vault.put([1], as: "name", of: .named("s-9"))
      try transaction.vault.erase(.named("s-9"), by: "admin", reason: "request")
    }
    let signer = EvidenceSigner(database, key: .example(), installation: "test", file: try HeadFile(made.headPath))
    try await signer.signAll()
    #expect(try await database.check().problems == [])
    for sql in [
      "UPDATE storage_events SET type = 'x'", "DELETE FROM storage_signed_heads", "TRUNCATE storage_tree_nodes",
      "UPDATE stamps SET number = 3", "ALTER TABLE storage_events DISABLE TRIGGER ALL",
      "DROP TRIGGER stamps_keeps_update ON stamps", "DROP TABLE stamps", "SET session_replication_role = replica",
      "UPDATE storage_migrations SET sql = ''", "INSERT INTO storage_migrations VALUES ('x', 1, '', '', '', 0)",
      "CREATE OR REPLACE FUNCTION storage_refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$",
    ] {
      await #expect(throws: (any Error).self, "\(sql)") { try await theirs.alter(sql, schema: name) }
    }
    await database.close()
  }
}
