internal import Base
internal import Synchronization

/// The threads of a reactor. One at a time takes a turn; between turns they run jobs (parts of tasks between two
/// suspensions), and they sleep when there is nothing to do. So the same thread can read, handle and answer a call
/// without waking another.
///
/// In a pool of one thread, tasks delay turns for as long as they compute. A larger pool always has one thread left for
/// turns.
final class ReactorThreadPool: Sendable {
  private let watch: SocketWatch
  private let turns: ReactorTurns
  private let name: String
  private let clock = Clock.system
  private let schedule = Mutex(TurnSchedule<UnownedJob>())

  init(name: String, watch: SocketWatch, turns: @escaping ReactorTurns) {
    self.name = name
    self.watch = watch
    self.turns = turns
  }

  /// Grows to this many threads.
  func grow(to count: Int) {
    let numbers = schedule.withLock { $0.grow(to: count) }
    for number in numbers {
      NativeThread.start(name: number == 0 ? name : "\(name)-\(number)", stackBytes: 8 << 20) { self.work() }
    }
  }

  /// Requests a turn.
  ///
  /// - Parameter byEnding: whether the current task ends with this request, or waits for its next call on no actor. A
  ///   task that is about to wait on an actor must not say so: the actor's other tasks run before the thread is free.
  func wantTurn(byEnding: Bool) {
    if let thread, byEnding || !thread.isInTask {
      thread.wantsTurn = true
    } else {
      wake(schedule.withLock { $0.wantTurn() })
    }
  }

  /// Called by a task that has requested a turn `byEnding` and goes on nevertheless. The request waits for the next
  /// step of the thread that the task ran on. If this is still that thread, and it has not come to that step, the turn
  /// is requested here.
  static func requestPromisedTurn() {
    guard let thread = PoolThread.current, thread.isInTask, thread.wantsTurn else { return }
    thread.wantsTurn = false
    let pool = thread.pool
    pool.wake(pool.schedule.withLock { $0.wantTurn() })
  }

  /// Queues a job; false when the reactor has stopped.
  func add(_ job: UnownedJob) -> Bool {
    let asksNext = thread.map { !$0.isInTask } ?? false
    guard let wakeup = schedule.withLock({ $0.add(job, asksNext: asksNext) }) else { return false }
    wake(wakeup)
    return true
  }

  private func wake(_ thread: TurnSchedule<UnownedJob>.Wakeup) {
    switch thread {
    case .nobody: break
    case .sleeping: watch.wake()
    case .resting: watch.callReserve()
    }
  }

  /// Queues a job that wakes a sleeping task at a time; false when the reactor has stopped.
  func addSleepingJob(_ job: UnownedJob, until time: MonotonicTime) -> Bool {
    change { $0.addSleepingJob(job, until: time) }
  }

  private var thread: PoolThread? {
    guard let thread = PoolThread.current, thread.pool === self else { return nil }
    return thread
  }

  /// Changes the schedule, and the timers if that follows: under one lock, because the last time that is set counts.
  private func change<Value>(_ body: (inout TurnSchedule<UnownedJob>) -> Value) -> Value {
    schedule.withLock { schedule in
      let value = body(&schedule)
      if let time = schedule.takeChangedTimer() { watch.setTimer(time) }
      if let time = schedule.takeChangedWatchdog() { watch.setWatchdog(time) }
      return value
    }
  }

  // MARK: - The threads' loop

  private func work() {
    let thread = PoolThread.join(self)
    defer { withExtendedLifetime(thread) {} }
    var done = TurnSchedule<UnownedJob>.Done.nothing
    while true {
      let assignment = change { $0.next(after: done, wantsTurn: thread.wantsTurn, at: { clock.monotonic }) }
      thread.wantsTurn = false
      wake(assignment.wakes)
      switch assignment.step {
      case .turn(let events): done = turns(events).map { .turn($0) } ?? .lastTurn
      case .job(let job):
        thread.isInTask = true
        unsafe job.runSynchronously(on: asUnownedTaskExecutor())
        thread.isInTask = false
        done = .job
      case .wake(let job):
        unsafe job.runSynchronously(on: .nobody)
        done = .nothing
      case .poll: done = .poll(watch.poll())
      case .sleep: done = .sleep(watch.sleep())
      case .rest: done = .rest(watch.rest())
      case .exit: return dismiss()
      }
    }
  }

  /// Passes all jobs that are left to Swift's own pool: a task must run to its end even when the reactor has stopped.
  private func dismiss() {
    let (jobs, sleepingJobs) = schedule.withLock { ($0.takeJobs(), $0.takeSleepingJobs()) }
    for job in jobs { globalConcurrentExecutor.enqueue(job) }
    for (job, time) in sleepingJobs { wakeElsewhere(job, after: time - clock.monotonic, by: ContinuousClock()) }
  }
}
