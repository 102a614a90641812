internal import Base
internal import Bus
internal import RPC
internal import Wire

/// A connection between a worker or client and a gateway that behaves like a real one: each direction delivers in
/// order, with some delay, until the connection breaks; then a prefix of what was being sent still arrives, and the
/// rest is lost.
final class Connection {
  let id: UInt64
  let gateway: GatewayNode
  let gatewayLife: Int
  let dialer: any Dialer
  let dialerLife: Int
  let link: LinkID
  fileprivate(set) var isOpen = true
  /// Until then nothing arrives on either side.
  fileprivate var stalledUntil = MonotonicTime(nanoseconds: 0)
  /// Until then the dialer does not read, and the gateway has little room for what waits for it.
  fileprivate var unreadUntil = MonotonicTime(nanoseconds: 0)
  /// So much has waited for the dialer that the gateway had to act.
  fileprivate var hasBeenFull = false
  /// How many envelopes the gateway has sent.
  fileprivate(set) var carried = 0
  fileprivate var toGateway = Direction()
  fileprivate var toDialer = Direction()

  fileprivate struct Direction {
    var underWay: [Envelope] = []
    var lastArrival = MonotonicTime(nanoseconds: 0)
  }

  fileprivate init(id: UInt64, gateway: GatewayNode, dialer: any Dialer, link: LinkID) {
    self.id = id
    self.gateway = gateway
    gatewayLife = gateway.life
    self.dialer = dialer
    dialerLife = dialer.node.life
    self.link = link
  }
}

/// A machine that dials gateways: a worker or a client.
protocol Dialer: AnyObject {
  var node: Node { get }
  var isWorker: Bool { get }
  func connected(_ link: LinkID, at now: MonotonicTime)
  func disconnected(_ link: LinkID, at now: MonotonicTime)
  func receive(_ envelope: Envelope, on link: LinkID, at now: MonotonicTime)
}

/// All connections of the simulated world.
final class Network {
  private unowned let world: World
  private var lastID: UInt64 = 0
  private(set) var connections: [Connection] = []
  private let observer: LinkObserver

  init(world: World, observer: LinkObserver) {
    self.world = world
    self.observer = observer
  }

  /// Dials until there is a connection, and again when the connection breaks.
  func dial(_ gateway: GatewayNode, from dialer: any Dialer, link: LinkID, after delay: Duration) {
    let life = dialer.node.life
    world.plan(after: delay) { [self] in
      guard dialer.node.life == life, dialer.node.isUp else { return }
      guard gateway.isUp, !gateway.isFrozen, !dialer.node.isFrozen else {
        return dial(gateway, from: dialer, link: link, after: world.chance.milliseconds(250...1000))
      }
      lastID += 1
      let connection = Connection(id: lastID, gateway: gateway, dialer: dialer, link: link)
      connections.append(connection)
      gateway.accept(connection)
      dialer.node.perform(in: life) { dialer.connected(link, at: self.world.now) }
    }
  }

  /// Sends an envelope from a dialer on one of its links.
  func send(_ envelope: Envelope, from dialer: any Dialer, link: LinkID) {
    guard let connection = connections.last(where: { $0.dialer === dialer && $0.link == link && $0.isOpen }) else {
      return
    }
    observer.sent(envelope, on: connection, towardsGateway: true)
    guard let envelope = world.sabotage.passing(envelope, on: connection, towardsGateway: true, in: world) else {
      return
    }
    connection.toGateway.underWay.append(envelope)
    planArrival(on: connection, at: \.toGateway)
  }

  /// What becomes of an envelope that a gateway sends.
  enum Outcome {
    case sent
    /// It is sent, and so much waits for the peer that it should get no calls.
    case heldUp
    /// There is no room for it.
    case full
    /// The peer has gone.
    case unreachable
  }

  /// So many envelopes may wait for a peer that does not read, so many before streams find no room, and so many before
  /// it is held up. In life these are bytes, and far more.
  private static let room = 7
  private static let roomOfStreams = 4
  private static let heldUpFrom = 2

  /// Sends from a gateway.
  ///
  /// - Parameter ofStream: what streams say gets only a part of the room.
  func send(_ envelope: Envelope, ofStream: Bool, on connection: Connection) -> Outcome {
    guard connection.isOpen else { return .unreachable }
    let isUnread = world.now < connection.unreadUntil
    if isUnread, connection.toDialer.underWay.count >= (ofStream ? Self.roomOfStreams : Self.room) {
      noteFull(connection)
      return .full
    }
    observer.sent(envelope, on: connection, towardsGateway: false)
    guard let envelope = world.sabotage.passing(envelope, on: connection, towardsGateway: false, in: world) else {
      return .sent
    }
    connection.carried += 1
    connection.toDialer.underWay.append(envelope)
    planArrival(on: connection, at: \.toDialer)
    guard isUnread, connection.toDialer.underWay.count >= Self.heldUpFrom else { return .sent }
    noteFull(connection)
    return .heldUp
  }

  private func noteFull(_ connection: Connection) {
    guard !connection.hasBeenFull else { return }
    connection.hasBeenFull = true
    world.faults.noteFull(connection)
  }

  /// An arrival delivers the next envelope of its direction, so that no envelope overtakes another.
  private func planArrival(on connection: Connection, at direction: WritableKeyPath<Connection, Connection.Direction>) {
    var connection = connection
    let delay = world.chance.milliseconds(
      world.slowestDelay > 1 && world.chance.happens(0.1) ? 0...world.slowestDelay : 0...1)
    let time = max(connection[keyPath: direction].lastArrival, connection.stalledUntil, world.now + delay)
    connection[keyPath: direction].lastArrival = time
    world.plan(at: time) { [self] in arrive(on: connection, at: direction) }
  }

  private func arrive(on connection: Connection, at direction: WritableKeyPath<Connection, Connection.Direction>) {
    var connection = connection
    if world.now < connection.stalledUntil {
      return world.plan(at: connection.stalledUntil) { [self] in arrive(on: connection, at: direction) }
    }
    guard !connection[keyPath: direction].underWay.isEmpty else { return }
    let envelope = connection[keyPath: direction].underWay.removeFirst()
    world.report.note(envelope, connection: connection.id)
    if direction == \.toGateway {
      connection.gateway.perform(in: connection.gatewayLife) { connection.gateway.receive(envelope, on: connection) }
    } else {
      let dialer = connection.dialer
      dialer.node.perform(in: connection.dialerLife) {
        dialer.receive(envelope, on: connection.link, at: self.world.now)
      }
    }
  }

  // MARK: - Faults

  /// Breaks a connection. Each side learns of it at its own time; a gateway perhaps only when it sends or when pings
  /// fail.
  func sever(_ connection: Connection, isOrderly: Bool = false) {
    guard connection.isOpen else { return }
    connection.isOpen = false
    connections.removeAll { $0 === connection }
    if !isOrderly {
      connection.toGateway.underWay.loseTail(using: &world.chance)
      connection.toDialer.underWay.loseTail(using: &world.chance)
    }
    let dialer = connection.dialer
    let life = dialer.node.life
    let link = connection.link
    let notice = max(connection.toDialer.lastArrival, world.now + world.chance.milliseconds(0...20))
    world.plan(at: notice) { [self] in
      dialer.node.perform(in: life) { dialer.disconnected(link, at: self.world.now) }
      let pause = world.chance.milliseconds(250...1000)
      // A process that has begun again meanwhile dials by itself, and has one connection for each link.
      guard dialer.node.life == life else { return }
      dial(connection.gateway, from: dialer, link: link, after: pause)
    }
    guard world.chance.happens(0.5) else { return }
    world.plan(after: world.chance.milliseconds(0...50)) {
      connection.gateway.perform(in: connection.gatewayLife) { connection.gateway.lose(connection) }
    }
  }

  func severAll(where isMeant: (Connection) -> Bool, isOrderly: Bool = false) {
    for connection in connections where isMeant(connection) { sever(connection, isOrderly: isOrderly) }
  }

  /// Nothing is delivered for a while, as when a cable is pulled and put back.
  func stall(_ connection: Connection, for duration: Duration) {
    connection.stalledUntil = max(connection.stalledUntil, world.now + duration)
  }

  /// Nothing is delivered for a while, and the gateway has little room for what waits.
  func leaveUnread(_ connection: Connection, for duration: Duration) {
    stall(connection, for: duration)
    connection.unreadUntil = world.now + duration
    world.plan(at: connection.unreadUntil) { connection.gateway.noteRead(connection) }
  }

  /// Delivers everything again from now on.
  func heal() {
    for connection in connections {
      connection.stalledUntil = world.now
      connection.unreadUntil = world.now
    }
  }

  func clear() { connections = [] }
}

extension [Envelope] {
  fileprivate mutating func loseTail(using chance: inout Chance) {
    removeLast(chance.number(0...count))
  }
}
