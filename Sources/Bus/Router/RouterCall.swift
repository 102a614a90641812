internal import Base
internal import RPC

/// A call in the router, from OPEN until its one outcome. An object, because it is read many times and copying it would
/// cost more than everything else.
final class RouterCall: Numbered {
  /// Its number in the router's tables and at the worker that has it.
  var number: UInt64 = 0
  let caller: UInt64
  let account: KeyAccount
  /// The caller's own number for it.
  let callerNumber: UInt64
  /// The caller's OPEN, kept as long as the call may have to be dispatched again.
  var open: Envelope
  /// The kind of its method; nil until a worker has announced the service. Such calls are admitted only in the grace
  /// after a router's start, or if their callers wait for readiness.
  var kind: MethodDescriptor.Kind?
  let service: Int
  let deadline: MonotonicTime
  /// Whether it shares turns with the other calls of its session instead of those of the caller for whom it is made.
  let sharesTurnsOfSession: Bool
  let receivedAt: MonotonicTime
  /// Whether its caller waits when no worker is there, instead of getting an error.
  let waitsForReady: Bool
  var state = State.waiting
  /// How many workers have had it, not counting those that handed it back.
  var attempt: UInt8 = 0
  /// How many workers were lost while they had it.
  var losses = 0
  /// The bytes that the caller has streamed before a worker has the call: at most the first window.
  var early: [UInt8] = []
  /// How far the caller has sent its requests, and the worker its answers.
  var requests = StreamMeter()
  var answers = StreamMeter()
  var mayRunTwice: Bool
  /// Until when it waits for a free slot, and not in a worker's own queue, if it may not run twice.
  let slotUntil: MonotonicTime
  /// nil unless the call is traced.
  var trace: CallTrace?

  enum State: Equatable {
    /// It is in its service's queue, or is about to be handed over.
    case waiting
    /// A worker has had it since then: it may have run.
    case running(session: UInt64, since: MonotonicTime)
    /// It waits between two tries.
    case backingOff
  }

  var hasMethod: Bool { kind != nil }

  var isUnary: Bool { kind == .unary }

  /// Whether it is a stream that may be silent for days, so that the loss of either peer need not be noticed soon.
  var mayBeSilent: Bool { kind?.mayBeSilent(over: deadline - receivedAt) ?? false }

  /// Whether its answers follow something without end, as the names of such methods say: its caller may begin it anew
  /// at any time, from where it has got to.
  var isWatch: Bool { kind?.serverStreams == true && open.method.contains("/Watch") }

  /// The session of the worker that has it; nil while none has.
  var worker: UInt64? {
    if case .running(let session, _) = state { session } else { nil }
  }

  /// Since when this worker has the call; nil if it does not have it.
  func runs(on worker: WorkerSession) -> MonotonicTime? {
    if case .running(worker.number, let since) = state { since } else { nil }
  }

  /// Whether a worker has it, or has had it and did not hand it back. A worker that was lost may have run it.
  var mayHaveRun: Bool { attempt > 0 }

  /// The number of its last attempt. Counts on from the caller's number: the caller may have tried the call through
  /// another gateway before.
  var attemptNumber: Int { Int(max(1, open.attempt)) + Int(attempt) - 1 }

  /// Raises the number of its last attempt to `number`, if it is lower.
  func countOn(to number: Int) {
    open.attempt = UInt8(clamping: Int(max(1, open.attempt)) + max(0, number - attemptNumber))
  }

  /// Whether another worker may get it after one that had it: the call may run twice, and the router has passed on no
  /// part of its streams, of which it keeps nothing.
  var mayRunAgain: Bool { mayRunTwice && !hasPassedRequests && !answers.hasBegun }

  /// Whether its worker has got more of it than the OPEN. All that its caller streams goes to the worker that has it.
  var hasPassedRequests: Bool { worker != nil && requests.hasContent }

  /// Its size while it waits.
  var weight: Int { open.byteCount + early.count }

  /// Whether its caller has sent anything but the OPEN.
  var isStream: Bool { answers.hasGrant || requests.hasContent }

  init(
    open: Envelope, caller: UInt64, account: KeyAccount, callerNumber: UInt64, kind: MethodDescriptor.Kind?,
    service: Int, deadline: MonotonicTime,
    sharesTurnsOfSession: Bool, receivedAt: MonotonicTime, waitsForReady: Bool, mayRunTwice: Bool,
    slotUntil: MonotonicTime
  ) {
    self.open = open
    self.caller = caller
    self.account = account
    self.callerNumber = callerNumber
    self.kind = kind
    self.service = service
    self.deadline = deadline
    self.sharesTurnsOfSession = sharesTurnsOfSession
    self.receivedAt = receivedAt
    self.waitsForReady = waitsForReady
    self.mayRunTwice = mayRunTwice
    self.slotUntil = slotUntil
  }

  /// Records that a worker gets the call; returns the OPEN for it.
  func handOver(to worker: UInt64, at now: MonotonicTime) -> Envelope {
    assert(state == .waiting, "a call is handed over from its queue")
    state = .running(session: worker, since: now)
    attempt += 1
    var open = open
    open.call = number
    open.attempt = UInt8(clamping: attemptNumber)
    open.remainingMilliseconds = UInt32(clamping: max(1, now.milliseconds(until: deadline)))
    return open
  }

  /// Whose turn in the queue the call takes: that of its caller, by tenant and name, or that of its session where a
  /// peer that may name callers has named none.
  var share: ServiceQueue.Share {
    guard !sharesTurnsOfSession, let identity = open.extra?.caller,
      !identity.tenant.isEmpty || !identity.subject.isEmpty
    else { return ServiceQueue.Share(session: caller) }
    return ServiceQueue.Share(tenant: identity.tenant, subject: identity.subject)
  }

  var ticket: ServiceQueue.Ticket {
    ServiceQueue.Ticket(
      call: number, deadline: deadline, share: share, needsSlotUntil: mayRunTwice ? nil : slotUntil)
  }
}

/// A method as its workers describe it.
struct RouterMethod {
  let descriptor: MethodDescriptor
  let service: Int

  /// The service of a method that was removed.
  static let nowhere = -1
}

/// A service as this router knows it.
struct RouterService {
  let name: String
  var queue = ServiceQueue()
  /// The workers that serve it now.
  var workers: [WorkerSession] = []
  /// The key that has announced it last; nil for an unannounced service for which calls wait.
  var announcer: PeerCredentials?
  /// The number of the account whose call was the first for an unannounced service; 0 for others.
  var askedFor: UInt64 = 0
  var wasOffered: Bool { announcer != nil }
  var lastWorkerLeft: MonotonicTime?
  /// How fast its calls go, apart for streams, which may stay open for days.
  var unary = CallPace()
  var streams = CallPace()
  /// How many calls for it have no outcome yet.
  var openCalls = 0
  var retryTokens: Double
  var counts = CallCounts()
  var rateOfCalls = RateWindow()
  var rateOfRefusals = RateWindow()

  init(name: String, retryTokens: Double) {
    self.name = name
    self.retryTokens = retryTokens
  }
}
