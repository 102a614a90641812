import Base
import Storage
import StorageTestKit
import Synchronization
import TestSupport
import Testing

/// `kill -9` in the middle of writes by 32 writers. Every acknowledged change must be there, none doubled, none half
/// applied, and the sequence without gaps.
@Suite(.serialized) struct KillTests {
  static let kills = LongTests.areWanted ? 500 : 10

  @Test("a killed writer loses nothing that it acknowledged", arguments: TestEngine.allCases)
  func killed(engine: TestEngine) async throws {
    let test = try await engine.makeDatabase(migrations: HammerSchema.migrations, statements: [HammerSchema.count])
    var ledger = Ledger()
    var generator = SeededGenerator(seed: 4)
    let heads = test.folder.file("heads")
    for kill in 1...Self.kills {
      let acknowledged = Acknowledged()
      let hammer = try await start(test.location, test.schema.name, ledger.next, acknowledged) { command in
        command.environment = ["HAMMER_HEADS": heads]
      }
      // Somewhere between the first acknowledgement and some hundreds later.
      try await acknowledged.wait(for: Int.random(in: 1...400, using: &generator))
      hammer.send(.kill)
      await hammer.wait()
      ledger.note(acknowledged.all)
      try await ledger.check(against: test)
      if ledger.isBroken { return }
      // It reads everything again.
      if kill.isMultiple(of: max(1, Self.kills / 10)) { try await Self.checkEvidence(test, heads) }
    }
    #expect(ledger.applied > Self.kills * 32 / 2)
    #expect(try !Files.read(heads).isEmpty)
  }

  /// Compares rows, events, codes and all signed heads, those of the file among them.
  private static func checkEvidence(_ test: TestDatabase, _ path: String) async throws {
    // Whoever opens it puts right what a kill cut short, as the next process does.
    _ = try HeadFile(path)
    let heads = try SignedCheckpoint.list(String(decoding: try Files.read(path), as: UTF8.self))
    let database = try await Database.inspect(test.location, schema: test.schema.name, keys: test.keys)
    let report = try await database.check(heads: heads, trusted: [EvidenceKey.example().verifyingKey])
    await database.close()
    #expect(report.problems == [] && report.givenHeads == heads.count, "\(report.problems)")
  }

  @Test("a crashed server loses nothing either, and its clients continue when it is back")
  func serverCrash() async throws {
    let server = try await PostgresServer()
    let keys = MasterKeys.example
    let location = try #require(DatabaseLocation(server.url))
    let schema = HammerSchema.named("crash")
    let database = try await Database.open(location, schema: schema, keys: keys)
    var ledger = Ledger()
    let acknowledged = Acknowledged()
    let hammer = try await start(location, schema.name, ledger.next, acknowledged)
    for _ in 0..<max(1, Self.kills / 50) {
      try await acknowledged.wait(for: 100)
      try await server.crash()
      try await server.start()
    }
    try await acknowledged.wait(for: 100)
    #expect(hammer.exit == nil, "the hammer gave up")
    hammer.send(.kill)
    await hammer.wait()
    ledger.note(acknowledged.all)
    try await ledger.check(database.scope(.named("hammered")))
    await database.close()
    await server.end()
  }

  @Test("a commit that the disk failed is said to be unknown: the change may be there once the process has died")
  func failingDisk() async throws {
    let test = try await TestEngine.sqlite.makeDatabase(
      migrations: HammerSchema.migrations, statements: [HammerSchema.count])
    // What is in the log is read anew only where no process has the file open.
    await test.database.close()
    let library = try await PreloadedLibrary.compile("disk/failing.c", in: test.folder)
    let broken = test.folder.file("broken")
    let (acknowledged, said) = (Acknowledged(), SaidLines())
    var ledger = Ledger()
    let hammer = try await start(test.location, test.schema.name, ledger.next, acknowledged) { command in
      command.environment = ["LD_PRELOAD": library, "BROKEN_DISK": broken]
      command.errors = .lines { said.add($0) }
    }
    try await acknowledged.wait(for: 100)
    try Files.write([], to: broken)
    #expect(await !hammer.wait().isSuccess)
    #expect(said.all.contains { $0.contains("the change may have been made") }, "\(said.all)")
    ledger.note(acknowledged.all)
    try await ledger.check(against: test)
  }

  @Test("the hammer's help writes nothing to a database")
  func hammerHelp() async throws {
    let (exit, lines) = try await ChildProcess.output(of: ChildCommand(Products.program("StorageHammer"), ["--help"]))
    #expect(exit == .code(0))
    #expect(lines == ["usage: StorageHammer LOCATION SCHEMA NEXT,NEXT,… [FOLDER]"])
  }

  private func start(
    _ location: DatabaseLocation, _ schema: String, _ next: [Int], _ acknowledged: Acknowledged,
    _ change: (inout ChildCommand) -> Void = { _ in }
  ) async throws -> ChildProcess {
    let text =
      switch location {
      case .sqlite(let path): "sqlite:\(path)"
      case .postgres(let url): url
      }
    var command = ChildCommand(
      Products.program("StorageHammer"), [text, schema, next.map(String.init).joined(separator: ",")])
    command.output = .lines { acknowledged.note($0) }
    change(&command)
    return try await ChildProcess.start(command)
  }
}

/// What a program has said.
private final class SaidLines: Sendable {
  private let lines = Mutex<[String]>([])

  var all: [String] { lines.withLock { $0 } }

  func add(_ line: String) { lines.withLock { $0.append(line) } }
}

/// The lines that the hammer has printed so far.
final class Acknowledged: Sendable {
  private let state = Mutex((all: [(writer: Int, number: Int)](), waited: 0))
  private let lines = AsyncStream.makeStream(of: Void.self)

  var all: [(writer: Int, number: Int)] { state.withLock { $0.all } }

  func note(_ line: String) {
    let words = line.split(separator: " ").compactMap { Int($0) }
    guard words.count == 2 else { return }
    state.withLock { $0.all.append((words[0], words[1])) }
    lines.continuation.yield()
  }

  /// Returns when `count` further acknowledgements have come since it last returned.
  func wait(for count: Int) async throws {
    var left = count
    for await _ in lines.stream {
      left -= 1
      if left == 0 { return }
    }
    throw CancellationError()
  }
}

/// What the database must contain, as far as the test knows.
struct Ledger {
  private(set) var isBroken = false
  /// Per writer, the number of changes that were acknowledged.
  private var acknowledged = [Int](repeating: 0, count: 32)
  /// Per writer, the number of changes that were found.
  private var found = [Int](repeating: 0, count: 32)
  private var lastEvent: Int64 = 0

  /// Where each writer continues: with the change whose outcome it never learned.
  var next: [Int] { acknowledged }

  var applied: Int { found.reduce(0, +) }

  mutating func note(_ lines: [(writer: Int, number: Int)]) {
    for (writer, number) in lines {
      expect(number == acknowledged[writer], "writer \(writer) skipped to \(number)")
      acknowledged[writer] = number + 1
    }
  }

  mutating func check(against test: TestDatabase) async throws {
    let schema = HammerSchema.named(test.schema.name)
    let database = try await test.reopen(schema: schema)
    try await check(database.scope(.named("hammered")))
    await database.close()
  }

  mutating func check(_ scope: Scope) async throws {
    let from = lastEvent
    let (events, rows) = try await scope.read { snapshot in
      (
        try snapshot.events(after: from, limit: 1_000_000),
        try snapshot.one(HammerSchema.count).get("hits", as: Int.self)
      )
    }
    for event in events {
      expect(event.sequence == lastEvent + 1, "event \(event.sequence) follows \(lastEvent)")
      lastEvent = event.sequence
      let words = String(decoding: event.payload, as: UTF8.self).split(separator: " ").compactMap { Int($0) }
      expect(words[1] == found[words[0]], "writer \(words[0]): \(words[1]) follows \(found[words[0]] - 1)")
      found[words[0]] = words[1] + 1
    }
    for writer in found.indices {
      // At most one change, the one that was running, is there without an acknowledgement.
      let extra = found[writer] - acknowledged[writer]
      expect(extra == 0 || extra == 1, "writer \(writer): \(acknowledged[writer]) acknowledged, \(found[writer]) found")
    }
    expect(rows == applied, "\(rows) rows, \(applied) events")
  }

  private mutating func expect(_ condition: Bool, _ what: String) {
    guard !condition else { return }
    isBroken = true
    Issue.record("\(what)")
  }
}
