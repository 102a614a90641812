internal import Base

/// Consistency checks on a router's tables, at any time and at rest: for simulations and tests.
extension Router {
  /// One line for each contradiction between tables; at rest also one for each table that is not empty.
  package func faults(atRest: Bool) -> [String] {
    var found: [String] = []
    func expect(_ what: String, _ actual: Int, _ expected: Int) {
      if actual != expected { found.append("\(what) is \(actual) and should be \(expected)") }
    }
    var weight = 0
    var waiting = [Int](repeating: 0, count: services.count)
    var atWorkers = [Int](repeating: 0, count: services.count)
    var running = NumberMap<Int>()
    var silent = NumberMap<Int>()
    for call in calls.all {
      let number = call.number
      switch call.state {
      case .waiting:
        waiting[call.service] += 1
        weight += call.weight
      case .backingOff: weight += call.weight
      case .running(let session, _):
        running.set(session, (running[session] ?? 0) + 1)
        if call.mayBeSilent { silent.set(session, (silent[session] ?? 0) + 1) }
        atWorkers[call.service] += 1
        if sessions[session]?.asWorker == nil { found.append("call \(number) runs nowhere") }
      }
      if sessions[call.caller]?.asCaller?.calls[call.callerNumber] != number {
        found.append("call \(number) has no caller")
      }
      if !timers.contains(number) { found.append("call \(number) has no timer") }
    }
    expect("waitingBytes", waitingBytes, weight)
    expect("the number of timers", timers.count, calls.count)
    let calledFor = sessions.all.compactMap(\.asCaller).reduce(0) { $0 + $1.calls.count }
    expect("the number of callers' calls", calledFor, calls.count)
    for (service, known) in services.enumerated() {
      expect("\(known.name)'s queue", known.queue.count, waiting[service])
      expect("\(known.name)'s running calls", known.unary.running + known.streams.running, atWorkers[service])
    }
    for worker in workers {
      let session = worker.number
      expect("session \(session)'s running calls", worker.running, running[session] ?? 0)
      expect("session \(session)'s silent streams", worker.silentStreams, silent[session] ?? 0)
      if worker.started > worker.credit { found.append("session \(session) was given more than its credit") }
    }
    for session in sessions.all where sessionOfPeer[session.peer.number] !== session {
      found.append("session \(session.number) cannot be found by its peer")
    }
    expect("the number of peers", sessionOfPeer.count, sessions.count)
    found += faultsOfAccounts()
    if atRest { expect("the number of calls", calls.count, 0) }
    return found
  }

  /// Compares what each account and service counts with the sessions and calls that there are.
  private func faultsOfAccounts() -> [String] {
    var found: [String] = []
    var counted: [ObjectIdentifier: KeyAccount] = [:]
    var (sessionCounts, callCounts, byteCounts) = ([UInt64: Int](), [UInt64: Int](), [UInt64: Int]())
    var callerBytes: [UInt64: [ServiceQueue.Share: Int]] = [:]
    for session in sessions.all {
      counted[ObjectIdentifier(session.account)] = session.account
      sessionCounts[session.account.number, default: 0] += 1
      let isShared = session.credentials.keyNumber != nil && session.credentials.isClient
      if isShared, accounts[session.credentials] !== session.account {
        found.append("session \(session.number) has an account of its own, and its key has another")
      }
    }
    for call in calls.all {
      counted[ObjectIdentifier(call.account)] = call.account
      callCounts[call.account.number, default: 0] += 1
      if call.worker != nil { continue }
      byteCounts[call.account.number, default: 0] += call.weight
      callerBytes[call.account.number, default: [:]][call.share, default: 0] += call.weight
    }
    for account in accounts.values {
      counted[ObjectIdentifier(account)] = account
      if account.sessions == 0 { found.append("account \(account.number) is kept without sessions") }
    }
    for account in counted.values {
      let number = account.number
      let figures = [
        ("sessions", account.sessions, sessionCounts[number] ?? 0),
        ("calls", account.openCalls, callCounts[number] ?? 0),
        ("waiting bytes", account.waitingBytes, byteCounts[number] ?? 0),
      ]
      for (what, actual, expected) in figures where actual != expected {
        found.append("account \(number) counts \(actual) \(what) and has \(expected)")
      }
      guard let callers = account.waitingOf else { continue }
      let expected = callerBytes[number] ?? [:]
      if callers.holders != expected.count || expected.contains(where: { callers[$0.key] != $0.value }) {
        found.append("account \(number) does not count the waiting bytes of each caller as they are")
      }
    }
    for (index, service) in services.enumerated() {
      let open = calls.all.count { $0.service == index }
      guard service.openCalls != open else { continue }
      found.append("\(service.name) counts \(service.openCalls) open calls and has \(open)")
    }
    return found
  }

  /// In debug builds, stops at a contradiction.
  mutating func checkInvariants() {
    assert(
      {
        if invariants.areDue(size: calls.count + sessions.count) { Invariants.expectNone(of: faults(atRest: false)) }
        return true
      }())
  }
}
