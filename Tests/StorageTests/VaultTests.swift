import Base
import Storage
import StorageTestKit
import TestSupport
import Testing

@Suite struct VaultTests {
  private let ana = Subject.named("subject-1")
  private let bo = Subject.named("subject-2")

  private func open(_ engine: TestEngine, clock: Clock = .system) async throws -> TestDatabase {
    try await engine.makeDatabase(migrations: NoteStore.migrations, statements: NoteStore.statements, clock: clock)
  }

  @Test("stored data is returned for its subject and tenant only", arguments: TestEngine.allCases)
  func putAndGet(engine: TestEngine) async throws {
    let test = try await open(engine)
    let scope = test.database.scope(.named("a"))
    try await scope.write { transaction in
      try transaction.vault.put(Array("Ana Ω".utf8), as: "name", of: ana)
      try transaction.vault.put([], as: "note", of: ana)
      try transaction.vault.put(Array("Bo".utf8), as: "name", of: bo)
      try transaction.vault.put(Array("Anna".utf8), as: "name", of: ana)
    }
    let all = try await scope.read { try $0.vault.all(of: ana) }
    #expect(all == ["name": Array("Anna".utf8), "note": []])
    #expect(try await test.database.scope(.named("b")).read { try $0.vault.get("name", of: ana) } == nil)
    try await scope.write { try $0.vault.remove("name", of: ana) }
    #expect(try await scope.read { try $0.vault.get("name", of: ana) } == nil)
  }

  @Test("erasing destroys the data, and keeps the commitments", arguments: TestEngine.allCases)
  func erase(engine: TestEngine) async throws {
    let test = try await open(engine)
    let scope = test.database.scope(.named("a"))
    let commitment = try await scope.write { transaction in
      try transaction.vault.put(Array("Ana".utf8), as: "name", of: ana)
      let commitment = try transaction.vault.commit(to: Array("Ana".utf8), as: "name", of: ana)
      transaction.append("consent.given", commitment.digest.bytes, to: ana.id)
      return commitment
    }
    let opening = try await scope.read { try $0.vault.opening(of: commitment.id) }
    #expect(opening.value == Array("Ana".utf8))
    #expect(opening.digest == commitment.digest)

    try await scope.write { try $0.vault.erase(ana, by: "admin-1", reason: "request") }
    let reading = await #expect(throws: DatabaseError.self) {
      try await scope.read { try $0.vault.get("name", of: ana) }
    }
    #expect(reading?.code == .erased)
    let opened = await #expect(throws: DatabaseError.self) {
      try await scope.read { try $0.vault.opening(of: commitment.id) }
    }
    #expect(opened?.code == .erased)
    let error = await #expect(throws: DatabaseError.self) {
      try await scope.write { try $0.vault.put([1], as: "name", of: ana) }
    }
    #expect(error?.code == .erased)
    let events = try await scope.read { try $0.events(after: 0) }
    #expect(events[0].payload == opening.digest.bytes)
    #expect(events[1].type == "storage.vault.erased")
    #expect(
      String(decoding: events[1].payload, as: UTF8.self)
        == #"{"subject":"subject-1","actor":"admin-1","reason":"request"}"#)
    #expect(try await scope.read { try $0.vault.isErased(ana) })
  }

  @Test("of two erasures at the same time of a subject of whom there is nothing, the later one is a repeat")
  func erasedTogether() async throws {
    let test = try await open(.postgres)
    let scope = test.database.scope(.named("a"))
    try await scope.write { try $0.vault.put([1], as: "name", of: bo) }
    let erase: @Sendable () async throws -> Void = {
      try await scope.write { transaction in
        try transaction.vault.lock(ana)
        try transaction.vault.eraseAhead(of: ana, by: "admin", reason: "request")
      }
    }
    try await test.together([erase, erase])
    #expect(try await scope.read { try $0.vault.isErased(ana) })
    let events = try await scope.read { try $0.events(after: 0) }
    #expect(events.count { $0.type == "storage.vault.erased" } == 1)
  }

  @Test("a legal hold forbids erasing until it is lifted, on record", arguments: TestEngine.allCases)
  func hold(engine: TestEngine) async throws {
    let test = try await open(engine)
    let scope = test.database.scope(.named("a"))
    let hold = try await scope.write { transaction in
      try transaction.vault.put([1], as: "name", of: ana)
      return try transaction.vault.placeHold(on: ana, by: "counsel", reason: "dispute with Mr Smith")
    }
    let error = await #expect(throws: DatabaseError.self) {
      try await scope.write { try $0.vault.erase(ana, by: "admin", reason: "request") }
    }
    #expect(error?.code == .held)
    #expect(try await scope.read { try $0.vault.holds(on: ana).map(\.reason) } == ["dispute with Mr Smith"])
    #expect(try await scope.read { try $0.vault.all(of: ana) } == ["name": [1]])
    try await scope.write { try $0.vault.liftHold(hold, by: "judge", reason: "Mr Smith withdrew") }
    let past = try #require(try await scope.read { try $0.vault.allHolds(on: ana) }.first)
    #expect(past.reason == "dispute with Mr Smith" && past.placedBy == "counsel")
    #expect(past.lifting?.reason == "Mr Smith withdrew" && past.lifting?.by == "judge")
    #expect(try await scope.read { try $0.vault.holds(on: ana) }.isEmpty)
    #expect(try await scope.read { try $0.vault.all(of: ana) } == ["name": [1]], "reasons are no part of an export")
    try await scope.write { transaction in
      try transaction.vault.erase(ana, by: "admin", reason: "request")
    }
    #expect(
      try await scope.read { try $0.events(after: 0).map(\.type) } == [
        "storage.vault.hold-placed", "storage.vault.hold-lifted", "storage.vault.erased",
      ])
  }

  @Test(
    "retention erases subjects whose last policy has expired and whom no hold protects", arguments: TestEngine.allCases)
  func retention(engine: TestEngine) async throws {
    let time = MovableClock()
    let test = try await open(engine, clock: time.clock)
    let scope = test.database.scope(.named("a"))
    let held = Subject.named("held")
    try await scope.write { transaction in
      try transaction.vault.setPolicy("short", keep: .seconds(100), by: "admin")
      try transaction.vault.setPolicy("long", keep: .seconds(1000), by: "admin")
      for subject in [ana, bo, held] { try transaction.vault.put([1], as: "name", of: subject) }
      for subject in [ana, bo, held] { try transaction.vault.retain(subject, under: "short") }
      try transaction.vault.retain(bo, under: "long")
      try transaction.vault.placeHold(on: held, by: "counsel", reason: "order")
    }
    #expect(try await scope.applyRetention() == 0)
    time.move(by: .seconds(101))
    #expect(try await scope.applyRetention() == 1)
    #expect(try await scope.read { try $0.vault.isErased(ana) })
    time.move(by: .seconds(900))
    #expect(try await scope.applyRetention() == 1)
    #expect(try await scope.read { try [$0.vault.isErased(bo), $0.vault.isErased(held)] } == [true, false])
    // A policy that was never set is refused.
    await #expect(throws: DatabaseError.self) {
      try await scope.write { try $0.vault.retain(held, under: "unknown") }
    }
  }

  @Test(
    "retention erases others where one subject fails, and one that is spared once it is not",
    arguments: TestEngine.allCases)
  func retentionOfEach(engine: TestEngine) async throws {
    struct Broken: Error {}
    let time = MovableClock()
    let test = try await open(engine, clock: time.clock)
    let scope = test.database.scope(.named("a"))
    let broken = Subject.named("broken")
    let many = (0..<60).map { Subject.named("many-\($0)") }
    try await scope.write { transaction in
      try transaction.vault.setPolicy("short", keep: .seconds(100), by: "admin")
      for subject in many + [broken, ana, bo] { try transaction.vault.retain(subject, under: "short") }
    }
    time.move(by: .seconds(101))
    await #expect(throws: Broken.self) {
      try await scope.applyRetention(
        sparing: { try $0 == ana && !$1.vault.isErased(bo) },
        alongside: { if $1 == broken { throw Broken() } })
    }
    let isDone = try await scope.read { snapshot in
      try (many + [ana, bo]).allSatisfy { try snapshot.vault.isErased($0) }
    }
    #expect(isDone)
    #expect(try await scope.applyRetention() == 1, "nothing of it was done")
  }
}

extension Subject {
  static func named(_ id: String) -> Subject {
    guard let subject = Subject(id) else { preconditionFailure("'\(id)' names no subject") }
    return subject
  }
}
