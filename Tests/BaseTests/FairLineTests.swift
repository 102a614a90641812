import Base
import Testing

@Suite("callers share threads in turns")
struct FairLineTests {
  @Test("callers take turns, however much one of them wants")
  func turns() throws {
    var line = FairLine<Int>(FairLimits(threads: 2))
    for number in 0..<10 { _ = try line.add(number, for: "greedy", .light) }
    for number in 10..<12 { _ = try line.add(number, for: "modest", .light) }
    var order: [String] = []
    while order.count < 6, let turn = line.next() {
      order.append(turn.caller)
      line.finish(turn.caller, turn.lane, wasHeavy: false)
    }
    #expect(order == ["greedy", "modest", "greedy", "modest", "greedy", "greedy"])
  }

  @Test(
    "heavy work has threads of its own, a quarter as many as light work and at least one", arguments: [1, 2, 4, 8, 16])
  func share(threads: Int) throws {
    let limits = FairLimits(threads: threads, mostWaitingPerCaller: 100)
    var line = FairLine<Int>(limits)
    for caller in 0..<20 { for _ in 0..<4 { _ = try line.add(0, for: "\(caller)", .heavy) } }
    var running = 0
    while line.next() != nil { running += 1 }
    #expect(running == max(1, threads / 4))
    _ = try line.add(0, for: "light", .light)
    let next = line.next()
    #expect(next?.caller == "light")
  }

  @Test("whoever brought heavy work stands in the heavy lane until it brought light work a few times")
  func debts() throws {
    var line = FairLine<Int>(FairLimits(threads: 2, lightToForgive: 2))
    #expect(line.lane(of: "a") == .light)
    line.finish("a", .light, wasHeavy: true)
    #expect(line.lane(of: "a") == .heavy && line.lane(of: "b") == .light)
    line.finish("a", .heavy, wasHeavy: false)
    #expect(line.lane(of: "a") == .heavy)
    line.finish("a", .heavy, wasHeavy: false)
    #expect(line.lane(of: "a") == .light)
  }

  @Test("lines are bounded, for each caller and for all, and the refusal names the bound")
  func bounds() throws {
    var line = FairLine<Int>(FairLimits(threads: 2, mostWaitingPerCaller: 3, mostWaiting: 5))
    for _ in 0..<3 { _ = try line.add(0, for: "a", .light) }
    #expect(throws: FairRefusal.callerWaits(bound: 3)) { _ = try line.add(0, for: "a", .heavy) }
    for _ in 0..<2 { _ = try line.add(0, for: "b", .light) }
    #expect(throws: FairRefusal.allWait(bound: 5)) { _ = try line.add(0, for: "c", .light) }
  }

  @Test("what must wait is never refused, and takes no room from other callers")
  func mustWait() throws {
    var line = FairLine<Int>(FairLimits(threads: 2, mostWaitingPerCaller: 3, mostWaiting: 5))
    let numbers = try (0..<9).map { try line.add($0, for: "a", .light, mustWait: true) }
    #expect(throws: FairRefusal.callerWaits(bound: 3)) { _ = try line.add(0, for: "a", .light) }
    for _ in 0..<3 { _ = try line.add(0, for: "b", .light) }
    for _ in 0..<2 { _ = try line.add(0, for: "c", .light) }
    #expect(throws: FairRefusal.allWait(bound: 5)) { _ = try line.add(0, for: "d", .light) }
    _ = try line.add(9, for: "c", .heavy, mustWait: true)
    for number in numbers { #expect(line.remove(number, of: "a") != nil) }
    while let turn = line.next() { line.finish(turn.caller, turn.lane, wasHeavy: false) }
    #expect(line.waitingCount == 0)
    _ = try line.add(0, for: "a", .light)
  }

  @Test("groups take turns before their callers do, however many callers one of them has")
  func groups() throws {
    var line = FairLine<Int>(FairLimits(threads: 2))
    for number in 0..<6 { _ = try line.add(number, for: "many/\(number % 3)", of: "many", .light) }
    for number in 0..<2 { _ = try line.add(number, for: "few/0", of: "few", .light) }
    var order: [String] = []
    while order.count < 8, let turn = line.next() {
      order.append(turn.caller)
      line.finish(turn.caller, turn.lane, wasHeavy: false)
    }
    #expect(order == ["many/0", "few/0", "many/1", "few/0", "many/2", "many/0", "many/1", "many/2"])
  }

  @Test("a group has no more waiting than there is room left, so that no group shuts out another")
  func groupShares() throws {
    var line = FairLine<Int>(FairLimits(threads: 2, mostWaitingPerCaller: 2, mostWaiting: 12))
    var numbers: [UInt64] = []
    for number in 0..<6 { numbers.append(try line.add(number, for: "a/\(number)", of: "a", .light)) }
    #expect(throws: FairRefusal.allWait(bound: 12)) { _ = try line.add(0, for: "a/9", of: "a", .heavy) }
    for number in 0..<3 { _ = try line.add(number, for: "b/\(number)", of: "b", .light) }
    #expect(throws: FairRefusal.allWait(bound: 12)) { _ = try line.add(0, for: "b/9", of: "b", .light) }
    _ = try line.add(0, for: "c/0", of: "c", .light)
    // Who leaves makes room for others of the group.
    for (place, number) in numbers.prefix(4).enumerated() { _ = line.remove(number, of: "a/\(place)") }
    _ = try line.add(0, for: "a/9", of: "a", .light)
    #expect(line.waitingCount == 7)
  }

  @Test("names that are never heard of again are forgotten")
  func memory() throws {
    var line = FairLine<Int>(FairLimits(threads: 2, mostDebtors: 100))
    for name in 0..<20_000 {
      let number = try line.add(name, for: "\(name)", .light)
      if name.isMultiple(of: 3) {
        let removed = line.remove(number, of: "\(name)")
        #expect(removed == name)
      } else if let turn = line.next() {
        line.finish(turn.caller, turn.lane, wasHeavy: name.isMultiple(of: 2))
      }
    }
    while line.next() != nil {}
    #expect(line.knownCallers <= 102)
    #expect(line.waitingCount == 0)
  }

  @Test("somebody who left the line is not called, and does not stop others")
  func left() throws {
    var line = FairLine<String>(FairLimits(threads: 2))
    let first = try line.add("first", for: "a", .light)
    _ = try line.add("second", for: "b", .light)
    let removed = [line.remove(first, of: "a"), line.remove(first, of: "a")]
    #expect(removed == ["first", nil])
    let called = [line.next()?.element, line.next()?.element]
    #expect(called == ["second", nil])
  }
}

/// Callers and threads in virtual time.
private struct Shop {
  struct Job {
    let caller: String
    let arrival: Int
    let isHeavy: Bool
  }

  /// What light work takes, what a try takes that proves heavy, and what heavy work takes: microseconds.
  static let (light, attempt, heavy) = (1_000, 8_000, 1_000_000)

  /// How long each honest job took from its arrival to its end.
  static func times(threads: Int, honest: [Job], hostile: [Job]) throws -> [Int] {
    var line = FairLine<Job>(FairLimits(threads: threads, mostWaitingPerCaller: 1_000_000, mostWaiting: 2_000_000))
    var arrivals = (honest + hostile).sorted { $0.arrival < $1.arrival }[...]
    var running: [(end: Int, turn: FairLine<Job>.Turn, next: Bool)] = []
    var times: [Int] = []
    while !arrivals.isEmpty || times.count < honest.count {
      let end = running.map(\.end).min() ?? .max
      let now = min(end, arrivals.first?.arrival ?? .max)
      if end <= now, let index = running.firstIndex(where: { $0.end == end }) {
        let done = running.remove(at: index)
        line.finish(done.turn.caller, done.turn.lane, wasHeavy: done.turn.element.isHeavy)
        if done.next { _ = try line.add(done.turn.element, for: done.turn.caller, .heavy) }
        if !done.turn.element.isHeavy { times.append(end - done.turn.element.arrival) }
      } else if let job = arrivals.popFirst() {
        _ = try line.add(job, for: job.caller, line.lane(of: job.caller))
      }
      while let turn = line.next() {
        let (isHeavy, isTry) = (turn.element.isHeavy, turn.lane == .light)
        running.append((now + (isHeavy ? (isTry ? attempt : heavy) : light), turn, isHeavy && isTry))
      }
    }
    return times.sorted()
  }
}

@Suite("one caller's worst case is nobody else's wait")
struct FairShareTests {
  @Test("a flood of the heaviest work at most doubles what others wait", arguments: [2, 4, 8, 16])
  func flood(threads: Int) throws {
    var generator = SeededGenerator(seed: UInt64(threads))
    // Threads are busy for a quarter of the time.
    var now = 0
    let honest = (0..<40_000).map { index in
      now += Int.random(in: 0...(8_000 / threads), using: &generator)
      return Shop.Job(caller: "honest \(index % 20)", arrival: now, isHeavy: false)
    }
    let hostile = (0..<2_000).map { Shop.Job(caller: "hostile", arrival: $0 * 100, isHeavy: true) }
    let usual = try Shop.times(threads: threads, honest: honest, hostile: [])
    let flooded = try Shop.times(threads: threads, honest: honest, hostile: hostile)
    for share in [50, 90, 99] {
      let (before, after) = (usual[usual.count * share / 100], flooded[flooded.count * share / 100])
      #expect(after <= 2 * before, "\(share) of 100 took \(before) and take \(after)")
    }
  }
}
