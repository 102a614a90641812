internal import Base
internal import Synchronization

/// The threads of a reactor. One at a time takes a turn; between turns they run jobs (parts of tasks between two
/// suspensions), and they sleep when there is nothing to do. So the same thread can read, handle and answer a call
/// without waking another.
///
/// In a pool of one thread, tasks delay turns for as long as they compute. A larger pool always has one thread left for
/// turns.
final class ReactorCrew: Sendable {
  private let watch: SocketWatch
  private let turns: any ReactorTurns
  private let name: String
  private let clock = Clock.system
  private let rota = Mutex(ReactorRota<UnownedJob>())

  init(name: String, watch: SocketWatch, turns: any ReactorTurns) {
    self.name = name
    self.watch = watch
    self.turns = turns
  }

  /// Grows to this many threads.
  func grow(to count: Int) {
    let numbers = rota.withLock { $0.hire(upTo: count) }
    for number in numbers {
      NativeThread.start(name: number == 0 ? name : "\(name)-\(number)", stackBytes: 8 << 20) { self.work() }
    }
  }

  /// Requests a turn.
  ///
  /// - Parameter byEnding: whether the current task ends with this request. A task that is about to wait must not say
  ///   so: on an actor, the actor's other tasks run before the thread is free.
  func wantTurn(byEnding: Bool) {
    if let member, byEnding || !member.isInTask {
      member.wantsTurn = true
    } else if rota.withLock({ $0.wantTurn() }) {
      watch.ring()
    }
  }

  /// Queues a job; false when the reactor has stopped.
  func add(_ job: UnownedJob) -> Bool {
    let isSeen = member.map { !$0.isInTask } ?? false
    guard let rings = rota.withLock({ $0.add(job, isSeen: isSeen) }) else { return false }
    if rings { watch.ring() }
    return true
  }

  /// Queues a job that wakes a sleeping task at a time; false when the reactor has stopped.
  func addSleeper(_ job: UnownedJob, until time: MonotonicTime) -> Bool {
    change { $0.addSleeper(job, until: time) }
  }

  private var member: CrewMember? {
    guard let member = CrewMember.current, member.crew === self else { return nil }
    return member
  }

  /// Changes the schedule, and the timer if that follows: under one lock, because the last time that is set counts.
  private func change<Value>(_ body: (inout ReactorRota<UnownedJob>) -> Value) -> Value {
    rota.withLock { rota in
      let value = body(&rota)
      if let time = rota.takeChangedAlarm() { watch.setAlarm(time) }
      return value
    }
  }

  // MARK: - The threads' loop

  private func work() {
    let member = CrewMember.join(self)
    defer { withExtendedLifetime(member) {} }
    var done = ReactorRota<UnownedJob>.Done.nothing
    while true {
      let assignment = change { $0.next(after: done, wantsTurn: member.wantsTurn, at: { clock.monotonic }) }
      member.wantsTurn = false
      if assignment.rings { watch.ring() }
      switch assignment.duty {
      case .turn(let news): done = turns.turn(with: news).map { .turn($0) } ?? .lastTurn
      case .job(let job):
        member.isInTask = true
        unsafe job.runSynchronously(on: asUnownedTaskExecutor())
        member.isInTask = false
        done = .job
      case .wake(let job):
        unsafe job.runSynchronously(on: Self.nobody)
        done = .nothing
      case .look: done = .look(watch.look())
      case .sleep: done = .sleep(watch.sleep())
      case .leave: return dismiss()
      }
    }
  }

  /// A job that wakes a sleeping task belongs to no executor, and if it were run as ours it would move itself to
  /// Swift's own pool. "No executor" is two words of zero, and has no name in Swift.
  @unsafe private static var nobody: UnownedSerialExecutor {
    unsafe unsafeBitCast((0, 0) as (Int, Int), to: UnownedSerialExecutor.self)
  }

  /// A task must run to its end even when the reactor has stopped.
  private func dismiss() {
    let (jobs, sleepers) = rota.withLock { ($0.takeJobs(), $0.takeSleepers()) }
    for job in jobs { globalConcurrentExecutor.enqueue(job) }
    for (job, time) in sleepers { wakeElsewhere(job, after: time - clock.monotonic, by: ContinuousClock()) }
  }
}
