import Base
import Storage
import StorageTestKit
import TestSupport
import Testing

/// What was erased stands in SQLite's write-ahead log until the log is emptied into the file, and in PostgreSQL's
/// tables until they are vacuumed.
@Suite struct ScrubbingTests {
  private static let ana = Subject.named("ana")

  private func open() async throws -> (test: TestDatabase, scope: Scope, log: String) {
    let test = try await TestEngine.sqlite.makeDatabase(
      migrations: NoteStore.migrations, statements: NoteStore.statements)
    let scope = test.database.scope(.named("a"))
    try await scope.write { try $0.vault.put(Array("Ana".utf8), as: "name", of: Self.ana) }
    return (test, scope, test.folder.file("test.db-wal"))
  }

  /// Whether the note is in the log by which the tests tell that it was not emptied.
  private static func isLeft(in log: String) throws -> Bool {
    String(decoding: try Files.read(log), as: UTF8.self).contains("left-in-the-log")
  }

  @Test("a caller who hangs up during an erasure does not keep erased bytes in the log")
  func cancelled() async throws {
    let (test, scope, log) = try await open()
    try await scope.write { try $0.run(NoteStore.insertOnce, "left-in-the-log", Int64(1)) }
    #expect(try Self.isLeft(in: log))
    let erasing = Task {
      while !Task.isCancelled { await Task.yield() }
      try await scope.write { try $0.vault.erase(Self.ana, by: "admin", reason: "request") }
    }
    erasing.cancel()
    try await erasing.value
    #expect(try await scope.read { try $0.vault.isErased(Self.ana) })
    // The log need not be empty: the signature of its new head may be in it.
    #expect(try !Self.isLeft(in: log))
    await test.database.close()
  }

  @Test("an erasure that is repeated empties the log again")
  func repeated() async throws {
    let (test, scope, log) = try await open()
    for attempt in 1...2 {
      try await scope.write { try $0.run(NoteStore.insertOnce, "n-\(attempt)", Int64(attempt)) }
      #expect(try !Files.read(log).isEmpty)
      try await scope.write { try $0.vault.erase(Self.ana, by: "admin", reason: "request") }
      #expect(try Files.read(log).isEmpty, "attempt \(attempt)")
    }
    await test.database.close()
  }

  @Test("what a process that died left in the log goes when the database is opened")
  func opened() async throws {
    let (test, scope, log) = try await open()
    try await scope.write { try $0.run(NoteStore.insertOnce, "left-in-the-log", Int64(1)) }
    #expect(try Self.isLeft(in: log))
    // The first one stands for the process that died: it does nothing more.
    let next = try await test.reopen()
    #expect(try !Self.isLeft(in: log))
    await next.close()
    await test.database.close()
  }

  @Test("on PostgreSQL what a process that died could not vacuum is vacuumed once, soon after the next start")
  func started() async throws {
    let test = try await TestEngine.postgres.makeDatabase(
      migrations: NoteStore.migrations, statements: NoteStore.statements)
    let tables = try await test.database.tablesToVacuum()
    #expect(tables.count == 6)
    test.database.scrubAfterStart()
    // Without dead rows, a table that was vacuumed is not vacuumed by the next start.
    try await eventually("all are vacuumed", await test.database.tablesToVacuum()) { $0.isEmpty }
    #expect(try await test.database.rows(Self.vacuumed, []).map { try $0.get("relname", as: String.self) } == tables)
    await test.database.close()
  }

  /// The tables that were vacuumed, and not by the server itself.
  private static let vacuumed = Statement(
    acrossTenants: "test.vacuumed",
    "SELECT relname FROM pg_stat_user_tables WHERE schemaname = current_schema() AND last_vacuum IS NOT NULL "
      + "ORDER BY relname")
}
