package import Base

/// A call as its caller asks for it.
package final class ClientRequest: Sendable {
  /// Unlike that of any other call of the same client.
  package let number: UInt64
  package let method: MethodDescriptor
  package let deadline: MonotonicTime
  package let idempotencyKey: String
  package let priority: CallPriority
  /// The request, for methods that take just one.
  package let request: [UInt8]?
  /// What few of its envelope's fields say; nil when they have nothing to say.
  let extra: Envelope.Extra?
  /// Whom the host tells what comes back, of calls whose messages flow one by one.
  let sink: (any CallSink)?
  /// Where it tells that of all other calls.
  let answer = PendingAnswer()

  /// - Parameter caller: on whose behalf the call is made: believed only from peers that may vouch.
  package convenience init(
    _ number: UInt64, method: MethodDescriptor, deadline: MonotonicTime, metadata: Metadata = Metadata(),
    idempotencyKey: String = "", priority: CallPriority = .normal, waitsForReady: Bool = false,
    caller: CallerIdentity? = nil, request: [UInt8]? = nil
  ) {
    let isPlain = metadata.isEmpty && caller == nil && !waitsForReady
    self.init(
      number, method: method, deadline: deadline, idempotencyKey: idempotencyKey, priority: priority, request: request,
      extra: isPlain ? nil : Envelope.Extra(metadata: metadata, caller: caller, waitsForReady: waitsForReady),
      sink: nil)
  }

  init(
    _ number: UInt64, method: MethodDescriptor, deadline: MonotonicTime, idempotencyKey: String, priority: CallPriority,
    request: [UInt8]?, extra: Envelope.Extra?, sink: (any CallSink)?
  ) {
    self.number = number
    self.method = method
    self.deadline = deadline
    self.idempotencyKey = idempotencyKey
    self.priority = priority
    self.request = request
    self.extra = extra
    self.sink = sink
  }

  var mayRunTwice: Bool { !idempotencyKey.isEmpty || method.idempotency != .unknown }
  var waitsForReady: Bool { extra?.waitsForReady ?? false }
  /// Whether the first envelope says all that there is to say.
  var fitsOpening: Bool { request.map { $0.count <= BusLimits.chunk } ?? false }

  /// Fills in an OPEN: in place, because a large value that is returned is copied.
  func describe(in envelope: inout Envelope, attempt: Int, at now: MonotonicTime) {
    envelope.method = method.path
    envelope.priority = priority
    envelope.attempt = UInt8(clamping: attempt)
    envelope.remainingMilliseconds = UInt32(clamping: max(1, now.milliseconds(until: deadline)))
    envelope.idempotencyKey = idempotencyKey
    envelope.extra = extra
    if fitsOpening, let request {
      envelope.carriesMessage = true
      envelope.payload = request
    }
  }
}

/// A call that waits for its outcome. Its `ClientFlow` stands in another table, because most calls have none.
struct ClientCall: Sendable {
  let request: ClientRequest
  /// Where it runs; nil while it waits for a gateway or for its next try.
  var link: LinkID?
  var attempt = 0
  /// When it is to be looked at, whatever comes.
  var due: MonotonicTime
  var hasAnswer = false
  /// It waits for its next try, and not for a gateway.
  var isPausing = false
}

/// What flows for a call in chunks, in both directions: for all but a small request with an answer as small.
struct ClientFlow: Sendable {
  var sender = StreamSender()
  var receiver: StreamReceiver
  var isHalfClosed = false
  var saidHalfClose = false
  /// Messages of the caller's own went out that are not kept for another try.
  var isBeyondRetry = false
  /// Bytes that the caller has handed over and was not yet told are on their way.
  var unacknowledged = 0
}

/// What the host of a client has to do.
package enum ClientAction: Sendable {
  /// What the handler said before its first message.
  case initialMetadata(ClientRequest, Metadata)
  /// The next messages, at least one.
  case messages(ClientRequest, [ArraySlice<UInt8>])
  /// So many bytes of the caller's messages, lengths included, are on their way.
  case accepted(ClientRequest, bytes: Int)
  /// The outcome of nearly every call: it ended well, with one message and nothing beside it.
  case answered(ClientRequest, [UInt8])
  /// Any other outcome, with the message that came in it. Where none of the answer came before, its initial metadata is
  /// empty.
  case ended(ClientRequest, Status, last: [UInt8]?)
}

/// An envelope on its way out.
struct ClientOutput: Sendable {
  let link: LinkID
  let envelope: Envelope
}

/// How a client behaves.
package struct ClientConfiguration: Sendable {
  package var timings = LinkTimings()
  package var largestMessage = BusLimits.largestMessage
  package var attemptLimit = 5
  /// Doubles with every try of a call that no handler has seen, unless the gateway asks for a longer pause.
  package var retryBackoff: Duration = .milliseconds(20)
  /// How long a call that does not want to wait still gives gateways to connect.
  package var connectGrace: Duration = .seconds(2)

  package init() {}
}
