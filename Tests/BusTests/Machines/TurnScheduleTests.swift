import Base
import Bus
import RPC
import Testing

/// What each thread does next, with threads that only record it.
@Suite struct TurnScheduleTests {
  private var schedule = TurnSchedule<Int>()
  private var time = MonotonicTime(nanoseconds: 0)

  @Test("one thread takes the turn, then the jobs that the turn made ready, and then the next turn")
  mutating func alone() {
    grow(1)
    #expect(next() == "turn")
    add(1, 2)
    #expect(next(.turn(.quiet)) == "job 1")
    #expect(next(.job, wantsTurn: true) == "job 2", "so that both answers go out together")
    add(3)
    #expect(next(.job, wantsTurn: true) == "turn", "what came later waits for the next turn")
    #expect(next(.turn(.quiet)) == "poll", "there were two turns without a poll")
    #expect(next(.poll(ReactorEvents())) == "job 3")
    #expect(next(.job) == "sleep")
  }

  @Test("what many jobs have answered goes out while others of them still wait") mutating func manyJobs() {
    grow(1)
    #expect(next() == "turn")
    for job in 1...60 { #expect(schedule.add(job, asksNext: true) == .nobody) }
    var ran = [0]
    var step = next(.turn(.quiet))
    for _ in 0..<200 where step != "sleep" {
      switch step {
      case "turn":
        ran.append(0)
        step = next(.turn(.quiet))
      case "poll": step = next(.poll(ReactorEvents()))
      default:
        ran[ran.count - 1] += 1
        step = next(.job, wantsTurn: true)
      }
    }
    #expect(ran == [24, 24, 12, 0], "jobs between two turns, and a turn for the last ones' answers")
  }

  @Test("a link that is not at rest is looked at again") mutating func restless() {
    grow(1)
    #expect(next() == "turn")
    #expect(next(.turn(ReactorTurnEnd(isQuiet: false))) == "poll", "others may have events as well")
    #expect(next(.poll(ReactorEvents(keys: [7]))) == "turn 7")
    #expect(next(.turn(.quiet)) == "sleep")
  }

  @Test("a link that is never at rest still gets its turns", arguments: [1, 3]) mutating func busy(_ threads: Int) {
    grow(threads)
    add(1, 2)
    var polls = 0
    var turns = 0
    var done: [TurnSchedule<Int>.Done] = .init(repeating: .nothing, count: threads)
    for step in 0..<10_000 {
      let thread = step % threads
      switch next(done[thread]).prefix(3) {
      case "job":
        done[thread] = .job
        add(1)
      case "pol":
        polls += 1
        done[thread] = .poll(ReactorEvents(keys: [3]))
      case "tur":
        turns += 1
        done[thread] = .turn(.quiet)
        // A job is submitted while the turn is taken.
        #expect(schedule.wantTurn() == .nobody)
      case let other: Issue.record("unexpected step \(other)")
      }
    }
    #expect(polls > 50)
    #expect(turns > 100)
  }

  @Test("while jobs are short, one thread does everything, one sleeps at most, and nobody is woken")
  mutating func shortJobs() {
    grow(3)
    #expect(next() == "turn")
    #expect(next() == "sleep")
    #expect(next() == "rest")
    add(1, 2)
    #expect(next(.turn(.quiet)) == "job 1")
    #expect(next(.job, wantsTurn: true) == "job 2")
    #expect(next(.job, wantsTurn: true) == "turn")
    #expect(next(.turn(.quiet)) == "rest", "another sleeps already")
    #expect(next(.sleep(ReactorEvents(keys: [4]))) == "turn 4")
    add(3)
    #expect(next(.turn(.quiet)) == "job 3", "nobody sleeps where events come")
    #expect(next(.job, wantsTurn: true) == "turn")
    #expect(next(.turn(.quiet)) == "sleep")
  }

  @Test("the watchdog is set while nobody sees to events or other jobs, and disarmed when somebody does")
  mutating func watchdog() {
    grow(2)
    #expect(next() == "turn")
    #expect(next() == "sleep")
    add(1)
    #expect(next(.turn(.quiet)) == "job 1")
    #expect(schedule.takeChangedWatchdog() == .none, "the other thread sleeps where events come")
    #expect(next(.job) == "rest")
    #expect(next(.sleep(ReactorEvents(keys: [2]))) == "turn 2")
    add(2, 3)
    #expect(next(.turn(.quiet)) == "job 2")
    let wanted = time + .milliseconds(1)
    #expect(schedule.takeChangedWatchdog() == .some(wanted))
    #expect(schedule.takeChangedWatchdog() == .none)
    #expect(next(.job) == "job 3")
    #expect(schedule.takeChangedWatchdog() == .none)
    #expect(next(.job) == "sleep")
    #expect(schedule.takeChangedWatchdog() == .some(nil))
  }

  @Test("a job that is long wakes nobody at once, and everybody is woken for jobs for a while after the watchdog")
  mutating func longJobs() {
    grow(3)
    #expect(next() == "turn")
    #expect(next() == "sleep")
    #expect(next() == "rest")
    add(1, 2, 3)
    #expect(next(.turn(.quiet)) == "job 1")
    time = time + .milliseconds(1)
    #expect(next(.rest(ReactorEvents(watchdogFired: true))) == "job 2")
    #expect(next(.sleep(ReactorEvents(keys: [4]))) == "turn 4")
    #expect(next(.turn(.quiet)) == "sleep", "the third job waits for one of the two")
    #expect(next(.job) == "job 3")
    #expect(next(.job) == "sleep", "jobs are long: more than one sleeps where events wake them")
    #expect(next(.job) == "sleep")
    #expect(next(.sleep(ReactorEvents(keys: [5]))) == "turn 5")
    add(4, 5)
    #expect(next(.turn(.quiet)) == "job 4, wakes one that sleeps")
    #expect(next(.sleep(ReactorEvents(wasWoken: true))) == "job 5")
    #expect(next(.job) == "sleep")
    time = time + .milliseconds(100)
    #expect(next(.sleep(ReactorEvents(keys: [6]))) == "turn 6")
    add(6, 7)
    #expect(next(.turn(.quiet)) == "job 6", "after a while jobs are expected to be short again")
  }

  @Test("jobs that take longer than a wake-up, on average, are long too", arguments: [(5, false), (50, true)])
  mutating func averageLength(microseconds: Int, areLong: Bool) {
    grow(3)
    #expect(next() == "turn")
    #expect(next() == "sleep")
    #expect(next() == "rest")
    var steps: [String] = []
    for _ in 0..<30 {
      add(1, 2)
      steps.append(next(.turn(.quiet)))
      for _ in 0..<2 {
        time = time + .microseconds(microseconds)
        steps.append(next(.job, wantsTurn: true))
      }
      if steps.last == "poll" { steps.append(next(.poll(ReactorEvents()))) }
    }
    #expect(steps.contains("job 1, wakes one that sleeps") == areLong)
  }

  @Test("two callers whose calls come in turn are no reason to wake anybody, unless the jobs are long")
  mutating func alternating() {
    for (microseconds, areLong) in [(5, false), (300, true)] {
      schedule = TurnSchedule()
      grow(3)
      #expect(next() == "turn")
      #expect(next() == "sleep")
      #expect(next() == "rest")
      // The one that slept takes over, so that nobody sleeps where events come.
      #expect(next(.turn(.quiet)) == "rest")
      var steps = [next(.sleep(ReactorEvents(keys: [4])))]
      for _ in 0..<30 {
        add(1)
        steps.append(next(.turn(.quiet)))
        if steps.last == "poll" { steps.append(next(.poll(ReactorEvents()))) }
        time = time + .microseconds(microseconds)
        steps.append(next(.job, wantsTurn: true))
      }
      #expect(steps.contains("job 1, wakes one that rests") == areLong, "\(steps)")
    }
  }

  @Test("a turn that a running job wants is taken at once") mutating func turnBesideJob() {
    grow(2)
    #expect(next() == "turn")
    #expect(next() == "sleep")
    #expect(next(.turn(.quiet)) == "rest")
    #expect(next(.sleep(ReactorEvents(keys: [4]))) == "turn 4")
    add(1)
    #expect(next(.turn(.quiet)) == "job 1")
    #expect(schedule.wantTurn() == .resting)
    #expect(next(.rest(ReactorEvents(wasWoken: true))) == "turn")
  }

  @Test("a watchdog that fires late, after the turn that it waited for, changes nothing") mutating func lateWatchdog() {
    grow(2)
    #expect(next() == "turn")
    #expect(next() == "sleep")
    add(1, 2)
    #expect(next(.turn(.quiet)) == "job 1")
    time = time + .milliseconds(1)
    #expect(next(.job, wantsTurn: true) == "job 2")
    #expect(next(.job, wantsTurn: true) == "turn")
    #expect(next(.sleep(ReactorEvents(watchdogFired: true))) == "sleep")
    add(3, 4)
    #expect(next(.turn(.quiet)) == "job 3", "and nobody is woken")
  }

  @Test("an answer does not wait for a job that comes between it and its turn") mutating func answer() {
    grow(3)
    #expect(next() == "turn")
    #expect(next() == "sleep")
    #expect(next() == "rest")
    add(1, 2)
    #expect(next(.turn(.quiet)) == "job 1")
    add(3)
    #expect(next(.job) == "job 2")
    #expect(next(.job, wantsTurn: true) == "turn", "the third job came after the last turn")
    add(4)
    #expect(next(.turn(.quiet)) == "job 3")
    #expect(next(.job, wantsTurn: true) == "job 4")
    time = time + .milliseconds(1)
    #expect(next(.sleep(ReactorEvents(watchdogFired: true))) == "turn", "unless that job is long")
  }

  @Test("submitting from another thread wakes one sleeping thread, once") mutating func wakesOnce() {
    grow(2)
    #expect(next() == "turn")
    #expect(schedule.wantTurn() == .nobody, "the thread that has the turn takes another")
    #expect(next(.turn(.quiet)) == "turn")
    #expect(next(.turn(.quiet)) == "sleep")
    #expect(schedule.wantTurn() == .sleeping)
    #expect(schedule.wantTurn() == .nobody)
    #expect(schedule.add(1, asksNext: false) == .nobody, "another thread is being woken")
    #expect(next(.sleep(ReactorEvents(wasWoken: true))) == "turn")
    #expect(next(.turn(.quiet)) == "job 1")
  }

  @Test("the timer is set for the earliest time, and only when that becomes earlier") mutating func timers() {
    grow(1)
    #expect(next() == "turn")
    let in50 = time + .milliseconds(50)
    #expect(next(.turn(ReactorTurnEnd(next: in50, isQuiet: true))) == "sleep")
    #expect(schedule.takeChangedTimer() == in50)
    #expect(schedule.takeChangedTimer() == nil)
    #expect(schedule.addSleepingJob(1, until: time + .milliseconds(20)) == true)
    #expect(schedule.addSleepingJob(2, until: time + .milliseconds(80)) == true)
    #expect(schedule.takeChangedTimer() == time + .milliseconds(20))
    time = time + .milliseconds(20)
    #expect(next(.sleep(ReactorEvents(timerFired: true))) == "wake 1")
    #expect(schedule.takeChangedTimer() == in50)
    #expect(next() == "sleep")
    time = time + .milliseconds(30)
    #expect(next(.sleep(ReactorEvents(timerFired: true))) == "turn")
    #expect(schedule.takeChangedTimer() == time + .milliseconds(30))
  }

  @Test("at the end each sleeping or resting thread is woken by another, and no job is lost") mutating func end() {
    grow(4)
    #expect(next() == "turn")
    #expect(next() == "sleep")
    #expect(next() == "rest")
    #expect(next() == "rest")
    add(1)
    #expect(schedule.addSleepingJob(2, until: time + .seconds(9)) == true)
    #expect(next(.lastTurn) == "exit, wakes one that sleeps")
    #expect(next(.sleep(ReactorEvents(wasWoken: true))) == "exit, wakes one that rests")
    #expect(next(.rest(ReactorEvents(wasWoken: true))) == "exit, wakes one that rests")
    #expect(next(.rest(ReactorEvents(wasWoken: true))) == "exit")
    #expect(schedule.takeJobs() == [1])
    #expect(schedule.takeSleepingJobs().map(\.job) == [2])
    #expect(schedule.add(3, asksNext: true) == nil)
    #expect(schedule.addSleepingJob(4, until: time) == false)
  }

  private mutating func grow(_ count: Int) {
    let numbers = schedule.grow(to: count)
    #expect(numbers == 0..<count)
  }

  private mutating func add(_ jobs: Int...) {
    for job in jobs { #expect(schedule.add(job, asksNext: true) == .nobody) }
  }

  private mutating func next(_ done: TurnSchedule<Int>.Done = .nothing, wantsTurn: Bool = false) -> String {
    let assignment = schedule.next(after: done, wantsTurn: wantsTurn) { [time] in time }
    let step =
      switch assignment.step {
      case .turn(let events): events.reduce("turn") { "\($0) \($1)" }
      case .job(let job): "job \(job)"
      case .wake(let job): "wake \(job)"
      case .poll: "poll"
      case .sleep: "sleep"
      case .rest: "rest"
      case .exit: "exit"
      }
    switch assignment.wakes {
    case .nobody: return step
    case .sleeping: return "\(step), wakes one that sleeps"
    case .resting: return "\(step), wakes one that rests"
    }
  }
}

extension ReactorTurnEnd {
  fileprivate static var quiet: ReactorTurnEnd { ReactorTurnEnd(isQuiet: true) }
}
