package import Base
package import RPC
internal import Synchronization

/// A gateway's bus: a router with its doors, on a thread of its own.
package final class BusServer: Sendable {
  package struct Configuration: Sendable {
    package var listeners: [GatewayListener]
    /// The gateway's own keys and the list of accepted ones, for listeners on TCP.
    package var keys: CurveKeyPair?
    package var keyListPath: String?
    package var router = RouterConfiguration()
    /// How often a key may connect in a second; a hundred times as often at once.
    package var keyHandshakes = Authenticator.usualHandshakes
    package var ioThreads: Int32 = 1
    /// The gateway's name, for people.
    package var name: String
    /// Its program's version, for the list of instances.
    package var version = ""

    package init(name: String, listeners: [GatewayListener]) {
      self.name = name
      self.listeners = listeners
    }
  }

  /// An event for the log.
  package enum Report: Sendable {
    case router(RouterNews)
    /// A call of a trace has ended.
    case span(CallSpan)
    case keys(Authenticator.Report)
    /// A peer without a session sent a message that cannot be read.
    case unreadable(Peer, key: String?, why: String)
    /// Nearly all of the process's descriptors are in use, and a peer was not let in.
    case full(limit: Int)
    /// A peer was not let in, since its address has lately opened as many connections as there are descriptors left.
    case crowded(address: String, opened: Int, left: Int)
    /// An envelope of the router's cannot be encoded, or libzmq has failed to send it.
    case unencodable(why: String)
    /// A socket has failed, and with it the whole bus: this process routes no more calls.
    case failed(why: String)
  }

  /// The addresses of the listeners, with the ports that the system chose for port 0.
  package let endpoints: [String]
  private let reactor: Reactor<GatewayHost>
  private let authenticator: Authenticator?
  private let ring: KeyRing
  private let clock: Clock
  private let configuration: Configuration
  private let localNumbers = Atomic<UInt64>(0)

  package static func start(
    _ configuration: Configuration, clock: Clock = .system, randomness: Randomness = .system,
    report: @escaping @Sendable (Report) -> Void
  ) async throws -> BusServer {
    let context = try ZeroMQContext(ioThreads: configuration.ioThreads)
    let ring = KeyRing()
    let inbox = Mutex<ReactorInbox<GatewayHost.Work>?>(nil)
    let authenticator = try await openKeys(configuration, ring, in: context) { news in
      report(.keys(news))
      if case .reloaded = news { inbox.withLock { $0 }?.submit(.keysChanged) }
    }
    let endpoints = Mutex<[String]>([])
    let failed: @Sendable (any Error) -> Void = { report(.failed(why: "\($0)")) }
    let reactor = try Reactor<GatewayHost>.start(name: "bus", in: context, failed: failed) { links in
      var doors: [GatewayDoor] = []
      for listener in configuration.listeners.sorted(by: { $0.door == .services && $1.door == .clients }) {
        let link = try open(listener, configuration, links)
        endpoints.withLock { $0.append((try? link.lastEndpoint()) ?? listener.endpoint.description) }
        doors.append(.init(link, door: listener.door, isLocal: listener.endpoint.isLocal))
      }
      let now = clock.monotonic
      let router = Router(
        configuration: configuration.router, instance: IdentifierSource().next(), seed: randomness.word(), at: now)
      return GatewayHost(router: router, doors: doors, guests: links.guests, ring: ring, at: now, report: report)
    }
    inbox.withLock { $0 = reactor.inbox }
    return BusServer(
      reactor: reactor, authenticator: authenticator, ring: ring, endpoints: endpoints.withLock { $0 }, clock: clock,
      configuration: configuration)
  }

  private init(
    reactor: Reactor<GatewayHost>, authenticator: Authenticator?, ring: KeyRing, endpoints: [String], clock: Clock,
    configuration: Configuration
  ) {
    self.ring = ring
    self.configuration = configuration
    self.reactor = reactor
    self.authenticator = authenticator
    self.endpoints = endpoints
    self.clock = clock
  }

  /// Refuses clients whose tenant or device may not call any more, as if their keys were removed from the list, and
  /// ends their sessions.
  package func close(_ closures: KeyRing.Closures) {
    ring.close(closures)
    reactor.inbox.submit(.keysChanged)
  }

  /// Reads or changes the router on its own thread.
  package func visit<Value: Sendable>(
    _ body: @escaping @Sendable (inout Router, MonotonicTime) -> Value
  ) async -> Value? {
    await withCheckedContinuation { continuation in
      let isAccepted = reactor.inbox.submit(
        .visit { router, now in continuation.resume(returning: body(&router, now)) })
      if !isAccepted { continuation.resume(returning: nil) }
    }
  }

  /// Calls `follower` on the bus's own thread each time that the health of services may have changed.
  package func followHealth(_ follower: @escaping @Sendable () -> Void) {
    reactor.inbox.submit(.followHealth(follower))
  }

  /// Serves calls from within the gateway's own process.
  ///
  /// - Parameter executor: where handlers run; nil for Swift's shared pool.
  package func serve(
    _ services: [any RPCService], slots: Int = 4, executor: (any TaskExecutor)? = nil,
    report: @escaping @Sendable (any Error, String, MethodDescriptor) -> Void
  ) {
    var hello = Hello(instance: IdentifierSource().next(), epoch: 0, role: .worker)
    hello.services = services.map { Hello.ServiceOffer(type(of: $0).descriptor) }
    hello.address = configuration.name
    hello.version = configuration.version
    var settings = WorkerConfiguration(slots: slots)
    settings.timings = .pingedWithinProcess
    let machine = Worker(configuration: settings, hello: hello, epoch: 1, at: clock.monotonic)
    let handlers = HandlerSet(services: services, clock: clock, executor: executor, report: report)
    let number = localNumbers.add(1, ordering: .relaxed).newValue
    let host = LocalWorkerHost(inbox: reactor.inbox, number: number)
    reactor.inbox.submit(.addWorker(WorkerDriver(machine: machine, handlers: handlers), host, number: number))
  }

  /// A channel for the gateway's own process.
  package func channel() -> BusChannel { BusChannel(host: makeClient()) }

  /// Opens a door of another protocol on the bus's own thread. Errors of `make`, which opens the door's sockets there,
  /// are thrown here.
  package func attach(_ make: @escaping @Sendable (CallPort) throws -> any ReactorGuest) async throws {
    let client = makeClient()
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      let isAccepted = reactor.inbox.submit(
        .guests { guests, _ in
          continuation.resume(with: Result { try guests.add(try make(CallPort(host: client))) })
        })
      if !isAccepted { continuation.resume(throwing: Client.channelClosed) }
    }
  }

  /// Adds a client machine in the gateway's own process. The router believes it which callers it names.
  private func makeClient() -> any ClientHost {
    let hello = Hello(instance: IdentifierSource().next(), epoch: 0, role: .client)
    var settings = ClientConfiguration()
    settings.timings = .pingedWithinProcess
    let machine = Client(
      configuration: settings, hello: hello, epoch: 1, seed: Randomness.system.word(), at: clock.monotonic)
    let number = localNumbers.add(1, ordering: .relaxed).newValue
    reactor.inbox.submit(.addClient(ClientDriver(machine: machine), number: number))
    return LocalClientHost(inbox: reactor.inbox, number: number, clock: clock)
  }

  /// Tells everybody to go elsewhere, and goes on with all calls meanwhile. Returns when nobody is there who might not
  /// have done so, at the latest after `limit`.
  package func leave(within limit: Duration) async throws {
    let begun = clock.monotonic
    // Calls that a client began before it learns of the end are on their way for about as long.
    let hasClients = await visit { router, now in router.leave(at: now) } == true
    let least = hasClients ? min(limit, Self.timeOnTheWay) : .zero
    var isVisited = await askGuests { guests, now in
      guests.leave(at: now)
      return guests.areVisited(at: now)
    }
    while isVisited == true && clock.monotonic - begun < limit || clock.monotonic - begun < least {
      try await Task.sleep(for: .milliseconds(20))
      isVisited = await askGuests { guests, now in guests.areVisited(at: now) }
    }
  }

  private static let timeOnTheWay = Duration.milliseconds(200)
  private static let longestSilence = Duration.seconds(1)

  /// Accepts no new calls and returns when the running ones have ended and their answers have been sent. Streams by
  /// which nothing passes are ended.
  package func drain() async throws {
    _ = await askGuests { guests, now in guests.drain(at: now) }
    var looked = clock.monotonic
    _ = await visit { router, now in
      router.drain(at: now)
      router.endSilentStreams(at: now)
    }
    while await visit({ router, _ in router.isDrained }) == false {
      try await Task.sleep(for: .milliseconds(5))
      guard clock.monotonic - looked >= Self.longestSilence else { continue }
      looked = clock.monotonic
      _ = await visit { router, now in router.endSilentStreams(at: now) }
    }
    while await askGuests({ guests, _ in guests.areDrained }) == false { try await Task.sleep(for: .milliseconds(5)) }
  }

  /// Asks the doors of other protocols on the reactor's thread; nil when that has ended.
  private func askGuests<Value: Sendable>(
    _ body: @escaping @Sendable (Guests, MonotonicTime) -> Value
  ) async -> Value? {
    await withCheckedContinuation { continuation in
      let isAccepted = reactor.inbox.submit(
        .guests { guests, now in continuation.resume(returning: body(guests, now)) })
      if !isAccepted { continuation.resume(returning: nil) }
    }
  }

  /// Closes the doors. Calls that still run lose their session, and their callers end them.
  package func stop() async throws {
    authenticator?.stop()
    try await reactor.stop()
  }
}

/// Starts to admit the keys of the list, if a listener is on TCP.
private func openKeys(
  _ configuration: BusServer.Configuration, _ ring: KeyRing, in context: ZeroMQContext,
  report: @escaping @Sendable (Authenticator.Report) -> Void
) async throws -> Authenticator? {
  guard let listener = configuration.listeners.first(where: { !$0.endpoint.isLocal }) else { return nil }
  guard configuration.keys != nil, let path = configuration.keyListPath else {
    throw BusEndpointError("\(listener.endpoint) needs the gateway's key and a list of keys: TCP is never open to all")
  }
  let doors = GatewayListener.Door.allCases.map { ($0.rawValue, $0.roles) }
  return try await Authenticator.start(
    in: context, ring: ring, doors: Dictionary(uniqueKeysWithValues: doors), following: path,
    handshakes: Authenticator.handshakes(aSecond: configuration.keyHandshakes), report: report)
}

private func open(_ listener: GatewayListener, _ configuration: BusServer.Configuration, _ links: Links) throws -> Link
{
  var options = SocketOptions(.router)
  options.sendHighWater = 1024
  options.receiveHighWater = 1024
  options.maxFrameBytes = Int64(BusLimits.largestFrame)
  if case .ipc(let path) = listener.endpoint.place {
    options.heartbeatInterval = .zero
    try PrivateDirectory.ensure(path.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" })
  } else if let keys = configuration.keys {
    options.security = .curveServer(keys: keys, domain: listener.door.rawValue)
  }
  return try links.bind(options, to: listener.endpoint.bindAddress, share: listener.door.share)
}

private final class LocalWorkerHost: WorkerHost {
  private let inbox: ReactorInbox<GatewayHost.Work>
  private let number: UInt64

  init(inbox: ReactorInbox<GatewayHost.Work>, number: UInt64) {
    self.inbox = inbox
    self.number = number
  }

  func submit(_ input: WorkerInput) { inbox.submit(.worker(input, number: number)) }
}

private final class LocalClientHost: ClientHost {
  private let inbox: ReactorInbox<GatewayHost.Work>
  private let number: UInt64
  private let clock: Clock

  init(inbox: ReactorInbox<GatewayHost.Work>, number: UInt64, clock: Clock) {
    self.inbox = inbox
    self.number = number
    self.clock = clock
  }

  var now: MonotonicTime { clock.monotonic }

  func submit(_ input: ClientInput) -> Bool { inbox.submit(.client(input, number: number)) }
}
