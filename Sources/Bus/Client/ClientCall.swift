package import Base
package import RPC

/// A call as its caller asked for it.
package final class ClientRequest: Sendable {
  /// Unique among the calls of a client.
  package let number: UInt64
  package let method: MethodDescriptor
  package let deadline: MonotonicTime
  package let idempotencyKey: String
  /// The request, for methods that take only one.
  package let request: [UInt8]?
  /// The rarely used fields of its envelope; nil when all of them are empty.
  let extra: Envelope.Extra?
  /// The gateway through which the call goes if that is connected; empty: the one with the fewest of our calls.
  let gateway: String
  /// How many attempts the caller had made of the call before, itself or through other clients.
  let earlierAttempts: Int
  /// Receives the messages and the outcome of a call that `OpenCall` or a port began; nil for others.
  let sink: (any CallSink)?
  /// Receives the outcome of a call that has no sink.
  let answer = PendingAnswer()

  /// - Parameter caller: on whose behalf the call is made; gateways believe it only from peers that may name callers.
  package convenience init(
    _ number: UInt64, method: MethodDescriptor, deadline: MonotonicTime, metadata: Metadata = Metadata(),
    idempotencyKey: String = "", waitsForReady: Bool = false, caller: CallerIdentity? = nil, gateway: String = "",
    request: [UInt8]? = nil
  ) {
    let isPlain = metadata.isEmpty && caller == nil && !waitsForReady
    self.init(
      number, method: method, deadline: deadline, idempotencyKey: idempotencyKey, request: request,
      extra: isPlain ? nil : Envelope.Extra(metadata: metadata, caller: caller, waitsForReady: waitsForReady),
      gateway: gateway, sink: nil)
  }

  init(
    _ number: UInt64, method: MethodDescriptor, deadline: MonotonicTime, idempotencyKey: String, request: [UInt8]?,
    extra: Envelope.Extra?, gateway: String = "", earlierAttempts: Int = 0, sink: (any CallSink)?
  ) {
    self.gateway = gateway
    self.earlierAttempts = earlierAttempts
    self.number = number
    self.method = method
    self.deadline = deadline
    self.idempotencyKey = idempotencyKey
    self.request = request
    self.extra = extra
    self.sink = sink
  }

  var mayRunTwice: Bool { !idempotencyKey.isEmpty || method.idempotency != .unknown }
  var waitsForReady: Bool { extra?.waitsForReady ?? false }
  /// Whether the first envelope contains the whole request.
  var fitsOpening: Bool { request.map { $0.count <= BusLimits.largestPayload } ?? false }

  /// Fills in an OPEN: in place, because returning a large value copies it.
  func describe(in envelope: inout Envelope, attempt: Int, at now: MonotonicTime) {
    envelope.method = method.path
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

/// A call that waits for its outcome. Its `ClientFlow` is in another table, because most calls have none.
struct ClientCall: Sendable {
  let request: ClientRequest
  var place = Place.parked
  var attempt = 0
  /// Whether the call was with a gateway that was lost, so that a handler may have seen it, whatever has become of it
  /// since.
  var mayHaveRun = false
  /// When `wake` is to be called for it, unless its place changes before.
  var due: MonotonicTime

  enum Place {
    /// It waits for a gateway.
    case parked
    /// It waits for its next try.
    case pausing
    /// A gateway has it, and perhaps a part of the answer was passed on.
    case sent(on: LinkID, hasAnswer: Bool)
    /// Its gateway was lost; the same step sends it through another one, parks it or ends it.
    case leaving
  }

  /// Whether surely no handler has seen it: no gateway has it, and each that had it handed it back unstarted.
  var isUntaken: Bool {
    switch place {
    case .parked, .pausing: !mayHaveRun
    case .sent, .leaving: false
    }
  }

  /// The link that it runs on, if it was sent.
  var link: LinkID? { if case .sent(let link, _) = place { link } else { nil } }
  /// Whether a part of its answer was passed on to the caller, so that it cannot be tried again.
  var hasAnswer: Bool { if case .sent(_, let hasAnswer) = place { hasAnswer } else { false } }
}

/// The chunked streams of a call, in both directions; a small request with a small answer has none.
struct ClientFlow: Sendable {
  var sender = StreamSender()
  var receiver: StreamReceiver
  var requests = Requests.open
  /// Some of the caller's messages were sent and not kept, so the call cannot be tried again.
  var isBeyondRetry = false
  /// Bytes of the caller's messages that were taken but not yet reported as sent.
  var unacknowledged = 0

  /// Whether the caller has more messages to send.
  enum Requests {
    case open
    /// It has ended them; HALF_CLOSE follows what is still to be sent.
    case ended
    /// HALF_CLOSE was sent as well.
    case endSent
  }
}

/// What the host of a client has to do.
package enum ClientAction: Sendable {
  /// The metadata that the handler sent before its first message.
  case initialMetadata(ClientRequest, Metadata)
  /// The next messages, at least one.
  case messages(ClientRequest, [ArraySlice<UInt8>])
  /// This many bytes of the caller's messages, lengths included, have been sent.
  case accepted(ClientRequest, bytes: Int)
  /// The outcome of nearly every call: OK, with one message and nothing else.
  case answered(ClientRequest, [UInt8])
  /// Any other outcome, with its message. If no part of the answer came before, the initial metadata is empty.
  case ended(ClientRequest, Status, last: [UInt8]?)
}

/// An envelope to be sent.
struct ClientOutput: Sendable {
  let link: LinkID
  let envelope: Envelope
}

/// The settings of a client.
package struct ClientConfiguration: Sendable {
  package var timings = LinkTimings()
  package var largestMessage = BusLimits.largestMessage
  package var attemptLimit = 5
  /// The pause before a call that no handler has seen is tried again; it doubles with every try, the first one
  /// included, unless the gateway asks for a longer one.
  package var retryBackoff: Duration = .milliseconds(20)
  /// How long a call that does not wait for readiness still waits for gateways to connect.
  package var connectGrace: Duration = .seconds(2)

  package init() {}
}
