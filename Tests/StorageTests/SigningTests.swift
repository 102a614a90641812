import Base
import Storage
import StorageTestKit
import Synchronization
import Testing

@Suite struct SigningTests {
  @Test("heads are signed for every log with new events, and handed out once each", arguments: TestEngine.allCases)
  func heads(engine: TestEngine) async throws {
    let test = try await LetterStore.open(engine)
    let path = test.folder.file("heads")
    let announced = Mutex<[Int64]>([])
    let signer = EvidenceSigner(
      test.database, key: .example(), installation: "test", file: try HeadFile(path),
      announce: { head in announced.withLock { $0.append(head.checkpoint.size) } })
    try await signer.signAll()
    #expect(try await signer.sign(.named("a")) == nil && announced.withLock { $0.isEmpty })
    for size in 1...3 {
      try await test.database.scope(.named("a")).write { $0.append("made", [], to: "s") }
      if size == 2 { try await test.database.scope(.named("b")).write { $0.append("made", [], to: "s") } }
      try await signer.signAll()
      try await signer.signAll()
    }
    #expect(announced.withLock { $0.sorted() } == [1, 1, 2, 3])
    let file = try SignedCheckpoint.list(String(decoding: try Files.read(path), as: UTF8.self))
    #expect(file.count == 4 && file.allSatisfy { $0.isSigned(byOneOf: [signer.verifyingKey]) })
    #expect(file.map(\.checkpoint.origin).contains("test/\(test.schema.name)/b"))
    #expect(try await test.database.scope(.named("a")).read { try $0.signedHead() }?.checkpoint.size == 3)
    let report = try await test.database.check(heads: file, trusted: [signer.verifyingKey])
    #expect(report.problems == [] && report.heads == 8)
  }

  @Test("a head that did not reach the file of heads is handed out by a later signing", arguments: TestEngine.allCases)
  func handedOutLater(engine: TestEngine) async throws {
    let test = try await LetterStore.open(engine)
    for tenant in ["a", "b"] { try await test.database.scope(.named(tenant)).write { $0.append("made", [], to: "s") } }
    // The heads are in the database and nowhere else, as where the disk is full, or the process dies in between.
    try await EvidenceSigner(test.database, key: .example(), installation: "test").signAll()
    let path = test.folder.file("heads")
    let announced = Mutex<[String]>([])
    let signer = EvidenceSigner(
      test.database, key: .example(), installation: "test", file: try HeadFile(path),
      announce: { head in announced.withLock { $0.append(head.checkpoint.origin) } })
    let runner = PeriodicTaskRunner(test.database, [.signing(signer, every: .seconds(30))])
    #expect(await runner.runDue() == ["storage.evidence"])
    let origins = ["a", "b"].map { "test/\(test.schema.name)/\($0)" }
    #expect(announced.withLock { $0.sorted() } == origins)
    let file = try SignedCheckpoint.list(String(decoding: try Files.read(path), as: UTF8.self))
    #expect(file.map(\.checkpoint.origin).sorted() == origins)
    // Once is enough.
    try await signer.signAll()
    #expect(announced.withLock { $0.count } == 2)
  }

  @Test("a log of thousands of events is signed in steps, by two processes at once", arguments: TestEngine.allCases)
  func many(engine: TestEngine) async throws {
    let test = try await LetterStore.open(engine)
    let other = try await test.reopen()
    let scope = test.database.scope(.named("a"))
    try await scope.write(within: .seconds(60)) { transaction in
      for index in 0..<4500 { transaction.append("made", [UInt8(index % 251)], to: "s") }
    }
    let here = EvidenceSigner(test.database, key: .example(), installation: "test")
    let there = EvidenceSigner(other, key: .example(), installation: "test")
    async let first: Void = here.signAll()
    async let second: Void = there.signAll()
    _ = try await (first, second)
    let heads = try await scope.read { try $0.signedHeads(after: 0) }
    #expect(heads.map(\.checkpoint.size) == [2000, 4000, 4500])
    #expect(try await other.check(trusted: [here.verifyingKey]).problems == [])
    await other.close()
  }

  @Test("an older database is hashed from its first event when it is first signed", arguments: TestEngine.allCases)
  func olderDatabase(engine: TestEngine) async throws {
    let test = try await LetterStore.open(engine)
    for _ in 0..<5 { try await test.database.scope(.named("a")).write { $0.append("made", [1], to: "s") } }
    let signer = EvidenceSigner(test.database, key: .example(), installation: "test")
    let runner = PeriodicTaskRunner(test.database, [.signing(signer, every: .seconds(30))])
    #expect(await runner.runDue() == ["storage.evidence"])
    #expect(try await test.database.check(trusted: [signer.verifyingKey]).heads == 1)
  }

  @Test("what does not continue the signed history is not signed", arguments: TestEngine.allCases)
  func refusals(engine: TestEngine) async throws {
    let cases: [(name: String, sql: @Sendable (TestEngine) -> String)] = [
      ("its tree has no signed head", { $0.unguarding("storage_signed_heads") + "DELETE FROM storage_signed_heads" }),
      (
        "was not signed by this key in its name",
        { engine in
          let forged = Checkpoint(origin: "x", size: 9, root: Digest(of: [])).signed(by: EvidenceKey.example("66").key)
          return engine.unguarding("storage_signed_heads")
            + "UPDATE storage_signed_heads SET checkpoint = '\(forged.note)', size = 9 WHERE tenant = 'a'; "
            + "UPDATE storage_trees SET size = 9 WHERE tenant = 'a'"
        }
      ),
      (
        "events are not those that were signed",
        { engine in
          engine.unguarding("storage_tree_nodes")
            + "UPDATE storage_tree_nodes SET hash = \(engine.literal(Digest(of: [9]).bytes)) WHERE level = 1"
        }
      ),
      (
        "event 2 is not one that this service wrote",
        { engine in
          engine.unguarding("storage_events") + "UPDATE storage_events SET type = 'other' WHERE sequence = 2"
        }
      ),
      (
        "event 3 is not one that this service wrote",
        { engine in
          engine.unguarding("storage_events") + "UPDATE storage_events SET type = 'other' WHERE sequence = 3"
        }
      ),
      (
        "the end of its log is not one that this service wrote",
        { engine in
          engine.unguarding("storage_events")
            + "DELETE FROM storage_events WHERE sequence > 2; UPDATE storage_event_heads SET last = 1"
        }
      ),
    ]
    for refusal in cases {
      let test = try await LetterStore.open(engine)
      let scope = test.database.scope(.named("a"))
      for _ in 0..<2 { try await scope.write { $0.append("made", [], to: "s") } }
      let signer = EvidenceSigner(test.database, key: .example(), installation: "test")
      try await signer.signAll()
      try await scope.write { $0.append("made", [], to: "s") }
      try await test.location.alter(refusal.sql(engine), schema: test.schema.name)
      let error = await #expect(throws: DatabaseError.self) { try await signer.signAll() }
      #expect(error?.message.contains(refusal.name) == true, "\(refusal.name): \(error?.message ?? "")")
    }
  }

  @Test("a database that was put back behind a head that was handed out is not signed", arguments: TestEngine.allCases)
  func putBack(engine: TestEngine) async throws {
    let made = try await LetterCase.make(engine)
    // Another database with the same names stands for the one that was put back.
    let older = try await LetterStore.open(engine)
    let heads = try SignedCheckpoint.list(String(decoding: try Files.read(made.headPath), as: UTF8.self))
    let renamed = older.folder.file("heads")
    let origin = "test/\(older.schema.name)/a"
    let kept = heads.filter { $0.checkpoint.origin.hasSuffix("/a") }.map(\.checkpoint).map {
      Checkpoint(origin: origin, size: $0.size, root: $0.root).signed(by: EvidenceKey.example().key)
    }
    try Files.write(Array(kept.map { $0.note + "\n" }.joined().utf8), to: renamed)
    let signer = EvidenceSigner(
      older.database, key: .example(), installation: "test", file: try HeadFile(renamed))
    try await older.database.scope(.named("a")).write { $0.append("made", [], to: "s") }
    let error = await #expect(throws: DatabaseError.self) { try await signer.signAll() }
    #expect(error?.message.contains("was handed out") == true, "\(error?.message ?? "")")
  }
}
