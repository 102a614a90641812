import Base
import Storage
import StorageTestKit
import Testing

@Suite struct TransactionTests {
  private func open(_ engine: TestEngine) async throws -> TestDatabase {
    try await engine.makeDatabase(migrations: NoteStore.migrations, statements: NoteStore.statements)
  }

  @Test("every kind of value comes back as it was written", arguments: TestEngine.allCases)
  func values(engine: TestEngine) async throws {
    let test = try await open(engine)
    let scope = test.database.scope(.named("a"))
    let picture: [UInt8] = [0, 255, 128, 7]
    try await scope.write { transaction in
      try transaction.run(NoteStore.insert, "one", Int64.min, "Grüße, 世界 'quoted'", 0.1, picture)
      try transaction.run(NoteStore.insert, "two", 0, String?.none, Double?.none, [UInt8]())
    }
    let rows = try await scope.read { snapshot in
      [try snapshot.one(NoteStore.find, "one"), try snapshot.one(NoteStore.find, "two")]
    }
    #expect(try rows[0].get("place") == Int64.min)
    #expect(try rows[0].get("body") == "Grüße, 世界 'quoted'")
    #expect(try rows[0].get("weight") == 0.1)
    #expect(try rows[0].get("picture") == picture)
    #expect(try rows[1].get("body") == String?.none)
    #expect(try rows[1].get("weight") == Double?.none)
    #expect(try rows[1].get("picture") == [UInt8]())
  }

  @Test("a column of another type or name is an error that names column and statement", arguments: TestEngine.allCases)
  func wrongColumn(engine: TestEngine) async throws {
    let test = try await open(engine)
    let row = try await test.database.scope(.named("a")).write { transaction in
      try transaction.run(NoteStore.insert, "one", 1, "text", 0.5, [UInt8]())
      return try transaction.one(NoteStore.find, "one")
    }
    let wrongType = #expect(throws: DatabaseError.self) { try row.get("body", as: Int.self) }
    #expect(wrongType?.message == "column 'body' of statement 'note.find' holds text, not Int")
    let wrongName = #expect(throws: DatabaseError.self) { try row.get("boddy", as: String.self) }
    #expect(
      wrongName?.message == "statement 'note.find' has no column 'boddy'; it has id, place, body, weight, picture")
    let wrongPlace = #expect(throws: DatabaseError.self) { try row.get(5, as: String.self) }
    #expect(wrongPlace?.message == "statement 'note.find' has no column 6; it has 5")
  }

  @Test("a change that throws leaves nothing", arguments: TestEngine.allCases)
  func rollback(engine: TestEngine) async throws {
    struct Refusal: Error {}
    let test = try await open(engine)
    let scope = test.database.scope(.named("a"))
    await #expect(throws: Refusal.self) {
      try await scope.write { transaction in
        try transaction.run(NoteStore.insertOnce, "one", 1)
        throw Refusal()
      }
    }
    #expect(try await count(scope) == 0)
  }

  @Test(
    "a statement that failed makes its transaction fail, even when the error is caught", arguments: TestEngine.allCases)
  func spoiled(engine: TestEngine) async throws {
    let test = try await open(engine)
    let scope = test.database.scope(.named("a"))
    let error = await #expect(throws: DatabaseError.self) {
      try await scope.write { transaction in
        try transaction.run(NoteStore.insert, "one", 1, "x", 0.5, [UInt8]())
        _ = try? transaction.run(NoteStore.insert, "one", 1, "x", 0.5, [UInt8]())
      }
    }
    #expect(error?.code == .uniqueViolation)
    #expect(try await count(scope) == 0)
  }

  @Test(
    "many changes at once: each is whole, and a failing one does not affect the others", arguments: TestEngine.allCases)
  func many(engine: TestEngine) async throws {
    struct Refusal: Error {}
    let test = try await open(engine)
    let scope = test.database.scope(.named("a"))
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for index in 0..<200 {
        group.addTask {
          do {
            try await scope.write { transaction in
              try transaction.run(NoteStore.insertOnce, "note-\(index)", index)
              if index.isMultiple(of: 7) { throw Refusal() }
            }
            return true
          } catch is Refusal {
            return false
          }
        }
      }
      var kept = 0
      for try await wasKept in group where wasKept { kept += 1 }
      #expect(try await count(scope) == kept)
      #expect(kept == 200 - 29)
    }
  }

  @Test("a read sees one moment, whatever is committed meanwhile", arguments: TestEngine.allCases)
  func snapshot(engine: TestEngine) async throws {
    let test = try await open(engine)
    let scope = test.database.scope(.named("a"))
    let counts = try await scope.read { snapshot in
      let before = try snapshot.one(NoteStore.count).get("notes", as: Int.self)
      let written = Waiter()
      Task {
        try await scope.write { try $0.run(NoteStore.insertOnce, "one", 1) }
        written.finish()
      }
      written.wait()
      return [before, try snapshot.one(NoteStore.count).get("notes", as: Int.self)]
    }
    #expect(counts == [0, 0])
    #expect(try await count(scope) == 1)
  }

  @Test(
    "serializable changes that read each other's rows give the result of some sequence",
    arguments: TestEngine.allCases)
  func serializable(engine: TestEngine) async throws {
    let test = try await open(engine)
    let scope = test.database.scope(.named("a"))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<24 {
        group.addTask {
          try await scope.write(.serializable, within: .seconds(30)) { transaction in
            let total: Int = try transaction.one(NoteStore.total).get("total")
            try transaction.run(NoteStore.insertOnce, "note-\(index)", total + 1)
          }
        }
      }
      try await group.waitForAll()
    }
    // Each is one more than all before it together: 1, 2, 4, 8 …
    let total: Int = try await scope.read { try $0.one(NoteStore.total).get("total") }
    #expect(total == (1 << 24) - 1)
  }

  @Test("rows can be read one by one, with other statements in between", arguments: TestEngine.allCases)
  func each(engine: TestEngine) async throws {
    let test = try await open(engine)
    let scope = test.database.scope(.named("a"))
    let seen = try await scope.write { transaction in
      for index in 0..<600 { try transaction.run(NoteStore.insertOnce, "note-\(index)", index) }
      var places: [Int] = []
      try transaction.each(NoteStore.newest, 0, Value.integer(1000), "z", 1000) { row in
        places.append(try transaction.one(NoteStore.find, try row.get("id", as: String.self)).get("place"))
      }
      return places
    }
    #expect(seen == Array((0..<600).reversed()))
  }

  @Test("a statement that the schema does not list is refused", arguments: TestEngine.allCases)
  func unlisted(engine: TestEngine) async throws {
    let test = try await open(engine)
    let stranger = Statement("stranger", "DELETE FROM notes WHERE tenant = {tenant}")
    let error = await #expect(throws: DatabaseError.self) {
      try await test.database.scope(.named("a")).write { try $0.run(stranger) }
    }
    #expect(error?.code == .badStatement)
  }

  @Test("a read that ends after its time leaves a connection on which the next one can begin")
  func lateReads() async throws {
    let scope = try await open(.sqlite).database.scope(.named("a"))
    // SQLite looks at the time whenever a statement has done 10,000 steps, in all its runs together. The one that ends
    // a read does three.
    var late = 0
    while late < 7000 {
      let end = Clock.system.monotonic + .milliseconds(1)
      do {
        late += try await scope.read(within: .microseconds(500)) { _ in
          while Clock.system.monotonic < end {}
          return 1
        }
      } catch let error as DatabaseError where error.code == .timedOut {
        // The machine was busy before the read could begin.
        continue
      }
    }
    #expect(try await count(scope) == 0)
  }

  private func count(_ scope: Scope) async throws -> Int {
    try await scope.read { try $0.one(NoteStore.count).get("notes") }
  }
}
