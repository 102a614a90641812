internal import Base

/// A call as the router keeps it, from OPEN until its one outcome. An object: it is looked at many times on its way, and
/// copying it would cost more than all the rest.
final class RouterCall: Numbered {
  /// What the worker that has it and the router's tables know it by.
  var number: UInt64 = 0
  let caller: UInt64
  /// The caller's own number for it.
  let callerNumber: UInt64
  /// What the caller sent, kept as long as the call may have to be handed over again.
  var open: Envelope
  /// Nil until a worker has announced the service: only in the grace after a router's start.
  var method: Int?
  let service: Int
  let deadline: MonotonicTime
  /// It takes turns with the other calls of its session, not with those of the one for whom it is made.
  let sharesTurnsOfSession: Bool
  let receivedAt: MonotonicTime
  /// Its caller would rather wait than hear that nobody is there.
  let waitsForReady: Bool
  var state = State.waiting
  var attempt: UInt8 = 0
  /// What the caller has streamed before there was a worker: at most the first window.
  var early: [UInt8] = []
  var endsEarly = false
  /// The newest WINDOW of the caller, for a worker that is yet to come.
  var callerWindow: UInt64 = 0
  var requestChunksHandedOver = false
  var answerChunksHandedOver = false
  var mayRunTwice: Bool
  /// Only calls that answer once say how fast a service works.
  var countsTowardsRate: Bool
  /// Its number is known to a worker, and so it may not be used for another hand-over.
  var wasHandedOver = false
  var handedOverAt = MonotonicTime(nanoseconds: 0)

  enum State: Equatable {
    /// In its service's queue: it has not started anywhere.
    case waiting
    /// With a worker: it may have run.
    case running(session: UInt64)
    /// Between two tries.
    case backingOff
  }

  func runs(on worker: RouterSession) -> Bool { state == .running(session: worker.number) }

  /// What it weighs while it waits.
  var weight: Int { open.byteCount + early.count }

  /// Whether anything but its OPEN may have come from its caller.
  var isStream: Bool { callerWindow > 0 || endsEarly || !early.isEmpty }

  init(
    open: Envelope, caller: UInt64, callerNumber: UInt64, method: Int?, service: Int, deadline: MonotonicTime,
    sharesTurnsOfSession: Bool, receivedAt: MonotonicTime, waitsForReady: Bool, mayRunTwice: Bool,
    countsTowardsRate: Bool
  ) {
    self.open = open
    self.caller = caller
    self.callerNumber = callerNumber
    self.method = method
    self.service = service
    self.deadline = deadline
    self.sharesTurnsOfSession = sharesTurnsOfSession
    self.receivedAt = receivedAt
    self.waitsForReady = waitsForReady
    self.mayRunTwice = mayRunTwice
    self.countsTowardsRate = countsTowardsRate
  }

  /// Notes that a worker gets the call; the answer is the OPEN for it.
  func handOver(to worker: UInt64, at now: MonotonicTime) -> Envelope {
    state = .running(session: worker)
    wasHandedOver = true
    handedOverAt = now
    attempt += 1
    var open = open
    open.call = number
    open.attempt = attempt
    open.remainingMilliseconds = UInt32(clamping: max(1, now.milliseconds(until: deadline)))
    return open
  }

  /// Whose turns the call takes: those of a client's own key, or of the one for whom a peer that may vouch calls.
  private var share: ServiceQueue.Share {
    guard !sharesTurnsOfSession, let identity = open.extra?.caller,
      !identity.tenant.isEmpty || !identity.subject.isEmpty
    else { return ServiceQueue.Share(session: caller) }
    return ServiceQueue.Share(tenant: identity.tenant, subject: identity.subject)
  }

  var ticket: ServiceQueue.Ticket {
    ServiceQueue.Ticket(
      call: number, deadline: deadline, share: share, priority: open.priority, mayWaitAtWorker: mayRunTwice)
  }
}

/// A method as the workers that offer it describe it.
struct RouterMethod: Sendable {
  let descriptor: MethodDescriptor
  let service: Int
}

/// A service as this router has come to know it.
struct RouterService {
  let name: String
  var queue = ServiceQueue()
  /// The workers that serve it now.
  var workers: [RouterSession] = []
  var wasOffered = false
  var lastWorkerLeft: MonotonicTime?
  /// How long a call stays with a worker, averaged; zero until one came back.
  var averageStay: Double = 0
  /// Calls with workers now that count towards the rate.
  var running = 0
  var retryTokens: Double
  var counts = CallCounts()
  var rateOfCalls = RateWindow()
  var rateOfRefusals = RateWindow()

  init(name: String, retryTokens: Double) {
    self.name = name
    self.retryTokens = retryTokens
  }
}
