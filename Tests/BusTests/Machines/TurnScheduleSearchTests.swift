import Base
import Bus
import RPC
import Testing

/// Searches for an order of events after which all threads sleep although there is work.
@Suite struct TurnScheduleSearchTests {
  @Test("all work is done in any order of events", arguments: 1...5, [false, true])
  func search(threads: Int, ends: Bool) {
    for seed in 0..<500 {
      var model = ScheduleModel(threads: threads, ends: ends, seed: UInt64(seed))
      let fault = model.run()
      #expect(fault == nil, "seed \(seed)")
      if fault != nil { return }
    }
  }
}

/// A schedule with threads, wake-ups, a timer and a socket that behave like the system's, in an order that a seed
/// determines.
private struct ScheduleModel {
  private enum Thread {
    case asks(TurnSchedule<Int>.Done, wantsTurn: Bool)
    case hasTurn
    case runs(Job)
    case wakes
    case polls
    case sleeps
    case rests
    case ended
  }

  private enum Job: CaseIterable {
    case returns, submits, startsAnother, computesForEver
  }

  private var schedule = TurnSchedule<Int>()
  private var random: SeededGenerator
  private var threads: [Thread]
  private var now: Int64 = 0
  private var timer: Int64?
  private var watchdog: Int64?
  /// Wake-ups that are about to be written, after the schedule decided on them.
  private var pendingWakeups = 0
  private var wakeupIsSet = false
  /// The same for threads that rest.
  private var pendingCalls = 0
  private var callIsSet = false
  private var socketIsReady = false
  private var submitted = 0
  private var arrived = 0
  private var jobs = 0
  /// Events from outside that are still to come: submit, send, sleep and, at the end, close.
  private var eventsLeft = 60
  private let ends: Bool
  private var isClosed = false
  private var computing = 0

  init(threads count: Int, ends: Bool, seed: UInt64) {
    random = SeededGenerator(seed: seed)
    threads = [Thread](repeating: .asks(.nothing, wantsTurn: false), count: count)
    self.ends = ends
    _ = schedule.grow(to: count)
  }

  /// The work that is left when nothing happens any more; nil when all is done.
  mutating func run() -> String? {
    for _ in 0..<5000 {
      let moving = threads.indices.filter { canMove(threads[$0]) }
      var choices = moving.map { Optional($0) }
      if eventsLeft > 0 { choices.append(nil) }
      if pendingWakeups > 0, chance(of: choices.isEmpty ? 1 : 3) {
        pendingWakeups -= 1
        wakeupIsSet = true
      } else if pendingCalls > 0, chance(of: choices.isEmpty ? 1 : 3) {
        pendingCalls -= 1
        callIsSet = true
      } else if let choice = choices.randomElement(using: &random) {
        if let choice { move(choice) } else { applyEvent() }
      } else if let time = nextTimer {
        now = max(now, time)
      } else if pendingWakeups == 0, pendingCalls == 0 {
        return remainingWork()
      }
      // Jobs are short for the watchdog, or long, or long ago.
      if chance(of: 20) { now += [1, 1, 2_000_000, 200_000_000].randomElement(using: &random) ?? 1 }
    }
    return "it never ends"
  }

  private mutating func chance(of count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }

  /// When a timer wakes a thread if nothing else happens.
  private var nextTimer: Int64? {
    let sleeps = threads.contains { if case .sleeps = $0 { true } else { false } }
    let rests = threads.contains { if case .rests = $0 { true } else { false } }
    let times = [sleeps ? timer : nil, sleeps || rests ? watchdog : nil]
    return times.compactMap(\.self).min()
  }

  private var watchdogFires: Bool { watchdog.map { $0 <= now } ?? false }
  private var hasEvents: Bool { wakeupIsSet || socketIsReady || watchdogFires || timer.map { $0 <= now } ?? false }

  private func canMove(_ thread: Thread) -> Bool {
    switch thread {
    case .sleeps: hasEvents
    case .rests: callIsSet || watchdogFires
    case .ended, .runs(.computesForEver): false
    default: true
    }
  }

  /// Reports each event once, as the system does.
  private mutating func takeEvents() -> ReactorEvents {
    defer {
      wakeupIsSet = false
      socketIsReady = false
      if let time = timer, time <= now { timer = nil }
      if watchdogFires { watchdog = nil }
    }
    return ReactorEvents(
      keys: socketIsReady ? [1] : [], wasWoken: wakeupIsSet, timerFired: timer.map { $0 <= now } ?? false,
      watchdogFired: watchdogFires)
  }

  /// The same for a thread that rests.
  private mutating func takeCall() -> ReactorEvents {
    defer {
      callIsSet = false
      if watchdogFires { watchdog = nil }
    }
    return ReactorEvents(wasWoken: callIsSet, watchdogFired: watchdogFires)
  }

  private mutating func setTimers() {
    if let time = schedule.takeChangedTimer() { timer = time.nanoseconds }
    if let time = schedule.takeChangedWatchdog() { watchdog = time?.nanoseconds }
  }

  private mutating func wake(_ thread: TurnSchedule<Int>.Wakeup) {
    switch thread {
    case .nobody: break
    case .sleeping: pendingWakeups += 1
    case .resting: pendingCalls += 1
    }
  }

  /// One event from outside.
  private mutating func applyEvent() {
    eventsLeft -= 1
    if eventsLeft == 40 {
      let numbers = schedule.grow(to: threads.count + 1)
      threads += numbers.map { _ in .asks(.nothing, wantsTurn: false) }
    }
    if ends, eventsLeft == 0 {
      isClosed = true
      return wantTurn()
    }
    switch Int.random(in: 0..<4, using: &random) {
    case 0: addJob(asksNext: false)
    case 1:
      arrived += 1
      socketIsReady = true
    case 2:
      _ = schedule.addSleepingJob(0, until: MonotonicTime(nanoseconds: now + Int64.random(in: 0..<5, using: &random)))
      setTimers()
    default:
      submitted += 1
      wantTurn()
    }
  }

  private mutating func wantTurn() {
    wake(schedule.wantTurn())
  }

  private mutating func addJob(asksNext: Bool) {
    guard jobs < 300 else { return }
    jobs += 1
    wake(schedule.add(jobs, asksNext: asksNext) ?? .nobody)
  }

  private mutating func move(_ place: Int) {
    switch threads[place] {
    case .asks(let done, let wantsTurn): threads[place] = next(after: done, wantsTurn: wantsTurn)
    case .hasTurn: threads[place] = .asks(turn(), wantsTurn: false)
    case .runs(let job):
      if job == .startsAnother { addJob(asksNext: false) }
      if job == .submits { submitted += 1 }
      threads[place] = .asks(.job, wantsTurn: job == .submits)
    case .wakes:
      addJob(asksNext: true)
      threads[place] = .asks(.nothing, wantsTurn: false)
    case .polls: threads[place] = .asks(.poll(takeEvents()), wantsTurn: false)
    case .sleeps: threads[place] = .asks(.sleep(takeEvents()), wantsTurn: false)
    case .rests: threads[place] = .asks(.rest(takeCall()), wantsTurn: false)
    case .ended: break
    }
  }

  private mutating func next(after done: TurnSchedule<Int>.Done, wantsTurn: Bool) -> Thread {
    let assignment = schedule.next(after: done, wantsTurn: wantsTurn) { [now] in MonotonicTime(nanoseconds: now) }
    setTimers()
    wake(assignment.wakes)
    switch assignment.step {
    case .turn: return .hasTurn
    case .wake: return .wakes
    case .poll: return .polls
    case .sleep: return .sleeps
    case .rest: return .rests
    case .exit: return .ended
    case .job:
      let kind = Job.allCases.randomElement(using: &random) ?? .returns
      // All but one thread may compute for ever.
      guard kind == .computesForEver else { return .runs(kind) }
      guard computing < threads.count - 1, chance(of: 4) else { return .runs(.returns) }
      computing += 1
      return .runs(kind)
    }
  }

  private mutating func turn() -> TurnSchedule<Int>.Done {
    if isClosed, submitted == 0 { return .lastTurn }
    submitted = 0
    arrived = 0
    for _ in 0..<Int.random(in: 0..<3, using: &random) { addJob(asksNext: true) }
    let next = eventsLeft > 0 && chance(of: 10) ? MonotonicTime(nanoseconds: now + 3) : nil
    return .turn(ReactorTurnEnd(next: next, isQuiet: !isClosed && !chance(of: 4)))
  }

  private mutating func remainingWork() -> String? {
    if ends {
      let stays = threads.filter { if case .ended = $0 { false } else if case .runs = $0 { false } else { true } }
      return stays.isEmpty ? nil : "threads stay: \(threads)"
    }
    if submitted > 0 || arrived > 0 { return "submitted \(submitted), arrived \(arrived): \(threads)" }
    if !schedule.takeSleepingJobs().isEmpty { return "sleeping tasks are not woken: \(threads)" }
    // No further thread may compute.
    if computing > 0, computing >= threads.count - 1 { return nil }
    return schedule.takeJobs().isEmpty ? nil : "jobs are left: \(threads)"
  }
}
