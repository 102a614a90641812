internal import Base
internal import Wire

/// Causes faults in the world, and ends them again.
final class Faults {
  private unowned let world: World
  private var isOver = false
  /// The processes whose keys are not in the gateways' list.
  private(set) var withoutKey: Set<String> = []
  /// A fault has struck that may affect every call from now on.
  private(set) var haveStruckAll = false
  /// The processes that were struck by faults which affect no calls but those that these processes make or serve.
  private(set) var struck: Set<String> = []

  init(world: World) {
    self.world = world
  }

  /// Plans faults within `duration`.
  func plan(_ count: Int, within duration: Duration) {
    for _ in 0..<count {
      let time = world.chance.milliseconds(0...Int(duration.wholeMilliseconds))
      world.plan(after: time) { [self] in strike() }
    }
  }

  /// Plans the death of a client in a quarter of the worlds. The random numbers come from a generator of their own, so
  /// that the other faults of a seed stay what they are.
  func planDeath(within duration: Duration) {
    var chance = Chance(seed: world.report.seed ^ 0x4445_4154_4853_4F46)
    guard chance.happens(0.25) else { return }
    let client = chance.pick(world.clients)
    let absence = chance.milliseconds(10...1000)
    world.plan(after: chance.milliseconds(0...Int(duration.wholeMilliseconds))) { [self] in
      guard !isOver, client.isUp else { return }
      note("kill \(client.name)")
      client.kill()
      world.plan(after: absence) { if !client.isUp { client.start() } }
    }
  }

  /// In half of the worlds, plans faults that strike a single process. They are drawn apart as well.
  func planForOne(within duration: Duration) {
    var chance = Chance(seed: world.report.seed ^ 0x5354_5241_594E_4F4E)
    guard chance.happens(0.5) else { return }
    if chance.happens(0.5) { planRemovedKey(within: duration, using: &chance) }
    if chance.happens(0.5) { planUnreadConnection(within: duration, using: &chance) }
  }

  /// Plans that a process's key is removed for a while. Each gateway notices at its own time. The key is soon back,
  /// because a gateway that refuses a HELLO is asked again after longer and longer pauses.
  private func planRemovedKey(within duration: Duration, using chance: inout Chance) {
    let node = chance.pick(world.workers as [Node] + world.clients)
    let absence = chance.milliseconds(20...900)
    let delays = world.gateways.map { _ in chance.milliseconds(0...100) }
    world.plan(after: chance.milliseconds(0...Int(duration.wholeMilliseconds))) { [self] in
      guard !isOver else { return }
      note("remove the key of \(node.name)", striking: node)
      withoutKey.insert(node.name)
      haveKeysRead(after: delays)
      world.plan(after: absence) { [self] in
        withoutKey.remove(node.name)
        haveKeysRead(after: delays)
      }
    }
  }

  private func haveKeysRead(after delays: [Duration]) {
    for (gateway, delay) in zip(world.gateways, delays) { world.plan(after: delay) { gateway.readKeys() } }
  }

  /// Plans that a process does not read one of its connections for a while: where much is sent to it meanwhile, the
  /// gateway runs out of room. So the connection is often the one that has carried most.
  private func planUnreadConnection(within duration: Duration, using chance: inout Chance) {
    let isBusiest = chance.happens(0.5)
    let place = chance.number(0...999)
    let length = chance.milliseconds(50...1900)
    world.plan(after: chance.milliseconds(0...Int(duration.wholeMilliseconds))) { [self] in
      let open = world.network.connections
      guard !isOver, let busiest = open.max(by: { $0.carried < $1.carried }) else { return }
      let connection = isBusiest ? busiest : open[place % open.count]
      let reader = connection.dialer.node
      note("leave unread \(reader.name) – \(connection.gateway.name)", striking: reader)
      world.network.leaveUnread(connection, for: length)
    }
  }

  /// A gateway has so much for a process that does not read that it acts on it.
  func noteFull(_ connection: Connection) {
    let reader = connection.dialer.node
    note("fill \(reader.name) – \(connection.gateway.name)", striking: reader)
  }

  /// From now on no new faults begin, and what is frozen, cut off, dead or without a key comes back.
  func stop() {
    isOver = true
    world.network.heal()
    withoutKey = []
    for gateway in world.gateways { gateway.readKeys() }
    for node in world.nodes {
      node.thaw()
      if node.isLeaving { node.kill() }
      if !node.isUp { node.start() }
    }
  }

  /// Replaces a process that was asked to stop and has stopped, or has had the time for it.
  func restart(_ node: Node) {
    world.plan(after: .zero) { [self] in
      guard node.isUp else { return }
      node.kill()
      revive(node)
    }
  }

  private func strike() {
    guard !isOver else { return }
    switch world.chance.number(0...9) {
    case 0, 1: sever()
    case 2: stall()
    case 3, 4: kill(world.chance.pick(world.workers))
    case 5: kill(world.chance.pick(world.gateways))
    case 6: freeze(world.chance.pick(world.nodes))
    case 7: drain(world.chance.pick(world.workers))
    case 8: drain(world.chance.pick(world.gateways))
    default: partition(world.chance.pick(world.nodes))
    }
  }

  private func sever() {
    guard !world.network.connections.isEmpty else { return }
    let connection = world.chance.pick(world.network.connections)
    note("break \(connection.dialer.node.name) – \(connection.gateway.name)")
    world.network.sever(connection)
  }

  private func stall() {
    guard !world.network.connections.isEmpty else { return }
    let connection = world.chance.pick(world.network.connections)
    note("stall \(connection.dialer.node.name) – \(connection.gateway.name)")
    cutOff(connection)
  }

  /// Cuts a process off from all others, sometimes too briefly for anybody to notice.
  private func partition(_ node: Node) {
    note("partition \(node.name)")
    for connection in world.network.connections where connection.gateway === node || connection.dialer.node === node {
      cutOff(connection)
    }
  }

  private func cutOff(_ connection: Connection) {
    let duration = world.chance.milliseconds(50...3000)
    world.network.stall(connection, for: duration)
    // After a while the transport's own heartbeats fail as well.
    guard duration > .seconds(2) else { return }
    world.plan(after: .seconds(2)) { [self] in world.network.sever(connection) }
  }

  private func kill(_ node: Node) {
    guard node.isUp else { return }
    note("kill \(node.name)")
    node.kill()
    revive(node)
  }

  private func revive(_ node: Node) {
    world.plan(after: world.chance.milliseconds(10...1000)) { if !node.isUp { node.start() } }
  }

  private func freeze(_ node: Node) {
    guard node.isUp else { return }
    note("freeze \(node.name)")
    node.freeze()
    let life = node.life
    world.plan(after: world.chance.milliseconds(20...4000)) { if node.life == life { node.thaw() } }
  }

  private func drain(_ node: Node) {
    note("drain \(node.name)")
    node.perform(in: node.life) {
      node.isLeaving = true
      node.drain()
    }
    // A process that does not stop in time is killed.
    let life = node.life
    world.plan(after: .seconds(2)) { [self] in if node.life == life { restart(node) } }
  }

  /// - Parameter node: the only process that the fault strikes; nil for a fault that may affect every call.
  private func note(_ what: String, striking node: Node? = nil) {
    if let node { struck.insert(node.name) } else { haveStruckAll = true }
    world.report.note(what)
    world.report.hardships.append(what)
  }
}
