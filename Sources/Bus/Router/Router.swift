package import Base
internal import RPC

/// The core of a gateway, as a pure state machine: envelopes and time go in, envelopes come out.
///
/// It knows sessions (who is connected), services (who serves what, and which calls wait for it) and calls (each from
/// its OPEN to its one outcome). Every input is processed completely at once; envelopes to be sent collect in
/// `outgoing` until the host takes them.
///
/// - Sessions: `Router+Sessions`; arriving calls: `Router+Calls`; dispatch: `Router+Dispatch`; what flows between
///   caller and worker: `Router+Traffic`; another try or the end: `Router+Outcome`.
package struct Router {
  let configuration: RouterConfiguration
  /// Names this run of this gateway in HELLO_ACK: a UUID.
  let instance: String
  let startedAt: MonotonicTime
  var generator: SeededGenerator

  var sessions: Slab<RouterSession>
  /// Sessions by their peers' numbers.
  var sessionOfPeer = NumberMap<RouterSession>()
  /// The numbers of the peers that do not read what is sent to them.
  var heldUp: Set<UInt64> = []
  var calls: Slab<RouterCall>
  var timers = TimerHeap()
  /// How many calls were given to workers so far.
  var dispatches: UInt64 = 0
  var services: [RouterService] = []
  /// The indexes of the free entries in `services`.
  var freeServices: [Int] = []
  /// The accounts of keys that have sessions.
  var accounts: [PeerCredentials: KeyAccount] = [:]
  private var accountNumber: UInt64 = 0
  var serviceIndex: [String: Int] = [:]
  var methods = MethodTable()
  var deniedAttempts = DeniedAttempts()
  var invariants = Invariants()
  var waitingBytes = 0
  /// Whether clients are told to go elsewhere. Their calls are still taken.
  var isLeaving = false
  var isDraining = false
  /// How many bytes each stream had passed when `endSilentStreams` looked last.
  var passedAtLastLook: [UInt64: UInt64] = [:]
  /// Grows each time that the health of a service, or of the router itself, may have changed.
  package private(set) var healthChanges: UInt64 = 0
  /// Whether the next check of liveness pings every peer.
  var isProbing = false
  var nextPing: MonotonicTime
  /// Times of the configuration as plain numbers, since every call reads them.
  let defaultPatience: Int64
  let longestPatience: Int64
  let slotPatience: Int64
  /// When to check again for calls whose service has had no worker for too long.
  var nextAbsence: MonotonicTime?

  /// Envelopes to be sent, in order.
  private var outgoing: [Outgoing] = []
  private struct Outgoing {
    let peer: Peer
    let envelope: Envelope
    /// The account of a stream's envelope; 0 for all others.
    let account: UInt64
  }

  var endedStreams = EndedStreams()

  /// Events for operators, in order.
  package private(set) var events: [RouterNews] = []
  /// Spans of calls that have ended, in order.
  private var spans: [CallSpan] = []

  package init(
    configuration: RouterConfiguration = RouterConfiguration(), instance: String, seed: UInt64, at now: MonotonicTime
  ) {
    self.configuration = configuration
    self.instance = instance
    generator = SeededGenerator(seed: seed)
    startedAt = now
    sessions = Slab(seed: generator.next())
    calls = Slab(seed: generator.next())
    nextPing = now + configuration.timings.pingInterval
    longestPatience = configuration.longestDeadline.wholeNanoseconds
    slotPatience = configuration.slotPatience.wholeNanoseconds
    defaultPatience = min(configuration.defaultDeadline.wholeNanoseconds, longestPatience)
  }

  // MARK: - Inputs

  /// Receives an envelope. `credentials` is what the host has verified about the link.
  package mutating func receive(
    _ envelope: consuming Envelope, from peer: Peer, credentials: PeerCredentials, at now: MonotonicTime
  ) {
    guard envelope.kind != .hello else { return greet(envelope, from: peer, credentials: credentials, at: now) }
    guard let session = session(of: peer, at: now), session.number == envelope.session else {
      // After BYE nobody is there to say HELLO.
      if envelope.kind != .bye { send(Envelope(.helloRequest), to: peer) }
      return
    }
    session.signs.hear(at: now)
    switch session.side {
    case .caller(let caller): handle(envelope, fromCaller: caller, at: now)
    case .worker(let worker):
      let credit = envelope.credit
      if credit > 0 { worker.raiseCredit(to: credit) }
      handle(envelope, fromWorker: worker, at: now)
      if credit > 0 { dispatch(to: worker, at: now) }
    }
  }

  /// The session of a peer, if the same key began it.
  ///
  /// A connection keeps its key. So another key on the link means that the connection is gone, and that a peer has
  /// asked for its number, which libzmq gives to whoever asks while nobody has it. That peer is somebody else.
  mutating func session(of peer: Peer, at now: MonotonicTime) -> RouterSession? {
    guard let session = sessionOfPeer[peer.number] else { return nil }
    if session.peer.key == peer.key { return session }
    end(session, because: .unreachable, at: now)
    return nil
  }

  /// Ends a peer's session because the peer's link is lost, or because the peer does not read.
  package mutating func lose(_ peer: Peer, because reason: RouterEvent.Reason, at now: MonotonicTime) {
    guard let session = sessionOfPeer[peer.number] else { return }
    end(session, because: reason, at: now)
  }

  /// Called when a connection was lost and the host does not know whose. Pings all peers soon, because the ping to that
  /// peer will fail.
  package mutating func probe(at now: MonotonicTime) {
    isProbing = true
    lookSoon(at: now)
  }

  /// Ends the sessions whose keys a changed list no longer contains.
  package mutating func revoke(
    where isRevoked: (PeerCredentials) -> Bool, at now: MonotonicTime
  ) {
    for session in sessions.all where isRevoked(session.credentials) { revoke(session.peer, at: now) }
  }

  /// Advances the time to `now`: ends what is overdue and checks which peers are alive.
  package mutating func advance(to now: MonotonicTime) {
    while let number = timers.popDue(at: now) { if let call = calls[number] { wake(call, at: now) } }
    if let nextAbsence, nextAbsence <= now { giveUpOnAbsent(at: now) }
    guard now >= nextPing else { return }
    nextPing = now + configuration.timings.idlePingInterval
    checkLiveness(at: now)
    forgetServices(at: now)
  }

  /// Advances the time to `now` if something is due, and returns when something is due next.
  ///
  /// Hosts keep their machine in a class, and reading a property of it there would copy the machine; this method does
  /// not.
  package mutating func advanceIfDue(to now: MonotonicTime) -> MonotonicTime {
    if nextWake <= now { advance(to: now) }
    return nextWake
  }

  /// Tells the clients at the clients' door to make their next calls elsewhere, and is not healthy any more; returns
  /// whether there are any. Services go on here: they answer the calls that still come, and what they call meanwhile
  /// belongs to these.
  package mutating func leave(at now: MonotonicTime) -> Bool {
    isLeaving = true
    noteHealthChange()
    let clients = sessions.all.filter { $0.peer.door == .clients }
    for session in clients { send(Envelope(.goaway), to: session) }
    return !clients.isEmpty
  }

  /// Accepts no new calls, lets the running ones end, and notifies all peers. Calls that no worker has end at once, as
  /// do watches: their callers go on at another gateway.
  package mutating func drain(at now: MonotonicTime) {
    guard !isDraining else { return }
    isDraining = true
    noteHealthChange()
    for session in sessions.all { send(Envelope(.goaway), to: session) }
    for call in calls.all where call.worker == nil || call.isWatch {
      finish(call, with: aboutToStop(mayHaveRun: call.mayHaveRun), at: now)
    }
  }

  /// Ends the streams by which nothing has passed since the last call of this: they may go on for days. One that brings
  /// a file comes to its end by itself.
  package mutating func endSilentStreams(at now: MonotonicTime) {
    for call in calls.all where call.mayBeSilent {
      let passed = call.answers.passed &+ call.requests.passed
      if passedAtLastLook.updateValue(passed, forKey: call.number) == passed {
        finish(call, with: aboutToStop(mayHaveRun: call.mayHaveRun), at: now)
      }
    }
  }

  // MARK: - Outputs

  /// Whether the peer has a session.
  package func knows(_ peer: Peer) -> Bool { sessionOfPeer.contains(peer.number) }

  /// When `advance` is due again.
  package var nextWake: MonotonicTime { min(nextPing, timers.earliest ?? nextPing, nextAbsence ?? nextPing) }

  /// Whether a draining router has nothing left to do.
  package var isDrained: Bool { isDraining && calls.count == 0 }

  /// Passes the envelopes to be sent to `deliver`, in order: those of streams with the number of their account, by
  /// which a host can share its room, others with 0.
  package mutating func flush(_ deliver: (Peer, Envelope, _ account: UInt64) -> Void) {
    checkInvariants()
    endedStreams.flush()
    outgoing.lendEach { deliver($0.peer, $0.envelope, $0.account) }
    outgoing.removeAll(keepingCapacity: true)
  }

  package mutating func takeEvents() -> [RouterNews] {
    defer { events = [] }
    return events
  }

  package mutating func takeSpans() -> [CallSpan] {
    guard !spans.isEmpty else { return [] }
    defer { spans = [] }
    return spans
  }

  mutating func noteHealthChange() { healthChanges &+= 1 }

  mutating func report(_ span: CallSpan) { spans.append(span) }

  /// Changes the code of a span that was not taken yet.
  mutating func correctSpan(_ id: String, to code: StatusCode) {
    guard let place = spans.lastIndex(where: { $0.spanID == id }) else { return }
    spans[place].code = code
  }

  mutating func send(_ envelope: consuming Envelope, to peer: Peer) {
    outgoing.append(Outgoing(peer: peer, envelope: envelope, account: 0))
  }

  mutating func send(_ envelope: consuming Envelope, to session: RouterSession) {
    envelope.session = session.number
    outgoing.append(Outgoing(peer: session.peer, envelope: envelope, account: 0))
  }

  /// Sends to a session, unless it has ended.
  mutating func send(_ envelope: consuming Envelope, session number: UInt64, for account: UInt64 = 0) {
    guard let session = sessions[number] else { return }
    envelope.session = number
    outgoing.append(Outgoing(peer: session.peer, envelope: envelope, account: account))
  }

  mutating func report(_ event: RouterEvent, about peer: Peer, _ credentials: PeerCredentials) {
    events.append(RouterNews(peer: peer, key: credentials.keyName, event: event))
  }

  mutating func report(_ event: RouterEvent, about session: RouterSession) {
    report(event, about: session.peer, session.credentials)
  }

  /// The account for a new session: one for all sessions of a client's key, and a new one for each session of a service
  /// or of a peer without a key.
  mutating func account(of credentials: PeerCredentials) -> KeyAccount {
    let isShared = credentials.keyNumber != nil && credentials.isClient
    if isShared, let known = accounts[credentials] { return known }
    accountNumber += 1
    let speaksForOthers = credentials.rights.vouching != .nobody
    let account = KeyAccount(
      number: accountNumber, waitingOf: speaksForOthers ? Shares(of: configuration.waitingByteLimit) : nil)
    if isShared { accounts[credentials] = account }
    return account
  }
}
