internal import Base
// For `SchedulingExecutor`, without which tasks sleep in Swift's own pool: two more threads are woken for each time that one does.
@_spi(ExperimentalScheduling) internal import _Concurrency

/// Tasks on a reactor's own threads: what they ask of the reactor goes out with its next turn, and no other thread has to be woken
/// for it.
extension ReactorCrew: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    if !add(job) { globalConcurrentExecutor.enqueue(job) }
  }
}

extension ReactorCrew: SchedulingExecutor {
  func enqueue<Time: _Concurrency.Clock>(
    _ job: consuming ExecutorJob, after delay: Time.Duration, tolerance: Time.Duration?, clock: Time
  ) {
    let job = UnownedJob(job)
    // A clock may have a time of its own. Who sleeps for ever sleeps for sixty years, which nanoseconds can be counted for.
    if let delay = delay as? Duration,
      addSleeper(job, until: Base.Clock.system.monotonic + min(delay, .seconds(1 << 31)))
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

extension ReactorCrew {
  /// Wakes a task that slept, in Swift's own pool.
  func wakeElsewhere<Time: _Concurrency.Clock>(_ job: UnownedJob, after delay: Time.Duration, by clock: Time) {
    Task.detached {
      try? await clock.sleep(for: delay)
      globalConcurrentExecutor.enqueue(job)
    }
  }
}
