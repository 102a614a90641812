import Base
import Storage
import StorageTestKit
import Testing

/// Stores names, birth dates, addresses and strokes, and searches for them in every byte that the database has on disk.
@Suite struct PlantedDataTests {
  private let planted = ["Wilhelmina Featherstonehaugh", "1953-11-07", "17 Larkspur Lane", "M 10 20 L 33 44 strokes"]
  private let subject = Subject.named("s-1")

  @Test("no byte of a filled database shows personal data", arguments: TestEngine.allCases)
  func nothingInTheClear(engine: TestEngine) async throws {
    let test = try await filled(engine)
    for text in planted { #expect(try await !contains(test, Array(text.utf8)), "\(text)") }
    // The search finds data that is there.
    #expect(try await contains(test, Array("a-type-of-event".utf8)))
  }

  @Test("an erasure removes the wrapped key and the sealed data from SQLite's files, log included")
  func erasedBytes() async throws {
    let test = try await filled(.sqlite)
    guard case .sqlite(let path) = test.location else { return }
    let key = try await column("SELECT hex(wrapped) FROM storage_vault_subjects", path)
    let items = try await column("SELECT hex(sealed) FROM storage_vault_items", path)
    let entries = try await column("SELECT hex(sealed) || hex(token) FROM storage_vault_index", path)
    let sealed = (key + items + entries).compactMap { Hex.decode($0) }
    #expect(sealed.count == planted.count + 2)
    for bytes in sealed { #expect(try await contains(test, Array(bytes.prefix(40)))) }
    try await test.database.scope(.named("a")).write { try $0.vault.erase(subject, by: "admin", reason: "request") }
    for bytes in sealed { #expect(try await !contains(test, Array(bytes.prefix(40)))) }
  }

  private func filled(_ engine: TestEngine) async throws -> TestDatabase {
    let test = try await engine.makeDatabase(
      named: "planted", migrations: NoteStore.migrations, statements: NoteStore.statements)
    let scope = test.database.scope(.named("a"))
    let request = planted.joined()
    let once = Idempotency(caller: "c", key: "k", request: Array(request.utf8), subject: subject)
    _ = try await scope.write(once: once) { transaction in
      for (index, text) in planted.enumerated() {
        try transaction.vault.put(Array(text.utf8), as: "item-\(index)", of: subject)
        let commitment = try transaction.vault.commit(to: Array(text.utf8), as: "item", of: subject)
        transaction.append("a-type-of-event", commitment.digest.bytes, to: subject.id)
      }
      try transaction.vault.index(planted[0], as: "name", of: subject)
      let hold = try transaction.vault.placeHold(on: subject, by: "counsel", reason: planted[0])
      try transaction.vault.liftHold(hold, by: "counsel", reason: planted[1])
      try transaction.vault.remove("hold:\(hold)", of: subject)
      try transaction.vault.remove("hold:\(hold):lifted", of: subject)
      return Array(request.utf8)
    }
    let other = Idempotency(caller: "c", key: "other", request: Array(request.utf8))
    _ = try await scope.write(once: other) { _ in Array(request.utf8) }
    return test
  }

  private func contains(_ test: TestDatabase, _ bytes: [UInt8]) async throws -> Bool {
    switch test.location {
    case .sqlite(let path):
      return ["", "-wal", "-shm"].contains { suffix in
        ((try? Files.read(path + suffix)) ?? []).contains(bytes)
      }
    case .postgres(let url):
      // The server's files: tables, and its write-ahead log.
      try await PostgresServer.run("CHECKPOINT", url: url)
      let folder = url.split(separator: "host=").last?.prefix { $0 != "&" } ?? ""
      let text = String(decoding: bytes, as: UTF8.self)
      let grep = ChildCommand("grep", ["-rqaF", text, "\(folder)/data/base", "\(folder)/data/pg_wal"])
      return try await ChildProcess.start(grep).wait().isSuccess
    }
  }

  private func column(_ sql: String, _ path: String) async throws -> [String] {
    try await ChildProcess.output(of: ChildCommand("sqlite3", ["-cmd", ".timeout 5000", path, sql])).lines
  }
}
