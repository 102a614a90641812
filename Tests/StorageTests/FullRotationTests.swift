import Base
import Storage
import StorageTestKit
import Synchronization
import TestSupport
import Testing

@Suite("tenants' and subjects' keys are replaced by a command that may be killed", .serialized)
struct FullRotationTests {
  private static let subjects = 160

  /// A tenant with subjects of whom something is stored, committed to and answered.
  private func fill(_ scope: Scope) async throws {
    for number in 0..<Self.subjects {
      let subject = Subject.named("s-\(number)")
      let once = Idempotency(caller: "test", key: "k-\(number)", request: [])
      _ = try await scope.write(once: once) { transaction in
        try transaction.vault.put(Array("name \(number)".utf8), as: "name", of: subject)
        _ = try transaction.vault.commit(to: Array("birth \(number)".utf8), as: "birth", of: subject)
        return Array("answer \(number)".utf8)
      }
    }
  }

  private func rotation(_ test: TestDatabase) throws -> ChildCommand {
    let key = test.folder.file("master.key")
    try Files.write(Array(String(repeating: "5a", count: 32).utf8), to: key, mode: 0o600)
    var words = ["data", "rotate-keys", "--master-key-file", key]
    switch test.location {
    case .sqlite: words += ["--schema", "test", "--data", test.folder.path]
    case .postgres(let url):
      try Files.write(Array(url.utf8), to: test.folder.file("url"), mode: 0o600)
      words += ["--schema", test.schema.name, "--database-url-file", test.folder.file("url")]
    }
    return ChildCommand(Products.program("assent"), words)
  }

  @Test("a rotation that was killed goes on where it stopped, and everything opens", arguments: TestEngine.allCases)
  func killed(engine: TestEngine) async throws {
    let test = try await engine.makeDatabase(migrations: NoteStore.migrations, statements: NoteStore.statements)
    let scope = test.database.scope(.named("a"))
    try await fill(scope)

    let (lines, said) = AsyncStream.makeStream(of: String.self)
    var command = try rotation(test)
    command.output = .lines { said.yield($0) }
    let first = try await ChildProcess.start(command)
    var iterator = lines.makeAsyncIterator()
    #expect(await iterator.next()?.contains("50 subjects") == true)
    first.send(.kill)
    await first.wait()
    #expect(try await test.database.check().problems == [])

    let second = try await ChildProcess.output(of: rotation(test))
    #expect(second.exit.isSuccess)
    let line = try #require(second.lines.last)
    let rest = try #require(line.split(separator: " ").compactMap { Int($0) }.first)
    #expect(line == "✓ tenant 'a' and \(rest) of its subjects have new keys")
    // What the killed one did was not done again.
    #expect(rest <= Self.subjects - 50)
    let report = try await test.database.check()
    #expect(report.problems == [])
    #expect(report.items == Self.subjects && report.commitments == Self.subjects && report.answers == Self.subjects)
    await test.database.close()
  }

  @Test("every subject has another key afterwards, and the tenant's old key is gone", arguments: TestEngine.allCases)
  func replaced(engine: TestEngine) async throws {
    let test = try await engine.makeDatabase(migrations: NoteStore.migrations, statements: NoteStore.statements)
    let scope = test.database.scope(.named("a"))
    try await fill(scope)
    try await scope.write { try $0.vault.erase(.named("s-3"), by: "test", reason: "request") }
    let told = Mutex<[Int]>([])
    let count = try await scope.rotateKeys(by: "test") { number in told.withLock { $0.append(number) } }
    #expect(count == Self.subjects - 1)
    #expect(told.withLock { $0 } == Array(1...count))
    #expect(try await test.database.check().problems == [])
    // A second rotation finds one version, and so begins anew.
    #expect(try await scope.rotateKeys(by: "test") == count)
    #expect(try await scope.read { try $0.vault.get("name", of: .named("s-7")) } == Array("name 7".utf8))
    await test.database.close()
  }
}
