import Base
import Synchronization
import Testing

@Suite("a fair pool does its callers' work in turns", .timeLimit(.minutes(1)))
struct FairPoolTests {
  private struct Odd: Error {}

  @Test("light work is done once, heavy work again without the bound, and errors come back")
  func values() async throws {
    let pool = FairPool(name: "test", limits: FairLimits(threads: 2))
    let calls = Mutex<[String]>([])
    let light = try await pool.run(for: "a") {
      calls.withLock { $0.append("light") }
      return 1
    } full: {
      2
    }
    let heavy: Int = try await pool.run(for: "a") {
      calls.withLock { $0.append("try") }
      return nil
    } full: {
      calls.withLock { $0.append("full") }
      return 2
    }
    #expect(light == 1 && heavy == 2)
    #expect(calls.withLock { $0 } == ["light", "try", "full"])
    await #expect(throws: Odd.self) {
      try await pool.run(for: "a") { () throws -> Int? in
        throw Odd()
      } full: {
        1
      }
    }
  }

  @Test("a caller whose heavy work holds every thread that heavy work may have stops nobody")
  func share() async throws {
    let pool = FairPool(name: "test", limits: FairLimits(threads: 2))
    let gate = Gate()
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<20 {
        group.addTask {
          try await pool.run(for: "hostile") {
            nil
          } full: {
            gate.pass()
            return 0
          }
        }
      }
      // All of this is done while the heavy work stands still.
      for number in 1...200 {
        let done = try await pool.run(for: "caller \(number % 5)") {
          number
        } full: {
          0
        }
        #expect(done == number)
      }
      gate.open()
      let answers = try await group.reduce(0, +)
      #expect(answers == 0)
    }
  }

  @Test("a caller that is too far behind is refused, and others are not")
  func bound() async throws {
    let pool = FairPool(name: "test", limits: FairLimits(threads: 2, mostWaitingPerCaller: 3))
    let gate = Gate()
    let (waits, waiting) = AsyncStream.makeStream(of: Void.self)
    let announced = FairPool.Waiting(began: { waiting.yield() })
    try await withThrowingTaskGroup(of: Int.self) { group throws -> Void in
      for _ in 0..<5 {
        group.addTask {
          try await pool.run(for: "hostile", waiting: announced) {
            gate.pass()
            return 1
          } full: {
            0
          }
        }
      }
      var waiters = waits.makeAsyncIterator()
      for _ in 0..<3 { await waiters.next() }
      await #expect(throws: FairRefusal.callerWaits(bound: 3)) {
        try await pool.run(for: "hostile") {
          1
        } full: {
          0
        }
      }
      gate.open()
      let answers = try await group.reduce(0, +)
      #expect(answers == 5)
    }
    let later = try await pool.run(for: "hostile") {
      7
    } full: {
      0
    }
    #expect(later == 7)
  }

  @Test("who no longer waits leaves the line, and its call is told of both")
  func cancelled() async throws {
    let pool = FairPool(name: "test", limits: FairLimits(threads: 2))
    let gate = Gate()
    let (events, log) = AsyncStream.makeStream(of: String.self)
    async let one: Int = pool.run(for: "a") {
      gate.pass(); return 1
    } full: {
      0
    }
    async let two: Int = pool.run(for: "a") {
      gate.pass(); return 1
    } full: {
      0
    }
    while gate.waiting < 2 { await Task.yield() }
    let third = Task {
      let waiting = FairPool.Waiting(began: { log.yield("began") }, ended: { log.yield("ended") })
      return try await pool.run(for: "a", waiting: waiting) {
        1
      } full: {
        0
      }
    }
    var iterator = events.makeAsyncIterator()
    #expect(await iterator.next() == "began")
    third.cancel()
    await #expect(throws: CancellationError.self) { try await third.value }
    #expect(await iterator.next() == "ended")
    gate.open()
    let both = try await one + two
    #expect(both == 2)
    #expect(pool.knownCallers == 0)
  }

  @Test("a task may be cancelled by who is told that its work begins to wait")
  func cancelledWhileTold() async throws {
    let pool = FairPool(name: "test", limits: FairLimits(threads: 1))
    let gate = Gate()
    async let first: Int = pool.run(for: "a") {
      gate.pass(); return 1
    } full: {
      0
    }
    while gate.waiting < 1 { await Task.yield() }
    let handle = Mutex<Task<Int, any Error>?>(nil)
    let (start, known) = AsyncStream.makeStream(of: Void.self)
    let second = Task {
      for await _ in start {}
      let waiting = FairPool.Waiting(began: { handle.withLock { $0 }?.cancel() })
      return try await pool.run(for: "b", waiting: waiting) {
        1
      } full: {
        0
      }
    }
    handle.withLock { $0 = second }
    known.finish()
    await #expect(throws: CancellationError.self) { try await second.value }
    gate.open()
    #expect(try await first == 1)
  }
}

/// Holds threads up until it is opened.
private final class Gate: Sendable {
  private let count = Atomic(0)
  private let queue = BlockingQueue<Void>()

  var waiting: Int { count.load(ordering: .relaxed) }

  func pass() {
    count.add(1, ordering: .relaxed)
    _ = queue.pop()
  }

  func open() { queue.close() }
}
