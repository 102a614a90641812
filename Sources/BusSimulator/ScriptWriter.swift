internal import Base
internal import RPC
internal import Wire

/// Makes random scripts for the calls of a simulation.
struct ScriptWriter {
  let serviceCount: Int
  private(set) var scripts: [Script] = []
  private var keys = 0

  init(serviceCount: Int) {
    self.serviceCount = serviceCount
  }

  /// A call with all its nested calls; returns its number.
  mutating func write(using chance: inout Chance, causedBy parent: Script? = nil, depth: Int = 0) -> Int {
    let methods = Contract.methods(of: chance.number(0...serviceCount - 1))
    let method = method(of: methods, causedBy: parent, using: &chance)
    var script = Script(id: scripts.count, method: method)
    scripts.append(script)
    if parent == nil, script.changesSomething, chance.happens(0.5) {
      keys += 1
      script.key = "key-\(keys)"
    }
    script.derivesKey = parent?.isKeyed == true && script.changesSomething
    script.deadline = chance.happens(0.2) ? chance.milliseconds(5...200) : chance.milliseconds(500...2500)
    script.waitsForReady = chance.happens(0.2)
    if chance.happens(0.1) { script.cancelAfter = chance.milliseconds(0...400) }
    script.requestSizes = sizes(method.kind.clientStreams, using: &chance)
    script.answerSizes = sizes(method.kind.serverStreams, using: &chance)
    if chance.happens(0.3) { script.callerPause = chance.milliseconds(0...60) }
    script.handlerPause = chance.happens(0.2) ? chance.milliseconds(20...300) : chance.milliseconds(0...8)
    if chance.happens(0.04) { script.wedge = chance.milliseconds(200...2000) }
    if chance.happens(0.15) { script.unavailableTries = chance.number(1...3) }
    if chance.happens(0.1) { script.outcome = chance.pick([.failedPrecondition, .internal, .unavailable]) }
    if depth < 2, chance.happens(0.3) {
      for _ in 0..<chance.number(1...2) {
        script.nested.append(write(using: &chance, causedBy: script, depth: depth + 1))
      }
    }
    scripts[script.id] = script
    return script.id
  }

  mutating func replace(_ script: Script) { scripts[script.id] = script }

  /// A mutation that must succeed: it is made after all faults have ended.
  mutating func writeProbe(of service: Int, isChain: Bool) -> Int {
    var script = Script(id: scripts.count, method: Contract.methods(of: service)[0])
    scripts.append(script)
    script.deadline = .seconds(1)
    if isChain { script.nested = [writeProbe(of: (service + 1) % serviceCount, isChain: false)] }
    scripts[script.id] = script
    return script.id
  }

  /// A read that takes its handler a fifth of a second, and for which its caller has time.
  mutating func writeRead(of service: Int) -> Int {
    var script = Script(id: scripts.count, method: Contract.methods(of: service)[2])
    script.deadline = .seconds(60)
    script.handlerPause = .milliseconds(100)
    scripts.append(script)
    return script.id
  }

  /// A handler that may run again without a key may only make calls that may be repeated as well.
  private func method(
    of methods: [MethodDescriptor], causedBy parent: Script?, using chance: inout Chance
  ) -> MethodDescriptor {
    guard let parent else { return chance.pick(methods + methods[...2] + methods[...1]) }
    return parent.isKeyed || parent.mustNotRepeat ? chance.pick(Array(methods[...2])) : methods[2]
  }

  private func sizes(_ isStream: Bool, using chance: inout Chance) -> [Int] {
    guard isStream else { return [size(using: &chance)] }
    return (0..<chance.number(0...6)).map { _ in size(using: &chance) }
  }

  private func size(using chance: inout Chance) -> Int {
    switch chance.number(0...19) {
    case 0: 0
    case 1...14: chance.number(1...900)
    case 15...17: chance.number(1_000...40_000)
    case 18: chance.number(131_000...132_000)
    default: chance.number(70_000...200_000)
    }
  }
}
