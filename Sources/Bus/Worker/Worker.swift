package import Base

/// A process that serves calls, as a pure state machine: it greets every gateway, offers credit, starts handlers when
/// there is a slot, moves their messages through windows and sees to it that each call has one outcome.
package struct Worker: Sendable {
  let configuration: WorkerConfiguration
  let template: Hello
  /// What is served here, and where in the list a path stands.
  package let methods: [MethodDescriptor]
  var methodPlaces = PathTable<Int>()

  var epoch: UInt64
  var links = LinkMap<WorkerLink>()
  var calls: Slab<WorkerCall>
  /// What flows for the calls that have more than a request and an answer in one envelope each.
  var flows = NumberMap<WorkerFlow>()
  var windowAllowance = WindowAllowance()
  var timers = TimerHeap()
  /// Calls that wait for a slot, in the order in which they came.
  var queue: [UInt64] = []
  /// Calls whose handlers have sent since the last flush.
  var unpumped = CallList()
  /// Handlers that run and do not wait.
  var slotsHeld = 0
  var assembling = 0
  var streams = 0
  var progress: UInt64 = 0
  var isDraining = false
  var saidBye = false
  var nextPing: MonotonicTime

  package private(set) var outgoing: [(link: LinkID, envelope: Envelope)] = []
  package private(set) var actions: [WorkerAction] = []

  /// - Parameter epoch: greater than that of any earlier life of the same instance.
  package init(
    configuration: WorkerConfiguration, hello: Hello, epoch: UInt64, at now: MonotonicTime
  ) {
    self.configuration = configuration
    template = hello
    self.epoch = epoch
    methods = hello.services.flatMap(\.methods)
    // Of two methods with one path, the first counts.
    for (place, method) in methods.enumerated().reversed() { methodPlaces.set(method.path, place) }
    calls = Slab(seed: epoch)
    nextPing = now + configuration.timings.pingInterval
  }

  // MARK: - Links

  package mutating func connected(_ link: LinkID, at now: MonotonicTime) {
    links.add(link, WorkerLink())
    links[link]?.link.connect()
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
    guard let session = links.change(link, { $0.link.isConnected ? $0.link.session : nil }) ?? nil else { return }
    switch envelope.kind {
    case .helloAck:
      guard let acknowledgement = envelope.extra?.helloAck, acknowledgement.session != session else { return }
      endSession(of: link, at: now)
      links[link]?.link.establish(acknowledgement, at: now)
      links[link]?.begin(credit: configuration.initialCredit)
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
    case .goaway: links[link]?.link.isLeaving = true
    case .bye: endSession(of: link, at: now)
    default: break
    }
  }

  private mutating func greet(_ link: LinkID, at now: MonotonicTime) {
    guard !isDraining,
      let greeting = links[link]?.link.nextGreeting(
        every: configuration.timings.pingInterval, epoch: &epoch, at: now)
    else { return }
    var hello = template
    hello.epoch = greeting
    hello.link = UInt32(truncatingIfNeeded: link)
    hello.slots = UInt32(clamping: configuration.slots)
    hello.prefetch = UInt32(clamping: configuration.prefetch)
    var envelope = Envelope(.hello)
    envelope.credit = UInt64(configuration.initialCredit)
    envelope.extra = Envelope.Extra(hello: hello)
    outgoing.append((link, envelope))
  }

  /// What the gateway knew is void: its calls have been settled by it, and nobody waits for their answers here.
  private mutating func endSession(of link: LinkID, at now: MonotonicTime) {
    guard links[link]?.link.isEstablished == true, let open = links[link]?.calls.values.sorted() else { return }
    links[link]?.link.forgetSession()
    links[link]?.calls = NumberMap()
    for call in open {
      settle(call, cancelling: Status(.cancelled, "the gateway's session ended"))
    }
  }

  // MARK: - Time

  package var nextWake: MonotonicTime { min(nextPing, timers.earliest ?? nextPing) }

  package mutating func advance(to now: MonotonicTime) {
    while let call = timers.popDue(at: now) { wake(call, at: now) }
    guard now >= nextPing else { return }
    nextPing = now + configuration.timings.pingInterval
    for link in links.links {
      guard let known = links[link]?.link else { continue }
      if known.isSilent(for: configuration.timings.patience, at: now) { endSession(of: link, at: now) }
      if known.isConnected, links[link]?.link.isEstablished == true {
        var ping = Envelope(.ping)
        ping.extra = Envelope.Extra(load: load)
        send(ping, on: link)
      }
      greet(link, at: now)
    }
  }

  /// Lets time come to `now` if something is due, and says when something will be again.
  ///
  /// Hosts keep their machine in a class, and reading a property of it there would copy the machine: this does not.
  package mutating func advanceIfDue(to now: MonotonicTime) -> MonotonicTime {
    if nextWake <= now { advance(to: now) }
    return nextWake
  }

  private var load: Load {
    Load(busy: UInt32(clamping: slotsHeld), waiting: UInt32(clamping: queue.count), progress: progress)
  }

  // MARK: - Draining

  /// Takes nothing new: hands back what has not started, lets single answers be finished, ends streams.
  package mutating func drain(at now: MonotonicTime) {
    guard !isDraining else { return }
    isDraining = true
    for link in links.links { send(Envelope(.goaway), on: link) }
    for call in calls.numbers {
      guard let known = calls[call] else { continue }
      switch known.state {
      case .assembling, .queued: reject(call)
      case .running where !known.isUnary && !known.isSettled:
        act(.cancel(call, Status(.unavailable, "the instance is about to stop; resume where the metadata says")))
      case .running, .returned: break
      }
    }
  }

  /// Whether any gateway knows what is served here.
  package var isReady: Bool { links.links.contains { links[$0]?.link.isEstablished == true } }

  package var isDrained: Bool { isDraining && calls.count == 0 }

  private mutating func leaveIfDone() {
    guard isDrained, !saidBye else { return }
    saidBye = true
    for link in links.links { send(Envelope(.bye), on: link) }
  }

  // MARK: - Outputs

  /// Hands over what is to be sent, in order, with the credit that has become free since the last time.
  package mutating func flush(_ deliver: (LinkID, Envelope) -> Void) {
    for call in unpumped.take() { pump(call) }
    leaveIfDone()
    grantCredit()
    for place in outgoing.indices { deliver(outgoing[place].link, outgoing[place].envelope) }
    outgoing.removeAll(keepingCapacity: true)
  }

  package mutating func takeActions() -> [WorkerAction] {
    defer { actions = [] }
    return actions
  }

  /// Exchanges what is to be done for the empty `buffer`.
  mutating func exchangeActions(_ buffer: inout [WorkerAction]) { swap(&actions, &buffer) }

  mutating func send(_ envelope: Envelope, on link: LinkID) {
    guard let session = links.change(link, { $0.link.session }), session != 0 else { return }
    outgoing.append((link, envelope))
    outgoing[outgoing.count - 1].envelope.session = session
  }

  /// Sends what nearly every call ends with. It is made where it stands, since moving an envelope counts all that it refers to.
  mutating func sendAnswer(_ message: [UInt8], to number: UInt64, on link: LinkID) {
    guard let session = links.change(link, { $0.link.session }), session != 0 else { return }
    outgoing.append((link, Envelope(.status, call: number)))
    outgoing[outgoing.count - 1].envelope.answer(message, in: session)
  }

  mutating func act(_ action: WorkerAction) { actions.append(action) }

  /// Puts credit onto the last envelope that goes to a link anyway, else into one of its own.
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
  /// - Parameter request: the request, for methods that take just one.
  case start(UInt64, WorkerStart, request: [UInt8]?)
  /// The next messages of a stream of requests, at least one.
  case requests(UInt64, [ArraySlice<UInt8>])
  case requestsEnded(UInt64)
  /// So many bytes of the handler's messages, lengths included, are on their way.
  case accepted(UInt64, bytes: Int)
  /// Cancel the handler's task. Its outcome is the status, whatever it throws because of it.
  indirect case cancel(UInt64, Status)
}

/// What one worker process takes on.
package struct WorkerConfiguration: Sendable {
  /// Handlers that run at a time, not counting those that wait.
  package var slots: Int
  /// Calls that wait here for the next free slot.
  package var prefetch = 1
  package var streamLimit = 10_000
  /// Calls of all kinds, those that wait for others included: beyond, no credit is given.
  package var openCallLimit = 10_000
  package var largestMessage = BusLimits.largestMessage
  /// After so long, a stream counts as one that waits for events and gives up its slot.
  package var longLivedAfter: Duration = .milliseconds(250)
  package var timings = LinkTimings()

  package init(slots: Int) {
    precondition(slots > 0, "a worker needs at least one slot")
    self.slots = slots
  }

  var initialCredit: Int { slots + prefetch }
}

/// A link with what the worker has promised on it.
struct WorkerLink: Sendable {
  var link = GatewayLink()
  /// The gateway's numbers, and ours.
  var calls = NumberMap<UInt64>()
  /// Calls that the session may have been given in all, and has been.
  private(set) var granted: UInt64 = 0
  private(set) var started: UInt64 = 0
  /// Calls that wait at the gateway for what this worker serves.
  var demand: UInt32 = 0

  var unused: Int { Int(granted - started) }

  mutating func begin(credit: Int) {
    granted = UInt64(credit)
    started = 0
    demand = 0
  }

  /// Notes that a call came; false when it is here already, or the gateway had no credit for it.
  mutating func start(_ number: UInt64) -> Bool {
    guard started < granted, !calls.contains(number) else { return false }
    started += 1
    return true
  }

  /// Forgets the gateway's number if it still means `call`.
  mutating func forget(_ number: UInt64, if call: UInt64) {
    if calls[number] == call { calls.remove(number) }
  }

  mutating func grant(unused wanted: Int) -> UInt64? {
    guard wanted > unused else { return nil }
    granted = started + UInt64(wanted)
    return granted
  }
}
