import Base
import Storage
import StorageTestKit
import TestSupport
import Testing

/// What was acknowledged has reached the disk: a program is killed, and what it had only written is taken away.
@Suite(.serialized) struct PowerCutTests {
  private func closedDatabase() async throws -> TestDatabase {
    let test = try await TestEngine.sqlite.makeDatabase(
      migrations: HammerSchema.migrations, statements: [HammerSchema.count])
    await test.database.close()
    return test
  }

  /// Kills the hammer when something was acknowledged so many times; all that was.
  private func hammer(
    _ test: TestDatabase, _ power: PowerCut, _ words: [String], until count: Int
  ) async throws -> Acknowledged {
    guard case .sqlite(let path) = test.location else { throw CancellationError() }
    let acknowledged = Acknowledged()
    var command = ChildCommand(Products.program("StorageHammer"), ["sqlite:\(path)", test.schema.name] + words)
    command.environment = power.environment
    command.output = .lines { acknowledged.note($0) }
    let process = try await ChildProcess.start(command)
    try await acknowledged.wait(for: count)
    process.send(.kill)
    await process.wait()
    try await power.strike("\(path)-wal")
    return acknowledged
  }

  @Test("a power cut takes no change from SQLite that was acknowledged")
  func changes() async throws {
    let test = try await closedDatabase()
    let power = try await PowerCut(in: test.folder)
    var ledger = Ledger()
    let next = ledger.next.map(String.init).joined(separator: ",")
    // Few, so that all of them are in the log.
    ledger.note(try await hammer(test, power, [next], until: 20).all)
    try await ledger.check(against: test)
    #expect(ledger.applied >= 20)
  }

  @Test("nor an erasure, its line in the list, or the head that covers it")
  func erasures() async throws {
    let test = try await closedDatabase()
    let power = try await PowerCut(in: test.folder)
    let count = try await hammer(test, power, ["", test.folder.path], until: 3).all.count
    for file in ["heads", "erasures"] { try await power.strike(test.folder.file(file)) }

    let list = String(decoding: try Files.read(test.folder.file("erasures")), as: UTF8.self).split(separator: "\n")
    let heads = try SignedCheckpoint.list(String(decoding: try Files.read(test.folder.file("heads")), as: UTF8.self))
    let covered = heads.map(\.checkpoint.size).max() ?? 0
    let database = try await test.reopen(schema: HammerSchema.named(test.schema.name))
    let scope = database.scope(.named("hammered"))
    let events = try await scope.read { try $0.events(after: 0, limit: 10_000) }
    for number in 0..<count {
      let name = "s-\(number)"
      #expect(try await scope.read { try $0.vault.isErased(.named(name)) }, "\(name)")
      #expect(list.contains { $0.hasPrefix("erased hammered \(name) ") && $0.hasSuffix(" .") }, "\(name): \(list)")
      let event = try #require(
        events.first { $0.type == "storage.vault.erased" && $0.payload.contains(Array("\"\(name)\"".utf8)) })
      #expect(event.sequence <= covered, "\(name)")
    }
    await database.close()
  }

  @Test("a file that is replaced is on disk before it has its name, and its name is before that is acknowledged")
  func replaced() async throws {
    let test = try await closedDatabase()
    let power = try await PowerCut(in: test.folder)
    _ = try await hammer(test, power, ["", test.folder.path], until: 1)
    let folder = test.folder.path.split(separator: "/").last.map(String.init)
    let steps = try power.steps.filter { $0.name.hasPrefix("begun") || $0.name == folder }
    let renamed = try #require(steps.firstIndex { $0.kind == .renamed && $0.name == "begun" })
    #expect(steps[..<renamed].contains { $0.kind == .synced && $0.name.hasPrefix("begun.draft-") && $0.size == 5 })
    // Nothing else comes in between.
    let after = try #require(steps[renamed...].dropFirst().first)
    #expect(after.kind == .synced && after.name == folder)
  }
}
