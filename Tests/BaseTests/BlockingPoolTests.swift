import Base
import Synchronization
import Testing

@Suite struct BlockingPoolTests {
  @Test("work handed to a pool is done and its value comes back")
  func value() async {
    let pool = BlockingPool(name: "test", threads: 2)
    let values = await withTaskGroup(of: Int.self) { group in
      for number in 0..<5000 { group.addTask { await pool.run { number } } }
      return await group.reduce(into: Set<Int>()) { $0.insert($1) }
    }
    #expect(values.count == 5000)
  }

  @Test("an error thrown on a pool reaches the caller")
  func failure() async {
    struct Refused: Error {}
    let pool = BlockingPool(name: "test", threads: 1)
    await #expect(throws: Refused.self) { try await pool.run { throw Refused() } }
  }

  @Test("work submitted from one of the pool's own tasks is done at once, before work that waits for a thread")
  func atHome() async {
    let pool = BlockingPool(name: "test", threads: 1)
    let (order, log) = AsyncStream.makeStream(of: String.self)
    let task = Task(executorPreference: pool) {
      let other = Task(executorPreference: pool) { log.yield("what waits") }
      await pool.run { _ = log.yield("work") }
      _ = await other.value
      log.finish()
    }
    await task.value
    #expect(await order.reduce(into: []) { $0.append($1) } == ["work", "what waits"])
  }

  @Test("every thread is woken when there is work for it", .timeLimit(.minutes(1)))
  func allThreads() async {
    let pool = BlockingPool(name: "test", threads: 4)
    for _ in 0..<200 {
      let meeting = Meeting(of: 4)
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<4 { group.addTask { await pool.run { meeting.attend() } } }
      }
    }
  }

  @Test("a pool recognises its own threads and no others")
  func current() async {
    let (pool, another) = (BlockingPool(name: "test", threads: 1), BlockingPool(name: "test", threads: 1))
    #expect(!pool.isCurrent)
    #expect(await pool.run { pool.isCurrent })
    #expect(await another.run { !pool.isCurrent })
  }
}

/// Lets no thread continue before all have arrived.
private final class Meeting: Sendable {
  private let size: Int
  private let present = Atomic(0)
  private let door = BlockingQueue<Void>()

  init(of size: Int) {
    self.size = size
  }

  func attend() {
    if present.add(1, ordering: .relaxed).newValue == size {
      for _ in 0..<size { _ = door.push(()) }
    }
    door.pop()
  }
}
