package import Base

/// A call as its caller asks for it.
package final class ClientRequest: Sendable {
  package let method: MethodDescriptor
  package let deadline: MonotonicTime
  package let metadata: Metadata
  package let idempotencyKey: String
  package let priority: CallPriority
  package let waitsForReady: Bool
  /// On whose behalf the call is made: believed only from peers that may vouch.
  package let caller: CallerIdentity?
  /// The request, for methods that take just one.
  package let request: [UInt8]?

  package init(
    method: MethodDescriptor, deadline: MonotonicTime, metadata: Metadata = [:], idempotencyKey: String = "",
    priority: CallPriority = .normal, waitsForReady: Bool = false, caller: CallerIdentity? = nil,
    request: [UInt8]? = nil
  ) {
    self.method = method
    self.deadline = deadline
    self.metadata = metadata
    self.idempotencyKey = idempotencyKey
    self.priority = priority
    self.waitsForReady = waitsForReady
    self.caller = caller
    self.request = request
  }

  var mayRunTwice: Bool { !idempotencyKey.isEmpty || method.idempotency != .unknown }

  /// What few of its envelope's fields say; nil when they have nothing to say.
  var extra: Envelope.Extra? {
    guard !metadata.isEmpty || caller != nil || waitsForReady else { return nil }
    return Envelope.Extra(metadata: metadata, caller: caller, waitsForReady: waitsForReady)
  }
}

/// A call that waits for its outcome.
struct ClientCall: Sendable {
  let request: ClientRequest
  /// Where it runs; nil while it waits for a gateway.
  var link: LinkID?
  var attempt = 0
  var sender = StreamSender()
  var receiver: StreamReceiver
  var isHalfClosed = false
  var saidHalfClose = false
  var hasAnswer = false
  /// Messages of the caller's own went out that are not kept for another try.
  var isBeyondRetry = false
  var unacknowledged = 0
  var retryAt: MonotonicTime?
}

/// What the host of a client has to do.
package enum ClientAction: Sendable {
  /// What the handler said before its first message.
  case initialMetadata(UInt64, Metadata)
  case message(UInt64, [UInt8])
  /// So many bytes of the caller's messages are on their way.
  case accepted(UInt64, bytes: Int)
  /// The one outcome, with the message that came in it. Where none of the answer came before, its initial metadata is
  /// empty.
  case ended(UInt64, Status, last: [UInt8]?)
}

/// How a client behaves.
package struct ClientConfiguration: Sendable {
  package var timings = LinkTimings()
  package var largestMessage = BusLimits.largestMessage
  package var attemptLimit = 5
  package var retryBackoff: Duration = .milliseconds(20)
  /// How long a call that does not want to wait still gives gateways to connect.
  package var connectGrace: Duration = .seconds(2)

  package init() {}
}
