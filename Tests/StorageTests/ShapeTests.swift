import Base
import Storage
import StorageTestKit
import Testing

/// Which columns are committed to is remembered with the data. Where that is another list than the program's, events
/// commit to the rows anew, and must not vouch for what somebody has made of them.
@Suite struct ShapeTests {
  private func fill(_ test: TestDatabase) async throws {
    try await test.database.scope(.named("a")).write { transaction in
      for id in ["l-1", "l-2"] {
        try transaction.run(LetterStore.insert, id, "body", [1], 0.5)
        transaction.append("letter", [], to: id)
      }
    }
    try await test.database.scope(.named("a")).write { transaction in
      try transaction.run(LetterStore.setState, "withdrawn", "l-1")
      transaction.append("letter", [], to: "l-1")
      try transaction.run(LetterStore.remove, "l-2")
    }
  }

  @Test(
    "a row that was altered is committed to by nothing, whatever is said of its table", arguments: TestEngine.allCases)
  func altered(engine: TestEngine) async throws {
    let another = "INSERT INTO storage_shapes (name, shape, columns) VALUES ('letters', 2, 'id|state')"
    let byAnotherKey = "INSERT INTO storage_shapes (name, shape, columns) VALUES ('letters', 2, 'state|id')"
    let nothing = "\(engine.unguarding("storage_shapes")) DELETE FROM storage_shapes WHERE name = 'letters'"
    let unreadable = "INSERT INTO storage_shapes (name, shape, columns) VALUES ('letters', 2, '*')"
    let revert = "UPDATE letters SET state = 'given' WHERE id = 'l-1'"
    let cases: [(row: String, shape: String, finding: String)] = [
      (revert, another, "row (l-1) of table 'letters' is not what event 3 committed to"),
      (revert, byAnotherKey, "row (l-1) of table 'letters' is not what event 3 committed to"),
      (revert, unreadable, "row (l-1) of table 'letters' is not what event 3 committed to"),
      (revert, nothing, "events commit to rows of table 'letters', of which storage_shapes says nothing"),
      (
        "INSERT INTO letters (tenant, id, state) VALUES ('a', 'l-9', 'given')", another,
        "row (l-9) of table 'letters': no event tells of it"
      ),
      (
        "INSERT INTO letters (tenant, id, state) VALUES ('b', 'l-1', 'given')", another,
        "tenant 'b': row (l-1) of table 'letters': no event tells of it"
      ),
      (
        "INSERT INTO letters (tenant, id, state) VALUES ('a', 'l-2', 'given')", another,
        "row (l-2) of table 'letters' is there, and event 3 tells of its removal"
      ),
    ]
    for (row, shape, finding) in cases {
      let test = try await LetterStore.open(engine)
      try await fill(test)
      await test.database.close()
      for sql in [row, shape] { try await test.location.alter(sql, schema: test.schema.name) }
      // Another start finds what the first one found: nothing was written.
      for _ in 0..<2 {
        let error = await #expect(throws: DatabaseError.self, "\(row); \(shape)") { try await test.reopen() }
        #expect(
          error?.code == .corrupt && error?.message.contains(finding) == true, "\(shape): \(error?.message ?? "")")
      }
      let tool = try await Database.inspect(test.location, schema: test.schema.name, keys: test.keys)
      #expect(try await tool.scope(.named("a")).read { try $0.lastEvent() } == 3)
      await tool.close()
    }
  }

  @Test("a list that names rows by something else keeps no service from beginning", arguments: TestEngine.allCases)
  func anotherKey(engine: TestEngine) async throws {
    let test = try await LetterStore.open(engine)
    try await fill(test)
    await test.database.close()
    try await test.location.alter(
      "INSERT INTO storage_shapes (name, shape, columns) VALUES ('letters', 2, 'state|id')", schema: test.schema.name)
    let database = try await test.reopen()
    #expect(try await database.check().problems == [])
    await database.close()
  }

  @Test("once the row is what it was, the service begins", arguments: TestEngine.allCases)
  func putRight(engine: TestEngine) async throws {
    let test = try await LetterStore.open(engine)
    try await fill(test)
    await test.database.close()
    try await test.location.alter(
      "UPDATE letters SET state = 'given' WHERE id = 'l-1'; "
        + "INSERT INTO storage_shapes (name, shape, columns) VALUES ('letters', 2, 'id|state')",
      schema: test.schema.name)
    await #expect(throws: DatabaseError.self) { try await test.reopen() }
    try await test.location.alter("UPDATE letters SET state = 'withdrawn' WHERE id = 'l-1'", schema: test.schema.name)
    let database = try await test.reopen()
    #expect(try await database.check().problems == [])
    await database.close()
  }

  @Test(
    "a release that lists another column begins while the one before it goes on, and so does the next one",
    arguments: TestEngine.allCases)
  func upgrades(engine: TestEngine) async throws {
    let old = try await engine.makeDatabase(
      named: "letters", migrations: LetterStore.migrations, statements: LetterStore.statements,
      coverage: [
        TableCoverage(
          "letters", key: ["id"], by: "letter", committed: ["state"],
          exempt: ["body": "not yet", "picture": "not yet", "weight": "not yet", "seen_ms": "not yet"]),
        TableCoverage("stamps", exempt: "not yet"),
      ])
    try await fill(old)
    let schema = Schema(
      name: old.schema.name, migrations: LetterStore.migrations, statements: LetterStore.statements,
      coverage: LetterStore.coverage)
    let new = try await old.reopen(schema: schema)
    #expect(try await new.check().problems == [])
    // By the former columns, after the newer ones were listed.
    try await old.database.scope(.named("a")).write { transaction in
      try transaction.run(LetterStore.setState, "given", "l-1")
      transaction.append("letter", [], to: "l-1")
    }
    for release in [old.schema, schema] { await (try old.reopen(schema: release)).close() }
    #expect(try await new.check().problems == [])
    try await new.scope(.named("a")).read { try $0.verify([CommittedRow("letters", "l-1", in: "l-1")]) }
    for database in [new, old.database] { await database.close() }
  }
}
