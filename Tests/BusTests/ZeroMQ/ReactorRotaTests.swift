import Base
import Bus
import Testing

/// Who does what next, with threads that only take note.
@Suite struct ReactorRotaTests {
  private var rota = ReactorRota<Int>()
  private var time = MonotonicTime(nanoseconds: 0)

  @Test("one thread takes the turn, then what the turn led to, and then the next turn") mutating func alone() {
    hire(1)
    #expect(next() == "turn")
    add(1, 2)
    #expect(next(.turn(.quiet)) == "job 1")
    #expect(next(.job, wantsTurn: true) == "job 2", "so that both answers go out together")
    add(3)
    #expect(next(.job, wantsTurn: true) == "turn", "what came later waits for the next turn")
    #expect(next(.turn(.quiet)) == "look", "two turns have gone by")
    #expect(next(.look(ReactorNews())) == "job 3")
    #expect(next(.job) == "sleep")
  }

  @Test("what is not quiet is looked at again") mutating func restless() {
    hire(1)
    #expect(next() == "turn")
    #expect(next(.turn(ReactorTurnEnd(isQuiet: false))) == "look", "others may have news as well")
    #expect(next(.look(ReactorNews(keys: [7]))) == "turn 7")
    #expect(next(.turn(.quiet)) == "sleep")
  }

  @Test("what is never at rest is seen to all the same", arguments: [1, 3]) mutating func busy(_ threads: Int) {
    hire(threads)
    add(1, 2)
    var looks = 0
    var turns = 0
    var done: [ReactorRota<Int>.Done] = .init(repeating: .nothing, count: threads)
    for step in 0..<10_000 {
      let thread = step % threads
      switch next(done[thread]).prefix(3) {
      case "job":
        done[thread] = .job
        add(1)
      case "loo":
        looks += 1
        done[thread] = .look(ReactorNews(keys: [3]))
      case "tur":
        turns += 1
        done[thread] = .turn(.quiet)
        // Somebody hands over while the turn is taken.
        #expect(rota.wantTurn() == false)
      case let other: Issue.record("nobody has a reason for \(other)")
      }
    }
    #expect(looks > 50)
    #expect(turns > 100)
  }

  @Test("of three threads two run tasks, and one takes turns however long those take") mutating func reserve() {
    hire(3)
    #expect(next() == "turn")
    #expect(next() == "sleep")
    #expect(next() == "sleep")
    add(1, 2, 3)
    #expect(next(.turn(.quiet)) == "job 1, rings")
    #expect(next(.sleep(ReactorNews(rang: true))) == "job 2")
    #expect(next(.sleep(ReactorNews(keys: [4]))) == "turn 4")
    #expect(next(.turn(.quiet)) == "sleep", "the third job waits for one of the two")
    #expect(next(.sleep(ReactorNews(keys: [5]))) == "turn 5")
    #expect(next(.turn(.quiet)) == "sleep")
    #expect(next(.job) == "job 3")
  }

  @Test("an answer does not wait for a task that comes between it and its turn") mutating func answer() {
    hire(3)
    #expect(next() == "turn")
    #expect(next() == "sleep")
    #expect(next() == "sleep")
    add(1, 2)
    #expect(next(.turn(.quiet)) == "job 1, rings")
    #expect(next(.sleep(ReactorNews(rang: true))) == "job 2")
    add(3)
    #expect(next(.job, wantsTurn: true) == "turn, rings", "the third job came after the last turn")
    #expect(next(.turn(.quiet)) == "job 3")
    #expect(next(.job, wantsTurn: true) == "turn")
    add(4, 5)
    #expect(next(.turn(.quiet)) == "job 4", "somebody has been called")
    #expect(next(.job, wantsTurn: true) == "job 5", "and will see to the turn")
    #expect(next(.sleep(ReactorNews(rang: true))) == "turn")
  }

  @Test("whoever hands over from elsewhere wakes one who sleeps, once") mutating func rings() {
    hire(2)
    #expect(next() == "turn")
    #expect(rota.wantTurn() == false, "the one who has the turn will see")
    #expect(next(.turn(.quiet)) == "turn")
    #expect(next(.turn(.quiet)) == "sleep")
    #expect(rota.wantTurn() == true)
    #expect(rota.wantTurn() == false)
    #expect(rota.add(1, isSeen: false) == false, "somebody has been called")
    #expect(next(.sleep(ReactorNews(rang: true))) == "turn")
    #expect(next(.turn(.quiet)) == "job 1")
  }

  @Test("the alarm is set for what comes first, and only when that is earlier") mutating func alarms() {
    hire(1)
    #expect(next() == "turn")
    let in50 = time + .milliseconds(50)
    #expect(next(.turn(ReactorTurnEnd(next: in50, isQuiet: true))) == "sleep")
    #expect(rota.takeChangedAlarm() == in50)
    #expect(rota.takeChangedAlarm() == nil)
    #expect(rota.addSleeper(1, until: time + .milliseconds(20)) == true)
    #expect(rota.addSleeper(2, until: time + .milliseconds(80)) == true)
    #expect(rota.takeChangedAlarm() == time + .milliseconds(20))
    time = time + .milliseconds(20)
    #expect(next(.sleep(ReactorNews(timeCame: true))) == "wake 1")
    #expect(rota.takeChangedAlarm() == in50)
    #expect(next() == "sleep")
    time = time + .milliseconds(30)
    #expect(next(.sleep(ReactorNews(timeCame: true))) == "turn")
    #expect(rota.takeChangedAlarm() == time + .milliseconds(30))
  }

  @Test("at the end each who sleeps is woken by another, and nothing is forgotten") mutating func end() {
    hire(3)
    #expect(next() == "turn")
    #expect(next() == "sleep")
    #expect(next() == "sleep")
    add(1)
    #expect(rota.addSleeper(2, until: time + .seconds(9)) == true)
    #expect(next(.lastTurn) == "leave, rings")
    #expect(next(.sleep(ReactorNews(rang: true))) == "leave, rings")
    #expect(next(.sleep(ReactorNews(rang: true))) == "leave")
    #expect(rota.takeJobs() == [1])
    #expect(rota.takeSleepers().map(\.job) == [2])
    #expect(rota.add(3, isSeen: true) == nil)
    #expect(rota.addSleeper(4, until: time) == false)
  }

  private mutating func hire(_ count: Int) {
    let numbers = rota.hire(upTo: count)
    #expect(numbers == 0..<count)
  }

  private mutating func add(_ jobs: Int...) { for job in jobs { #expect(rota.add(job, isSeen: true) == false) } }

  private mutating func next(_ done: ReactorRota<Int>.Done = .nothing, wantsTurn: Bool = false) -> String {
    let assignment = rota.next(after: done, wantsTurn: wantsTurn) { [time] in time }
    let duty =
      switch assignment.duty {
      case .turn(let news): news.reduce("turn") { "\($0) \($1)" }
      case .job(let job): "job \(job)"
      case .wake(let job): "wake \(job)"
      case .look: "look"
      case .sleep: "sleep"
      case .leave: "leave"
      }
    return assignment.rings ? "\(duty), rings" : duty
  }
}

extension ReactorTurnEnd {
  fileprivate static var quiet: ReactorTurnEnd { ReactorTurnEnd(isQuiet: true) }
}
