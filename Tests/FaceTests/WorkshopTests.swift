import Base
import Face
import Glibc
import RPC
import Synchronization
import Testing

/// Long work of the doors, which callers bring in any number.
@Suite(.timeLimit(.minutes(1))) struct WorkshopTests {
  /// One thread, which stands still at first, and what was done since.
  private final class Bench: Sendable {
    let pool = DoorPool(threads: 1)
    private let isOpen = Atomic(false)
    private let hasBegun = Atomic(false)
    private let all = Mutex<[String]>([])

    var done: [String] { all.withLock { $0 } }

    func start(_ job: UInt64, for holder: String, in workshop: Workshop<Int>, mustWait: Bool = false) {
      workshop.start(job, for: holder, mustWait: mustWait) { [self] () throws(Status) in
        hasBegun.store(true, ordering: .releasing)
        while !isOpen.load(ordering: .acquiring) { usleep(1_000) }
        all.withLock { $0.append("\(holder) \(job)") }
        return Int(job)
      }
    }

    /// Starts jobs of one caller, of which the first holds the thread before the others stand in line.
    func start(_ jobs: Range<UInt64>, for holder: String, in workshop: Workshop<Int>) async throws {
      start(jobs.lowerBound, for: holder, in: workshop)
      while !hasBegun.load(ordering: .acquiring) { try await Task.sleep(for: .milliseconds(1)) }
      for job in jobs.dropFirst() { start(job, for: holder, in: workshop) }
    }

    /// Waits until all that was started stands in line. The one thread that is free takes it in its order.
    func settle() async { await pool.threads.run {} }

    func open() { isOpen.store(true, ordering: .releasing) }

    /// Waits until the job is done.
    func results(of workshop: Workshop<Int>, through job: UInt64) async throws -> [UInt64] {
      var jobs: [UInt64] = []
      while !jobs.contains(job) {
        try await Task.sleep(for: .milliseconds(2))
        jobs += workshop.takeFinished().map(\.job)
      }
      return jobs
    }
  }

  @Test("callers take turns, and what nobody waits for any more is not done")
  func turns() async throws {
    let bench = Bench()
    let workshop = Workshop<Int>(on: bench.pool) {}
    try await bench.start(0..<50, for: "a", in: workshop)
    bench.start(100, for: "b", in: workshop)
    for job in 3..<49 { workshop.giveUp(UInt64(job)) }
    await bench.settle()
    bench.open()
    _ = try await bench.results(of: workshop, through: 49)
    #expect(bench.done == ["a 0", "a 1", "b 100", "a 2", "a 49"])
  }

  @Test("a caller has so many requests waiting and no more, others' are done, and an answer is never refused")
  func bound() async throws {
    let bench = Bench()
    let workshop = Workshop<Int>(on: bench.pool) {}
    try await bench.start(0..<1_100, for: "a", in: workshop)
    bench.start(2_000, for: "b", in: workshop)
    await bench.settle()
    for job in 3_000..<3_200 { bench.start(UInt64(job), for: "a", in: workshop, mustWait: true) }
    await bench.settle()
    let refused = workshop.takeFinished()
    #expect(refused.count == 1_100 - 1_025)
    for (_, outcome) in refused {
      guard case .failure(let status) = outcome else {
        Issue.record("a job was done")
        continue
      }
      #expect(
        status.code == .resourceExhausted
          && status.message.hasPrefix("too_much_to_convert: 1024 messages of this caller"), "\(status)")
    }
    bench.open()
    _ = try await bench.results(of: workshop, through: 3_199)
    #expect(bench.done.prefix(3).contains("b 2000"))
    #expect(bench.done.suffix(200) == (3_000..<3_200).map { "a \($0)" })
  }
}
