import Base
import Storage
import StorageTestKit
import Testing

/// The signed map of rows: which event was the newest to commit to each.
@Suite struct RowMapTests {
  private func scope(_ test: TestDatabase) -> Scope { test.database.scope(GrantStore.tenant) }

  private func fill(_ test: TestDatabase, _ indices: some Sequence<Int> & Sendable, _ role: String) async throws {
    try await scope(test).write(within: .seconds(60)) { transaction in
      for index in indices { try GrantStore.grant(role, "g-\(index)", transaction) }
    }
  }

  private func verifyAll(_ count: Int, in database: Database) async throws {
    try await database.scope(GrantStore.tenant).read(within: .seconds(60)) { snapshot in
      try snapshot.verify((0..<count).map { CommittedRow("grants", "g-\($0)") })
    }
  }

  @Test("thousands of rows are held to a map that grows head by head", arguments: TestEngine.allCases)
  func grows(engine: TestEngine) async throws {
    let test = try await GrantStore.open(engine)
    let signer = GrantStore.signer(test)
    for step in 0..<5 {
      try await fill(test, step * 300..<(step + 1) * 300, "reader")
      try await fill(test, stride(from: 0, to: (step + 1) * 300, by: 7), "writer \(step)")
      if step.isMultiple(of: 2) { try await signer.signAll() }
      try await verifyAll((step + 1) * 300 + 20, in: test.database)
    }
    try await scope(test).write { try GrantStore.revoke("g-77", $0) }
    try await verifyAll(1500, in: test.database)
    try await signer.signAll()
    let other = try await test.reopen(trusting: [GrantStore.key.verifyingKey])
    try await verifyAll(1500, in: other)
    #expect(try await other.check(trusted: [GrantStore.key.verifyingKey]).problems == [])
    // Within its own transaction a row is what it is going to be.
    try await other.scope(GrantStore.tenant).write { transaction in
      try GrantStore.grant("admin", "g-1", transaction)
      try transaction.verify([CommittedRow("grants", "g-1"), CommittedRow("grants", "g-77")])
    }
    try await verifyAll(1500, in: test.database)
    await other.close()
  }

  private static let putCounter = Statement(
    "counter.put",
    "INSERT INTO counters (tenant, id, amount) VALUES ({tenant}, ?, ?) "
      + "ON CONFLICT (tenant, id) DO UPDATE SET amount = excluded.amount")

  private static func count(_ amount: Int64, _ transaction: Transaction) throws {
    try transaction.run(putCounter, "c-1", amount)
    transaction.append("counter", [], to: "counters")
  }

  private static func amounts(_ snapshot: Snapshot) throws -> [Int64?] {
    try snapshot.committedNumbers(
      "amount", of: ["c-1", "c-2"].map { CommittedRow("counters", $0, in: "counters") })
  }

  @Test("a number in a row is what the log says, whatever became of the row", arguments: TestEngine.allCases)
  func numbers(engine: TestEngine) async throws {
    let test = try await engine.makeDatabase(
      named: "counters",
      migrations: [
        Migration(
          1, "counters",
          """
          CREATE TABLE counters (
            tenant TEXT NOT NULL, id TEXT NOT NULL, amount BIGINT NOT NULL, PRIMARY KEY (tenant, id));
          """)
      ], statements: [Self.putCounter],
      coverage: [TableCoverage("counters", key: ["id"], by: "counter", committed: ["amount"])],
      trusting: [GrantStore.key.verifyingKey])
    func alter(_ sql: String) async throws { try await test.location.alter(sql, schema: test.schema.name) }
    try await scope(test).write { try Self.count(1, $0) }
    #expect(try await scope(test).read { try Self.amounts($0) } == [1, nil])
    try await GrantStore.signer(test).signAll()
    try await alter("UPDATE counters SET amount = 9")
    #expect(try await scope(test).read { try Self.amounts($0) } == [1, nil])
    // Nobody who has not read the row knows what it was.
    let other = try await test.reopen(trusting: [GrantStore.key.verifyingKey])
    let refused = await #expect(throws: DatabaseError.self) {
      try await other.scope(GrantStore.tenant).read { try Self.amounts($0) }
    }
    #expect(refused?.code == .corrupt)
    await other.close()
    try await alter("UPDATE counters SET amount = 1")
    let own = try await scope(test).write { transaction in
      try Self.count(2, transaction)
      return try Self.amounts(transaction)
    }
    #expect(own == [2, nil])
    try await alter("DELETE FROM counters")
    #expect(try await scope(test).read { try Self.amounts($0) } == [2, nil])
    try await alter("INSERT INTO counters (tenant, id, amount) VALUES ('a', 'c-2', 5)")
    let forged = await #expect(throws: DatabaseError.self) { try await scope(test).read { try Self.amounts($0) } }
    #expect(forged?.code == .corrupt)
  }

  @Test(
    "where nothing is signed, a row is within its own transaction what it is going to be",
    arguments: TestEngine.allCases)
  func unsigned(engine: TestEngine) async throws {
    let test = try await LetterStore.open(engine)
    for state in ["sent", "read"] {
      try await scope(test).write { transaction in
        try transaction.run(LetterStore.insert, "l-1", "body", [1], 1.5)
        try transaction.run(LetterStore.setState, state, "l-1")
        transaction.append("letter", Array(state.utf8), to: "l-1")
        try transaction.verify([CommittedRow("letters", "l-1", in: "l-1")])
      }
      try await scope(test).read { try $0.verify([CommittedRow("letters", "l-1", in: "l-1")]) }
    }
  }

  @Test("of two rows under one key neither is answered from", arguments: TestEngine.allCases)
  func doubled(engine: TestEngine) async throws {
    let (mapped, plain) = (try await GrantStore.open(engine), try await LetterStore.open(engine))
    try await scope(mapped).write { try GrantStore.grant("reader", "g-1", $0) }
    try await scope(plain).write { transaction in
      try transaction.run(LetterStore.insert, "l-1", "body", [1], 1.5)
      transaction.append("letter", [], to: "l-1")
    }
    let cases: [(test: TestDatabase, row: CommittedRow, sql: String)] = [
      (
        mapped, CommittedRow("grants", "g-1"),
        "\(engine.droppingKey(of: "grants")) INSERT INTO grants (tenant, id, role) VALUES ('a', 'g-1', 'admin')"
      ),
      (
        plain, CommittedRow("letters", "l-1", in: "l-1"),
        "\(engine.droppingKey(of: "letters")) INSERT INTO letters (tenant, id, state) VALUES ('a', 'l-1', 'sent')"
      ),
    ]
    for (test, row, sql) in cases {
      try await scope(test).read { try $0.verify([row]) }
      try await test.location.alter(sql, schema: test.schema.name)
      let error = await #expect(throws: DatabaseError.self) { try await scope(test).read { try $0.verify([row]) } }
      #expect(error?.code == .corrupt && error?.message.contains("is there more than once") == true, "\(sql)")
    }
  }

  @Test(
    "many processes change and verify rows at once, and none takes a change for a forgery",
    arguments: TestEngine.allCases)
  func together(engine: TestEngine) async throws {
    let test = try await GrantStore.open(engine)
    let other = try await test.reopen(trusting: [GrantStore.key.verifyingKey])
    try await fill(test, 0..<40, "reader")
    let signer = GrantStore.signer(test)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (writer, database) in [test.database, other, test.database, other].enumerated() {
        group.addTask {
          for step in 0..<20 {
            let id = "g-\((writer * 7 + step) % 12)"
            try await database.scope(GrantStore.tenant).write { transaction in
              try transaction.verify([CommittedRow("grants", id)])
              try GrantStore.grant("role \(writer) \(step)", id, transaction)
            }
          }
        }
        group.addTask {
          for _ in 0..<10 { try await verifyAll(30, in: database) }
        }
      }
      group.addTask { for _ in 0..<10 { try await signer.signAll() } }
      try await group.waitForAll()
    }
    try await signer.signAll()
    #expect(try await other.check(trusted: [GrantStore.key.verifyingKey]).problems == [])
    await other.close()
  }

  @Test("where nothing is signed, a row that others change while it is verified is no forgery either")
  func togetherUnsigned() async throws {
    let test = try await LetterStore.open(.postgres)
    let scope = self.scope(test)
    try await scope.write { transaction in
      try transaction.run(LetterStore.insert, "l-1", "body", [1], 1.5)
      transaction.append("letter", [], to: "l-1")
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<2 {
        group.addTask {
          for step in 0..<150 {
            try await scope.write { transaction in
              try transaction.run(LetterStore.setState, "state \(writer) \(step)", "l-1")
              transaction.append("letter", [], to: "l-1")
            }
          }
        }
      }
      for _ in 0..<3 {
        group.addTask {
          // In a change, whose statements see what was committed meanwhile.
          for _ in 0..<200 {
            try await scope.write { try $0.verify([CommittedRow("letters", "l-1", in: "l-1")]) }
          }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test(
    "changes that are committed together see what the ones before them wrote, and nothing of one that was undone",
    arguments: TestEngine.allCases)
  func inOneCommit(engine: TestEngine) async throws {
    struct Undone: Error {}
    let test = try await GrantStore.open(engine)
    try await fill(test, 0..<5, "reader")
    let rows = (0..<5).map { CommittedRow("grants", "g-\($0)") }
    let undone = await withTaskGroup(of: Bool.self) { group in
      for step in 0..<200 {
        group.addTask {
          do {
            try await scope(test).write(within: .seconds(60)) { transaction in
              try transaction.verify(rows)
              try GrantStore.grant("role \(step)", "g-\(step % 5)", transaction)
              try transaction.verify(rows)
              if step.isMultiple(of: 4) { throw Undone() }
            }
            return false
          } catch {
            return error is Undone
          }
        }
      }
      return await group.reduce(0) { $1 ? $0 + 1 : $0 }
    }
    #expect(undone == 50)
    try await verifyAll(5, in: test.database)
    let signer = GrantStore.signer(test)
    try await signer.signAll()
    #expect(try await test.database.check(trusted: [GrantStore.key.verifyingKey]).problems == [])
  }

  @Test("a map that was changed by hand is refused, named by the check, and not signed", arguments: TestEngine.allCases)
  func altered(engine: TestEngine) async throws {
    let page = engine.literal([0])
    let forged = Checkpoint(origin: "x", size: 9, root: Digest(of: [])).signed(by: EvidenceKey.example("66").key)
    let cases: [(name: String, sql: String, problem: String)] = [
      (
        "page emptied", "UPDATE storage_row_pages SET page = \(page) WHERE prefix <> ''",
        "of the map of rows is not what the events make it"
      ),
      ("page removed", "DELETE FROM storage_row_pages WHERE prefix <> ''", "of the map of rows is missing"),
      (
        "root removed", "DELETE FROM storage_row_pages WHERE prefix = ''", "page '' of the map of rows is missing"
      ),
      (
        "head replaced", "UPDATE storage_row_heads SET checkpoint = '\(forged.note)', size = 9",
        "the head of its map of rows is that of 9 events of 'x'"
      ),
      (
        "head's number changed", "UPDATE storage_row_heads SET size = size - 1",
        "the head of its map of rows is that of"
      ),
    ]
    for forgery in cases {
      let test = try await GrantStore.open(engine)
      try await fill(test, 0..<100, "reader")
      let signer = GrantStore.signer(test)
      try await signer.signAll()
      try await test.location.alter(forgery.sql, schema: test.schema.name)
      let fresh = try await test.reopen(trusting: [GrantStore.key.verifyingKey])
      let shown = await #expect(throws: DatabaseError.self, "\(forgery.name)") { try await verifyAll(100, in: fresh) }
      #expect(shown?.code == .corrupt, "\(forgery.name): \(shown?.message ?? "")")
      let problems = try await fresh.check(trusted: [GrantStore.key.verifyingKey]).problems
      #expect(problems.contains { $0.contains(forgery.problem) }, "\(forgery.name): \(problems)")
      try await fresh.scope(GrantStore.tenant).write { transaction in
        for index in 0..<100 { try GrantStore.grant("other", "g-\(index)", transaction) }
      }
      let again = EvidenceSigner(fresh, key: GrantStore.key, installation: "test")
      let refusal = await #expect(throws: DatabaseError.self, "\(forgery.name)") { try await again.signAll() }
      #expect(refusal?.code == .corrupt, "\(forgery.name): \(refusal?.message ?? "")")
      await fresh.close()
      await test.database.close()
    }
  }

  @Test("without its map a log is answered from again once it was made anew", arguments: TestEngine.allCases)
  func madeAnew(engine: TestEngine) async throws {
    let test = try await GrantStore.open(engine)
    for step in 0..<5 { try await fill(test, step * 900..<(step + 1) * 900, "reader") }
    let signer = GrantStore.signer(test)
    try await signer.signAll()
    // So it is after an upgrade from a release without maps, but for a page that somebody left.
    try await test.location.alter(
      "DELETE FROM storage_row_heads; DELETE FROM storage_row_pages WHERE prefix <> 'f'", schema: test.schema.name)
    let fresh = try await test.reopen(trusting: [GrantStore.key.verifyingKey])
    let shown = await #expect(throws: DatabaseError.self) { try await verifyAll(10, in: fresh) }
    #expect(shown?.code == .unavailable && shown?.message.contains("it is being made") == true)
    #expect(
      try await fresh.check().problems == ["tenant 'a': there is no map of its rows, and 4500 events are signed"])
    // Nothing is new, and the log is signed all the same.
    try await EvidenceSigner(fresh, key: GrantStore.key, installation: "test").signAll()
    try await verifyAll(4500, in: fresh)
    try await verifyAll(4500, in: test.database)
    #expect(try await fresh.check(trusted: [GrantStore.key.verifyingKey]).problems == [])
    await fresh.close()
  }

  @Test("an older map that was put back says nothing older than it did", arguments: TestEngine.allCases)
  func putBack(engine: TestEngine) async throws {
    let test = try await GrantStore.open(engine)
    let signer = GrantStore.signer(test)
    try await fill(test, 0..<20, "reader")
    try await signer.signAll()
    try await verifyAll(20, in: test.database)
    try await test.location.alter(
      "CREATE TABLE old_heads AS SELECT * FROM storage_row_heads; CREATE TABLE old_pages AS SELECT * FROM "
        + "storage_row_pages", schema: test.schema.name)
    try await scope(test).write { try GrantStore.revoke("g-1", $0) }
    try await signer.signAll()
    try await verifyAll(20, in: test.database)
    try await test.location.alter(
      "DELETE FROM storage_row_heads; DELETE FROM storage_row_pages; "
        + "INSERT INTO storage_row_heads SELECT * FROM old_heads; "
        + "INSERT INTO storage_row_pages SELECT * FROM old_pages; DROP TABLE old_heads; DROP TABLE old_pages; "
        + "INSERT INTO grants (tenant, id, role) VALUES ('a', 'g-1', 'reader')", schema: test.schema.name)
    let fresh = try await test.reopen(trusting: [GrantStore.key.verifyingKey])
    for (database, code) in [(test.database, DatabaseError.Code.corrupt), (fresh, .unavailable)] {
      let shown = await #expect(throws: DatabaseError.self) {
        try await GrantStore.checkGrant("g-1", database.scope(GrantStore.tenant))
      }
      #expect(shown?.code == code, "\(shown?.message ?? "")")
    }
    await fresh.close()
  }
}
