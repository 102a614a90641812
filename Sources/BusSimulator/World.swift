internal import Base
internal import Bus
internal import RPC
internal import Wire

/// A bus with all its processes, in virtual time.
final class World {
  private(set) var now = MonotonicTime(nanoseconds: 1_000_000_000)
  private var timeline = Timeline()
  var chance: Chance
  var report: Report
  var sabotage: Saboteur
  let slowestDelay: Int
  /// Whether every process dials each gateway by two addresses.
  private let hasSecondAddresses: Bool
  /// Whether the gateways' limits are so low that they refuse calls even without faults.
  private(set) var hasTightLimits = false
  /// Whether a gateway may begin so late that callers have given up by then.
  private var beginsLate = false
  private(set) lazy var ledger = Ledger(world: self)
  private(set) lazy var observer = LinkObserver(world: self)
  private(set) lazy var network = Network(world: self, observer: observer)
  private(set) lazy var faults = Faults(world: self)
  private(set) var gateways: [GatewayNode] = []
  private(set) var workers: [WorkerNode] = []
  private(set) var clients: [ClientNode] = []
  private var writer: ScriptWriter
  private let start: MonotonicTime

  init(seed: UInt64, sabotage: Sabotage?) {
    chance = Chance(seed: seed)
    report = Report(seed: seed)
    self.sabotage = Saboteur(sabotage)
    slowestDelay = chance.happens(0.5) ? 1 : 40
    hasSecondAddresses = chance.happens(0.15)
    start = now
    writer = ScriptWriter(serviceCount: chance.number(1...3))
    populate()
  }

  // MARK: - Time

  func plan(at time: MonotonicTime, _ step: @escaping () -> Void) { timeline.plan(at: time, step) }
  func plan(after delay: Duration, _ step: @escaping () -> Void) { timeline.plan(at: now + delay, step) }

  func run(for duration: Duration) {
    let end = now + duration
    while let (time, step) = timeline.next(until: end) {
      now = time
      step()
    }
    now = end
  }

  // MARK: - Processes

  /// Links without calls are checked more often than in life, because a run lasts for seconds only.
  static var timings: LinkTimings { timings(LinkTimings()) }

  private static func timings(_ usual: LinkTimings) -> LinkTimings {
    var timings = usual
    timings.idlePingInterval = .milliseconds(700)
    return timings
  }

  var nodes: [Node] { gateways as [Node] + workers + clients }

  private func populate() {
    var configuration = RouterConfiguration()
    configuration.timings = Self.timings(.ofGateway)
    if chance.happens(0.2) { configuration.waitingLimitPerService = chance.number(2...10) }
    if chance.happens(0.1) { configuration.openCallLimitPerSession = chance.number(3...10) }
    let usual = RouterConfiguration()
    hasTightLimits =
      configuration.waitingLimitPerService < usual.waitingLimitPerService
      || configuration.openCallLimitPerSession < usual.openCallLimitPerSession
    for number in 0..<chance.pick([1, 1, 1, 2, 2, 3]) {
      gateways.append(GatewayNode(number: number, configuration: configuration, world: self))
    }
    // Every service has a worker of its own; some workers serve another one as well.
    for service in 0..<writer.serviceCount {
      addWorker(services: [service])
    }
    if chance.happens(0.5) { addWorker(services: Array(0..<writer.serviceCount)) }
    for number in 0..<chance.number(1...2) { clients.append(ClientNode(name: "client \(number)", world: self)) }
  }

  private func addWorker(services: [Int]) {
    workers.append(
      WorkerNode(
        name: "worker \(workers.count)", services: services, slots: chance.pick([1, 1, 2, 4]),
        prefetch: chance.pick([0, 1, 1, 2]), world: self))
  }

  /// Starts everything in any order, over some time; a gateway may join late.
  func startAll() {
    for node in nodes {
      let isLate = node is GatewayNode && chance.happens(0.2)
      if isLate { beginsLate = true }
      let delay = isLate ? 0...1500 : 0...30
      plan(after: chance.milliseconds(delay)) { if node.life == 0 { node.start() } }
    }
  }

  func dialAll(from dialer: any Dialer) {
    for gateway in gateways {
      network.dial(gateway, from: dialer, link: gateway.number, after: chance.milliseconds(0...5))
      guard hasSecondAddresses else { continue }
      network.dial(gateway, from: dialer, link: gateways.count + gateway.number, after: chance.milliseconds(0...5))
    }
  }

  // MARK: - Calls

  func script(named name: String) -> Script {
    guard let number = Int(name), writer.scripts.indices.contains(number) else {
      fail("a handler got an unknown call: its metadata says '\(name)'")
      return writer.scripts[0]
    }
    return writer.scripts[number]
  }

  func script(_ number: Int) -> Script { writer.scripts[number] }

  /// Makes clients call for `duration`: now and then, or many at a time.
  func makeCalls(_ count: Int, over duration: Duration) {
    let burst = chance.happens(0.3) ? chance.milliseconds(0...1000) : nil
    for _ in 0..<count {
      let script = script(writer.write(using: &chance))
      let client = chance.pick(clients)
      let time = burst ?? chance.milliseconds(0...Int(duration.wholeMilliseconds))
      plan(after: time) { self.make(script, at: client) }
    }
  }

  /// Plans visitors, who behave as callers over HTTP do. The random numbers come from a generator of their own, so that
  /// a seed's other calls stay what they are.
  func receivePassingClients(over duration: Duration) {
    var chance = Chance(seed: report.seed ^ 0x5649_5349_544F_5253)
    guard chance.happens(0.4) else { return }
    for _ in 0..<chance.number(1...3) {
      let scripts = writer.writeVisit(using: &chance)
      let client = chance.pick(clients)
      let leavesAfter = chance.happens(0.6) ? chance.milliseconds(0...600) : nil
      plan(after: chance.milliseconds(0...Int(duration.wholeMilliseconds))) {
        client.perform(in: client.life) {
          guard let part = client.calling else { return }
          self.report.calls += scripts.count
          PassingClient(part: part).visit(scripts, leavesAfter: leavesAfter)
        }
      }
    }
  }

  private func make(_ script: Script, at client: ClientNode, whenEnded: @escaping (Status) -> Void = { _ in }) {
    client.perform(in: client.life) {
      guard let part = client.calling else { return }
      self.report.calls += 1
      ScriptedCall(script: script, part: part, whenEnded: whenEnded).begin(key: script.key)
    }
  }

  /// After all faults have ended: calls each service from each client, some directly and some through a chain. Each
  /// call must succeed.
  func probe() {
    var pause = Duration.zero
    for client in clients {
      for service in 0..<writer.serviceCount {
        let script = script(writer.writeProbe(of: service, isChain: chance.happens(0.5)))
        client.plan(after: pause) {
          guard let part = client.calling else { return }
          ScriptedCall(script: script, part: part) { status in
            if !status.isOK { self.fail("all faults have ended, and yet \(script.method.path) ends with \(status)") }
          }.begin(key: "")
        }
        pause += .milliseconds(100)
      }
    }
  }

  /// Has one client make many calls at once, and another one a single call, which must have its turn before most of
  /// them. False in worlds where that is not checked: in one with several gateways, these do not know each other's
  /// callers.
  func crowd() -> Bool {
    guard gateways.count == 1, clients.count == 2, chance.happens(0.5) else { return false }
    let service = chance.number(0...writer.serviceCount - 1)
    let many = (0..<40).map { _ in script(writer.writeRead(of: service)) }
    let single = script(writer.writeRead(of: service))
    ledger.crowd = (many: many.map(\.id), single: single.id)
    for script in many { make(script, at: clients[0]) }
    plan(after: .milliseconds(20)) {
      self.make(single, at: self.clients[1]) { status in
        if !status.isOK { self.fail("call \(single.id) beside many of another client ends with \(status)") }
      }
    }
    return true
  }

  // MARK: - Findings

  /// No fault that may affect every call has struck so far.
  var isCalm: Bool { !faults.haveStruckAll && !beginsLate }

  func fail(_ what: String) {
    guard report.faults.count < 5 else { return }
    report.faults.append("at \((now - start).wholeMilliseconds) ms: \(what)")
  }

  func check(_ found: [String], of node: Node) {
    for fault in found { fail("\(node.name): \(fault)") }
  }

  /// After everything has ended, no call and no session may be left anywhere.
  func checkRest() {
    for gateway in gateways { check(gateway.router?.faults(atRest: true) ?? [], of: gateway) }
    for worker in workers { check(worker.leftovers(), of: worker) }
    for client in clients { check(client.calling?.leftovers() ?? [], of: client) }
  }

  /// Releases everything: processes, calls and plans refer to each other in cycles.
  func end() {
    report.outcomes = ledger.outcomes
    report.repeats = ledger.repeats
    timeline.clear()
    for node in nodes where node.isUp { node.kill() }
    timeline.clear()
    network.clear()
  }
}
