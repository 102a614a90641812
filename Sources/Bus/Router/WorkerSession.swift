internal import Base
internal import RPC

/// The session of a worker: what it serves, how many calls it may get, and how many it has.
final class WorkerSession: RouterSession {
  /// The indexes of its services in the router's list.
  private(set) var services: [Int] = []
  /// For each of its services, how many calls were dispatched and not answered yet. Streams, which may be open for days
  /// and do nothing, do not count.
  private var unanswered: [Int] = []
  /// The place in `services` of the one whose turn it was last.
  private var turn = 0
  /// The number of the dispatch by which it was given a call last.
  private var lastGiven: UInt64 = 0
  /// How many calls it was given, and how many it may have been given by now.
  private(set) var started: UInt64 = 0
  private(set) var credit: UInt64 = 0
  /// How many calls were dispatched and have not ended yet, and how many of them are streams that may be silent.
  private(set) var running = 0
  private(set) var silentStreams = 0
  /// Whether it gets no calls at the moment because it does not read what is sent to it.
  var isHeldUp = false
  /// Whether it was late or stuck at the last check.
  var isFaltering = false
  private(set) var load = Load()
  /// When the load's progress last changed, or there was nothing to do.
  private var lastProgress: MonotonicTime
  var counts = CallCounts()
  var rate = RateWindow()
  /// How many calls of each caller it has in hand; counted only if its key may speak for these callers.
  private var callers: [CallerIdentity: Int] = [:]

  override init(_ origin: Origin, at now: MonotonicTime) {
    lastProgress = now
    super.init(origin, at: now)
  }

  override var side: Side { .worker(self) }

  func serve(_ service: Int) {
    services.append(service)
    unanswered.append(0)
  }

  // MARK: - Credit

  /// How many more calls the worker accepts now.
  var freeCredit: Int { isLeaving || isHeldUp ? 0 : Int(clamping: Int64(bitPattern: credit &- started)) }

  /// Raises the worker's credit to what the worker claims, but leaves it room for at most `slots + prefetch` more
  /// calls, as its HELLO stated them.
  func raiseCredit(to wanted: UInt64) {
    guard wanted > credit else { return }
    credit = min(wanted, started + UInt64(hello.slots) + UInt64(hello.prefetch))
  }

  /// Whether its next call would wait in its own queue: the last part of its credit exceeds its slots. Against that
  /// part, a call that may not run twice is dispatched only after it has waited for a slot.
  var isBeyondSlots: Bool { freeCredit <= Int(hello.prefetch) }

  // MARK: - Calls

  /// Counts a call that it is given, under the number of this dispatch.
  func give(_ call: RouterCall, dispatch: UInt64, at now: MonotonicTime) {
    started += 1
    assert(started <= credit, "a worker gets no call beyond its credit")
    if awaited == 0 { lastProgress = now }
    lastGiven = dispatch
    signs.watch(at: now)
    count(call, by: 1)
  }

  /// Counts a call as ended, or taken back.
  func release(_ call: RouterCall) { count(call, by: -1) }

  private func count(_ call: RouterCall, by change: Int) {
    running += change
    if call.mayBeSilent { silentStreams += change }
    assert(running >= silentStreams && silentStreams >= 0, "more calls have ended than had begun")
    if credentials.rights.vouching == .callers, let caller = call.open.extra?.caller {
      let count = callers[caller, default: 0] + change
      callers[caller] = count > 0 ? count : nil
    }
    guard call.isUnary, let place = services.firstIndex(of: call.service) else { return }
    unanswered[place] += change
  }

  func worksFor(_ caller: CallerIdentity) -> Bool { callers[caller] != nil }

  /// How many of its calls are not streams that may be silent for long.
  var awaited: Int { running - silentStreams }

  /// Whether a call of a service is better off here than there: where it need not wait, where fewer calls of the
  /// service are open, and where the last call was given longest ago.
  ///
  /// Free slots do not tell: a handler that waits for its turn to draw holds none, and one process may have more of
  /// them than another with as many threads to draw on.
  func isBetter(than other: WorkerSession, for service: Int) -> Bool {
    if isBeyondSlots != other.isBeyondSlots { return other.isBeyondSlots }
    let (here, there) = (open(of: service), other.open(of: service))
    return here != there ? here < there : lastGiven < other.lastGiven
  }

  private func open(of service: Int) -> Int {
    services.firstIndex(of: service).map { unanswered[$0] } ?? 0
  }

  /// Which of its services is looked at next; nil when the worker accepts nothing more.
  func nextTurn() -> Int? {
    guard freeCredit > 0 else { return nil }
    turn = (turn + 1) % services.count
    return services[turn]
  }

  // MARK: - Progress

  /// Records the load that it reports with a PONG.
  func note(_ load: Load?, at now: MonotonicTime) {
    guard let load else { return }
    if load.progress != self.load.progress || load.busy == 0 { lastProgress = now }
    self.load = load
    self.load.notices = load.notices.prefix(Self.mostNotices).map { $0.shortened(to: Self.longestNotice) }
  }

  private static let mostNotices = 8
  private static let longestNotice = 200

  /// Whether it has work and makes no progress: its handlers are stuck.
  func isWedged(_ configuration: RouterConfiguration, at now: MonotonicTime) -> Bool {
    awaited > 0 && now - lastProgress > configuration.wedgedAfter
  }
}
