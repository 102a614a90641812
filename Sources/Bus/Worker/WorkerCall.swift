package import Base
package import RPC

/// A call that a gateway has dispatched to this worker.
struct WorkerCall: Sendable {
  let link: LinkID
  /// The gateway's number for it.
  let number: UInt64
  /// Whether it is a stream that may be silent for long.
  let mayBeSilent: Bool
  let start: WorkerStart
  var state: State

  var method: MethodDescriptor { start.method }
  var isUnary: Bool { start.method.kind == .unary }
  var holder: CallHolder { CallHolder(start.identity) }

  enum State: Sendable {
    /// A single request that comes in chunks is not complete yet.
    case assembling(Arrival)
    /// Waiting for a slot, with the request of a method that takes only one.
    case queued(request: [UInt8]?)
    /// The handler runs.
    case running(Slot)
    /// The handler still runs, and nobody waits for the call any more: what it sends is dropped.
    case cancelled(Slot)
    /// The handler has returned, and its outcome waits behind chunks of the answer for the window.
    indirect case returned(outcome: Envelope)
  }

  /// How long a single request has been coming.
  enum Arrival: Sendable {
    /// Not for long: the call counts for a slot, as its handler will.
    case expected
    /// The call takes no slot any more. `received` bytes had come when it was last checked.
    case late(received: UInt64)
  }

  /// Whether a running handler occupies a slot.
  enum Slot: Sendable {
    case held
    /// It waits for something that is not computation.
    case released
    /// It is a stream that has run for long: it waits for events more than it computes, and takes no slot again.
    case givenUp
  }

  /// The slot of a handler that runs, whether or not anybody waits for it.
  private(set) var slot: Slot? {
    get {
      switch state {
      case .running(let slot), .cancelled(let slot): slot
      case .assembling, .queued, .returned: nil
      }
    }
    set {
      guard let newValue else { return }
      switch state {
      case .running: state = .running(newValue)
      case .cancelled: state = .cancelled(newValue)
      case .assembling, .queued, .returned: break
      }
    }
  }

  /// Whether the caller has its outcome, or needs none.
  var isSettled: Bool { if case .cancelled = state { true } else { false } }

  /// Starts the handler on a slot. The request is given to it and not kept here, which would double the memory of a
  /// large one.
  mutating func begin() -> (start: WorkerStart, request: [UInt8]?) {
    var request: [UInt8]?
    if case .queued(let kept) = state { request = kept } else { assertionFailure("only a call that waits begins") }
    state = .running(.held)
    return (start, request)
  }

  /// What it means if its handler returns now: whether a slot becomes free, and whether anybody waits for the answer;
  /// nil while no handler runs.
  var ending: (heldSlot: Bool, isAwaited: Bool)? {
    switch state {
    case .running(let slot): (slot == .held, true)
    case .cancelled(let slot): (slot == .held, false)
    case .assembling, .queued, .returned: nil
    }
  }

  /// Notes that the handler begins to wait; returns whether that frees a slot.
  mutating func release(forGood: Bool) -> Bool {
    guard let slot, slot != .givenUp else { return false }
    self.slot = forGood ? .givenUp : .released
    return slot == .held
  }

  /// Notes that a handler that waited continues; returns whether that takes a slot.
  mutating func resume() -> Bool {
    guard slot == .released else { return false }
    slot = .held
    return true
  }
}

/// The streams between a call's handler and its caller, if there is more than one envelope with a request and one with
/// the answer.
struct WorkerFlow: Sendable {
  var receiver: StreamReceiver
  var sender = StreamSender()
  var requestsEnded = false
  var initialMetadata = Metadata()
  /// Requests of a stream that came before its handler began. They are not kept in the call's state: a call is copied
  /// where it is read, and an array that has two owners is copied as a whole to grow.
  var early: [ArraySlice<UInt8>] = []
  /// Bytes of the handler's messages that were taken but not yet reported as sent.
  var unacknowledged = 0
  /// How many bytes it has taken of the worker's room for large messages.
  var room = 0

  /// Nothing waits to be sent to the caller.
  var isQuiet: Bool { sender.backlog == 0 && unacknowledged == 0 }
}

/// What a handler is told about its call.
package final class WorkerStart: Sendable {
  package let method: MethodDescriptor
  /// The method's index among those that the worker announces.
  let methodPlace: Int
  package let deadline: MonotonicTime
  package let attempt: Int
  package let idempotencyKey: String
  /// The gateway that dispatched it.
  let gateway: String
  private let extra: Envelope.Extra?

  /// Whether the call belongs to a trace that somebody collects.
  var isTraced: Bool {
    guard let extra, let text = extra.metadata[bytes: TraceParent.header] else { return false }
    return TraceParent(text)?.isSampled ?? false
  }

  init(_ open: Envelope, method: MethodDescriptor, at place: Int, deadline: MonotonicTime, from gateway: String) {
    self.method = method
    self.gateway = gateway
    methodPlace = place
    self.deadline = deadline
    attempt = Int(open.attempt)
    idempotencyKey = open.idempotencyKey
    extra = open.extra
  }

  package var identity: CallerIdentity { extra?.caller ?? .stranger }
  package var metadata: Metadata { extra?.metadata ?? [:] }
}
