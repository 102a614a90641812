package import Base

/// A process that makes calls, as a pure state machine: it greets every gateway, sends each call through the least busy
/// one, moves messages through windows, and gives each call its one outcome.
///
/// The host numbers the calls; a number is never used twice.
package struct Client: Sendable {
  let configuration: ClientConfiguration
  let template: Hello
  var epoch: UInt64
  var links = LinkMap<ClientLink>()
  var calls = NumberMap<ClientCall>()
  /// The streams of calls that are more than a small request and its answer.
  var flows = NumberMap<ClientFlow>()
  var windowAllowance = WindowAllowance()
  /// When each call is due; it may also contain times of calls that have ended.
  var timers = DueTimes()
  /// Calls without a gateway.
  var parked: Set<UInt64> = []
  /// Calls whose callers have sent messages since the last flush.
  var unpumped = CallList()
  var nextPing: MonotonicTime
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
    template = hello
    self.epoch = epoch
    generator = SeededGenerator(seed: seed)
    nextPing = now + configuration.timings.pingInterval
  }

  // MARK: - Links

  package mutating func connected(_ link: LinkID, at now: MonotonicTime) {
    links.add(link, ClientLink())
    links[link]?.link.connect()
    greet(link, at: now)
    lookSoon(at: now)
  }

  package mutating func disconnected(_ link: LinkID, at now: MonotonicTime) {
    endSession(of: link, at: now)
    links[link]?.link.disconnect()
  }

  package mutating func removed(_ link: LinkID, at now: MonotonicTime) {
    disconnected(link, at: now)
    links.remove(link)
  }

  package mutating func receive(_ envelope: Envelope, on link: LinkID, at now: MonotonicTime) {
    guard let state = links.value(of: link)?.link, state.isConnected else { return }
    let session = state.session
    switch envelope.kind {
    case .helloAck:
      guard let acknowledgement = envelope.extra?.helloAck, acknowledgement.session != session else { return }
      endSession(of: link, at: now)
      links[link]?.link.establish(acknowledgement, at: now)
      sendParked(at: now)
    case .helloRequest:
      if session != 0 { endSession(of: link, at: now) }
      greet(link, at: now)
    case .goaway where session == 0: links[link]?.link.noteRefusal(envelope.statusCode)
    default:
      guard session != 0, envelope.session == session else { return }
      links.change(link) { $0.link.hear(at: now) }
      handle(envelope, on: link, at: now)
    }
  }

  private mutating func handle(_ envelope: Envelope, on link: LinkID, at now: MonotonicTime) {
    switch envelope.kind {
    case .status: outcome(envelope, on: link, at: now)
    case .data: answerChunk(envelope, on: link, at: now)
    case .window: window(envelope, on: link)
    case .ping: send(Envelope(.pong), on: link)
    case .goaway: links[link]?.link.isLeaving = true
    case .bye: endSession(of: link, at: now)
    default: break
    }
  }

  private mutating func greet(_ link: LinkID, at now: MonotonicTime) {
    guard
      let greeting = links[link]?.link.nextGreeting(
        every: configuration.timings.pingInterval, epoch: &epoch, at: now)
    else { return }
    var hello = template
    hello.epoch = greeting
    hello.link = UInt32(truncatingIfNeeded: link)
    var envelope = Envelope(.hello)
    envelope.extra = Envelope.Extra(hello: hello)
    outgoing.append(ClientOutput(link: link, envelope: envelope))
  }

  /// Calls on this link go to another gateway if they may run twice; all others end now.
  private mutating func endSession(of link: LinkID, at now: MonotonicTime) {
    guard links[link]?.link.isEstablished == true else { return }
    links[link]?.link.forgetSession()
    links[link]?.calls = 0
    lookSoon(at: now)
    for call in calls.numbers.sorted() where calls[call]?.link == link { settleLost(call, at: now) }
  }

  /// Whether any gateway accepts calls now.
  package var isReady: Bool { links.links.contains { links[$0]?.link.takesCalls == true } }

  /// Says BYE; open calls end, and so do calls that come later.
  package mutating func close(at now: MonotonicTime) {
    isClosed = true
    for call in calls.numbers.sorted() { end(call, with: Self.channelClosed) }
    for link in links.links { send(Envelope(.bye), on: link) }
  }

  // MARK: - Time

  package var nextWake: MonotonicTime { min(nextPing, timers.earliest ?? nextPing) }

  package mutating func advance(to now: MonotonicTime) {
    while let entry = timers.popDue(at: now) {
      if calls[entry.key]?.due == entry.time { wake(entry.key, at: now) }
    }
    guard now >= nextPing else { return }
    let timings = configuration.timings
    nextPing = now + timings.idlePingInterval
    for link in links.links {
      switch links.change(link, { $0.link.check(isBusy: $0.calls > 0, timings, at: now) }) ?? .alive {
      case .alive: break
      case .ping: send(Envelope(.ping), on: link)
      case .dead: endSession(of: link, at: now)
      }
      greet(link, at: now)
      if links[link]?.needsCare == true { lookSoon(at: now) }
    }
  }

  /// A link has work, or is to get a session: its gateway is looked after at the shorter interval from now on.
  mutating func lookSoon(at now: MonotonicTime) {
    nextPing = min(nextPing, now + configuration.timings.pingInterval)
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
    guard !outgoing.isEmpty else { return }
    // Each element is exchanged for the previous one, because lending it out of the array would copy it.
    var output = ClientOutput(link: 0, envelope: Envelope(.unspecified))
    for place in outgoing.indices {
      swap(&output, &outgoing[place])
      deliver(output.link, output.envelope)
    }
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
struct ClientLink: Sendable {
  var needsCare: Bool { link.needsCare(isBusy: calls > 0) }
  var link = GatewayLink()
  /// How many calls run on it.
  var calls = 0
}
