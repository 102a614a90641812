package import Base

/// Decides what each of a reactor's threads does next: a turn (what has arrived is read and handled, and the results
/// are sent), a job (a part of a task), sleep or rest. A thread that has finished something asks for its next step.
///
/// At most one thread takes the turn. All but one may run jobs, so that one is left for what arrives even if all jobs
/// compute; a single thread does both. The jobs that wait after a turn run before the next one, so that their answers
/// go out together, but only so many of them: if 64 calls were answered together, their callers would make the next 64
/// together, and one process would work while all others wait.
///
/// Waking a thread takes longer than most jobs. So the schedule expects jobs to be short: one thread runs them all, one
/// after the other, while at most one other sleeps where the sockets' events wake it, and the rest do nothing. A
/// watchdog is set meanwhile. If it fires before that thread has come to its next turn, or if jobs take longer than to
/// wake a thread on average, jobs are treated as long ones for a while: all threads sleep where events wake them, and
/// are woken for jobs that wait.
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
    /// Rest until another thread or the watchdog wakes it.
    case rest
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
    case rest(ReactorEvents)
  }

  /// A thread that is to be woken.
  package enum Wakeup: Equatable {
    case nobody
    /// One of those that sleep.
    case sleeping
    /// One of those that rest.
    case resting
  }

  package struct Assignment {
    package var step: Step
    /// Whom to wake as well.
    package var wakes = Wakeup.nobody
  }

  private var threads = 0
  private var jobs = WaitingLine<Job>()
  /// How many of the waiting jobs run before the next turn.
  private var jobsBeforeTurn = 0
  private var sleepingJobs = SleepingJobs<Job>()
  /// Jobs that wake tasks whose time has come.
  private var wakers = WaitingLine<Job>()
  /// How many threads run jobs.
  private var busy = 0
  private var asleep = 0
  private var resting = 0
  /// How many jobs were run since a thread last checked for events or slept.
  private var sincePoll = 0
  /// Whether a wake-up was sent that no sleeping thread has received yet.
  private var isWakeupPending = false
  /// The same for resting threads.
  private var isCallPending = false
  private var isTurnWanted = true
  private var isTurnTaken = false
  /// The keys of sockets with events for the next turn.
  private var events: [UInt64] = []
  private var nextTurn: MonotonicTime?
  /// The time that the timer was last set to.
  private var timer: MonotonicTime?
  /// When jobs that run since the last turn count as long.
  private var watchdog: MonotonicTime?
  /// The time that the watchdog was last set to.
  private var setWatchdog: MonotonicTime?
  /// How many jobs were run since the last turn.
  private var jobsSinceTurn: Int64 = 0
  /// How many nanoseconds a lone job took, until it is known whether another one follows without a pause.
  private var loneJob: Int64?
  /// How many nanoseconds a job takes on average, if others wait for it.
  private var jobLength: Int64 = 0
  /// Until when jobs count as long.
  private var jobsAreLongUntil: MonotonicTime?
  private var isOver = false

  package init() {}

  private var mostBusy: Int { max(1, threads - 1) }
  private var hasFreeJob: Bool { !jobs.isEmpty && busy < mostBusy }
  private var jobsAreLong: Bool { jobsAreLongUntil != nil }

  // MARK: - Input

  /// Grows to this many threads; returns the numbers of the new ones.
  package mutating func grow(to count: Int) -> Range<Int> {
    defer { threads = max(threads, count) }
    return threads..<max(threads, count)
  }

  /// Adds a job; nil when the reactor has stopped, otherwise whom to wake for it.
  ///
  /// - Parameter asksNext: whether the thread that adds it asks for its next step right after.
  package mutating func add(_ job: Job, asksNext: Bool) -> Wakeup? {
    guard !isOver else { return nil }
    jobs.append(job)
    return !asksNext && hasFreeJob ? requestWakeup() : .nobody
  }

  /// Adds a job that wakes a task at a time; false when the reactor has stopped.
  package mutating func addSleepingJob(_ job: Job, until time: MonotonicTime) -> Bool {
    guard !isOver else { return false }
    sleepingJobs.add(job, until: time)
    return true
  }

  /// Requests a turn; returns whom to wake for it.
  package mutating func wantTurn() -> Wakeup {
    isTurnWanted = true
    return isTurnTaken ? .nobody : requestWakeup(ofResting: true)
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

  /// The time to set the watchdog to, or to disarm it, if that changes.
  package mutating func takeChangedWatchdog() -> MonotonicTime?? {
    guard setWatchdog != watchdog else { return nil }
    // While no thread sleeps, one works and may soon set the watchdog again, so disarming it is not worth a system
    // call.
    if watchdog == nil, asleep == 0 { return nil }
    setWatchdog = watchdog
    return .some(watchdog)
  }

  /// Removes all jobs that are left when the reactor has stopped.
  package mutating func takeJobs() -> [Job] {
    wakers.pop(wakers.count) + jobs.pop(jobs.count)
  }

  package mutating func takeSleepingJobs() -> [(job: Job, time: MonotonicTime)] { sleepingJobs.removeAll() }

  // MARK: - Scheduling

  /// Chooses what a thread does next.
  ///
  /// - Parameter wantsTurn: whether what it did last left work for a turn.
  package mutating func next(after done: Done, wantsTurn: Bool, at now: () -> MonotonicTime) -> Assignment {
    note(done, at: now)
    defer { assert(isSound, "each thread does one thing at a time") }
    if wantsTurn { isTurnWanted = true }
    // Each woken thread wakes the next.
    if isOver { return Assignment(step: .exit, wakes: requestWakeup(ofResting: true)) }
    if let job = wakers.popFirst() { return Assignment(step: .wake(job)) }
    let isTurnFree = isTurnWanted && !isTurnTaken
    if asleep == 0, sincePoll >= Self.mostSincePoll, isTurnFree || hasFreeJob { return Assignment(step: .poll) }
    if isTurnFree, jobsBeforeTurn == 0 || !hasFreeJob {
      isTurnWanted = false
      isTurnTaken = true
      endJobs(at: now)
      defer { events = [] }
      return Assignment(step: .turn(events: events), wakes: hasFreeJob && jobsAreLong ? requestWakeup() : .nobody)
    }
    if hasFreeJob, let job = jobs.popFirst() {
      jobsBeforeTurn = max(0, jobsBeforeTurn - 1)
      busy += 1
      jobsSinceTurn += 1
      if let length = loneJob { noteLength(length, at: now) }
      return Assignment(step: .job(job), wakes: wakeup(besideJob: isTurnFree, at: now))
    }
    endJobs(at: now)
    loneJob = nil
    if asleep == 0 || jobsAreLong {
      asleep += 1
      return Assignment(step: .sleep)
    }
    resting += 1
    return Assignment(step: .rest)
  }

  /// Whom to wake when a thread begins a job, if something else is left to do. While jobs are short, that is left to
  /// the watchdog.
  private mutating func wakeup(besideJob isTurnFree: Bool, at now: () -> MonotonicTime) -> Wakeup {
    let isUnattended = asleep == 0 && !isTurnTaken
    guard isUnattended || isTurnFree || hasFreeJob, asleep + resting > 0 else { return .nobody }
    if let end = jobsAreLongUntil, end <= now() { jobsAreLongUntil = nil }
    if jobsAreLong { return requestWakeup() }
    watchdog = watchdog ?? now() + Self.shortJobs
    return .nobody
  }

  private mutating func note(_ done: Done, at now: () -> MonotonicTime) {
    switch done {
    case .nothing: break
    case .job:
      assert(busy > 0, "no thread runs a job")
      busy -= 1
      sincePoll += 1
    case .turn(let end):
      assert(isTurnTaken, "no thread has the turn")
      isTurnTaken = false
      nextTurn = end.next
      if !end.isQuiet { isTurnWanted = true }
      sincePoll += end.isQuiet ? Self.mostSincePoll / 2 : Self.mostSincePoll
      jobsBeforeTurn = min(jobs.count, Self.mostJobsBeforeTurn)
    case .lastTurn:
      assert(isTurnTaken, "no thread has the turn")
      isOver = true
    case .poll(let events): note(events, at: now)
    case .sleep(let events):
      assert(asleep > 0, "no thread sleeps")
      asleep -= 1
      note(events, at: now)
    case .rest(let events):
      assert(resting > 0, "no thread rests")
      resting -= 1
      if events.wasWoken { isCallPending = false }
      if events.watchdogFired { bark(at: now()) }
    }
  }

  /// Whether the threads that do something are no more than there are, and one is left for turns.
  private var isSound: Bool {
    busy <= mostBusy && busy + asleep + resting + (isTurnTaken ? 1 : 0) <= threads && jobsBeforeTurn >= 0
  }

  /// The watchdog has fired.
  private mutating func bark(at now: MonotonicTime) {
    setWatchdog = nil
    guard let time = watchdog, time <= now else { return }
    watchdog = nil
    noteLongJobs(at: now)
  }

  /// Called when the thread that ran jobs turns to something else: measures how long the jobs took.
  private mutating func endJobs(at now: () -> MonotonicTime) {
    if let watchdog, jobsSinceTurn > 0 {
      let taken = now().nanoseconds(since: watchdog) + Self.shortJobs.wholeNanoseconds
      if jobsSinceTurn > 1 { noteLength(taken / jobsSinceTurn, at: now) } else { loneJob = taken }
    }
    watchdog = nil
    jobsSinceTurn = 0
  }

  /// Adds a measurement to the average length of a job. One alone must not decide, since the thread may have lost its
  /// core meanwhile.
  private mutating func noteLength(_ nanoseconds: Int64, at now: () -> MonotonicTime) {
    loneJob = nil
    jobLength += (min(nanoseconds, 4 * Self.wakeupLength) - jobLength) / 8
    if jobLength > Self.wakeupLength { noteLongJobs(at: now()) }
  }

  private mutating func noteLongJobs(at now: MonotonicTime) {
    jobsAreLongUntil = now + Self.longJobs
    jobLength = Self.wakeupLength / 2
  }

  private mutating func note(_ events: ReactorEvents, at now: () -> MonotonicTime) {
    sincePoll = 0
    if events.wasWoken { isWakeupPending = false }
    if events.watchdogFired { bark(at: now()) }
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

  /// - Parameter ofResting: whether to wake those that rest also while jobs are short.
  private mutating func requestWakeup(ofResting: Bool = false) -> Wakeup {
    if asleep > 0 {
      guard !isWakeupPending else { return .nobody }
      isWakeupPending = true
      return .sleeping
    }
    guard resting > 0, jobsAreLong || ofResting, !isCallPending else { return .nobody }
    isCallPending = true
    return .resting
  }

  /// Low enough that no event waits long, and high enough that checking costs little.
  private static var mostSincePoll: Int { 64 }
  /// Enough that waking those who get the answers costs little compared to the jobs.
  private static var mostJobsBeforeTurn: Int { 24 }
  /// How long jobs may take together, between two turns, to count as short: several times what waking a thread takes.
  private static var shortJobs: Duration { .milliseconds(1) }
  /// About how many nanoseconds it takes to wake a thread.
  private static var wakeupLength: Int64 { 20_000 }
  /// How long jobs count as long, so that the watchdog has to find it out only now and then.
  private static var longJobs: Duration { .milliseconds(100) }
}
