internal import Base
// For `SchedulingExecutor`. Without it, tasks sleep in Swift's own pool, and each sleep wakes two more threads.
@_spi(ExperimentalScheduling) internal import _Concurrency

/// Tasks on a reactor's own threads: what they submit to the reactor goes out with its next turn, without waking
/// another thread.
extension ReactorThreadPool: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    if !add(job) { globalConcurrentExecutor.enqueue(job) }
  }
}

extension ReactorThreadPool: SchedulingExecutor {
  func enqueue<Time: _Concurrency.Clock>(
    _ job: consuming ExecutorJob, after delay: Time.Duration, tolerance: Time.Duration?, clock: Time
  ) {
    let job = UnownedJob(job)
    // Other clocks may have durations of their own type. An endless sleep becomes one of 68 years, which nanoseconds
    // can count.
    if let delay = delay as? Duration,
      addSleepingJob(job, until: Base.Clock.system.monotonic + min(delay, .seconds(1 << 31)))
    {
      return
    }
    wakeElsewhere(job, after: delay, by: clock)
  }

  func enqueue<Time: _Concurrency.Clock>(
    _ job: consuming ExecutorJob, at instant: Time.Instant, tolerance: Time.Duration?, clock: Time
  ) {
    enqueue(job, after: clock.now.duration(to: instant), tolerance: tolerance, clock: clock)
  }
}

extension ReactorThreadPool {
  /// Wakes a sleeping task in Swift's own pool.
  func wakeElsewhere<Time: _Concurrency.Clock>(_ job: UnownedJob, after delay: Time.Duration, by clock: Time) {
    Task.detached {
      try? await clock.sleep(for: delay)
      globalConcurrentExecutor.enqueue(job)
    }
  }
}
