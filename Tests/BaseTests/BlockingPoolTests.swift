import Base
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

  @Test("an error thrown on a pool reaches the one who asked")
  func failure() async {
    struct Refused: Error {}
    let pool = BlockingPool(name: "test", threads: 1)
    await #expect(throws: Refused.self) { try await pool.run { throw Refused() } }
  }

  @Test("work asked for by a task that lives in the pool is done at once, before what waits for a thread")
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

  @Test("a pool's threads are its own")
  func current() async {
    let (pool, another) = (BlockingPool(name: "test", threads: 1), BlockingPool(name: "test", threads: 1))
    #expect(!pool.isCurrent)
    #expect(await pool.run { pool.isCurrent })
    #expect(await another.run { !pool.isCurrent })
  }
}
