internal import Base
internal import Synchronization

/// The threads of a reactor. One at a time takes its turn; between turns they run parts of tasks, and sleep when there is nothing
/// to do. So a call is read, answered and sent by the same thread where one is enough, and none has to wake another for it.
///
/// The tasks of a crew of one keep it from its turns for as long as they compute. A larger crew always has one thread left for
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

  /// Has so many threads from now on, if there were fewer.
  func grow(to count: Int) {
    let numbers = rota.withLock { $0.hire(upTo: count) }
    for number in numbers {
      NativeThread.start(name: number == 0 ? name : "\(name)-\(number)", stackBytes: 8 << 20) { self.work() }
    }
  }

  /// There is something for a turn.
  ///
  /// - Parameter byEnding: the task that says so ends with it. One that is about to wait would not do: where it runs on an actor, the
  ///   actor's other tasks follow before the thread is free.
  func wantTurn(byEnding: Bool) {
    if let member, byEnding || !member.isInTask {
      member.wantsTurn = true
    } else if rota.withLock({ $0.wantTurn() }) {
      watch.ring()
    }
  }

  /// Has a part of a task run; false when the reactor is no more.
  func add(_ job: UnownedJob) -> Bool {
    let isSeen = member.map { !$0.isInTask } ?? false
    guard let rings = rota.withLock({ $0.add(job, isSeen: isSeen) }) else { return false }
    if rings { watch.ring() }
    return true
  }

  /// Has what wakes a task run when the time comes; false when the reactor is no more.
  func addSleeper(_ job: UnownedJob, until time: MonotonicTime) -> Bool {
    change { $0.addSleeper(job, until: time) }
  }

  private var member: CrewMember? {
    guard let member = CrewMember.current, member.crew === self else { return nil }
    return member
  }

  /// Changes the rota, and the alarm where that follows: under one lock, because the time that is set last counts.
  private func change<Value>(_ body: (inout ReactorRota<UnownedJob>) -> Value) -> Value {
    rota.withLock { rota in
      let value = body(&rota)
      if let time = rota.takeChangedAlarm() { watch.setAlarm(time) }
      return value
    }
  }

  // MARK: - What a thread does

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

  /// What wakes a task that sleeps belongs to no executor, and would have itself moved to Swift's own pool if it were run as ours.
  /// Such an executor is two words of zero, and has no name in Swift.
  @unsafe private static var nobody: UnownedSerialExecutor {
    unsafe unsafeBitCast((0, 0) as (Int, Int), to: UnownedSerialExecutor.self)
  }

  /// A task must come to its end even when the reactor is gone.
  private func dismiss() {
    let (jobs, sleepers) = rota.withLock { ($0.takeJobs(), $0.takeSleepers()) }
    for job in jobs { globalConcurrentExecutor.enqueue(job) }
    for (job, time) in sleepers { wakeElsewhere(job, after: time - clock.monotonic, by: ContinuousClock()) }
  }
}
