package import Base

/// The heart of a gateway, as a pure state machine: envelopes and time go in, envelopes come out.
///
/// It knows sessions (who is connected), services (who serves what, and what waits for it) and calls (each from its
/// OPEN to its one outcome). Every input is handled to its end at once; what is to be sent piles up in `outgoing`
/// until the host takes it.
///
/// - Sessions: `Router+Sessions`; calls coming in: `Router+Calls`; handing over: `Router+Dispatch`; what flows
///   between caller and worker: `Router+Traffic`; another try or the end: `Router+Outcome`.
package struct Router {
  let configuration: RouterConfiguration
  /// Names this life of this gateway in HELLO_ACK: a UUID.
  let instance: String
  let startedAt: MonotonicTime
  var generator: SeededGenerator

  var sessions: Slab<RouterSession>
  /// Sessions by their peers' numbers.
  var sessionOfPeer = NumberMap<RouterSession>()
  var calls: Slab<RouterCall>
  var timers = TimerHeap()
  var services: [RouterService] = []
  var serviceIndex: [String: Int] = [:]
  var methods = MethodTable()
  var waitingBytes = 0
  var isDraining = false
  var nextPing: MonotonicTime
  /// What the configuration says of deadlines, as plain numbers: every call asks.
  let defaultPatience: Int64
  let longestPatience: Int64
  /// When to look again for calls whose service has had nobody for too long.
  var nextAbsence: MonotonicTime?

  /// What is to be sent, in order.
  private var outgoing: [Outgoing] = []
  private struct Outgoing {
    let peer: Peer
    let envelope: Envelope
  }

  /// What an operator may want to know, in order.
  package private(set) var events: [RouterEvent] = []

  package init(
    configuration: RouterConfiguration = RouterConfiguration(), instance: String, seed: UInt64, at now: MonotonicTime
  ) {
    self.configuration = configuration
    self.instance = instance
    generator = SeededGenerator(seed: seed)
    startedAt = now
    sessions = Slab(seed: generator.next())
    calls = Slab(seed: generator.next())
    nextPing = now + configuration.pingInterval
    longestPatience = configuration.longestDeadline.wholeNanoseconds
    defaultPatience = min(configuration.defaultDeadline.wholeNanoseconds, longestPatience)
  }

  // MARK: - Inputs

  /// An envelope came in. `credentials` is what the host has verified about the link.
  package mutating func receive(
    _ envelope: consuming Envelope, from peer: Peer, credentials: PeerCredentials, at now: MonotonicTime
  ) {
    guard envelope.kind != .hello else { return greet(envelope, from: peer, credentials: credentials, at: now) }
    guard let session = sessionOfPeer[peer.number], session.number == envelope.session else {
      // BYE says that nobody is there to say HELLO.
      if envelope.kind != .bye { send(Envelope(.helloRequest), to: peer) }
      return
    }
    session.lastHeard = now
    let credit = envelope.credit
    if credit > 0 { session.raiseCredit(to: credit) }
    handle(envelope, from: session, at: now)
    if credit > 0 { dispatch(toWorker: session, at: now) }
  }

  /// The link of a peer is gone, or cannot take what is sent to it.
  package mutating func lose(_ peer: Peer, because reason: RouterEvent.Reason, at now: MonotonicTime) {
    guard let session = sessionOfPeer[peer.number] else { return }
    end(session, because: reason, at: now)
  }

  /// Ends the sessions that a changed list of keys no longer admits.
  package mutating func revoke(
    where isRevoked: (Peer) -> Bool, at now: MonotonicTime
  ) {
    for session in sessions.all where isRevoked(session.peer) {
      send(Envelope(.bye), to: session)
      end(session, because: .keyRevoked, at: now)
    }
  }

  /// Time has come to `now`: ends what is overdue and looks who is still alive.
  package mutating func advance(to now: MonotonicTime) {
    while let number = timers.popDue(at: now) { if let call = calls[number] { wake(call, at: now) } }
    if let nextAbsence, nextAbsence <= now { giveUpOnAbsent(at: now) }
    guard now >= nextPing else { return }
    nextPing = now + configuration.pingInterval
    checkLiveness(at: now)
  }

  /// Lets time come to `now` if something is due, and says when something will be again.
  ///
  /// Hosts keep their machine in a class, and reading a property of it there would copy the machine: this does not.
  package mutating func advanceIfDue(to now: MonotonicTime) -> MonotonicTime {
    if nextWake <= now { advance(to: now) }
    return nextWake
  }

  /// Takes no new calls, lets the running ones end, and tells everybody.
  package mutating func drain(at now: MonotonicTime) {
    guard !isDraining else { return }
    isDraining = true
    for session in sessions.all { send(Envelope(.goaway), to: session) }
    for call in calls.all { giveUpUnstarted(call, at: now) }
  }

  // MARK: - Outputs

  /// Whether the peer has a session.
  package func knows(_ peer: Peer) -> Bool { sessionOfPeer.contains(peer.number) }

  /// When `advance` is due again.
  package var nextWake: MonotonicTime { min(nextPing, timers.earliest ?? nextPing, nextAbsence ?? nextPing) }

  /// Whether a draining router has nothing left to do.
  package var isDrained: Bool { isDraining && calls.count == 0 }

  /// Hands what is to be sent to `deliver`, in order.
  package mutating func flush(_ deliver: (Peer, Envelope) -> Void) {
    for index in outgoing.indices { deliver(outgoing[index].peer, outgoing[index].envelope) }
    outgoing.removeAll(keepingCapacity: true)
  }

  package mutating func takeEvents() -> [RouterEvent] {
    defer { events = [] }
    return events
  }

  mutating func send(_ envelope: consuming Envelope, to peer: Peer) {
    outgoing.append(Outgoing(peer: peer, envelope: envelope))
  }

  mutating func send(_ envelope: consuming Envelope, to session: RouterSession) {
    envelope.session = session.number
    outgoing.append(Outgoing(peer: session.peer, envelope: envelope))
  }

  /// Sends to a session, unless it has ended.
  mutating func send(_ envelope: consuming Envelope, session number: UInt64) {
    guard let session = sessions[number] else { return }
    send(envelope, to: session)
  }

  mutating func report(_ event: RouterEvent) {
    events.append(event)
  }
}
