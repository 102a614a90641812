import Base
import Storage
import StorageTestKit
import Testing

/// Somebody who can write to the database deletes the newest events and puts back the rows that they committed to. What
/// is left contradicts nothing; these tests say what finds it, and where nothing does.
@Suite struct DeletedEventsTests {
  private static let tenant = Tenant.named("a")

  /// A letter that is withdrawn by the newest event.
  private struct Withdrawn {
    let test: TestDatabase
    let signer: EvidenceSigner
    let headPath: String
    let withdrawal: Event
    /// SQL that puts back the end of the log before the withdrawal, which somebody kept.
    let olderEnd: String

    var scope: Scope { test.database.scope(DeletedEventsTests.tenant) }

    init(_ engine: TestEngine, signsWithdrawal: Bool) async throws {
      test = try await LetterStore.open(engine)
      headPath = test.folder.file("heads")
      signer = EvidenceSigner(test.database, key: .example(), installation: "test", file: try HeadFile(headPath))
      let scope = test.database.scope(DeletedEventsTests.tenant)
      for index in 1...5 { try await scope.write { try Self.give("l-\(index)", $0) } }
      try await signer.signAll()
      olderEnd = try await test.keptEnds()
      try await scope.write { try Self.withdraw("l-3", $0) }
      if signsWithdrawal { try await signer.signAll() }
      withdrawal = try #require(try await scope.read { try $0.events(after: 0) }.last)
    }

    static func give(_ id: String, _ transaction: Transaction) throws {
      try transaction.run(LetterStore.insert, id, "body", [1], 1.5)
      transaction.append("letter", Array("given".utf8), to: id)
    }

    static func withdraw(_ id: String, _ transaction: Transaction) throws {
      try transaction.run(LetterStore.setState, "withdrawn", id)
      transaction.append("letter", Array("withdrawn".utf8), to: id)
      transaction.signsHead()
    }

    /// What a running service does before it shows the letter.
    static func show(_ scope: Scope) async throws -> Bool {
      try await scope.read { snapshot in
        try snapshot.verify([CommittedRow("letters", "l-3", in: "l-3")])
        return true
      }
    }

    func heads() throws -> [SignedCheckpoint] {
      try SignedCheckpoint.list(String(decoding: try Files.read(headPath), as: UTF8.self))
    }

    /// SQL that deletes the withdrawal, and puts row and head back to where they were.
    func deleting(_ engine: TestEngine) -> String {
      engine.unguarding("storage_events")
        + "DELETE FROM storage_events WHERE tenant = 'a' AND sequence = \(withdrawal.sequence);" + olderEnd
        + "UPDATE letters SET state = 'given' WHERE tenant = 'a' AND id = 'l-3';"
    }

    /// SQL that deletes the signed head of the withdrawal too, with its part of the tree.
    func deletingHead(_ engine: TestEngine) -> String {
      let size = withdrawal.sequence - 1
      return deleting(engine) + engine.unguarding("storage_signed_heads") + engine.unguarding("storage_tree_nodes")
        + "DELETE FROM storage_signed_heads WHERE tenant = 'a' AND size > \(size);"
        + "DELETE FROM storage_tree_nodes WHERE tenant = 'a' AND position >= (\(size) >> CAST(level AS INTEGER));"
        + "UPDATE storage_trees SET size = \(size) WHERE tenant = 'a';"
    }

    /// What the check finds after a change, but for guards: whoever takes them away puts them back.
    func problems(_ bench: TamperBench, after sql: String, heads: [SignedCheckpoint]) async throws -> [String] {
      try await bench.problems(after: sql, heads: heads).filter { !$0.hasPrefix("the guard '") }
    }

    func alter(_ sql: String) async throws { try await test.location.alter(sql, schema: test.schema.name) }
  }

  @Test(
    "events that a signed head covers: the check finds them gone by the head that is left in the database",
    arguments: TestEngine.allCases)
  func headLeft(engine: TestEngine) async throws {
    let made = try await Withdrawn(engine, signsWithdrawal: true)
    let bench = try await TamperBench(made.test, heads: [], trusting: [made.signer.verifyingKey])
    let problems = try await bench.problems(after: made.deleting(engine))
    let (before, after) = (made.withdrawal.sequence, made.withdrawal.sequence - 1)
    #expect(problems.contains("tenant 'a': its tree has \(before) events, the log \(after)"), "\(problems)")
    #expect(problems.contains { $0.contains("the signed head has \(before) events, the log \(after)") }, "\(problems)")
    try await bench.end()
  }

  @Test(
    "the head deleted as well: nothing in the database tells, and a head that was kept outside does",
    arguments: TestEngine.allCases)
  func headDeleted(engine: TestEngine) async throws {
    let made = try await Withdrawn(engine, signsWithdrawal: true)
    let bench = try await TamperBench(made.test, heads: [], trusting: [made.signer.verifyingKey])
    let sql = made.deletingHead(engine)
    #expect(try await made.problems(bench, after: sql, heads: []) == [])
    let problems = try await made.problems(bench, after: sql, heads: try made.heads())
    let expected =
      "the given head has \(made.withdrawal.sequence) events, the log \(made.withdrawal.sequence - 1): "
      + "what followed is missing"
    #expect(problems == ["tenant 'a': \(expected)"])
    // Nor is the log signed any further where the file of heads is.
    try await made.alter(sql)
    let reopened = try await made.test.reopen()
    let signer = EvidenceSigner(
      reopened, key: .example(), installation: "test", file: try HeadFile(made.headPath))
    try await reopened.scope(Self.tenant).write { try Withdrawn.give("l-9", $0) }
    let error = await #expect(throws: DatabaseError.self) { try await signer.signAll() }
    #expect(error?.message.contains("was handed out") == true, "\(error?.message ?? "")")
    await reopened.close()
    try await bench.end()
  }

  @Test(
    "a process that starts after the deletion answers nothing and writes nothing where a head outside covers it",
    arguments: TestEngine.allCases)
  func outside(engine: TestEngine) async throws {
    let made = try await Withdrawn(engine, signsWithdrawal: true)
    try await made.signer.compareWithHeads()
    #expect(try await Withdrawn.show(made.scope), "nothing is missing yet")
    try await made.alter(made.deletingHead(engine))
    let fresh = try await made.test.reopen()
    let signer = EvidenceSigner(fresh, key: .example(), installation: "test", file: try HeadFile(made.headPath))
    try await signer.compareWithHeads()
    let number = made.withdrawal.sequence
    let loss = "its tree ends at event \(number - 1), and a head of \(number) was handed out"
    for attempt in 1...2 {
      let shown = await #expect(throws: DatabaseError.self, "\(attempt)") {
        try await Withdrawn.show(fresh.scope(Self.tenant))
      }
      #expect(shown?.code == .corrupt && shown?.message.contains(loss) == true, "\(shown?.message ?? "")")
      let written = await #expect(throws: DatabaseError.self) {
        try await fresh.scope(Self.tenant).write { try Withdrawn.give("l-9", $0) }
      }
      #expect(written?.code == .corrupt)
      // It stays so when the logs are compared with what was seen, and other tenants are served.
      #expect(try await fresh.compareLogs() == ["tenant 'a': \(loss)"])
      try await fresh.scope(.named("b")).write { try Withdrawn.give("l-\(attempt)", $0) }
    }
    await fresh.close()
  }

  @Test("a database that was put back on purpose is answered from with another file of heads")
  func putBack() async throws {
    let made = try await Withdrawn(.sqlite, signsWithdrawal: true)
    try await made.alter(made.deletingHead(.sqlite))
    let fresh = try await made.test.reopen()
    let signer = EvidenceSigner(
      fresh, key: .example(), installation: "test", file: try HeadFile(made.test.folder.file("other-heads")))
    try await signer.compareWithHeads()
    #expect(try await Withdrawn.show(fresh.scope(Self.tenant)))
    try await fresh.scope(Self.tenant).write { try Withdrawn.give("l-9", $0) }
    try await signer.signAll()
    await fresh.close()
  }

  @Test(
    "a process that has seen the events answers nothing and writes nothing once they are gone",
    arguments: TestEngine.allCases)
  func remembered(engine: TestEngine) async throws {
    let made = try await Withdrawn(engine, signsWithdrawal: false)
    let other = try await made.test.reopen()
    #expect(try await other.compareLogs() == [], "another process has looked")
    try await made.alter(made.deleting(engine))
    for database in [made.test.database, other] {
      let scope = database.scope(Self.tenant)
      let shown = await #expect(throws: DatabaseError.self) { try await Withdrawn.show(scope) }
      #expect(shown?.code == .corrupt && shown?.message.contains("was seen") == true, "\(shown?.message ?? "")")
      let written = await #expect(throws: DatabaseError.self) {
        try await scope.write { try Withdrawn.give("l-9", $0) }
      }
      #expect(written?.code == .corrupt)
      #expect(database.logProblem == nil)
      let losses = try await database.compareLogs()
      let number = made.withdrawal.sequence
      #expect(losses == ["tenant 'a': its log ends at event \(number - 1), and event \(number) was seen"])
      #expect(database.logProblem == "events that were seen are gone or altered in a log")
      // Other tenants are served.
      try await database.scope(.named("b")).write { try Withdrawn.give("l-1", $0) }
    }
    await other.close()
  }

  @Test("another event in the place of the one that was deleted is not taken for it", arguments: TestEngine.allCases)
  func replaced(engine: TestEngine) async throws {
    let made = try await Withdrawn(engine, signsWithdrawal: false)
    try await made.alter(made.deleting(engine))
    // A process that begins now has seen nothing: it goes on from what it finds.
    let fresh = try await made.test.reopen()
    #expect(try await Withdrawn.show(fresh.scope(Self.tenant)), "nothing is known against it")
    for letter in ["l-7", "l-8"] {
      try await fresh.scope(Self.tenant).write { try Withdrawn.give(letter, $0) }
      let losses = try await made.test.database.compareLogs()
      #expect(losses == ["tenant 'a': event \(made.withdrawal.sequence) is not the one that was seen"])
      let shown = await #expect(throws: DatabaseError.self) { try await Withdrawn.show(made.scope) }
      #expect(shown?.code == .corrupt)
    }
    #expect(try await fresh.compareLogs() == [])
    await fresh.close()
  }

  @Test(
    "a log that was cut and has grown past what was seen is not taken for its continuation",
    arguments: TestEngine.allCases)
  func regrown(engine: TestEngine) async throws {
    let made = try await Withdrawn(engine, signsWithdrawal: false)
    try await made.alter(made.deleting(engine))
    let fresh = try await made.test.reopen()
    for letter in ["l-7", "l-8", "l-9"] {
      try await fresh.scope(Self.tenant).write { try Withdrawn.give(letter, $0) }
    }
    // Nobody has compared the logs since.
    let shown = await #expect(throws: DatabaseError.self) { try await Withdrawn.show(made.scope) }
    #expect(shown?.code == .corrupt && shown?.message.contains("is not the one that was seen") == true)
    let written = await #expect(throws: DatabaseError.self) {
      try await made.scope.write { try Withdrawn.give("l-10", $0) }
    }
    #expect(written?.code == .corrupt)
    // Neither does a comparison, nor another one after it, take what is there now for what was.
    for _ in 0..<2 {
      let losses = try await made.test.database.compareLogs()
      #expect(losses == ["tenant 'a': event \(made.withdrawal.sequence) is not the one that was seen"])
    }
    await fresh.close()
  }

  @Test("the window: events that no head covers, where no process that saw them runs", arguments: TestEngine.allCases)
  func window(engine: TestEngine) async throws {
    let made = try await Withdrawn(engine, signsWithdrawal: false)
    let heads = try made.heads()
    let bench = try await TamperBench(made.test, heads: heads, trusting: [made.signer.verifyingKey])
    #expect(heads.allSatisfy { $0.checkpoint.size < made.withdrawal.sequence })
    let problems = try await made.problems(bench, after: made.deleting(engine), heads: heads)
    #expect(problems == [], "docs/threats.md says so")
    try await bench.end()
  }

  @Test("a change that signs a head returns when a head that covers it was handed out", arguments: TestEngine.allCases)
  func prompt(engine: TestEngine) async throws {
    let made = try await Withdrawn(engine, signsWithdrawal: false)
    made.signer.signPromptly()
    try await made.scope.write { try Withdrawn.give("l-6", $0) }
    #expect(try made.heads().last?.checkpoint.size == 5, "other changes wait for the next head")
    try await made.scope.write { try Withdrawn.withdraw("l-6", $0) }
    let newest = try await made.scope.read { try $0.lastEvent() }
    #expect(try made.heads().last?.checkpoint.size == newest)
    try await made.scope.write { transaction in
      try transaction.vault.put(Array("name".utf8), as: "name", of: .named("s-1"))
      try transaction.vault.erase(.named("s-1"), by: "admin", reason: "request")
    }
    let erased = try await made.scope.read { try $0.lastEvent() }
    #expect(erased > newest)
    #expect(try made.heads().last?.checkpoint.size == erased)
    let problems = try await made.test.database.check(heads: try made.heads(), trusted: [made.signer.verifyingKey])
    #expect(problems.problems == [])
  }
}
