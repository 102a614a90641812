import Base
import Storage
import StorageTestKit
import TestSupport
import Testing

@Suite struct DataCommandTests {
  @Test("assent data backs up, restores and checks, and reports what it found")
  func command() async throws {
    let test = try await TestEngine.sqlite.makeDatabase(
      migrations: NoteStore.migrations, statements: NoteStore.statements)
    let subject = try #require(Subject("s"))
    try await test.database.scope(.named("a")).write { transaction in
      try transaction.vault.put([1], as: "name", of: subject)
      transaction.append("made", [], to: "s")
    }
    let (archive, copy, key) = (test.folder.file("x.assent"), test.folder.file("copy"), test.folder.file("key"))
    try Files.write(Array(String(repeating: "5a", count: 32).utf8), to: key, mode: 0o600)

    let backup = try await data("backup", archive, "--data", test.folder.path, "--schema", "test")
    #expect(backup.exit.isSuccess && backup.lines.first?.contains("rows of") == true)
    let service = test.schema.name
    // What is of another service than the one that is named makes no file.
    #expect(try await !data("restore", archive, "--data", copy).exit.isSuccess)
    #expect(!Files.exists(copy))
    #expect(try await data("restore", archive, "--data", copy, "--schema", service).exit.isSuccess)
    let check = try await data("check", "--data", copy, "--schema", service, "--master-key-file", key)
    #expect(
      check.lines == [
        "✓ 1 events in sequence, their hashes and codes match",
        "✓ 3 rows are as events committed to them, 0 signed heads fit",
        "– no heads that were kept elsewhere were compared: --head was not given",
        "– signatures were not verified: --evidence-public-key was not given, and there is no \(copy)/evidence.pub",
        "✓ 1 items of 1 subjects open, 0 commitments match",
        "✓ 0 answers kept for repeats open",
      ])
    // Again into a database that is not empty, from a missing file, and with a wrong command.
    #expect(try await !data("restore", archive, "--data", copy, "--schema", service).exit.isSuccess)
    #expect(try await !data("check", "--data", "\(copy)x", "--schema", service).exit.isSuccess)
    #expect(try await !data("mend", "--data", copy, "--schema", service).exit.isSuccess)
  }

  @Test("a check that was given heads compares some with the log, or fails")
  func heads() async throws {
    let made = try await LetterCase.make(.sqlite)
    await made.test.database.close()
    let (data, service) = (made.test.folder.path, made.test.schema.name)
    guard case .sqlite(let path) = made.test.location else { return }
    try Files.write(try Files.read(path), to: "\(data)/\(service).db")
    let given = try SignedCheckpoint.list(String(decoding: try Files.read(made.headPath), as: UTF8.self))
    func check(_ heads: [SignedCheckpoint]) async throws -> (exit: ProcessExit, lines: [String]) {
      let file = made.test.folder.file("given")
      try Files.write(Array(heads.map { "\($0.note)\n" }.joined().utf8), to: file)
      return try await self.data("check", "--data", data, "--schema", service, "--head", file)
    }
    func give(_ key: EvidenceKey) throws { try Files.write(Array(key.publicText.utf8), to: "\(data)/evidence.pub") }
    // The key that lies beside the data counts without being named.
    try give(.example("66"))
    #expect(try await !check(given).exit.isSuccess)
    try give(.example())
    let fits = try await check(given)
    #expect(fits.lines.contains("✓ the signatures of heads are by keys in \(data)/evidence.pub"))
    #expect(fits.exit.isSuccess && fits.lines.contains("✓ \(given.count) of them are from \(data)/given"))
    let others = given.map { head in
      let origin = head.checkpoint.origin.replacing(service, with: "other")
      return Checkpoint(origin: origin, size: head.checkpoint.size, root: head.checkpoint.root)
        .signed(by: EvidenceKey.example().key)
    }
    // One that is ours is enough, and none is not.
    #expect(try await check(others + [given[0]]).lines.contains("✓ 1 of them are from \(data)/given"))
    for heads in [others, []] { #expect(try await !check(heads).exit.isSuccess) }
  }

  @Test("what names no service is refused, on either engine", arguments: TestEngine.allCases)
  func noService(engine: TestEngine) async throws {
    let test = try await engine.makeDatabase(migrations: NoteStore.migrations, statements: NoteStore.statements)
    for name in ["Foo1", "", "a b", "a;b"] {
      let error = await #expect(throws: DatabaseError.self) {
        try await Database.inspect(test.location, schema: name, keys: nil)
      }
      #expect(error?.message == "'\(name)' names no service: lower-case letters and underscores do")
    }
    await test.database.close()
  }

  private func data(_ words: String...) async throws -> (exit: ProcessExit, lines: [String]) {
    var command = ChildCommand(Products.program("assent"), ["data"] + words)
    command.errors = .discarded
    return try await ChildProcess.output(of: command)
  }
}
