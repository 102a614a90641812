internal import Base
internal import Bus
internal import RPC
internal import Wire

/// A gateway process with its router.
final class GatewayNode: Node {
  let number: Int
  private let configuration: RouterConfiguration
  private(set) var router: Router?
  private var connections: [UInt64: Connection] = [:]
  /// The processes whose keys are not in the list, as it was read last.
  private var withoutKey: Set<String> = []

  init(number: Int, configuration: RouterConfiguration, world: World) {
    self.number = number
    self.configuration = configuration
    super.init(name: "gateway \(number)", world: world)
  }

  override func begin() {
    withoutKey = world.faults.withoutKey
    router = Router(
      configuration: configuration, instance: "\(name), life \(life)", seed: world.chance.word(), at: world.now)
  }

  override func die() {
    router = nil
    connections = [:]
    world.network.severAll { $0.gateway === self }
  }

  override var nextWake: MonotonicTime { router?.nextWake ?? super.nextWake }

  func accept(_ connection: Connection) { connections[connection.id] = connection }

  /// Reads the list of keys: a process whose key is gone loses its sessions.
  func readKeys() {
    perform(in: life) { [self] in
      withoutKey = world.faults.withoutKey
      router?.revoke(where: { [withoutKey] in withoutKey.contains($0.identity.subject) }, at: world.now)
    }
  }

  /// Notes that a peer has read what waited for it.
  func noteRead(_ connection: Connection) {
    perform(in: connection.gatewayLife) { [self] in router?.release(connection.peer, at: world.now) }
  }

  func receive(_ envelope: Envelope, on connection: Connection) {
    guard !withoutKey.contains(connection.dialer.node.name) else {
      router?.revoke(connection.peer, at: world.now)
      if envelope.kind == .hello { router?.turnAway(connection.peer) }
      return
    }
    router?.receive(
      envelope, from: connection.peer, credentials: connection.credentials, at: world.now)
  }

  /// The gateway learns that the connection is lost.
  func lose(_ connection: Connection) { lose(connection.peer) }

  private func lose(_ peer: Peer) {
    connections[peer.link] = nil
    router?.lose(peer, because: .unreachable, at: world.now)
  }

  override func drain() {
    router?.drain(at: world.now)
  }

  override func faults() -> [String] { router?.faults(atRest: false) ?? [] }

  /// What happened to envelopes of the router, for the router to know once all of them have been sent.
  private enum News {
    case heldUp(Peer, isWorker: Bool)
    /// There is no room for what a stream has to send.
    case unread(Peer, call: UInt64)
    /// There is no room for anything else.
    case full(Peer)
    case lost(Peer)
  }

  private func tell(_ news: News) {
    switch news {
    case .heldUp(let peer, let isWorker):
      if isWorker { world.report.backlogs.insert(.workerHeldUp) }
      router?.hold(peer)
    case .unread(let peer, let call): router?.endUnread(call, to: peer, at: world.now)
    case .full(let peer): router?.lose(peer, because: .doesNotRead, at: world.now)
    case .lost(let peer): lose(peer)
    }
  }

  override func settle() {
    if let wake = router?.nextWake, wake <= world.now { router?.advance(to: world.now) }
    while true {
      var news: [News] = []
      var cutCalls = CutCalls()
      var isQuiet = true
      router?.flush { peer, envelope, account in
        isQuiet = false
        guard let envelope = cutCalls.successor(envelope, to: peer) else { return }
        let isOfStream = account != 0
        // What was under way may arrive after its connection was lost. The answer finds nobody, as the socket would
        // say.
        let connection = connections[peer.link]
        switch connection.map({ world.network.send(envelope, ofStream: isOfStream, on: $0) }) ?? .unreachable {
        case .sent: break
        case .heldUp: news.append(.heldUp(peer, isWorker: connection?.dialer.isWorker == true))
        case .full where isOfStream:
          cutCalls.cut(envelope.call, to: peer, because: .unread(by: "the caller"))
          news.append(.unread(peer, call: envelope.call))
        case .full:
          cutCalls.lose(peer)
          news.append(.full(peer))
        case .unreachable:
          cutCalls.lose(peer)
          news.append(.lost(peer))
        }
      }
      for item in news { tell(item) }
      if isQuiet { break }
    }
    for event in router?.takeEvents() ?? [] { world.report.note(event.event) }
    if isLeaving, router?.isDrained == true { world.faults.restart(self) }
  }
}

extension Connection {
  var peer: Peer { Peer(door: credentials.rights != .none ? .services : .clients, link: id) }

  var credentials: PeerCredentials {
    dialer.node is WorkerNode
      ? .service(named: dialer.node.name) : .client(CallerIdentity(kind: .person, subject: dialer.node.name))
  }
}
