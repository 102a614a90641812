package import Base

/// Decides what each of a reactor's threads does next. A thread that has finished something asks for its next step.
///
/// At most one thread takes the turn. All but one may run jobs, so that one is left for what arrives even if all jobs
/// compute; a single thread does both. Jobs that a turn made ready run before the next turn, so that their answers go
/// out together. But no thread begins a job while a turn is wanted, unless another thread is woken for that turn.
package struct TurnSchedule<Job> {
  package enum Step {
    /// Take a turn, also for the sockets with these keys.
    case turn(events: [UInt64])
    case job(Job)
    /// Wake a task whose sleep has ended.
    case wake(Job)
    /// Check for events, because no thread has slept for some time.
    case poll
    /// Sleep until there is an event.
    case sleep
    /// End, because the reactor has stopped.
    case exit
  }

  package enum Done {
    case nothing
    case job
    case turn(ReactorTurnEnd)
    /// The reactor has stopped.
    case lastTurn
    case poll(ReactorEvents)
    case sleep(ReactorEvents)
  }

  package struct Assignment {
    package var step: Step
    /// Whether a sleeping thread is to be woken as well.
    package var wakesAnother = false
  }

  private var threads = 0
  private var jobs = WaitingLine<Job>()
  /// How many of the jobs run before the next turn: those that the last one made ready.
  private var jobsBeforeTurn = 0
  private var sleepingJobs = SleepingJobs<Job>()
  /// Jobs that wake tasks whose time has come.
  private var wakers = WaitingLine<Job>()
  /// How many threads run jobs.
  private var busy = 0
  private var asleep = 0
  /// How many jobs were run since a thread last checked for events or slept.
  private var sincePoll = 0
  /// Whether a wake-up was sent that no thread has received yet.
  private var isWakeupPending = false
  private var isTurnWanted = true
  private var isTurnTaken = false
  /// The keys of sockets with events for the next turn.
  private var events: [UInt64] = []
  private var nextTurn: MonotonicTime?
  /// The time that the timer was last set to.
  private var timer: MonotonicTime?
  private var isOver = false

  package init() {}

  private var mostBusy: Int { max(1, threads - 1) }
  private var hasFreeJob: Bool { !jobs.isEmpty && busy < mostBusy }

  // MARK: - Input

  /// Grows to this many threads; returns the numbers of the new ones.
  package mutating func grow(to count: Int) -> Range<Int> {
    defer { threads = max(threads, count) }
    return threads..<max(threads, count)
  }

  /// Adds a job; nil when the reactor has stopped, otherwise whether a thread is to be woken for it.
  ///
  /// - Parameter asksNext: whether the thread that adds it asks for its next step right after.
  package mutating func add(_ job: Job, asksNext: Bool) -> Bool? {
    guard !isOver else { return nil }
    jobs.append(job)
    return !asksNext && hasFreeJob && requestWakeup()
  }

  /// Adds a job that wakes a task at a time; false when the reactor has stopped.
  package mutating func addSleepingJob(_ job: Job, until time: MonotonicTime) -> Bool {
    guard !isOver else { return false }
    sleepingJobs.add(job, until: time)
    return true
  }

  /// Requests a turn; returns whether a thread is to be woken for it.
  package mutating func wantTurn() -> Bool {
    isTurnWanted = true
    return !isTurnTaken && requestWakeup()
  }

  /// The time to set the timer to, if it changes. A timer that fires too early does no harm.
  package mutating func takeChangedTimer() -> MonotonicTime? {
    let wanted =
      switch (nextTurn, sleepingJobs.earliest) {
      case (let turn?, let sleeper?): min(turn, sleeper)
      case (let turn, let sleeper): turn ?? sleeper
      }
    guard let wanted, timer.map({ wanted < $0 }) ?? true else { return nil }
    timer = wanted
    return wanted
  }

  /// Removes all jobs that are left when the reactor has stopped.
  package mutating func takeJobs() -> [Job] {
    wakers.pop(wakers.count) + jobs.pop(jobs.count)
  }

  package mutating func takeSleepingJobs() -> [(job: Job, time: MonotonicTime)] { sleepingJobs.removeAll() }

  // MARK: - Scheduling

  /// What a thread does next.
  ///
  /// - Parameter wantsTurn: whether what it did last left work for a turn.
  package mutating func next(after done: Done, wantsTurn: Bool, at now: () -> MonotonicTime) -> Assignment {
    note(done, at: now)
    if wantsTurn { isTurnWanted = true }
    // Each woken thread wakes the next.
    if isOver { return Assignment(step: .exit, wakesAnother: requestWakeup()) }
    if let job = wakers.popFirst() { return Assignment(step: .wake(job)) }
    let isTurnFree = isTurnWanted && !isTurnTaken
    if asleep == 0, sincePoll >= Self.mostSincePoll, isTurnFree || hasFreeJob { return Assignment(step: .poll) }
    if isTurnFree, jobsBeforeTurn == 0 || !hasFreeJob {
      isTurnWanted = false
      isTurnTaken = true
      defer { events = [] }
      return Assignment(step: .turn(events: events), wakesAnother: hasFreeJob && requestWakeup())
    }
    if hasFreeJob, let job = jobs.popFirst() {
      jobsBeforeTurn = max(0, jobsBeforeTurn - 1)
      busy += 1
      return Assignment(step: .job(job), wakesAnother: (hasFreeJob || isTurnFree) && requestWakeup())
    }
    asleep += 1
    return Assignment(step: .sleep)
  }

  private mutating func note(_ done: Done, at now: () -> MonotonicTime) {
    switch done {
    case .nothing: break
    case .job:
      busy -= 1
      sincePoll += 1
    case .turn(let end):
      isTurnTaken = false
      nextTurn = end.next
      if !end.isQuiet { isTurnWanted = true }
      sincePoll += end.isQuiet ? Self.mostSincePoll / 2 : Self.mostSincePoll
      jobsBeforeTurn = jobs.count
    case .lastTurn: isOver = true
    case .poll(let events): note(events, at: now)
    case .sleep(let events):
      asleep -= 1
      note(events, at: now)
    }
  }

  private mutating func note(_ events: ReactorEvents, at now: () -> MonotonicTime) {
    sincePoll = 0
    if events.wasWoken { isWakeupPending = false }
    if !events.keys.isEmpty {
      self.events += events.keys
      isTurnWanted = true
    }
    guard events.timerFired else { return }
    timer = nil
    let now = now()
    while let job = sleepingJobs.wake(at: now) { wakers.append(job) }
    if let time = nextTurn, time <= now {
      nextTurn = nil
      isTurnWanted = true
    }
  }

  private mutating func requestWakeup() -> Bool {
    guard asleep > 0, !isWakeupPending else { return false }
    isWakeupPending = true
    return true
  }

  /// Low enough that no event waits long, and high enough that checking costs little.
  private static var mostSincePoll: Int { 64 }
}
