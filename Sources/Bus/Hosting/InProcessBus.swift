public import Base
public import RPC
internal import Synchronization

/// A whole bus inside one process: the same machines that ZeroMQ hosts elsewhere, under one lock and without sockets.
///
/// It has the real bus's credit, windows, deadlines, retries and outcomes, so that a test of a service over it tests
/// what runs in production.
public final class InProcessBus: Sendable {
  private let clock: Clock
  private let randomness: Randomness
  private let state: Mutex<State>

  fileprivate struct State {
    var router: Router
    var workers: [WorkerPart] = []
    var clients: [ClientPart] = []
    /// The clients that have changed, and whose envelopes and deliveries were not collected yet. Tests have hundreds of
    /// clients, of which one or two are busy.
    var touched: Set<Int> = []
    /// The clients with open calls.
    var busy: Set<Int> = []
    /// Whether a task advances the time. It runs only while calls are open: tests have hundreds of buses, and do not
    /// stop all of them.
    var isTicking = false
    var isStopped = false
    var deliveries: [Delivery] = []
    var isDelivering = false
    /// The time up to which the machines have advanced.
    var time: MonotonicTime
  }

  fileprivate struct WorkerPart {
    var driver: WorkerDriver
    let host: InProcessWorker
    let peer: Peer
  }

  fileprivate struct ClientPart {
    var driver: ClientDriver
    let peer: Peer
    let credentials: PeerCredentials
  }

  public init(clock: Clock = .system, randomness: Randomness = .system) {
    self.clock = clock
    self.randomness = randomness
    let now = clock.monotonic
    state = Mutex(State(router: Router(instance: "in-process", seed: randomness.word(), at: now), time: now))
  }

  /// Adds a worker that answers calls to `services`.
  ///
  /// - Parameters:
  ///   - slots: how many handlers run at a time.
  ///   - report: called with unexpected errors of handlers and with faults of their service, which belong into a log.
  public func serve(
    _ services: [any RPCService], slots: Int = 4, observers: [any ServerObserver] = [],
    report: @escaping @Sendable (_ error: any Error, _ id: String, _ method: MethodDescriptor) -> Void = { _, _, _ in }
  ) {
    var hello = Hello(instance: IdentifierSource().next(), epoch: 0, role: .worker)
    hello.services = services.map { Hello.ServiceOffer(type(of: $0).descriptor) }
    let handlers = HandlerSet(
      services: services, observers: observers, clock: clock, report: report)
    let configuration = WorkerConfiguration(slots: slots)
    change { state, now in
      let place = state.workers.count
      var machine = Worker(configuration: configuration, hello: hello, epoch: 1, at: now)
      machine.connected(0, at: now)
      state.workers.append(
        WorkerPart(
          driver: WorkerDriver(machine: machine, handlers: handlers), host: InProcessWorker(bus: self, place: place),
          peer: Peer(door: .services, link: UInt64(place))))
    }
  }

  /// A channel for a caller with this identity, as a door would verify it.
  public func channel(for identity: CallerIdentity = CallerIdentity(kind: .service)) -> BusChannel {
    BusChannel(host: makeClient(for: identity))
  }

  /// A port for a door, which names the callers itself.
  package func port(wake: @escaping @Sendable () -> Void = {}) -> CallPort {
    CallPort(host: makeClient(for: CallerIdentity(kind: .service, subject: "gateway")), wake: wake)
  }

  private func makeClient(for identity: CallerIdentity) -> any ClientHost {
    let credentials =
      identity.kind == .service ? PeerCredentials.service(named: identity.subject) : .client(identity)
    let seed = randomness.word()
    let place = change { state, now in
      let place = state.clients.count
      let hello = Hello(instance: IdentifierSource().next(), epoch: 0, role: .client)
      var machine = Client(hello: hello, epoch: 1, seed: seed, at: now)
      machine.connected(0, at: now)
      state.clients.append(
        ClientPart(
          driver: ClientDriver(machine: machine), peer: Peer(door: .clients, link: UInt64(place)),
          credentials: credentials))
      state.touched.insert(place)
      return place
    }
    return InProcessClient(bus: self, place: place, clock: clock)
  }

  /// Finishes running calls and accepts no new ones.
  public func drain() {
    change { state, now in
      for place in state.workers.indices { state.workers[place].driver.machine.drain(at: now) }
    }
  }

  /// Releases the services, which may hold channels to this bus: a bus whose services call each other is not freed
  /// before. Calls that are made later get no answer.
  public func stop() {
    let parts = state.withLock { state in
      defer { (state.workers, state.clients, state.touched, state.busy) = ([], [], [], []) }
      state.isStopped = true
      return (state.workers, state.clients)
    }
    withExtendedLifetime(parts) {}
  }

  fileprivate func submit(_ input: ClientInput, to place: Int) {
    change { state, now in
      guard !state.isStopped else { return }
      state.clients[place].driver.apply(input, at: now)
      state.touched.insert(place)
    }
  }

  fileprivate func submit(_ input: WorkerInput, to place: Int) {
    change { state, now in
      guard !state.isStopped else { return }
      state.workers[place].driver.apply(input, at: now)
    }
  }

  /// Changes the state, exchanges envelopes until all machines are at rest, and then performs the deliveries.
  @discardableResult
  private func change<Value>(_ body: (inout State, MonotonicTime) -> Value) -> Value {
    let read = clock.monotonic
    let value = state.withLock { state in
      state.catchUp(with: read)
      // A thread that has read the clock later may have had the lock before this one; time never goes back.
      let now = state.time
      let value = body(&state, now)
      state.advance(to: now)
      state.settle(at: now)
      state.collect()
      return value
    }
    if state.withLock({ $0.startsTicking() }) { tick() }
    deliver()
    return value
  }

  /// Advances the time until no call is open.
  private func tick() {
    Task { [weak self] in
      var ticks = true
      while ticks {
        try? await Task.sleep(for: Self.tick)
        guard let self else { return }
        self.change { _, _ in }
        ticks = self.state.withLock { $0.goesOnTicking() }
      }
    }
  }

  /// Performs deliveries outside of the lock and yet in order: a thread that comes while another one delivers leaves
  /// its deliveries to that one.
  private func deliver() {
    guard var batch = state.withLock({ $0.beginDelivering() }) else { return }
    while !batch.isEmpty {
      for delivery in batch { delivery.perform() }
      batch = state.withLock { $0.nextDeliveries() }
    }
  }

  private static let tick = Duration.milliseconds(5)
  /// Shorter than the interval of pings, so that each is answered before the next one is due.
  fileprivate static let longestStep = Duration.milliseconds(250)
}

extension InProcessBus.State {
  /// After a pause of the process no peer has been heard from, which does not mean that they are dead. So the missed
  /// time passes in steps, and envelopes are exchanged after each of them.
  fileprivate mutating func catchUp(with now: MonotonicTime) {
    guard !isStopped else { return }
    while now - time > InProcessBus.longestStep {
      time = time + InProcessBus.longestStep
      advance(to: time)
      settle(at: time)
    }
    time = max(time, now)
  }

  fileprivate mutating func startsTicking() -> Bool {
    guard !isTicking, !busy.isEmpty else { return false }
    isTicking = true
    return true
  }

  fileprivate mutating func goesOnTicking() -> Bool {
    isTicking = !busy.isEmpty
    return isTicking
  }

  fileprivate mutating func advance(to now: MonotonicTime) {
    guard !isStopped else { return }
    if router.nextWake <= now { router.advance(to: now) }
    for place in workers.indices where workers[place].driver.machine.nextWake <= now {
      workers[place].driver.machine.advance(to: now)
    }
    for place in clients.indices where clients[place].driver.machine.nextWake <= now {
      clients[place].driver.machine.advance(to: now)
      touched.insert(place)
    }
  }

  fileprivate mutating func settle(at now: MonotonicTime) {
    guard !isStopped else { return }
    var isMoving = true
    while isMoving {
      isMoving = false
      for place in touched {
        let (peer, credentials) = (clients[place].peer, clients[place].credentials)
        clients[place].driver.machine.flush { _, envelope in
          router.receive(envelope, from: peer, credentials: credentials, at: now)
        }
      }
      for place in workers.indices {
        let peer = workers[place].peer
        workers[place].driver.machine.flush { _, envelope in
          router.receive(envelope, from: peer, credentials: .service(named: "in-process"), at: now)
        }
      }
      router.flush { peer, envelope, _ in
        isMoving = true
        switch peer.door {
        case .services: workers[Int(peer.link)].driver.machine.receive(envelope, on: 0, at: now)
        case .clients, .local:
          clients[Int(peer.link)].driver.machine.receive(envelope, on: 0, at: now)
          touched.insert(Int(peer.link))
        }
      }
    }
    _ = router.takeEvents()
  }

  fileprivate mutating func beginDelivering() -> [Delivery]? {
    guard !isDelivering, !deliveries.isEmpty else { return nil }
    isDelivering = true
    return nextDeliveries()
  }

  fileprivate mutating func nextDeliveries() -> [Delivery] {
    isDelivering = !deliveries.isEmpty
    defer { deliveries = [] }
    return deliveries
  }

  fileprivate mutating func collect() {
    for place in touched {
      clients[place].driver.takeDeliveries(into: &deliveries)
      if clients[place].driver.machine.isIdle {
        busy.remove(place)
      } else {
        busy.insert(place)
      }
    }
    touched.removeAll(keepingCapacity: true)
    for place in workers.indices {
      let host = workers[place].host
      workers[place].driver.takeDeliveries(for: host, into: &deliveries)
    }
  }
}

private final class InProcessClient: ClientHost {
  private let bus: InProcessBus
  private let place: Int
  private let clock: Clock

  init(bus: InProcessBus, place: Int, clock: Clock) {
    self.bus = bus
    self.place = place
    self.clock = clock
  }

  var now: MonotonicTime { clock.monotonic }

  func submit(_ input: ClientInput) -> Bool {
    bus.submit(input, to: place)
    return true
  }
}

private final class InProcessWorker: WorkerHost {
  // Weak, because the bus references its workers.
  private weak let bus: InProcessBus?
  private let place: Int

  init(bus: InProcessBus, place: Int) {
    self.bus = bus
    self.place = place
  }

  func submit(_ input: WorkerInput) { bus?.submit(input, to: place) }
}
