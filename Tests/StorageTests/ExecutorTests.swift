import Base
import Storage
import StorageTestKit
import TestSupport
import Testing

/// The threads on which statements run.
@Suite struct ExecutorTests {
  private func open(_ engine: TestEngine) async throws -> TestDatabase {
    try await engine.makeDatabase(migrations: NoteStore.migrations, statements: NoteStore.statements)
  }

  /// The name and number of the current thread.
  private static func thread() throws -> String {
    let name = String(decoding: try Files.read("/proc/thread-self/comm"), as: UTF8.self).dropLast()
    let number = String(decoding: try Files.read("/proc/thread-self/stat"), as: UTF8.self).prefix { $0 != " " }
    return "\(name) \(number)"
  }

  private static func isPool(_ thread: String, of engine: TestEngine) -> Bool {
    thread.hasPrefix("\(engine)-") && !thread.hasPrefix("sqlite-w")
  }

  /// Opening a database leaves some work to its writer; a change that comes meanwhile does not run on the calling
  /// thread.
  private func untilWriterRests(_ test: TestDatabase) async throws {
    let scope = test.database.scope(.named("a"))
    let change = {
      try await Task(executorPreference: test.database.executor) {
        try await scope.write { _ in try Self.thread() }
      }.value
    }
    try await eventually("the writer rests", await change()) { Self.isPool($0, of: test.engine) }
  }

  @Test("a task on the database's threads has its statements run on its own thread", arguments: TestEngine.allCases)
  func atHome(engine: TestEngine) async throws {
    let test = try await open(engine)
    let scope = test.database.scope(.named("a"))
    try await untilWriterRests(test)
    let threads = try await Task(executorPreference: test.database.executor) {
      let before = try Self.thread()
      let write = try await scope.write { transaction in
        try transaction.run(NoteStore.insertOnce, "note", 1)
        return try Self.thread()
      }
      let read = try await scope.read { _ in try Self.thread() }
      return [before, write, read, try Self.thread()]
    }.value
    #expect(Set(threads).count == 1, "\(threads)")
    #expect(Self.isPool(threads[0], of: engine))
  }

  @Test("statements of other tasks never run on a thread of Swift's pool", arguments: TestEngine.allCases)
  func elsewhere(engine: TestEngine) async throws {
    let test = try await open(engine)
    let scope = test.database.scope(.named("a"))
    let before = try Self.thread()
    let write = try await scope.write { _ in try Self.thread() }
    let read = try await scope.read { _ in try Self.thread() }
    #expect(!before.hasPrefix("\(engine)"))
    #expect(engine == .sqlite ? write.hasPrefix("sqlite-writer ") : Self.isPool(write, of: engine))
    #expect(Self.isPool(read, of: engine))
  }

  @Test("changes from both kinds of tasks are made once each, in any mixture", arguments: TestEngine.allCases)
  func mixture(engine: TestEngine) async throws {
    struct Refusal: Error {}
    let test = try await open(engine)
    let scope = test.database.scope(.named("a"))
    await withTaskGroup { group in
      for index in 0..<300 {
        let executor = index.isMultiple(of: 2) ? test.database.executor : globalConcurrentExecutor
        group.addTask(executorPreference: executor) {
          try? await scope.write { transaction in
            try transaction.run(NoteStore.insert, "note-\(index)", index, "", 0.5, [UInt8]())
            if index.isMultiple(of: 7) { throw Refusal() }
          }
        }
      }
    }
    let places = try await scope.read { snapshot in
      var places: [Int] = []
      try snapshot.each(NoteStore.newest, 0, Value.integer(1000), "z", 1000) { places.append(try $0.get("place")) }
      return places
    }
    #expect(places == (0..<300).filter { !$0.isMultiple(of: 7) }.reversed())
  }

  @Test("while a change is being made others wait in line, and the writer's thread makes them")
  func line() async throws {
    let test = try await open(.sqlite)
    let scope = test.database.scope(.named("a"))
    try await untilWriterRests(test)
    let (started, mayEnd) = (AsyncStream.makeStream(of: Void.self), Waiter())
    let leader = Task(executorPreference: test.database.executor) {
      try await scope.write { transaction in
        try transaction.run(NoteStore.insertOnce, "one", 1)
        started.continuation.yield()
        mayEnd.wait()
        return try Self.thread()
      }
    }
    for await _ in started.stream { break }
    let follower = Task(executorPreference: test.database.executor) {
      // A task that waits in line holds no thread: other work of the pool is done meanwhile.
      let change = Task(executorPreference: test.database.executor) {
        try await scope.write { try ($0.run(NoteStore.move, 2, "one"), Self.thread()) }
      }
      let seen: Int = try await scope.read { try $0.one(NoteStore.count).get("notes") }
      mayEnd.finish()
      return (seen, try await change.value)
    }
    #expect(Self.isPool(try await leader.value, of: .sqlite))
    let (seen, (changed, thread)) = try await follower.value
    #expect(seen == 0)
    #expect(changed == 1)
    #expect(thread.hasPrefix("sqlite-"))
  }

  @Test("a running change is finished when the database closes, and the next one refused")
  func closing() async throws {
    let test = try await open(.sqlite)
    let scope = test.database.scope(.named("a"))
    let (started, mayEnd) = (AsyncStream.makeStream(of: Void.self), Waiter())
    let change = Task(executorPreference: test.database.executor) {
      try await scope.write { transaction in
        started.continuation.yield()
        mayEnd.wait()
        try transaction.run(NoteStore.insertOnce, "one", 1)
      }
    }
    for await _ in started.stream { break }
    let waiting = Task { try await scope.write { try $0.run(NoteStore.insertOnce, "two", 2) } }
    await test.database.close()
    mayEnd.finish()
    try await change.value
    // It was in line before the database closed, or it came too late.
    let isMade = (try? await waiting.value) != nil
    let late = await #expect(throws: DatabaseError.self) { try await scope.write { _ in } }
    #expect(late?.code == .closed)
    let again = try await test.reopen()
    let count: Int = try await again.scope(.named("a")).read { try $0.one(NoteStore.count).get("notes") }
    #expect(count == (isMade ? 2 : 1))
    await again.close()
  }
}
