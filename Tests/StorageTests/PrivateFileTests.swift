import Base
import Storage
import StorageTestKit
import TestSupport
import Testing

/// On SQLite and in backups: PostgreSQL's files are its server's.
@Suite("what is stored is its user's alone")
struct PrivateFileTests {
  private func modes(in folder: String) async throws -> Set<String> {
    let found = try await ChildProcess.output(of: ChildCommand("find", [folder, "-type", "f", "-printf", "%f %m\\n"]))
    return Set(found.lines)
  }

  private func note(_ database: Database, _ event: String) async throws {
    try await database.scope(.named("a")).write { $0.append(event, [], to: "s") }
  }

  @Test("a database, its log and its backups are made with mode 600")
  func made() async throws {
    let folder = try TemporaryFolder()
    let location = DatabaseLocation.sqlite(path: folder.file("x.db"))
    let schema = Schema(name: "test", migrations: NoteStore.migrations, statements: NoteStore.statements)
    let database = try await Database.open(location, schema: schema, keys: .example)
    try await note(database, "made")
    _ = try await database.backup(to: folder.file("x.assent"))
    #expect(try await modes(in: folder.path) == ["x.db 600", "x.db-wal 600", "x.db-shm 600", "x.assent 600"])
    await database.close()
  }

  @Test("a database that others could read is taken from them when it is opened")
  func narrowed() async throws {
    let folder = try TemporaryFolder()
    let location = DatabaseLocation.sqlite(path: folder.file("x.db"))
    let schema = Schema(name: "test", migrations: NoteStore.migrations, statements: NoteStore.statements)
    let first = try await Database.open(location, schema: schema, keys: .example)
    await first.close()
    _ = try await ChildProcess.output(of: ChildCommand("chmod", ["644", folder.file("x.db")]))
    let database = try await Database.open(location, schema: schema, keys: .example)
    #expect(try await modes(in: folder.path).isSubset(of: ["x.db 600", "x.db-wal 600", "x.db-shm 600"]))
    await database.close()
  }

  @Test("after an orderly stop the file is whole without its log, also while another process has it open")
  func stopped() async throws {
    let folder = try TemporaryFolder()
    let location = DatabaseLocation.sqlite(path: folder.file("x.db"))
    let schema = Schema(name: "test", migrations: NoteStore.migrations, statements: NoteStore.statements)
    let other = try await Database.open(location, schema: schema, keys: .example)
    let database = try await Database.open(location, schema: schema, keys: .example)
    for number in 0..<50 { try await note(database, "number \(number)") }
    await database.close()
    // By another process: to close the file here would take away the locks of the database that is still open.
    _ = try await ChildProcess.output(of: ChildCommand("cp", [folder.file("x.db"), folder.file("copy.db")]))
    let copy = try await Database.open(.sqlite(path: folder.file("copy.db")), schema: schema, keys: .example)
    #expect(try await copy.scope(.named("a")).read { try $0.events(after: 0, limit: 100).count } == 50)
    await copy.close()
    await other.close()
  }
}
