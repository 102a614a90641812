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
}
