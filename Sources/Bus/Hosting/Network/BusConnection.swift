public import Base
public import RPC
internal import Synchronization

/// A process's connection to the bus: it makes calls through every configured gateway, and can serve calls.
public final class BusConnection: Sendable {
  public struct Configuration: Sendable {
    /// The gateways' addresses, at the door that is meant for this process. A host name stands for all its addresses,
    /// and changes of these are followed.
    public var gateways: [BusEndpoint]
    /// The keys of this process, and the gateways' public key: needed for gateways on TCP.
    public var keys: Keys?
    /// The process's name and its program's version, for the list of instances.
    public var address: String = ""
    public var version: String = ""
    /// Looks up names, and how often; nil asks the system.
    package var lookup: EndpointFollower.Lookup?
    /// How often names of gateways are looked up: a gateway that is new behind a name gets the process within the time
    /// for which it keeps calls for services that have not come yet.
    package var lookupInterval: Duration = .seconds(1)

    public struct Keys: Sendable {
      public var own: CurveKeyPair
      public var gateway: CurvePublicKey

      public init(own: CurveKeyPair, gateway: CurvePublicKey) {
        self.own = own
        self.gateway = gateway
      }
    }

    public init(gateways: [BusEndpoint], keys: Keys? = nil) {
      self.gateways = gateways
      self.keys = keys
    }
  }

  /// The settings of a process that serves.
  public struct Serving: Sendable {
    /// How many handlers run at a time, not counting those that wait.
    public var slots: Int
    /// How many calls beyond its slots it takes into its own queue.
    public var prefetch = 1
    public var observers: [any ServerObserver] = []
    /// Where handlers run; nil for Swift's shared pool.
    public var executor: (any TaskExecutor)?
    /// Called with unexpected errors of handlers and with faults of their service, which belong into a log.
    public var report: @Sendable (_ error: any Error, _ id: String, _ method: MethodDescriptor) -> Void = { _, _, _ in }
    /// What gateways tell operators about this process, a line each. It must not block.
    public var notices: @Sendable () -> [String] = { [] }

    public init(slots: Int) {
      self.slots = slots
    }
  }

  /// An event for the log.
  public enum Report: Sendable {
    case refused(endpoint: String, why: String)
    /// The gateway has ended the session, because of this process's key or of what it sent.
    case dismissed(endpoint: String, why: String)
    case unreachable(endpoint: String, why: String)
    /// The gateway sent a message that cannot be read.
    case unreadable(endpoint: String, why: String)
    /// An envelope for the gateway cannot be encoded. If it is the first one of a call, the call ends.
    case unencodable(endpoint: String, why: String)
    /// A socket has failed, and with it the connection to all gateways: this process makes and serves no more calls.
    case failed(why: String)
  }

  /// The channel for this process's calls.
  public let channel: BusChannel
  private let reactor: Reactor<ConnectionHost>
  private let follower: EndpointFollower
  private let configuration: Configuration
  private let instance: String
  private let clock: Clock
  private let isServing = Atomic(false)

  /// Begins to connect. Calls made before a gateway answers wait for one.
  public static func open(
    _ configuration: Configuration, clock: Clock = .system,
    report: @escaping @Sendable (Report) -> Void = { _ in }
  ) async throws -> BusConnection {
    var options = SocketOptions(.dealer)
    options.maxFrameBytes = Int64(BusLimits.largestFrame)
    if let endpoint = configuration.gateways.first(where: { !$0.isLocal }) {
      guard let keys = configuration.keys else {
        throw BusEndpointError("\(endpoint) needs this process's key and the gateway's: TCP is always encrypted")
      }
      options.security = .curveClient(keys: keys.own, server: keys.gateway)
    }
    if configuration.gateways.isEmpty { throw BusEndpointError("no gateway is named") }
    let instance = IdentifierSource().next()
    let context = try ZeroMQContext()
    var hello = Hello(instance: instance, epoch: 0, role: .client)
    hello.address = configuration.address
    hello.version = configuration.version
    let machine = Client(
      hello: hello, epoch: Self.firstEpoch(clock), seed: Randomness.system.word(), at: clock.monotonic)
    let settled = options
    let failed: @Sendable (any Error) -> Void = { report(.failed(why: "\($0)")) }
    let reactor = try Reactor<ConnectionHost>.start(name: "bus", in: context, failed: failed) { links in
      ConnectionHost(
        client: ClientDriver(machine: machine), links: links, options: settled, at: clock.monotonic, report: report)
    }
    let follower = try EndpointFollower(
      configuration.gateways, every: configuration.lookupInterval, lookup: configuration.lookup
    ) { [inbox = reactor.inbox] change in
      inbox.submit(.endpoints(change))
    }
    return BusConnection(
      reactor: reactor, follower: follower, configuration: configuration, instance: instance, clock: clock)
  }

  private init(
    reactor: Reactor<ConnectionHost>, follower: EndpointFollower, configuration: Configuration, instance: String,
    clock: Clock
  ) {
    self.reactor = reactor
    self.follower = follower
    self.configuration = configuration
    self.instance = instance
    self.clock = clock
    channel = BusChannel(host: ConnectionClient(inbox: reactor.inbox, clock: clock))
  }

  /// Offers `services` to every gateway from now on. To be called once.
  public func serve(_ services: [any RPCService], _ serving: Serving) {
    precondition(!isServing.exchange(true, ordering: .relaxed), "a connection serves once, all its services together")
    var hello = Hello(instance: instance, epoch: 0, role: .worker)
    hello.address = configuration.address
    hello.version = configuration.version
    hello.services = services.map { Hello.ServiceOffer(type(of: $0).descriptor) }
    var limits = WorkerConfiguration(slots: serving.slots)
    limits.prefetch = serving.prefetch
    limits.notices = serving.notices
    let machine = Worker(configuration: limits, hello: hello, epoch: Self.firstEpoch(clock), at: clock.monotonic)
    let handlers = HandlerSet(
      services: services, observers: serving.observers, clock: clock,
      executor: serving.executor, report: serving.report)
    let host = ConnectionWorker(inbox: reactor.inbox)
    reactor.inbox.submit(.serve(WorkerDriver(machine: machine, handlers: handlers), host))
  }

  /// Returns as soon as a gateway has accepted this process, as a server too if it serves.
  ///
  /// Throws a `BusRefusal` when every gateway refuses it for a lasting reason, and a `CancellationError` when the task
  /// is cancelled or the connection closed before.
  public func ready() async throws {
    let wait = ReadyWait()
    if !reactor.inbox.submit(.whenReady(wait)) { wait.end(.failure(CancellationError())) }
    try await wait.value()
  }

  /// Accepts no new calls, and returns when the running ones have ended or the connection is closed.
  public func drain() async {
    await withCheckedContinuation { continuation in
      if !reactor.inbox.submit(.drain { continuation.resume() }) { continuation.resume() }
    }
  }

  /// Says BYE and disconnects. Open calls end as cancelled.
  public func close() async throws {
    follower.stop()
    reactor.inbox.submit(.leave)
    try await reactor.stop()
  }

  /// The time, so that it is greater than any epoch of an earlier process (unless the clock was set back), with room
  /// for all epochs that this process will need.
  private static func firstEpoch(_ clock: Clock) -> UInt64 {
    UInt64(clamping: clock.now.millisecondsSince1970) << 10
  }
}

/// Why a gateway refuses a session with this process.
public struct BusRefusal: Error, Equatable, Sendable, CustomStringConvertible {
  public let endpoint: String
  public let why: String
  /// Whether asking again is useless.
  let isFinal: Bool

  public var description: String { "the gateway at \(endpoint) refuses this process: \(why)" }
}

private final class ConnectionClient: ClientHost {
  private let inbox: ReactorInbox<ConnectionHost.Work>
  private let clock: Clock

  init(inbox: ReactorInbox<ConnectionHost.Work>, clock: Clock) {
    self.inbox = inbox
    self.clock = clock
  }

  var now: MonotonicTime { clock.monotonic }

  func submit(_ input: ClientInput) -> Bool { inbox.submit(.client(input)) }
}

private final class ConnectionWorker: WorkerHost {
  private let inbox: ReactorInbox<ConnectionHost.Work>

  init(inbox: ReactorInbox<ConnectionHost.Work>) {
    self.inbox = inbox
  }

  func submit(_ input: WorkerInput) { inbox.submit(.worker(input)) }
}
