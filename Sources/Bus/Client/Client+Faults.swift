/// Consistency checks on a client's tables, at any time and at rest: for simulations and tests.
extension Client {
  /// One line for each contradiction between tables; at rest also one for each table that is not empty.
  package func faults(atRest: Bool) -> [String] {
    var found: [String] = []
    func expect(_ what: String, _ actual: Int, _ expected: Int) {
      if actual != expected { found.append("\(what) is \(actual) and should be \(expected)") }
    }
    let placed = calls.values.count { $0.link != nil }
    expect("the links' calls", links.links.reduce(0) { $0 + (links[$1]?.calls ?? 0) }, placed)
    let untimed = calls.values.count { !timers.contains($0.request.number, at: $0.due) }
    expect("the number of calls without a timer", untimed, 0)
    for call in calls.values {
      let number = call.request.number
      switch call.place {
      case .parked: if !parked.contains(number) { found.append("call \(number) is parked and not among those parked") }
      case .sent(let link, _):
        if links[link]?.link.isEstablished != true { found.append("call \(number) was sent without a session") }
      case .pausing: break
      case .leaving: found.append("call \(number) was left between two gateways")
      }
      if call.attempt > configuration.attemptLimit { found.append("call \(number) was tried \(call.attempt) times") }
    }
    expect("the number of parked calls", parked.count, calls.values.count { $0.isParked })
    let growth = flows.values.reduce(0) { $0 + $1.receiver.growth }
    expect("what windows may still grow by", Int(windowAllowance.left), Int(BusLimits.windowAllowance - growth))
    expect("the number of refusals without a call", refusals.keys.count { !calls.contains($0) }, 0)
    expect("the number of flows without a call", flows.numbers.count { !calls.contains($0) }, 0)
    if atRest { expect("the number of calls", calls.count, 0) }
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

extension ClientCall {
  fileprivate var isParked: Bool { if case .parked = place { true } else { false } }
}
