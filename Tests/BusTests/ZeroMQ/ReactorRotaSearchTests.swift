import Base
import Bus
import Testing

/// Looks for an order of events after which threads sleep although there is something to do.
@Suite struct ReactorRotaSearchTests {
  @Test("nothing is left undone in any order of events", arguments: 1...5, [false, true])
  func search(threads: Int, ends: Bool) {
    for seed in 0..<500 {
      var model = RotaModel(threads: threads, ends: ends, seed: UInt64(seed))
      let fault = model.run()
      #expect(fault == nil, "seed \(seed)")
      if fault != nil { return }
    }
  }
}

/// A rota with threads, a bell, an alarm and a socket that behave as the system's do, in an order that a seed decides.
private struct RotaModel {
  private enum Thread {
    case asks(ReactorRota<Int>.Done, wantsTurn: Bool)
    case hasTurn
    case runs(Job)
    case wakes
    case looks
    case sleeps
    case left
  }

  private enum Job: CaseIterable {
    case returns, handsOver, startsAnother, computesForEver
  }

  private var rota = ReactorRota<Int>()
  private var random: SeededGenerator
  private var threads: [Thread]
  private var now: Int64 = 0
  private var alarm: Int64?
  /// Rings on their way: written after the rota was left.
  private var rings = 0
  private var bellRings = false
  private var socketRings = false
  private var handedOver = 0
  private var arrived = 0
  private var jobs = 0
  /// What others still do: hand over, send, sleep and, in the end, close.
  private var eventsLeft = 60
  private let ends: Bool
  private var isClosed = false
  private var computing = 0

  init(threads count: Int, ends: Bool, seed: UInt64) {
    random = SeededGenerator(seed: seed)
    threads = [Thread](repeating: .asks(.nothing, wantsTurn: false), count: count)
    self.ends = ends
    _ = rota.hire(upTo: count)
  }

  /// What is left undone when nothing happens any more; nil when all is done.
  mutating func run() -> String? {
    for _ in 0..<5000 {
      let moving = threads.indices.filter { canMove(threads[$0]) }
      var choices = moving.map { Optional($0) }
      if eventsLeft > 0 { choices.append(nil) }
      if rings > 0, chance(of: choices.isEmpty ? 1 : 3) {
        rings -= 1
        bellRings = true
      } else if let choice = choices.randomElement(using: &random) {
        if let choice { move(choice) } else { happen() }
      } else if let time = alarm, threads.contains(where: { if case .sleeps = $0 { true } else { false } }) {
        now = max(now, time)
      } else if rings == 0 {
        return leftUndone()
      }
      if chance(of: 20) { now += 1 }
    }
    return "it never ends"
  }

  private mutating func chance(of count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }

  private var hasNews: Bool { bellRings || socketRings || alarm.map { $0 <= now } ?? false }

  private func canMove(_ thread: Thread) -> Bool {
    switch thread {
    case .sleeps: hasNews
    case .left, .runs(.computesForEver): false
    default: true
    }
  }

  /// As the system does, tells each piece of news once.
  private mutating func takeNews() -> ReactorNews {
    defer {
      bellRings = false
      socketRings = false
      if let time = alarm, time <= now { alarm = nil }
    }
    return ReactorNews(
      keys: socketRings ? [1] : [], rang: bellRings, timeCame: alarm.map { $0 <= now } ?? false)
  }

  private mutating func setAlarm() {
    if let time = rota.takeChangedAlarm() { alarm = time.nanoseconds }
  }

  /// Somebody outside does something.
  private mutating func happen() {
    eventsLeft -= 1
    if ends, eventsLeft == 0 {
      isClosed = true
      return wantTurn()
    }
    switch Int.random(in: 0..<4, using: &random) {
    case 0: addJob(isSeen: false)
    case 1:
      arrived += 1
      socketRings = true
    case 2:
      _ = rota.addSleeper(0, until: MonotonicTime(nanoseconds: now + Int64.random(in: 0..<5, using: &random)))
      setAlarm()
    default:
      handedOver += 1
      wantTurn()
    }
  }

  private mutating func wantTurn() {
    if rota.wantTurn() { rings += 1 }
  }

  private mutating func addJob(isSeen: Bool) {
    guard jobs < 300 else { return }
    jobs += 1
    if rota.add(jobs, isSeen: isSeen) == true { rings += 1 }
  }

  private mutating func move(_ place: Int) {
    switch threads[place] {
    case .asks(let done, let wantsTurn): threads[place] = next(after: done, wantsTurn: wantsTurn)
    case .hasTurn: threads[place] = .asks(turn(), wantsTurn: false)
    case .runs(let job):
      if job == .startsAnother { addJob(isSeen: false) }
      if job == .handsOver { handedOver += 1 }
      threads[place] = .asks(.job, wantsTurn: job == .handsOver)
    case .wakes:
      addJob(isSeen: true)
      threads[place] = .asks(.nothing, wantsTurn: false)
    case .looks: threads[place] = .asks(.look(takeNews()), wantsTurn: false)
    case .sleeps: threads[place] = .asks(.sleep(takeNews()), wantsTurn: false)
    case .left: break
    }
  }

  private mutating func next(after done: ReactorRota<Int>.Done, wantsTurn: Bool) -> Thread {
    let assignment = rota.next(after: done, wantsTurn: wantsTurn) { [now] in MonotonicTime(nanoseconds: now) }
    setAlarm()
    if assignment.rings { rings += 1 }
    switch assignment.duty {
    case .turn: return .hasTurn
    case .wake: return .wakes
    case .look: return .looks
    case .sleep: return .sleeps
    case .leave: return .left
    case .job:
      let kind = Job.allCases.randomElement(using: &random) ?? .returns
      // All but one thread may compute for ever.
      guard kind == .computesForEver else { return .runs(kind) }
      guard computing < threads.count - 1, chance(of: 4) else { return .runs(.returns) }
      computing += 1
      return .runs(kind)
    }
  }

  private mutating func turn() -> ReactorRota<Int>.Done {
    if isClosed, handedOver == 0 { return .lastTurn }
    handedOver = 0
    arrived = 0
    for _ in 0..<Int.random(in: 0..<3, using: &random) { addJob(isSeen: true) }
    let next = eventsLeft > 0 && chance(of: 10) ? MonotonicTime(nanoseconds: now + 3) : nil
    return .turn(ReactorTurnEnd(next: next, isQuiet: !isClosed && !chance(of: 4)))
  }

  private mutating func leftUndone() -> String? {
    if ends {
      let stays = threads.filter { if case .left = $0 { false } else if case .runs = $0 { false } else { true } }
      return stays.isEmpty ? nil : "threads stay: \(threads)"
    }
    if handedOver > 0 || arrived > 0 { return "handed over \(handedOver), arrived \(arrived): \(threads)" }
    if !rota.takeSleepers().isEmpty { return "nobody wakes who sleeps: \(threads)" }
    // As many as may compute do.
    if computing > 0, computing >= threads.count - 1 { return nil }
    return rota.takeJobs().isEmpty ? nil : "parts of tasks are left: \(threads)"
  }
}
