internal import Base
internal import Bus
internal import RPC

/// A full record of what happened: what the services' databases hold, and what an observer of everything saw.
final class Ledger {
  private unowned let world: World
  private var starts: [Int: Int] = [:]
  private var changes: [Int: Int] = [:]
  /// The keys that a service has stored with its changes: like a real service, it makes no change twice under one key.
  private var keys: Set<String> = []
  private(set) var outcomes = [Int](repeating: 0, count: StatusCode.allCases.count)
  private(set) var repeats = 0

  init(world: World) {
    self.world = world
  }

  func started(_ script: Script, _ start: WorkerStart, at node: Node) {
    starts[script.id, default: 0] += 1
    if start.attempt > 1 { repeats += 1 }
    world.report.note("start \(script.id) at \(node.name)")
    if script.mustNotRepeat, starts[script.id, default: 0] > 1 {
      world.fail("call \(script.id), \(script.method.path): an unkeyed mutation ran twice")
    }
    if script.isKeyed != !start.idempotencyKey.isEmpty {
      world.fail("call \(script.id), \(script.method.path): its key is '\(start.idempotencyKey)' at the handler")
    }
  }

  func changed(_ script: Script, under key: String) {
    guard script.changesSomething else { return }
    guard key.isEmpty || keys.insert("\(script.method.service)/\(key)").inserted else { return }
    changes[script.id, default: 0] += 1
    if changes[script.id, default: 0] > 1, script.isKeyed || script.mustNotRepeat {
      world.fail("call \(script.id), \(script.method.path): took effect twice")
    }
  }

  func ended(_ script: Script, with status: Status) {
    outcomes[Int(status.code.rawValue)] += 1
    world.report.note("call \(script.id) ended \(status.code.name)")
    if status.isOK, script.changesSomething, changes[script.id, default: 0] == 0 {
      world.fail("call \(script.id), \(script.method.path): ended well and changed nothing")
    }
  }
}
