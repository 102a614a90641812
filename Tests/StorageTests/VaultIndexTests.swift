import Base
import Storage
import StorageTestKit
import Testing

@Suite("finding subjects by what is known of them")
struct VaultIndexTests {
  private let ana = Subject.named("ana")
  private let bo = Subject.named("bo")
  private let cy = Subject.named("cy")

  private func open(_ engine: TestEngine) async throws -> TestDatabase {
    try await engine.makeDatabase(migrations: NoteStore.migrations, statements: NoteStore.statements)
  }

  @Test("a text finds those who have it, under its label and in its tenant alone", arguments: TestEngine.allCases)
  func found(engine: TestEngine) async throws {
    let test = try await open(engine)
    let (scope, other) = (test.database.scope(.named("a")), test.database.scope(.named("b")))
    #expect(try await scope.read { try $0.vault.find("x@y", as: "mail") } == [])
    try await scope.write { transaction in
      for subject in [bo, ana] { try transaction.vault.index("x@y", as: "mail", of: subject) }
      try transaction.vault.index("x@y", as: "name", of: cy)
    }
    try await other.write { try $0.vault.index("x@y", as: "mail", of: cy) }
    #expect(try await scope.read { try $0.vault.find("x@y", as: "mail") } == [ana, bo])
    #expect(try await scope.read { try $0.vault.find("x@z", as: "mail") } == [])
    #expect(try await other.read { try $0.vault.find("x@y", as: "mail") } == [cy])
    // Another text takes the place of the first.
    try await scope.write { try $0.vault.index("x@z", as: "mail", of: ana) }
    #expect(try await scope.read { try $0.vault.find("x@y", as: "mail") } == [bo])
    #expect(try await test.database.check().problems == [])
    await test.database.close()
  }

  @Test("an erased subject is found no longer", arguments: TestEngine.allCases)
  func erased(engine: TestEngine) async throws {
    let test = try await open(engine)
    let scope = test.database.scope(.named("a"))
    try await scope.write { try $0.vault.index("x@y", as: "mail", of: ana) }
    try await scope.write { try $0.vault.erase(ana, by: "admin", reason: "request") }
    #expect(try await scope.read { try $0.vault.find("x@y", as: "mail") } == [])
    #expect(try await test.database.check().problems == [])
    await test.database.close()
  }

  @Test("a hash that was put on somebody else's row finds nobody", arguments: TestEngine.allCases)
  func redirected(engine: TestEngine) async throws {
    let test = try await open(engine)
    let scope = test.database.scope(.named("a"))
    try await scope.write { transaction in
      try transaction.vault.index("x@y", as: "mail", of: ana)
      try transaction.vault.index("x@z", as: "mail", of: bo)
    }
    try await test.location.alter(
      "UPDATE storage_vault_index SET token = (SELECT token FROM storage_vault_index WHERE subject = 'ana') "
        + "WHERE subject = 'bo'", schema: test.schema.name)
    let error = await #expect(throws: DatabaseError.self) {
      try await scope.read { try $0.vault.find("x@y", as: "mail") }
    }
    #expect(error?.code == .corrupt && error?.message.contains("index entry 'mail' of subject 'bo'") == true)
    await test.database.close()
  }

  @Test(
    "while all keys are replaced, everybody is found at every moment, and entries are added",
    .timeLimit(.minutes(2)), arguments: TestEngine.allCases)
  func rotation(engine: TestEngine) async throws {
    let test = try await open(engine)
    let scope = test.database.scope(.named("a"))
    try await scope.write { transaction in
      for number in 0..<250 {
        try transaction.vault.index("text \(number)", as: "mail", of: .named("s-\(number)"))
      }
    }
    let before = try await tokens(test)
    let rotation = Task { try await scope.rotateKeys(by: "admin") }
    let missed = Task {
      var (missed, round) = (0, 0)
      while round < 20 {
        let number = (round * 37) % 250
        if try await scope.read({ try $0.vault.find("text \(number)", as: "mail") }).count != 1 { missed += 1 }
        let added = round
        try await scope.write(within: .seconds(60)) {
          try $0.vault.index("late \(added)", as: "mail", of: .named("late-\(added)"))
        }
        if try await scope.read({ try $0.vault.find("late \(added)", as: "mail") }).count != 1 { missed += 1 }
        round += 1
      }
      return missed
    }
    #expect(try await rotation.value >= 250)
    #expect(try await missed.value == 0)
    for number in 0..<250 {
      #expect(try await scope.read { try $0.vault.find("text \(number)", as: "mail") } == [.named("s-\(number)")])
    }
    // No entry has the hash that it had, and the key of those is gone.
    #expect(before.count == 250)
    #expect(before.isDisjoint(with: try await tokens(test)))
    #expect(try await test.database.check().problems == [])
    // Once more, from a state without old keys.
    _ = try await scope.rotateKeys(by: "admin")
    #expect(try await scope.read { try $0.vault.find("late 7", as: "mail") } == [.named("late-7")])
    await test.database.close()
  }

  /// The hashes as they stand in the table.
  private func tokens(_ test: TestDatabase) async throws -> Set<String> {
    let sql = "SELECT \(test.engine == .sqlite ? "hex(token)" : "encode(token, 'hex')") FROM storage_vault_index"
    let command =
      switch test.location {
      case .sqlite(let path): ChildCommand("sqlite3", ["-cmd", ".timeout 5000", path, sql])
      case .postgres(let url):
        ChildCommand("psql", ["-qXAt", url, "-c", "SET search_path = \(test.schema.name)", "-c", sql])
      }
    return Set(try await ChildProcess.output(of: command).lines.filter { !$0.isEmpty })
  }
}
