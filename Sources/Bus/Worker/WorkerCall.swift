package import Base

/// A call that a gateway has dispatched to this worker.
struct WorkerCall: Sendable {
  let link: LinkID
  /// The gateway's number for it.
  let number: UInt64
  let start: WorkerStart
  /// The request of a method that takes only one, until its handler has it.
  var request: [UInt8]?
  var state: State
  /// The caller has its outcome, or needs none: what the handler still sends is dropped.
  var isSettled = false
  /// Set while the handler runs and does not wait: such a call occupies a slot.
  var holdsSlot = false
  /// A stream that has run for long: it waits for events more than it computes, and occupies no slot any more.
  var isLongLived = false

  var method: MethodDescriptor { start.method }
  var isUnary: Bool { start.method.kind == .unary }

  /// The handler begins, on a slot. It has the request now; keeping it here as well would double the memory of a large
  /// one.
  mutating func begin() -> (start: WorkerStart, request: [UInt8]?) {
    state = .running
    holdsSlot = true
    return (start, request.take())
  }

  /// The handler has returned; returns whether it occupied a slot, or nil if none was running.
  mutating func finish() -> Bool? {
    guard state.isRunning else { return nil }
    defer { holdsSlot = false }
    state = .returned
    return holdsSlot
  }

  enum State: Sendable {
    /// A single request that comes in chunks is not complete yet.
    case assembling
    /// Waiting for a slot.
    case queued
    case running
    /// The handler has returned.
    case returned
  }
}

/// The streams between a call's handler and its caller, if there is more than one envelope with a request and one with
/// the answer.
struct WorkerFlow: Sendable {
  var receiver: StreamReceiver
  var sender = StreamSender()
  var requestsEnded = false
  /// The outcome, while chunks of the answer wait for the window.
  var outcome: Envelope?
  var initialMetadata = Metadata()
  /// Requests of a stream that came before its handler began.
  var early: [ArraySlice<UInt8>] = []
  /// Bytes of the handler's messages that were taken but not yet reported as sent.
  var unacknowledged = 0

  /// Nothing waits to be sent to the caller.
  var isQuiet: Bool { sender.backlog == 0 && unacknowledged == 0 }
}

/// What a handler is told about its call.
package final class WorkerStart: Sendable {
  package let method: MethodDescriptor
  /// The method's index among those that the worker announces.
  let methodPlace: Int
  package let deadline: MonotonicTime
  package let priority: CallPriority
  package let attempt: Int
  package let idempotencyKey: String
  private let extra: Envelope.Extra?

  init(_ open: Envelope, method: MethodDescriptor, at place: Int, deadline: MonotonicTime) {
    self.method = method
    methodPlace = place
    self.deadline = deadline
    priority = open.priority
    attempt = Int(open.attempt)
    idempotencyKey = open.idempotencyKey
    extra = open.extra
  }

  package var identity: CallerIdentity { extra?.caller ?? .stranger }
  package var metadata: Metadata { extra?.metadata ?? [:] }
}
