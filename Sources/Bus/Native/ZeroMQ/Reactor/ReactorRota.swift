package import Base

/// Who of a reactor's threads does what next. Whoever has done something asks for the next.
///
/// At most one takes the turn. Parts of tasks are run by all but one, who sees to what arrives although all tasks compute; only
/// where there is a single thread does it do both. What a turn leads to comes before the next turn, so that answers go out
/// together; but nobody goes to a part of a task while a turn is wanted without somebody else being called for that.
package struct ReactorRota<Job> {
  package enum Duty {
    /// Works through what there is, also for sockets with these keys.
    case turn(news: [UInt64])
    case job(Job)
    /// Wakes a task that slept until now.
    case wake(Job)
    /// Sees what news there is, because all have been awake for some time.
    case look
    /// Sleeps until there is news.
    case sleep
    /// The reactor is no more.
    case leave
  }

  package enum Done {
    case nothing
    case job
    case turn(ReactorTurnEnd)
    /// The reactor is no more.
    case lastTurn
    case look(ReactorNews)
    case sleep(ReactorNews)
  }

  package struct Assignment {
    package var duty: Duty
    /// Somebody who sleeps is to be woken as well.
    package var rings = false
  }

  private var threads = 0
  private var jobs = WaitingLine<Job>()
  /// How many of the jobs come before the next turn: those that the last one led to.
  private var jobsBeforeTurn = 0
  private var sleepers = Sleepers<Job>()
  /// What is to wake tasks whose time has come.
  private var wakers = WaitingLine<Job>()
  /// How many threads run jobs.
  private var busy = 0
  private var asleep = 0
  /// What was done since somebody last looked or slept, in parts of tasks.
  private var unseen = 0
  /// A ring that nobody has heard yet.
  private var isRung = false
  private var isTurnWanted = true
  private var isTurnTaken = false
  /// The keys of sockets for the next turn.
  private var news: [UInt64] = []
  private var nextTurn: MonotonicTime?
  /// When the alarm rings as it was last set.
  private var alarm: MonotonicTime?
  private var isOver = false

  package init() {}

  private var mostBusy: Int { max(1, threads - 1) }
  private var hasFreeJob: Bool { !jobs.isEmpty && busy < mostBusy }

  // MARK: - What comes in

  /// Counts on so many threads, if there were fewer; the answer is the numbers of the new ones.
  package mutating func hire(upTo count: Int) -> Range<Int> {
    defer { threads = max(threads, count) }
    return threads..<max(threads, count)
  }

  /// Adds a part of a task; nil when the reactor is no more, and otherwise whether somebody is to be woken for it.
  ///
  /// - Parameter isSeen: whoever adds it asks for a duty next.
  package mutating func add(_ job: Job, isSeen: Bool) -> Bool? {
    guard !isOver else { return nil }
    jobs.append(job)
    return !isSeen && hasFreeJob && ring()
  }

  /// Adds what wakes a task at a time; false when the reactor is no more.
  package mutating func addSleeper(_ job: Job, until time: MonotonicTime) -> Bool {
    guard !isOver else { return false }
    sleepers.add(job, until: time)
    return true
  }

  /// There is something for a turn; the answer is whether somebody is to be woken for it.
  package mutating func wantTurn() -> Bool {
    isTurnWanted = true
    return !isTurnTaken && ring()
  }

  /// The time for which the alarm is to be set, if that changes it. One that rings too early does no harm.
  package mutating func takeChangedAlarm() -> MonotonicTime? {
    let wanted =
      switch (nextTurn, sleepers.earliest) {
      case (let turn?, let sleeper?): min(turn, sleeper)
      case (let turn, let sleeper): turn ?? sleeper
      }
    guard let wanted, alarm.map({ wanted < $0 }) ?? true else { return nil }
    alarm = wanted
    return wanted
  }

  /// All that a reactor that is no more cannot run.
  package mutating func takeJobs() -> [Job] {
    wakers.pop(wakers.count) + jobs.pop(jobs.count)
  }

  package mutating func takeSleepers() -> [(job: Job, time: MonotonicTime)] { sleepers.removeAll() }

  // MARK: - What is to be done

  /// What a thread does next.
  ///
  /// - Parameter wantsTurn: what it has done left something for a turn.
  package mutating func next(after done: Done, wantsTurn: Bool, at now: () -> MonotonicTime) -> Assignment {
    note(done, at: now)
    if wantsTurn { isTurnWanted = true }
    // The one that is woken calls the next.
    if isOver { return Assignment(duty: .leave, rings: ring()) }
    if let job = wakers.popFirst() { return Assignment(duty: .wake(job)) }
    let isTurnFree = isTurnWanted && !isTurnTaken
    if asleep == 0, unseen >= Self.mostUnseen, isTurnFree || hasFreeJob { return Assignment(duty: .look) }
    if isTurnFree, jobsBeforeTurn == 0 || !hasFreeJob {
      isTurnWanted = false
      isTurnTaken = true
      defer { news = [] }
      return Assignment(duty: .turn(news: news), rings: hasFreeJob && ring())
    }
    if hasFreeJob, let job = jobs.popFirst() {
      jobsBeforeTurn = max(0, jobsBeforeTurn - 1)
      busy += 1
      return Assignment(duty: .job(job), rings: (hasFreeJob || isTurnFree) && ring())
    }
    asleep += 1
    return Assignment(duty: .sleep)
  }

  private mutating func note(_ done: Done, at now: () -> MonotonicTime) {
    switch done {
    case .nothing: break
    case .job:
      busy -= 1
      unseen += 1
    case .turn(let end):
      isTurnTaken = false
      nextTurn = end.next
      if !end.isQuiet { isTurnWanted = true }
      unseen += end.isQuiet ? Self.mostUnseen / 2 : Self.mostUnseen
      jobsBeforeTurn = jobs.count
    case .lastTurn: isOver = true
    case .look(let news): note(news, at: now)
    case .sleep(let news):
      asleep -= 1
      note(news, at: now)
    }
  }

  private mutating func note(_ news: ReactorNews, at now: () -> MonotonicTime) {
    unseen = 0
    if news.rang { isRung = false }
    if !news.keys.isEmpty {
      self.news += news.keys
      isTurnWanted = true
    }
    guard news.timeCame else { return }
    alarm = nil
    let now = now()
    while let job = sleepers.wake(at: now) { wakers.append(job) }
    if let time = nextTurn, time <= now {
      nextTurn = nil
      isTurnWanted = true
    }
  }

  private mutating func ring() -> Bool {
    guard asleep > 0, !isRung else { return false }
    isRung = true
    return true
  }

  /// So few that nothing waits long for being seen, and so many that looking costs little.
  private static var mostUnseen: Int { 64 }
}
