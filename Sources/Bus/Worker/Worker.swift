package import Base
package import RPC

/// A process that serves calls, as a pure state machine: it greets every gateway, offers credit, starts handlers when
/// there is a slot, moves their messages through windows and gives each call one outcome.
package struct Worker: Sendable {
  let configuration: WorkerConfiguration
  /// The methods that are served, and the index of each path in the list.
  package let methods: [MethodDescriptor]
  var methodPlaces = PathTable<Int>()

  var sessions: GatewaySessions<WorkerLink>
  var calls: Slab<WorkerCall>
  /// The streams of calls that have more than a request and an answer in one envelope each.
  var flows = NumberMap<WorkerFlow>()
  var windowAllowance = WindowAllowance()
  var timers = TimerHeap()
  /// Calls that wait for a slot, in the order of their arrival.
  var queue: [UInt64] = []
  /// Calls whose handlers have sent messages since the last flush.
  var unpumped = CallList()
  var invariants = Invariants()
  /// How many handlers hold a slot: those that run and do not wait.
  var slotsHeld = 0
  /// How many calls whose single request comes in chunks still count for a slot.
  var assembling = 0
  /// Calls whose single request takes longer, and which count for no slot any more.
  var lateRequests: Shares<CallHolder>
  var streams: Shares<CallHolder>
  /// Bytes of messages beyond their streams' windows.
  var largeMessages: Shares<CallHolder>
  var progress: UInt64 = 0
  private var phase = Phase.serving

  package private(set) var outgoing: [(link: LinkID, envelope: Envelope)] = []
  package private(set) var actions: [WorkerAction] = []

  private enum Phase {
    case serving
    /// It takes nothing new, and ends what it has.
    case draining
    /// It has nothing left, and has said BYE.
    case left
  }

  /// - Parameter epoch: greater than that of any earlier life of the same instance.
  package init(
    configuration: WorkerConfiguration, hello: Hello, epoch: UInt64, at now: MonotonicTime
  ) {
    self.configuration = configuration
    sessions = GatewaySessions(
      hello: Self.complete(hello, for: configuration), epoch: epoch, timings: configuration.timings, at: now)
    methods = hello.services.flatMap(\.methods)
    lateRequests = Shares(of: configuration.lateRequestLimit)
    streams = Shares(of: configuration.streamLimit)
    largeMessages = Shares(of: configuration.largeMessageRoom)
    // Of two methods with one path, the first counts.
    for (place, method) in methods.enumerated().reversed() { methodPlaces.set(method.path, place) }
    calls = Slab(seed: epoch)
  }

  private static func complete(_ hello: Hello, for configuration: WorkerConfiguration) -> Hello {
    var hello = hello
    hello.slots = UInt32(clamping: configuration.slots)
    hello.prefetch = UInt32(clamping: configuration.prefetch)
    return hello
  }

  // MARK: - Links

  var links: LinkMap<WorkerLink> {
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

  package mutating func receive(_ envelope: Envelope, on link: LinkID, at now: MonotonicTime) {
    switch sessions.take(envelope, on: link, at: now) {
    case .nothing: break
    case .acknowledged(let acknowledgement):
      endSession(of: link, at: now)
      links[link]?.link.establish(acknowledgement, at: now)
      sessions.links[link]?.begin(credit: configuration.initialCredit)
    case .unknown:
      endSession(of: link, at: now)
      greet(link, at: now)
    case .inSession: handle(envelope, on: link, at: now)
    }
  }

  private mutating func handle(_ envelope: Envelope, on link: LinkID, at now: MonotonicTime) {
    switch envelope.kind {
    case .open: open(envelope, on: link, at: now)
    case .data: requestChunk(envelope, on: link, at: now)
    case .halfClose: requestsEnded(envelope, on: link, at: now)
    case .window: window(envelope, on: link)
    case .cancel: cancelled(envelope, on: link)
    case .ping:
      links[link]?.demand = envelope.extra?.load?.waiting ?? 0
      var pong = Envelope(.pong)
      pong.extra = Envelope.Extra(load: load)
      send(pong, on: link)
    case .bye: endSession(of: link, at: now)
    default: break
    }
  }

  private mutating func greet(_ link: LinkID, at now: MonotonicTime) {
    if !isDraining, let hello = sessions.greeting(on: link, at: now) { say(hello, on: link) }
  }

  private mutating func say(_ hello: Hello, on link: LinkID) {
    var envelope = Envelope(.hello)
    envelope.credit = UInt64(configuration.initialCredit)
    envelope.extra = Envelope.Extra(hello: hello)
    outgoing.append((link, envelope))
  }

  /// Ends the link's session and cancels its calls: the gateway has settled them, so nobody waits for their answers.
  private mutating func endSession(of link: LinkID, at now: MonotonicTime) {
    guard let open = links[link]?.calls.values.sorted(), sessions.end(link, at: now) else { return }
    links[link]?.forgetCalls()
    for call in open {
      settle(call, cancelling: Status(.cancelled, "the gateway's session ended"))
    }
  }

  // MARK: - Time

  package var nextWake: MonotonicTime { min(sessions.nextLook, timers.earliest ?? sessions.nextLook) }

  package mutating func advance(to now: MonotonicTime) {
    while let call = timers.popDue(at: now) { wake(call, at: now) }
    for (link, need) in sessions.look(at: now) {
      switch need {
      case .greeting(let hello): if !isDraining { say(hello, on: link) }
      case .ping:
        var ping = Envelope(.ping)
        ping.extra = Envelope.Extra(load: load)
        send(ping, on: link)
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

  private var load: Load {
    Load(
      busy: UInt32(clamping: slotsHeld), waiting: UInt32(clamping: queue.count), progress: progress,
      notices: configuration.notices())
  }

  // MARK: - Draining

  /// Accepts nothing new: hands back what has not started, lets unary calls finish, ends streams.
  package mutating func drain(at now: MonotonicTime) {
    guard !isDraining else { return }
    phase = .draining
    for link in links.links { send(Envelope(.goaway), on: link) }
    for call in calls.numbers {
      guard let known = calls[call] else { continue }
      switch known.state {
      case .assembling, .queued: reject(call)
      case .running where !known.isUnary:
        act(.cancel(call, Status(.unavailable, "the instance is about to stop; resume where the metadata says")))
      case .running, .cancelled, .returned: break
      }
    }
  }

  /// Whether the gateway of the link has accepted this worker.
  package func serves(_ link: LinkID) -> Bool { links[link]?.link.isEstablished == true }

  /// Whether any gateway has accepted this worker.
  package var isReady: Bool { links.links.contains { links[$0]?.link.isEstablished == true } }

  /// Whether it takes nothing new.
  var isDraining: Bool { phase != .serving }

  package var isDrained: Bool { isDraining && calls.count == 0 }

  private mutating func leaveIfDone() {
    guard phase == .draining, calls.count == 0 else { return }
    phase = .left
    for link in links.links { send(Envelope(.bye), on: link) }
  }

  // MARK: - Outputs

  /// Passes the envelopes to be sent to `deliver`, in order, with the credit that has become free since the last time.
  package mutating func flush(_ deliver: (LinkID, Envelope) -> Void) {
    for call in unpumped.take() { pump(call) }
    leaveIfDone()
    grantCredit()
    checkInvariants()
    outgoing.lendEach { deliver($0.link, $0.envelope) }
    outgoing.removeAll(keepingCapacity: true)
  }

  package mutating func takeActions() -> [WorkerAction] {
    defer { actions = [] }
    return actions
  }

  /// Exchanges the pending actions for the empty `buffer`.
  mutating func exchangeActions(_ buffer: inout [WorkerAction]) { swap(&actions, &buffer) }

  mutating func send(_ envelope: Envelope, on link: LinkID) {
    guard let session = links.change(link, { $0.link.session }), session != 0 else { return }
    outgoing.append((link, envelope))
    outgoing[outgoing.count - 1].envelope.session = session
  }

  /// Sends the usual outcome of a call, OK with one message. The envelope is made in place, since moving one retains
  /// everything that it references.
  mutating func sendAnswer(_ message: [UInt8], to number: UInt64, on link: LinkID) {
    guard let session = links.change(link, { $0.link.session }), session != 0 else { return }
    outgoing.append((link, Envelope(.status, call: number)))
    outgoing[outgoing.count - 1].envelope.answer(message, in: session)
  }

  mutating func act(_ action: WorkerAction) { actions.append(action) }

  /// Adds credit to the last envelope that goes to a link anyway, or sends an envelope for it.
  mutating func sendCredit(_ credit: UInt64, on link: LinkID) {
    if let last = lastOutgoing(on: link), outgoing[last].envelope.session == links[link]?.link.session {
      outgoing[last].envelope.credit = credit
    } else {
      var envelope = Envelope(.credit)
      envelope.credit = credit
      send(envelope, on: link)
    }
  }

  private func lastOutgoing(on link: LinkID) -> Int? {
    outgoing.indices.last { outgoing[$0].link == link }
  }
}

/// What the host of a worker has to do.
package enum WorkerAction: Sendable {
  /// - Parameter request: the request, for methods that take only one.
  case start(UInt64, WorkerStart, request: [UInt8]?)
  /// The next messages of a stream of requests, at least one.
  case requests(UInt64, [ArraySlice<UInt8>])
  case requestsEnded(UInt64)
  /// This many bytes of the handler's messages, lengths included, have been sent.
  case accepted(UInt64, bytes: Int)
  /// Cancel the handler's task. Its outcome is this status, whatever error the cancellation makes it throw.
  indirect case cancel(UInt64, Status)
}

/// The settings of a worker.
package struct WorkerConfiguration: Sendable {
  /// Handlers that run at a time, not counting those that wait.
  package var slots: Int
  /// Calls that wait here for the next free slot.
  package var prefetch = 1
  /// How many calls of all kinds may be open, waiting ones included, before no more credit is given.
  package var openCallLimit = 10_000
  /// How many of them may be streams: fewer, so that streams, which may last for days, never use up the credit of other
  /// calls.
  package var streamLimit = 8_000
  /// Calls that have given up their slot before their single request was complete.
  package var lateRequestLimit = 128
  /// After this time without a byte of it, such a call ends.
  package var requestPatience: Duration = .seconds(10)
  package var largestMessage = BusLimits.largestMessage
  /// Bytes of messages beyond their streams' windows, until handlers have them.
  package var largeMessageRoom = 256 << 20
  /// After this time, a stream counts as waiting for events and gives up its slot, and so does a call that waits for
  /// its request.
  package var longLivedAfter: Duration = .milliseconds(250)
  package var timings = LinkTimings()
  /// What gateways tell operators about this process, a line each.
  package var notices: @Sendable () -> [String] = { [] }

  package init(slots: Int) {
    precondition(slots > 0, "a worker needs at least one slot")
    self.slots = slots
  }

  var initialCredit: Int { slots + prefetch }
}

/// A link with the credit that the worker has promised on it.
struct WorkerLink: SessionLink {
  var link = GatewayLink()
  /// Our number of each of the gateway's calls, by the gateway's own number.
  private(set) var calls = NumberMap<UInt64>()
  /// How many of them are streams that may be silent for days, so that the loss of the gateway need not be noticed
  /// soon.
  private var silentStreams = 0
  /// How many calls the gateway may have handed over in this session, and how many it has.
  private(set) var granted: UInt64 = 0
  private(set) var started: UInt64 = 0
  /// How many calls wait at the gateway for this worker's services.
  var demand: UInt32 = 0

  var unused: Int { Int(granted - started) }
  var isBusy: Bool { calls.count > silentStreams }

  mutating func begin(credit: Int) {
    assert(calls.count == 0, "the calls of the session before are settled")
    granted = UInt64(credit)
    started = 0
    demand = 0
  }

  /// Records that a call came; false when it is here already, or the gateway had no credit for it.
  mutating func start(_ number: UInt64) -> Bool {
    assert(started <= granted, "no call is taken beyond the credit")
    guard started < granted, !calls.contains(number) else { return false }
    started += 1
    return true
  }

  mutating func add(_ call: UInt64, as number: UInt64, mayBeSilent: Bool) {
    calls.set(number, call)
    if mayBeSilent { silentStreams += 1 }
  }

  /// Removes the gateway's number if it still means `call`.
  mutating func forget(_ call: UInt64, as number: UInt64, mayBeSilent: Bool) {
    guard calls[number] == call else { return }
    calls.remove(number)
    if mayBeSilent { silentStreams -= 1 }
    assert(silentStreams >= 0 && silentStreams <= calls.count, "more streams have ended than had begun")
  }

  mutating func forgetCalls() {
    calls = NumberMap()
    silentStreams = 0
  }

  mutating func grant(unused wanted: Int) -> UInt64? {
    guard wanted > unused else { return nil }
    assert(started + UInt64(wanted) > granted, "credit is only raised")
    granted = started + UInt64(wanted)
    return granted
  }
}
