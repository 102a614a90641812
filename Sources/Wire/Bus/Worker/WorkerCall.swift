package import Base

/// A call that a gateway has handed to this worker.
struct WorkerCall: Sendable {
  let link: LinkID
  /// The gateway's number for it.
  let number: UInt64
  let method: MethodDescriptor
  var start: WorkerStart
  var state: State
  var receiver: StreamReceiver
  var sender = StreamSender()
  var requestsEnded = false
  /// The caller has its outcome, or wants none: what the handler still says goes nowhere.
  var isSettled = false
  /// The outcome, while chunks of the answer wait for the window.
  var outcome: Envelope?
  var initialMetadata: Metadata = [:]
  /// Set while the handler runs and does not wait: such a call holds a slot.
  var holdsSlot = false
  /// A stream that has run for long: it waits for events more than it computes, and holds no slot any longer.
  var isLongLived = false
  /// Requests of a stream that came before its handler began.
  var early: [[UInt8]] = []
  /// Bytes that the handler has handed over and was not yet told are on their way.
  var unacknowledged = 0

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

/// What a handler needs to begin.
package struct WorkerStart: Sendable {
  package let method: MethodDescriptor
  package let identity: CallerIdentity
  package let metadata: Metadata
  package let deadline: MonotonicTime
  package let idempotencyKey: String
  package let priority: CallPriority
  package let attempt: Int
  /// The request, for methods that take just one.
  package var request: [UInt8]?
}
