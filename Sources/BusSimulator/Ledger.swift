internal import Base
internal import Bus
internal import RPC

/// A full record of what happened: what the services' databases hold, and what an observer of everything saw.
final class Ledger {
  private unowned let world: World
  private var starts: [Int: Int] = [:]
  private var changes: [Int: Int] = [:]
  /// When the caller of each call gives up; the latest time, if the call was made more than once.
  private var deadlines: [Int: MonotonicTime] = [:]
  /// The processes that have made each call: several where handlers on different workers made it.
  private var callers: [Int: Set<String>] = [:]
  /// The keys that a service has stored with its changes: like a real service, it makes no change twice under one key.
  private var keys: Set<String> = []
  private(set) var outcomes = [Int](repeating: 0, count: StatusCode.allCases.count)
  private(set) var repeats = 0
  /// Calls that one client has made at once, and the call of another client that has its turn among them.
  var crowd: (many: [Int], single: Int)?

  init(world: World) {
    self.world = world
  }

  func made(_ script: Script, by caller: Node, until deadline: MonotonicTime) {
    callers[script.id, default: []].insert(caller.name)
    deadlines[script.id] = max(deadlines[script.id] ?? deadline, deadline)
  }

  func started(_ script: Script, _ start: WorkerStart, at node: Node) {
    starts[script.id, default: 0] += 1
    if start.attempt > 1 { repeats += 1 }
    world.report.note("start \(script.id) at \(node.name)")
    if script.mustNotRepeat, starts[script.id, default: 0] > 1 {
      fail(script, "an unkeyed mutation ran twice")
    }
    if script.isKeyed != !start.idempotencyKey.isEmpty {
      fail(script, "its key is '\(start.idempotencyKey)' at the handler")
    }
    checkTime(of: script, start)
    checkTurn(of: script)
  }

  /// Fails if a handler begins after its deadline or, without injected faults, long after its caller gave up. What is
  /// left of the time travels with the call, so nobody subtracts the time that the network takes on two links.
  private func checkTime(of script: Script, _ start: WorkerStart) {
    if world.now >= start.deadline { fail(script, "began when its time was over") }
    guard !mayBeAffected(script), let deadline = deadlines[script.id] else { return }
    let late = world.now - deadline
    if late > .milliseconds(3 * world.slowestDelay + 10) { fail(script, "began \(late) after its caller had given up") }
  }

  private func checkTurn(of script: Script) {
    guard let crowd, script.id == crowd.single else { return }
    let before = crowd.many.count { starts[$0] != nil }
    // A worker may have taken a dozen before this one came.
    if before >= crowd.many.count * 3 / 4 { fail(script, "had to wait for \(before) calls of another client") }
  }

  func changed(_ script: Script, under key: String) {
    guard script.changesSomething else { return }
    guard key.isEmpty || keys.insert("\(script.method.service)/\(key)").inserted else { return }
    changes[script.id, default: 0] += 1
    if changes[script.id, default: 0] > 1, script.isKeyed || script.mustNotRepeat {
      fail(script, "took effect twice")
    }
  }

  /// - Parameter deadline: when its caller gives up.
  func ended(_ script: Script, with status: Status, due deadline: MonotonicTime) {
    outcomes[Int(status.code.rawValue)] += 1
    world.report.note("call \(script.id) ended \(status.code.name)")
    if isUnread(status) { world.report.backlogs.insert(.streamEnded) }
    if status.isOK, script.changesSomething, changes[script.id, default: 0] == 0 {
      fail(script, "ended well and changed nothing")
    }
    if !mayBe(status, of: script, due: deadline) { fail(script, "ended without a reason: \(status)") }
  }

  // MARK: - Which outcomes there may be

  private func mayBe(_ status: Status, of script: Script, due deadline: MonotonicTime) -> Bool {
    if isAsWritten(status.code, script) { return true }
    switch status.code {
    case .ok, .cancelled: return true
    case .deadlineExceeded:
      // The time that is left travels in whole milliseconds.
      return isFromNested(status, script) || world.now + .milliseconds(5) >= deadline
    case .resourceExhausted:
      return world.hasTightLimits || isFromNested(status, script) || status.message.contains("wait before this one")
        || isUnread(status) && isOfStruck(script)
    case .unavailable, .unimplemented: return mayBeAffected(script)
    default: return false
    }
  }

  /// Whether a fault may have reached the call, or a call that its handler makes.
  private func mayBeAffected(_ script: Script) -> Bool { !world.isCalm || isOfStruck(script) }

  /// Whether a process that was struck alone has made the call or serves its method; or that of a call that its handler
  /// makes.
  private func isOfStruck(_ script: Script) -> Bool {
    let struck = world.faults.struck
    if struck.isEmpty { return false }
    return callers[script.id]?.isDisjoint(with: struck) == false
      || world.workers.contains { struck.contains($0.name) && $0.serves(script.method.service) }
      || script.nested.contains { isOfStruck(world.script($0)) }
  }

  /// Whether a gateway has ended the call because caller or worker did not read what the other one sent.
  private func isUnread(_ status: Status) -> Bool {
    status.code == .resourceExhausted && status.message.contains("does not read what this stream sends")
  }

  /// Whether the handler, or that of a call which it makes, ends so by its script.
  private func isAsWritten(_ code: StatusCode, _ script: Script) -> Bool {
    script.outcome == code || code == .unavailable && script.unavailableTries > 0
      || script.nested.contains { isAsWritten(code, world.script($0)) }
  }

  /// Whether the handler passes on the failure of a call that it made: that was judged when that call ended.
  private func isFromNested(_ status: Status, _ script: Script) -> Bool {
    !script.nested.isEmpty && status.message == ScriptedHandler.nestedFailure
  }

  private func fail(_ script: Script, _ what: String) {
    world.fail("call \(script.id), \(script.method.path): \(what)")
  }
}
