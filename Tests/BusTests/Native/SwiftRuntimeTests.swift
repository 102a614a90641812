internal import Bus
import RPC
import Synchronization
import Testing
@_spi(ExperimentalScheduling) import _Concurrency

/// The private parts of Swift's runtime on which handlers' threads rest. If one of these tests fails, the toolchain has
/// changed them: see docs/decisions/0015-threads.md.
@Suite struct SwiftRuntimeTests {
  @Test("an executor's reference is two words, of which the first is the actor and zero means none")
  func executorReference() {
    let size = unsafe MemoryLayout<UnownedSerialExecutor>.size
    #expect(size == 2 * MemoryLayout<Int>.size)
    let actor = PlainActor()
    let words = unsafe unsafeBitCast(actor.unownedExecutor, to: (Int, Int).self)
    let address = unsafe Int(bitPattern: Unmanaged.passUnretained(actor).toOpaque())
    #expect(words.0 == address)
    let none = unsafe unsafeBitCast(UnownedSerialExecutor.nobody, to: (Int, Int).self)
    #expect(none == (0, 0))
  }

  @Test("a task's sleep is given to its executor, and waking it for nobody queues the task there and nowhere else")
  func sleepingJob() async throws {
    let recorder = RecordingExecutor()
    let sleeper = Task(executorPreference: recorder) {
      try await Task.sleep(for: .seconds(3600))
      return 7
    }
    // The task's first part runs until it sleeps.
    let start = try #require(recorder.takeJobs().first)
    unsafe start.runSynchronously(on: recorder.asUnownedTaskExecutor())
    let waker = try #require(recorder.takeSleepingJobs().first, "Task.sleep did not ask the task's executor")
    #expect(recorder.takeJobs().isEmpty)
    unsafe waker.runSynchronously(on: .nobody)
    let rest = try #require(recorder.takeJobs().first, "the woken task went to another executor")
    unsafe rest.runSynchronously(on: recorder.asUnownedTaskExecutor())
    #expect(try await sleeper.value == 7)
  }
}

private actor PlainActor {}

/// Keeps jobs for a test instead of running them.
private final class RecordingExecutor: TaskExecutor, SchedulingExecutor {
  private let jobs = Mutex<[UnownedJob]>([])
  private let sleepingJobs = Mutex<[UnownedJob]>([])

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
  }

  func enqueue<Time: _Concurrency.Clock>(
    _ job: consuming ExecutorJob, after delay: Time.Duration, tolerance: Time.Duration?, clock: Time
  ) {
    let job = UnownedJob(job)
    sleepingJobs.withLock { $0.append(job) }
  }

  func enqueue<Time: _Concurrency.Clock>(
    _ job: consuming ExecutorJob, at instant: Time.Instant, tolerance: Time.Duration?, clock: Time
  ) {
    let job = UnownedJob(job)
    sleepingJobs.withLock { $0.append(job) }
  }

  func takeJobs() -> [UnownedJob] { take(from: jobs) }

  func takeSleepingJobs() -> [UnownedJob] { take(from: sleepingJobs) }

  private func take(from queue: borrowing Mutex<[UnownedJob]>) -> [UnownedJob] {
    queue.withLock { jobs in
      defer { jobs = [] }
      return jobs
    }
  }
}
