import Base
import Storage
import StorageTestKit
import Synchronization
import TestSupport
import Testing

@Suite struct EventTests {
  private func open(_ engine: TestEngine, clock: Clock = .system) async throws -> TestDatabase {
    try await engine.makeDatabase(migrations: NoteStore.migrations, statements: NoteStore.statements, clock: clock)
  }

  @Test("events are numbered without gaps per tenant, in the order of their commits", arguments: TestEngine.allCases)
  func numbering(engine: TestEngine) async throws {
    struct Refusal: Error {}
    let test = try await open(engine)
    let tenants = [Tenant.named("a"), .named("b")]
    await withTaskGroup { group in
      for writer in 0..<60 {
        group.addTask {
          try? await test.database.scope(tenants[writer % 2]).write { transaction in
            transaction.append("made", [UInt8(writer)], to: "stream-\(writer % 3)")
            transaction.append("shown", [UInt8(writer)], to: "stream-\(writer % 3)")
            if writer.isMultiple(of: 5) { throw Refusal() }
          }
        }
      }
    }
    for tenant in tenants {
      let events = try await test.database.scope(tenant).read { try $0.events(after: 0, limit: 1000) }
      #expect(events.map(\.sequence) == Array(1...Int64(events.count)))
      #expect(events.count == 48)
      // Events of one transaction are adjacent.
      for pair in stride(from: 0, to: events.count, by: 2) {
        #expect(events[pair].payload == events[pair + 1].payload)
        #expect([events[pair].type, events[pair + 1].type] == ["made", "shown"])
      }
    }
  }

  @Test("a live reader misses nothing and sees nothing twice while many write", arguments: TestEngine.allCases)
  func live(engine: TestEngine) async throws {
    let test = try await open(engine)
    let other = try await test.reopen()
    let scope = test.database.scope(.named("a"))
    let count = 300
    let reader = Task {
      var seen: [Int64] = []
      for try await event in other.scope(.named("a")).watchEvents(after: 0) {
        seen.append(event.sequence)
        if seen.count == count { break }
      }
      return seen
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<count {
        group.addTask { try await scope.write { $0.append("made", [], to: "s-\(writer)") } }
      }
      try await group.waitForAll()
    }
    #expect(try await reader.value == Array(1...Int64(count)))
    // A reader also resumes after any of them.
    var resumed: [Int64] = []
    for try await event in scope.watchEvents(after: 297) {
      resumed.append(event.sequence)
      if resumed.count == 3 { break }
    }
    #expect(resumed == [298, 299, 300])
    await other.close()
  }

  @Test("one stream's events come in order and without others", arguments: TestEngine.allCases)
  func stream(engine: TestEngine) async throws {
    let test = try await open(engine)
    let scope = test.database.scope(.named("a"))
    for index in 0..<9 { try await scope.write { $0.append("made", [UInt8(index)], to: "s\(index % 3)") } }
    let events = try await scope.read { try $0.events(after: 2, stream: "s1") }
    #expect(events.map(\.payload) == [[4], [7]])
    #expect(try await scope.read { try $0.lastEvent() } == 9)
  }

  @Test("the log's time does not run backwards when the clock is set back", arguments: TestEngine.allCases)
  func clockSetBack(engine: TestEngine) async throws {
    let time = MovableClock()
    let test = try await open(engine, clock: time.clock)
    let scope = test.database.scope(.named("a"))
    try await scope.write { $0.append("first", [], to: "s") }
    time.move(by: .seconds(-3600))
    try await scope.write { $0.append("second", [], to: "s") }
    let events = try await scope.read { try $0.events(after: 0) }
    #expect(events[0].at == events[1].at)
  }

  @Test("every tenant's latest event is known at once, also of those that another process wrote")
  func heads() async throws {
    let test = try await open(.postgres)
    let other = try await test.reopen()
    try await test.database.scope(.named("a")).write { $0.append("made", [], to: "s") }
    #expect(try await other.eventHeads() == [EventHead(tenant: .named("a"), last: 1)])
    for _ in 0..<2 { try await test.database.scope(.named("b")).write { $0.append("made", [], to: "s") } }
    let heads = try await other.eventHeads().sorted { $0.tenant.id < $1.tenant.id }
    #expect(heads == [EventHead(tenant: .named("a"), last: 1), EventHead(tenant: .named("b"), last: 2)])
    await other.close()
  }
}
