import Base
import Storage
import StorageTestKit
import Testing

@Suite struct FaultTests {
  private let example = Schema(name: "fault", migrations: NoteStore.migrations, statements: NoteStore.statements)

  private func refusal(opening path: String) async -> DatabaseError? {
    await #expect(throws: DatabaseError.self) {
      _ = try await Database.open(
        .sqlite(path: path), schema: example, keys: .example, patience: .milliseconds(200))
    }
  }

  @Test("a file that is not a database, belongs to another program, or is damaged is reported as such")
  func foreignFiles() async throws {
    let folder = try TemporaryFolder()
    try Files.write(Array(String(repeating: "no database ", count: 1000).utf8), to: folder.file("text"))
    #expect(await refusal(opening: folder.file("text"))?.code == .foreignFile)

    let other = folder.file("other.db")
    try await sqlite(other, "CREATE TABLE theirs (x)")
    #expect(
      await refusal(opening: other)?.message == "cannot open '\(other)': the file is another program's database")

    let damaged = folder.file("damaged.db")
    let database = try await Database.open(.sqlite(path: damaged), schema: example, keys: .example)
    try await database.scope(.named("a")).write { transaction in
      for index in 0..<500 { try transaction.run(NoteStore.insert, "n-\(index)", index, "text", 0.5, [UInt8]()) }
    }
    await database.close()
    try await sqlite(damaged, "PRAGMA wal_checkpoint(TRUNCATE)")
    var bytes = try Files.read(damaged)
    for index in 4096..<bytes.count { bytes[index] = 0xAA }
    try Files.write(bytes, to: damaged)
    #expect(await refusal(opening: damaged)?.code == .corrupt)
  }

  @Test("a directory that is missing or cannot be written is named, with the system's reason")
  func directories() async throws {
    #expect(await refusal(opening: "/no/such/folder/x.db")?.message.contains("No such file or directory") == true)
    try await withMount(options: "size=1m,ro") { folder in
      let error = await refusal(opening: "\(folder)/x.db")
      #expect(error?.code == .readOnly, "\(String(describing: error))")
    }
  }

  @Test("a file that another process has locked: a wait until the deadline, then an error that says so")
  func locked() async throws {
    let test = try await TestEngine.sqlite.makeDatabase(
      migrations: NoteStore.migrations, statements: NoteStore.statements)
    guard case .sqlite(let path) = test.location else { return }
    let locked = AsyncStream.makeStream(of: String.self)
    var command = ChildCommand("sqlite3", [path])
    command.input = .written
    command.output = .lines { locked.continuation.yield($0) }
    let other = try await ChildProcess.start(command)
    // The service may be writing something of its own at this moment.
    try other.write(".timeout 30000\nBEGIN IMMEDIATE;\nSELECT 'locked';\n")
    for await _ in locked.stream { break }
    let scope = test.database.scope(.named("a"))
    let error = await #expect(throws: DatabaseError.self) {
      try await scope.write(within: .milliseconds(100)) { try $0.run(NoteStore.insertOnce, "one", 1) }
    }
    #expect(error?.code == .timedOut)
    // Readers do not wait, and a writer that waits long enough gets its turn.
    #expect(try await scope.read { try $0.one(NoteStore.count).get("notes") } == 0)
    let patient = Task { try await scope.write(within: .seconds(30)) { try $0.run(NoteStore.insertOnce, "one", 1) } }
    try other.write("COMMIT;\n.quit\n")
    #expect(try await patient.value == 1)
  }

  @Test("a full disk refuses changes that do not fit, keeps acknowledged ones, and recovers")
  func diskFull() async throws {
    try await withMount(options: "size=2m") { folder in
      let database = try await Database.open(
        .sqlite(path: "\(folder)/full.db"), schema: example, keys: .example)
      let scope = database.scope(.named("a"))
      var kept = 0
      var failure: DatabaseError?
      while failure == nil {
        let id = "n-\(kept)"
        do {
          try await scope.write { try $0.run(NoteStore.insert, id, 1, "x", 0.5, [UInt8](repeating: 7, count: 20_000)) }
          kept += 1
        } catch let error as DatabaseError {
          failure = error
        }
      }
      #expect(failure?.code == .diskFull)
      #expect(try await scope.read { try $0.one(NoteStore.count).get("notes") } == kept)
      // Many at once: those that fit are kept and the others refused, and each outcome is true.
      let acknowledged = await withTaskGroup(of: Int.self) { group in
        for index in 0..<16 {
          group.addTask {
            let size = index.isMultiple(of: 2) ? 1 : 200_000
            let written = try? await scope.write {
              try $0.run(NoteStore.insert, "m-\(index)", 1, "x", 0.5, [UInt8](repeating: 7, count: size))
            }
            return written ?? 0
          }
        }
        return await group.reduce(0, +)
      }
      #expect(try await scope.read { try $0.one(NoteStore.count).get("notes") } == kept + acknowledged)
      _ = try await ChildProcess.output(of: ChildCommand("mount", ["-o", "remount,size=8m", folder]))
      try await scope.write {
        try $0.run(NoteStore.insert, "after", 1, "x", 0.5, [UInt8](repeating: 7, count: 200_000))
      }
      #expect(try await database.check().problems.isEmpty)
      await database.close()
    }
  }

  @Test("a server that stops in mid-transaction and comes back: changes wait, and take effect once")
  func serverGoesAway() async throws {
    let server = try await PostgresServer()
    let database = try await Database.open(.postgres(url: server.url), schema: example, keys: .example)
    let scope = database.scope(.named("a"))
    let (reached, stopped) = (Waiter(), Waiter())
    let change = Task {
      try await scope.write(within: .seconds(60)) { transaction in
        try transaction.run(NoteStore.insertOnce, "one", 1)
        transaction.append("made", [], to: "one")
        reached.finish()
        stopped.wait()
      }
    }
    await Task.detached { reached.wait() }.value
    try await server.stop()
    for _ in 0..<100 { stopped.finish() }
    let quick = await #expect(throws: DatabaseError.self) {
      try await scope.read(within: .milliseconds(200)) { try $0.one(NoteStore.count).get("notes", as: Int.self) }
    }
    #expect(quick?.code == .unavailable || quick?.code == .timedOut || quick?.code == .connectionLost)
    try await server.start()
    try await change.value
    #expect(try await scope.read(within: .seconds(30)) { try $0.one(NoteStore.count).get("notes") } == 1)
    #expect(try await scope.read { try $0.lastEvent() } == 1)
    await database.close()
    await server.end()
  }

  @Test("a server that stops reading holds nobody beyond the deadline", .timeLimit(.minutes(1)))
  func stopsReading() async throws {
    let server = try await PostgresServer()
    let database = try await Database.open(.postgres(url: server.url), schema: example, keys: .example)
    let scope = database.scope(.named("a"))
    // More than the system keeps on the way.
    let picture = [UInt8](repeating: 7, count: 32 << 20)
    try await server.freeze()
    let error = await #expect(throws: DatabaseError.self) {
      try await scope.write(within: .milliseconds(200)) { try $0.run(NoteStore.insert, "one", 1, "x", 0.5, picture) }
    }
    #expect(error?.code == .timedOut)
    try await server.thaw()
    try await scope.write { try $0.run(NoteStore.insert, "one", 1, "x", 0.5, picture) }
    await database.close()
    await server.end()
  }

  @Test("a server that refuses user or database says so at once, without its URL's password")
  func refused() async throws {
    let url = try await PostgresServer.shared.url.replacing("user=postgres", with: "user=nobody&password=secret")
    let error = await #expect(throws: DatabaseError.self) {
      try await Database.open(.postgres(url: url), schema: example, keys: .example)
    }
    #expect(error?.code == .refused)
    #expect(error.map { "\($0)".contains("secret") } == false)
  }

  @Test("a server that has no connection left for a role is tried until the deadline: others may close one")
  func full() async throws {
    let url = try await PostgresServer.shared.url
    let role = "limited_\(Randomness.system.word() % 1_000_000_000)"
    try await PostgresServer.run("CREATE ROLE \(role) LOGIN CONNECTION LIMIT 0", url: url)
    let error = await #expect(throws: DatabaseError.self) {
      try await Database.open(
        .postgres(url: url.replacing("user=postgres", with: "user=\(role)")), schema: example, keys: .example,
        patience: .seconds(5))
    }
    #expect(error?.code == .unavailable && error?.message.contains("too many connections") == true)
    try await PostgresServer.run("DROP ROLE \(role)", url: url)
  }

  @Test("a server that refuses, and then leaves an attempt without an answer, is reported by its refusal")
  func silentAfterRefusal() async throws {
    // It closes the first connections. Later ones the system accepts, and nobody answers there.
    let script = """
      import socket, sys
      listener = socket.create_server(("127.0.0.1", 0))
      print(listener.getsockname()[1], flush=True)
      for _ in range(3):
        listener.accept()[0].close()
      sys.stdin.read()
      """
    let address = AsyncStream.makeStream(of: String.self)
    var command = ChildCommand("python3", ["-c", script])
    command.input = .written
    command.output = .lines { address.continuation.yield($0) }
    let server = try await ChildProcess.start(command)
    let port = try #require(await address.stream.first { _ in true })
    let error = await #expect(throws: DatabaseError.self) {
      try await Database.open(
        .postgres(url: "postgresql://127.0.0.1:\(port)/notes"), schema: example, keys: .example, patience: .seconds(8))
    }
    server.send(.kill)
    #expect(error?.code == .unavailable)
    #expect(error?.message.hasPrefix("cannot connect to PostgreSQL: ") == true, "\(String(describing: error))")
  }

  /// A small file system, where this process may mount one.
  private func withMount(options: String, _ body: (String) async throws -> Void) async throws {
    guard let disk = try await SmallDisk(options: options) else {
      try Test.cancel("only root may mount, and not in every container")
    }
    do {
      try await body(disk.folder)
    } catch {
      Issue.record(error)
    }
    try await disk.remove()
  }

  private func sqlite(_ path: String, _ sql: String) async throws {
    _ = try await ChildProcess.output(of: ChildCommand("sqlite3", ["-cmd", ".timeout 5000", path, sql]))
  }
}
