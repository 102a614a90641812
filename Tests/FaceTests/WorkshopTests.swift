import Base
import Face
import RPC
import Synchronization
import TestSupport
import Testing

/// Long work of the doors, which callers bring in any number.
@Suite(.timeLimit(.minutes(1))) struct WorkshopTests {
  /// One thread, which stands still at first, and what was done since.
  private final class Bench: Sendable {
    let pool = DoorPool(threads: 1)
    /// Holds the thread until it is closed.
    private let obstacle = BlockingQueue<Void>()
    private let begun = Signal()
    private let finished = WakeUp()
    private let all = Mutex<[String]>([])

    var done: [String] { all.withLock { $0 } }

    func workshop() -> Workshop<Int> { Workshop(on: pool) { [finished] in finished.set() } }

    func start(_ job: UInt64, for holder: String, in workshop: Workshop<Int>, mustWait: Bool = false) {
      workshop.start(job, for: holder, mustWait: mustWait) { [self] () throws(Status) in
        begun.set()
        _ = obstacle.pop()
        all.withLock { $0.append("\(holder) \(job)") }
        return Int(job)
      }
    }

    /// Starts jobs of one caller, of which the first holds the thread before the others stand in line.
    func start(_ jobs: Range<UInt64>, for holder: String, in workshop: Workshop<Int>) async {
      start(jobs.lowerBound, for: holder, in: workshop)
      await begun.wait()
      for job in jobs.dropFirst() { start(job, for: holder, in: workshop) }
    }

    /// Waits until all that was started stands in line. The one thread that is free takes it in its order.
    func settle() async { await pool.threads.run {} }

    func open() { obstacle.close() }

    /// Waits until the job is done.
    func finish(_ job: UInt64, in workshop: Workshop<Int>) async {
      while !workshop.takeFinished().contains(where: { $0.job == job }) { await finished.wait() }
    }
  }

  @Test("callers take turns, and what nobody waits for any more is not done")
  func turns() async {
    let bench = Bench()
    let workshop = bench.workshop()
    await bench.start(0..<50, for: "a", in: workshop)
    bench.start(100, for: "b", in: workshop)
    for job in 3..<49 { workshop.giveUp(UInt64(job)) }
    await bench.settle()
    bench.open()
    await bench.finish(49, in: workshop)
    #expect(bench.done == ["a 0", "a 1", "b 100", "a 2", "a 49"])
  }

  @Test("a caller has so many requests waiting and no more, others' are done, and an answer is never refused")
  func bound() async {
    let bench = Bench()
    let workshop = bench.workshop()
    await bench.start(0..<1_100, for: "a", in: workshop)
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
    await bench.finish(3_199, in: workshop)
    #expect(bench.done.prefix(3).contains("b 2000"))
    #expect(bench.done.suffix(200) == (3_000..<3_200).map { "a \($0)" })
  }
}
