import Base
import Storage
import StorageTestKit
import TestSupport
import Testing

/// Changes rows by hand, one way after the other, each on a copy of the same database under a service that goes on, and
/// wants each to be found by name.
@Suite struct TamperingTests {
  @Test(
    "every tampering by hand is found and named", arguments: LongTests.areWanted ? TestEngine.allCases : [.sqlite])
  func all(engine: TestEngine) async throws {
    let bench = try await LetterTampering(engine)
    #expect(try await bench.newest.problems() == [], "what was not touched is well")
    let tamperings = LetterTamperings.list(engine) + (try bench.computed()) + bench.fitting
    #expect(tamperings.count >= 60 && Set(tamperings.map(\.name)).count == tamperings.count)
    let faults = try await bench.newest.faults(tamperings) { test, body in try await body(test.database) }
    for fault in faults { Issue.record("\(fault)") }
    try await bench.end()
  }

  @Test("a copy from before is found by any later head", arguments: TestEngine.allCases)
  func olderCopy(engine: TestEngine) async throws {
    let bench = try await LetterTampering(engine)
    #expect(try await bench.older.problems(heads: []) == [], "by itself it is well")
    let problems = try await bench.older.problems(heads: bench.heads)
    #expect(
      problems.contains { $0.contains("the given head has") && $0.hasSuffix("what followed is missing") },
      "\(problems)")
    try await bench.end()
  }

  @Test(
    "a history that was written anew as a whole, and signed by another, does not pass", arguments: TestEngine.allCases)
  func writtenAnew(engine: TestEngine) async throws {
    let honest = try await LetterCase.make(engine)
    let forged = try await LetterCase.make(engine, key: .example("66"), withdraws: false)
    #expect(try await forged.test.database.check().problems == [], "by itself it is well")
    let trusted = [EvidenceKey.example().verifyingKey]
    let unsigned = try await forged.test.database.check(trusted: trusted).problems
    #expect(unsigned.contains { $0.contains("is signed by no trusted key") }, "\(unsigned)")
    // The two databases differ in their names alone, and so do the honest heads as given here.
    let heads = try SignedCheckpoint.list(String(decoding: try Files.read(honest.headPath), as: UTF8.self))
    let given = heads.map(\.checkpoint).map {
      Checkpoint(
        origin: $0.origin.replacing(honest.test.schema.name, with: forged.test.schema.name), size: $0.size,
        root: $0.root
      ).signed(by: EvidenceKey.example().key)
    }
    let problems = try await forged.test.database.check(heads: given).problems
    #expect(problems.contains { $0.contains("something among events 1 to") }, "\(problems)")
  }
}

/// Letters, and what was handed out of their database.
private struct LetterTampering {
  let engine: TestEngine
  let heads: [SignedCheckpoint]
  /// The events of tenant a.
  let events: [Event]
  /// Rows that are forged together with an event that fits, but for its code.
  let fitting: [LetterTamperings.Case]
  let newest: TamperBench
  let older: TamperBench

  init(_ engine: TestEngine) async throws {
    self.engine = engine
    var older: TamperBench?
    let trusted = [EvidenceKey.example().verifyingKey]
    let made = try await LetterCase.make(engine) { test in
      older = try await TamperBench(test, named: "older", heads: [], trusting: trusted)
    }
    heads = try SignedCheckpoint.list(String(decoding: try Files.read(made.headPath), as: UTF8.self))
    events = try await made.test.database.scope(.named("a")).read { try $0.events(after: 0, limit: 1000) }
    fitting = try await Self.fitting(made.test, events)
    newest = try await TamperBench(made.test, heads: heads, trusting: trusted)
    guard let older else { throw EvidenceMissing() }
    self.older = older
    await made.test.database.close()
  }

  struct EvidenceMissing: Error {}

  private static func fitting(_ test: TestDatabase, _ events: [Event]) async throws -> [LetterTamperings.Case] {
    let given = events.first { $0.stream == "l-3" }
    var tamperings: [LetterTamperings.Case] = []
    for code in ForgedCode.allCases {
      let finding = code == .ownKey ? "the key of its log does not open" : "is not one that the service wrote"
      for (name, id, change) in [
        ("withdrawal reverted", "l-3", "UPDATE letters SET state = 'given' WHERE tenant = 'a' AND id = 'l-3'"),
        ("letter invented", "l-9", "INSERT INTO letters (tenant, id, state) VALUES ('a', 'l-9', 'given')"),
      ] {
        let sql = try await test.forging(
          change, of: "letters", [.text(id)], like: given, code: code, .named("a"))
        tamperings.append(.init("\(name), with an event that fits, code \(code)", sql, finding))
      }
    }
    return tamperings.thenRefused(LetterTamperings.append)
  }

  func end() async throws {
    try await newest.end()
    try await older.end()
  }

  /// Tamperings that compute what they can: the chain has no key.
  func computed() throws -> [LetterTamperings.Case] {
    let tenant = Tenant.named("a")
    var sql = engine.unguarding("storage_events")
    var chain = events[2].chain
    for (index, event) in events.enumerated() where index >= 3 {
      let forged = event.forged(payload: index == 3 ? [0] : event.payload, after: chain, of: tenant)
      chain = forged.chain
      sql +=
        "UPDATE storage_events SET payload = \(engine.literal(forged.payload)), chain = \(engine.literal(chain.bytes)) "
        + "WHERE tenant = 'a' AND sequence = \(event.sequence);"
    }
    sql += "UPDATE storage_event_heads SET chain = \(engine.literal(chain.bytes)) WHERE tenant = 'a';"
    let (count, kept) = (events.count, events[events.count - 3])
    let shorter =
      engine.unguarding("storage_events")
      + "DELETE FROM storage_events WHERE tenant = 'a' AND sequence > \(kept.sequence);"
      + "UPDATE storage_event_heads SET last = \(kept.sequence), chain = \(engine.literal(kept.chain.bytes)), "
      + "last_ms = \(kept.at.millisecondsSince1970) WHERE tenant = 'a';"
    let size = "size = (SELECT max(size) FROM storage_signed_heads WHERE tenant = 'a')"
    let head = heads.filter { $0.checkpoint.origin.hasSuffix("/a") }.max { $0.checkpoint.size < $1.checkpoint.size }
    guard let newest = head?.checkpoint else { throw EvidenceMissing() }
    let resigned = newest.signed(by: EvidenceKey.example("66").key)
    let unguarded = engine.unguarding("storage_signed_heads")
    return [
      .init("payload changed, chain recomputed", sql, "event 4 is not the one that was hashed into the tree"),
      .init("payload changed, chain recomputed: heads", sql, "events are not those of the signed head"),
      .init(
        "payload changed, chain recomputed: given heads", sql, "something among events 1 to",
        own: "are not those of the signed head"),
      .init("last events deleted, head recomputed", shorter, "its tree has \(count) events, the log \(count - 2)"),
      .init(
        "last events deleted, head recomputed: given heads", shorter,
        "the given head has \(count) events, the log \(count - 2): what followed is missing",
        own: "the signed head has \(count) events, the log \(count - 2)"),
    ].thenRefused(LetterTamperings.append)
      + [
        .init(
          "head signed by another key",
          "\(unguarded) UPDATE storage_signed_heads SET checkpoint = '\(resigned.note)' WHERE tenant = 'a' AND \(size)",
          "the signed head of \(newest.size) events is signed by no trusted key")
      ].then(LetterTamperings.append)
  }
}
