import Base
import Storage
import StorageTestKit
import TestSupport
import Testing

@Suite struct IdempotencyTests {
  private func open(_ engine: TestEngine, clock: Clock = .system) async throws -> TestDatabase {
    try await engine.makeDatabase(migrations: NoteStore.migrations, statements: NoteStore.statements, clock: clock)
  }

  private func addNote(
    _ scope: Scope, key: String, request: String, id: String, subject: Subject? = nil
  ) async throws -> IdempotentAnswer<[UInt8]> {
    let once = Idempotency(caller: "device-1", key: key, request: Array(request.utf8), subject: subject)
    return try await scope.write(once: once) { transaction in
      try transaction.run(NoteStore.insertOnce, id, 1)
      return Array("made \(id)".utf8)
    }
  }

  @Test("a repeat gets the first answer and changes nothing", arguments: TestEngine.allCases)
  func repeats(engine: TestEngine) async throws {
    let test = try await open(engine)
    let scope = test.database.scope(.named("a"))
    let first = try await addNote(scope, key: "k", request: "r", id: "one")
    let second = try await addNote(scope, key: "k", request: "r", id: "two")
    #expect(!first.isRepeat && second.isRepeat)
    #expect(second.bytes == Array("made one".utf8))
    #expect(try await scope.read { try $0.one(NoteStore.count).get("notes") } == 1)
  }

  @Test("a repeat with another request is refused", arguments: TestEngine.allCases)
  func otherRequest(engine: TestEngine) async throws {
    let test = try await open(engine)
    let scope = test.database.scope(.named("a"))
    _ = try await addNote(scope, key: "k", request: "r", id: "one")
    let error = await #expect(throws: DatabaseError.self) {
      try await addNote(scope, key: "k", request: "other", id: "two")
    }
    #expect(error?.code == .keyReused)
    // Another tenant's key is another key.
    #expect(try await !addNote(test.database.scope(.named("b")), key: "k", request: "other", id: "two").isRepeat)
  }

  @Test("the same key at the same time takes effect once, and all get one answer", arguments: TestEngine.allCases)
  func concurrent(engine: TestEngine) async throws {
    let test = try await open(engine)
    let other = try await test.reopen()
    let answers = try await withThrowingTaskGroup(of: IdempotentAnswer<[UInt8]>.self) { group in
      for index in 0..<16 {
        let database = index.isMultiple(of: 2) ? test.database : other
        group.addTask { try await addNote(database.scope(.named("a")), key: "k", request: "r", id: "note-\(index)") }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(answers.count { !$0.isRepeat } == 1)
    #expect(Set(answers.map(\.bytes)).count == 1)
    #expect(try await other.scope(.named("a")).read { try $0.one(NoteStore.count).get("notes") } == 1)
    await other.close()
  }

  @Test("a repeat whose first run commits meanwhile gets the answer, and no refusal")
  func overtaken() async throws {
    struct Stale: Error {}
    let test = try await open(.postgres)
    let other = try await test.reopen()
    let once = Idempotency(caller: "c", key: "k", request: [])
    let (looked, look) = AsyncStream.makeStream(of: Void.self)
    let done = Waiter()
    // The repeat looks for the key and finds none; then the first run commits; then the repeat goes on.
    let late = Task {
      try await other.scope(.named("a")).write(once: once) { transaction in
        look.yield()
        done.wait()
        guard try transaction.one(NoteStore.count).get("notes", as: Int.self) == 0 else { throw Stale() }
        return Array("late".utf8)
      }
    }
    for await _ in looked { break }
    let first = try await addNote(test.database.scope(.named("a")), key: "k2", request: "", id: "one")
    #expect(!first.isRepeat)
    _ = try await test.database.scope(.named("a")).write(once: once) { _ in Array("first".utf8) }
    done.finish()
    let answer = try await late.value
    #expect(answer.isRepeat && answer.bytes == Array("first".utf8))
    await other.close()
  }

  @Test("a key expires by policy, and not because the clock was set back", arguments: TestEngine.allCases)
  func expiry(engine: TestEngine) async throws {
    let time = MovableClock()
    let test = try await open(engine, clock: time.clock)
    let scope = test.database.scope(.named("a"))
    _ = try await addNote(scope, key: "k", request: "r", id: "one")
    time.move(by: .seconds(-30 * 86_400))
    #expect(try await addNote(scope, key: "k", request: "r", id: "two").isRepeat)
    #expect(try await test.database.expireIdempotencyKeys() == 0)
    time.move(by: .seconds(38 * 86_400))
    #expect(try await !addNote(scope, key: "k", request: "r", id: "three").isRepeat)
    time.move(by: .seconds(8 * 86_400))
    #expect(try await test.database.expireIdempotencyKeys() == 1)
  }

  @Test("the answer to a change that stored personal data is erased with the subject", arguments: TestEngine.allCases)
  func personal(engine: TestEngine) async throws {
    let test = try await open(engine)
    let scope = test.database.scope(.named("a"))
    let ana: Subject = .named("ana")
    let once = Idempotency(caller: "device-1", key: "k", request: Array("r".utf8))
    func greet() async throws -> IdempotentAnswer<[UInt8]> {
      try await scope.write(once: once) { transaction in
        try transaction.vault.put(Array("Ana Maria".utf8), as: "name", of: ana)
        return Array("hello, Ana Maria".utf8)
      }
    }
    _ = try await greet()
    #expect(try await greet().isRepeat)
    try await scope.write { try $0.vault.erase(ana, by: "admin", reason: "request") }
    let refused = await #expect(throws: DatabaseError.self) { try await greet() }
    #expect(refused?.code == .erased, "the answer is gone, and so is what it could be made from again")
  }

  @Test("a mutation that fails stores no key", arguments: TestEngine.allCases)
  func failure(engine: TestEngine) async throws {
    struct Refusal: Error {}
    let test = try await open(engine)
    let scope = test.database.scope(.named("a"))
    await #expect(throws: Refusal.self) {
      try await scope.write(once: Idempotency(caller: "c", key: "k", request: [])) { _ in throw Refusal() }
    }
    let answer = try await scope.write(once: Idempotency(caller: "c", key: "k", request: [])) { _ in [1] }
    #expect(!answer.isRepeat)
  }
}
