import Base
import Bus
import RPC

/// A router with peers that do only what a test tells them, in time that passes only when a test says so.
struct RouterHarness {
  var router: Router
  private(set) var now = MonotonicTime(nanoseconds: 1_000_000_000)
  private var sessions: [Peer: UInt64] = [:]
  private var credentials: [Peer: PeerCredentials] = [:]
  private var received: [Peer: [Envelope]] = [:]

  static let service = "test.v1.Test"
  static let change = method("Change", .unary, .unknown)
  static let get = method("Get", .unary, .noSideEffects)
  static let upload = method("Upload", .clientStreaming, .noSideEffects)
  static let watch = method("Watch", .serverStreaming, .noSideEffects)
  static let export = method("Export", .serverStreaming, .noSideEffects)
  static let converse = method("Converse", .bidirectionalStreaming, .noSideEffects)
  static let admin = method("Admin", .unary, .noSideEffects, permissions: [MethodPermission([.admin, .operator])])

  static let methods = [change, get, upload, watch, export, converse, admin]

  static let worker = Peer(door: .services, link: 1)
  static let client = Peer(door: .clients, link: 100)

  static func method(
    _ name: String, _ kind: MethodDescriptor.Kind, _ idempotency: MethodDescriptor.Idempotency,
    permissions: [MethodPermission] = .anyone
  ) -> MethodDescriptor {
    MethodDescriptor(service: service, name: name, kind: kind, idempotency: idempotency, permissions: permissions)
  }

  init(_ configuration: RouterConfiguration = RouterConfiguration()) {
    router = Router(configuration: configuration, instance: "gateway", seed: 1, at: now)
  }

  /// A router with one client and one worker, after the grace of its start.
  static func running(
    slots: UInt32 = 1, prefetch: UInt32 = 0, _ configuration: RouterConfiguration = RouterConfiguration()
  ) -> RouterHarness {
    var harness = RouterHarness(configuration)
    harness.greetAsWorker(slots: slots, prefetch: prefetch)
    harness.greetAsClient()
    return harness
  }

  // MARK: - Peers

  mutating func greetAsWorker(
    _ peer: Peer = worker, instance: String = "worker", epoch: UInt64 = 1, link: UInt32 = 0, slots: UInt32 = 1,
    prefetch: UInt32 = 0, services: [String] = [service], credentials: PeerCredentials = .service(named: "worker"),
    _ change: (inout Hello) -> Void = { _ in }
  ) {
    var hello = Hello(instance: instance, epoch: epoch, role: .worker)
    hello.link = link
    hello.slots = slots
    hello.prefetch = prefetch
    hello.services = services.map { name in
      let methods = Self.methods.map {
        MethodDescriptor(
          service: name, name: $0.name, kind: $0.kind, idempotency: $0.idempotency, permissions: $0.permissions)
      }
      return Hello.ServiceOffer(name: name, methods: methods)
    }
    change(&hello)
    greet(peer, hello, credit: UInt64(slots + prefetch), credentials)
  }

  mutating func greetAsClient(
    _ peer: Peer = client, instance: String = "client", epoch: UInt64 = 1,
    credentials: PeerCredentials = .client(CallerIdentity(kind: .person, tenant: "t", subject: "s"))
  ) {
    greet(peer, Hello(instance: instance, epoch: epoch, role: .client), credit: 0, credentials)
  }

  private mutating func greet(_ peer: Peer, _ hello: Hello, credit: UInt64, _ credentials: PeerCredentials) {
    var envelope = Envelope(.hello)
    envelope.credit = credit
    envelope.extra = Envelope.Extra(hello: hello)
    self.credentials[peer] = credentials
    router.receive(envelope, from: peer, credentials: credentials, at: now)
    collect()
  }

  /// Sets what the host has verified about a peer that sends its HELLO by itself.
  mutating func verify(_ peer: Peer, as credentials: PeerCredentials) { self.credentials[peer] = credentials }

  /// Something happens to the router that is no envelope.
  mutating func change(_ body: (inout Router, MonotonicTime) -> Void) {
    body(&router, now)
    collect()
  }

  func session(of peer: Peer) -> UInt64 { sessions[peer] ?? 0 }

  // MARK: - What peers send

  /// - Parameter session: the peer's own session unless the test names another.
  mutating func send(_ envelope: Envelope, from peer: Peer, session: UInt64? = nil) {
    var envelope = envelope
    envelope.session = session ?? sessions[peer] ?? 0
    router.receive(envelope, from: peer, credentials: credentials[peer] ?? .client(.stranger), at: now)
    collect()
  }

  mutating func open(
    _ call: UInt64, _ method: MethodDescriptor = get, from peer: Peer = client, key: String = "",
    remaining: UInt32 = 10_000, caller: CallerIdentity? = nil, waitsForReady: Bool = false,
    attempt: UInt8 = 1
  ) {
    var envelope = Envelope(.open, call: call)
    envelope.method = method.path
    envelope.remainingMilliseconds = remaining
    envelope.carriesMessage = !method.kind.clientStreams
    envelope.attempt = attempt
    envelope.idempotencyKey = key
    envelope.extra = Envelope.Extra(caller: caller, waitsForReady: waitsForReady)
    send(envelope, from: peer)
  }

  /// - Parameter credit: the total number of calls that the worker may have been given.
  mutating func answer(
    _ call: UInt64, _ code: StatusCode = .ok, from peer: Peer = worker, credit: UInt64 = 0, metadata: Metadata = [:]
  ) {
    var envelope = Envelope(.status, call: call)
    envelope.statusCode = code
    envelope.credit = credit
    envelope.extra = Envelope.Extra(metadata: metadata)
    send(envelope, from: peer)
  }

  mutating func grant(_ credit: UInt64, from peer: Peer = worker) {
    var envelope = Envelope(.credit)
    envelope.credit = credit
    send(envelope, from: peer)
  }

  // MARK: - What the router sends

  /// What a peer has received since the last call, or only envelopes of a kind; the rest is dropped.
  mutating func take(_ kind: Envelope.Kind? = nil, for peer: Peer) -> [Envelope] {
    let all = received.removeValue(forKey: peer) ?? []
    return kind.map { kind in all.filter { $0.kind == kind } } ?? all
  }

  mutating func opened(at peer: Peer = worker) -> [Envelope] { take(.open, for: peer) }

  mutating func outcomes(at peer: Peer = client) -> [Envelope] { take(.status, for: peer) }

  /// Lets time pass, with pings from all peers unless they are to be silent.
  mutating func pass(_ duration: Duration, silent: Set<Peer> = []) {
    var left = duration
    while left > .zero {
      let step = min(left, .milliseconds(250))
      left -= step
      now = now + step
      for peer in sessions.keys.sorted(by: { $0.link < $1.link }) where !silent.contains(peer) {
        send(Envelope(.pong), from: peer)
      }
      router.advance(to: now)
      collect()
    }
  }

  /// Lets time pass in one step, as for a process that was frozen.
  mutating func jump(_ duration: Duration) { now = now + duration }

  /// Lets a quarter of a second pass in which nobody says anything.
  mutating func step() {
    now = now + .milliseconds(250)
    router.advance(to: now)
    collect()
  }

  private mutating func collect() {
    router.flush { peer, envelope, _ in
      if envelope.kind == .helloAck { sessions[peer] = envelope.session }
      received[peer, default: []].append(envelope)
    }
  }
}
