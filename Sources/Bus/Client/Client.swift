package import Base
internal import RPC

/// A process that makes calls, as a pure state machine: it greets every gateway, sends each call through the least busy
/// one, moves messages through windows, and gives each call its one outcome.
///
/// The host numbers the calls; a number is never used twice.
package struct Client: Sendable {
  let configuration: ClientConfiguration
  var sessions: GatewaySessions<ClientLink>
  var calls = NumberMap<ClientCall>()
  /// The streams of those calls that do not fit into one OPEN and one STATUS.
  var flows = NumberMap<ClientFlow>()
  var windowAllowance = WindowAllowance()
  /// When each call is due; it may also contain times of calls that have ended.
  var timers = DueTimes()
  /// Calls that wait for a gateway to send them through.
  var parked: Set<UInt64> = []
  /// For each call that gateways have handed back before it began, the links of those gateways; few calls have an
  /// entry.
  var refusals: [UInt64: Set<LinkID>] = [:]
  /// Calls whose callers have sent messages since the last flush.
  var unpumped = CallList()
  var invariants = Invariants()
  /// Draws the jitter of pauses before another try.
  var generator: SeededGenerator
  private(set) var isClosed = false

  private var outgoing: [ClientOutput] = []
  private var actions: [ClientAction] = []

  /// - Parameters:
  ///   - epoch: greater than that of any earlier life of the same instance.
  ///   - seed: different from that of other clients, so that they do not all try again at the same time.
  package init(
    configuration: ClientConfiguration = ClientConfiguration(), hello: Hello, epoch: UInt64, seed: UInt64,
    at now: MonotonicTime
  ) {
    self.configuration = configuration
    sessions = GatewaySessions(hello: hello, epoch: epoch, timings: configuration.timings, at: now)
    generator = SeededGenerator(seed: seed)
  }

  // MARK: - Links

  var links: LinkMap<ClientLink> {
    @inline(__always) _read { yield sessions.links }
    @inline(__always) _modify { yield &sessions.links }
  }

  package mutating func connected(_ link: LinkID, at now: MonotonicTime) {
    sessions.connect(link, at: now)
    greet(link, at: now)
  }

  package mutating func disconnected(_ link: LinkID, at now: MonotonicTime) {
    endSession(of: link, at: now)
    links[link]?.link.disconnect()
  }

  package mutating func removed(_ link: LinkID, at now: MonotonicTime) {
    disconnected(link, at: now)
    links.remove(link)
  }

  /// Called when the link's address has left the host name that it was found under, or is back there. No new call goes
  /// through a retired link while there is another one.
  package mutating func retire(_ link: LinkID, _ isRetired: Bool = true) {
    links.change(link) { $0.isRetired = isRetired }
  }

  /// Whether calls run on the link.
  package func isUsed(_ link: LinkID) -> Bool { links.value(of: link).map { $0.calls > 0 } ?? false }

  package mutating func receive(_ envelope: Envelope, on link: LinkID, at now: MonotonicTime) {
    switch sessions.take(envelope, on: link, at: now) {
    case .nothing: break
    case .acknowledged(let acknowledgement):
      endSession(of: link, at: now)
      links[link]?.link.establish(acknowledgement, at: now)
      sendParked(at: now)
    case .unknown:
      endSession(of: link, at: now)
      greet(link, at: now)
    case .inSession: handle(envelope, on: link, at: now)
    }
  }

  private mutating func handle(_ envelope: Envelope, on link: LinkID, at now: MonotonicTime) {
    switch envelope.kind {
    case .status: outcome(envelope, on: link, at: now)
    case .data: answerChunk(envelope, on: link, at: now)
    case .window: window(envelope, on: link)
    case .ping: send(Envelope(.pong), on: link)
    case .bye: endSession(of: link, at: now)
    default: break
    }
  }

  private mutating func greet(_ link: LinkID, at now: MonotonicTime) {
    if let hello = sessions.greeting(on: link, at: now) { say(hello, on: link) }
  }

  private mutating func say(_ hello: Hello, on link: LinkID) {
    var envelope = Envelope(.hello)
    envelope.extra = Envelope.Extra(hello: hello)
    outgoing.append(ClientOutput(link: link, envelope: envelope))
  }

  /// Calls on this link go to another gateway if they may run twice; all others end now.
  private mutating func endSession(of link: LinkID, at now: MonotonicTime) {
    guard sessions.end(link, at: now) else { return }
    links.change(link) { $0.removeAll() }
    for call in calls.numbers.sorted() where calls[call]?.link == link { settleLost(call, at: now) }
  }

  /// Whether any gateway accepts calls now.
  package var isReady: Bool { links.links.contains { links[$0]?.link.takesCalls == true } }

  /// Whether no call is open, so that only its sessions still need timers.
  package var isIdle: Bool { calls.isEmpty }

  /// Says BYE; open calls end, and so do calls that come later.
  package mutating func close(at now: MonotonicTime) {
    isClosed = true
    for call in calls.numbers.sorted() { end(call, with: Self.channelClosed) }
    for link in links.links { send(Envelope(.bye), on: link) }
  }

  // MARK: - Time

  package var nextWake: MonotonicTime { min(sessions.nextLook, timers.earliest ?? sessions.nextLook) }

  package mutating func advance(to now: MonotonicTime) {
    while let entry = timers.popDue(at: now) {
      if calls[entry.key]?.due == entry.time { wake(entry.key, at: now) }
    }
    for (link, need) in sessions.look(at: now) {
      switch need {
      case .greeting(let hello): say(hello, on: link)
      case .ping: send(Envelope(.ping), on: link)
      case .end:
        endSession(of: link, at: now)
        greet(link, at: now)
      }
    }
  }

  /// Advances the time to `now` if something is due, and returns when something is due next.
  ///
  /// Hosts keep their machine in a class, and reading a property of it there would copy the machine; this method does
  /// not.
  package mutating func advanceIfDue(to now: MonotonicTime) -> MonotonicTime {
    if nextWake <= now { advance(to: now) }
    return nextWake
  }

  // MARK: - Outputs

  package mutating func flush(_ deliver: (LinkID, Envelope) -> Void) {
    for call in unpumped.take() { pump(call) }
    checkInvariants()
    guard !outgoing.isEmpty else { return }
    outgoing.lendEach { deliver($0.link, $0.envelope) }
    outgoing.removeAll(keepingCapacity: true)
  }

  package mutating func takeActions() -> [ClientAction] {
    defer { actions = [] }
    return actions
  }

  /// Exchanges the pending actions for the empty `buffer`.
  mutating func exchangeActions(_ buffer: inout [ClientAction]) { swap(&actions, &buffer) }

  mutating func send(_ envelope: consuming Envelope, on link: LinkID) {
    let session = links.value(of: link)?.link.session ?? 0
    guard session != 0 else { return }
    envelope.session = session
    outgoing.append(ClientOutput(link: link, envelope: consume envelope))
  }

  mutating func act(_ action: consuming ClientAction) { actions.append(action) }
}

/// A link with the calls that run on it.
struct ClientLink: SessionLink {
  var link = GatewayLink()
  var isRetired = false
  /// How many calls run on it.
  private(set) var calls = 0
  /// How many of these are answered by streams, which may be silent for days, so that the loss of their gateway need
  /// not be noticed soon.
  private var streams = 0

  var isBusy: Bool { calls > streams }

  mutating func add(_ request: ClientRequest) { count(request, by: 1) }

  mutating func remove(_ request: ClientRequest) { count(request, by: -1) }

  mutating func removeAll() { (calls, streams) = (0, 0) }

  private mutating func count(_ request: ClientRequest, by change: Int) {
    calls += change
    if request.method.kind == .serverStreaming { streams += change }
    assert(streams >= 0 && calls >= streams, "more calls have ended than had begun")
  }
}
