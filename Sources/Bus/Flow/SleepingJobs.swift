internal import Base

/// Jobs that are to run at a certain time.
struct SleepingJobs<Job> {
  private var times = DueTimes()
  private var jobs: [UInt64: Job] = [:]
  private var count: UInt64 = 0

  /// When the first one is due.
  var earliest: MonotonicTime? { times.earliest }

  mutating func add(_ job: Job, until time: MonotonicTime) {
    count += 1
    jobs[count] = job
    times.add(count, at: time)
  }

  /// Removes and returns one whose time has come.
  mutating func wake(at now: MonotonicTime) -> Job? { removeFirst(at: now)?.job }

  mutating func removeAll() -> [(job: Job, time: MonotonicTime)] {
    var all: [(job: Job, time: MonotonicTime)] = []
    while let first = removeFirst(at: MonotonicTime.never) { all.append(first) }
    return all
  }

  private mutating func removeFirst(at now: MonotonicTime) -> (job: Job, time: MonotonicTime)? {
    times.popDue(at: now).flatMap { entry in jobs.removeValue(forKey: entry.key).map { ($0, entry.time) } }
  }
}
