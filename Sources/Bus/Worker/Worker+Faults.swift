internal import Base

/// Consistency checks on a worker's tables, at any time and at rest: for simulations and tests.
extension Worker {
  /// One line for each contradiction between tables; at rest also one for each table that is not empty.
  package func faults(atRest: Bool) -> [String] {
    var found: [String] = []
    func expect(_ what: String, _ actual: Int, _ expected: Int) {
      if actual != expected { found.append("\(what) is \(actual) and should be \(expected)") }
    }
    let known = calls.numbers.compactMap { calls[$0] }
    expect("slotsHeld", slotsHeld, known.count { $0.slot == .held })
    expect("the queue", queue.count, known.count { if case .queued = $0.state { true } else { false } })
    expect("assembling", assembling, known.count { if case .assembling(.expected) = $0.state { true } else { false } })
    let late = known.count { if case .assembling(.late) = $0.state { true } else { false } }
    expect("the number of late requests", lateRequests.taken, late)
    for call in queue {
      guard case .queued = calls[call]?.state else {
        found.append("call \(call) is in the queue and does not wait")
        continue
      }
    }
    expect("streams", streams.taken, known.count { !$0.isUnary })
    expect("the room for large messages", largeMessages.taken, flows.values.reduce(0) { $0 + $1.room })
    expect(
      "the links' calls", links.links.reduce(0) { $0 + (links[$1]?.calls.count ?? 0) }, known.count { !$0.isSettled })
    let growth = flows.values.reduce(0) { $0 + $1.receiver.growth }
    expect("what windows may still grow by", Int(windowAllowance.left), Int(BusLimits.windowAllowance - growth))
    expect("the number of flows without a call", flows.numbers.count { !calls.contains($0) }, 0)
    let idle = calls.numbers.count {
      if case .returned = calls[$0]?.state { flows[$0]?.sender.backlog ?? 0 == 0 } else { false }
    }
    expect("the number of outcomes that wait for nothing", idle, 0)
    expect("the number of timers", timers.count, known.count { !$0.isSettled })
    if slotsHeld < configuration.slots, !queue.isEmpty { found.append("calls wait although a slot is free") }
    guard atRest else { return found }
    expect("the number of calls", calls.count, 0)
    for shares in [lateRequests, streams, largeMessages] { expect("the number of shares", shares.holders, 0) }
    for link in links.links where !isDraining {
      guard let known = links[link], known.link.takesCalls else { continue }
      if known.unused < 1 + configuration.prefetch {
        found.append("link \(link) has \(known.unused) calls left to take")
      }
    }
    return found
  }

  /// In debug builds, stops at a contradiction.
  mutating func checkInvariants() {
    assert(
      {
        if invariants.areDue(size: calls.count) { Invariants.expectNone(of: faults(atRest: false)) }
        return true
      }())
  }
}
