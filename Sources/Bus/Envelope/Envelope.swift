/// One message of the bus, as the state machines see it. Its payload is opaque to them.
///
/// What nearly every envelope has stands in fields; what few have stands in a box, so that copying one stays cheap.
package struct Envelope: Sendable, Hashable {
  package var kind: Kind
  /// What this link was named in HELLO_ACK; an envelope of another session is dropped.
  package var session: UInt64 = 0
  /// The call it belongs to, in the numbering of the link it travels on.
  package var call: UInt64 = 0
  /// DATA: the offset of its first byte in its direction of the stream. WINDOW: the offset up to which the peer may send.
  package var offset: UInt64 = 0
  /// CREDIT, HELLO and any envelope from a worker: how many calls this session may have been given in all; 0 says nothing.
  package var credit: UInt64 = 0
  /// OPEN: how long the caller still waits; 0 when it did not say.
  package var remainingMilliseconds: UInt32 = 0
  package var priority: CallPriority = .normal
  package var attempt: UInt8 = 0
  /// The payload is a whole message, even when it is empty.
  package var carriesMessage = false
  /// The payload stands in a second frame: set by whoever turns the envelope into frames and back.
  package var payloadFollows = false
  package var statusCode: StatusCode = .ok
  /// STATUS: the call reached no handler, so that anybody may try it again.
  package var notStarted = false
  /// OPEN: `/package.Service/Method`.
  package var method = ""
  /// OPEN: names the mutation, so that doing it again does it once.
  package var idempotencyKey = ""
  package var payload: [UInt8] = []
  package var extra: Extra?

  package init(_ kind: Kind, call: UInt64 = 0) {
    self.kind = kind
    self.call = call
  }

  package enum Kind: UInt8, Sendable, CaseIterable {
    case unspecified = 0
    case hello = 1
    case helloAck = 2
    case helloRequest = 3
    case credit = 4
    case open = 5
    case data = 6
    case window = 7
    case halfClose = 8
    case status = 9
    case cancel = 10
    case reject = 11
    case ping = 12
    case pong = 13
    case goaway = 14
    case bye = 15
  }

  /// About what the envelope weighs in a queue.
  package var byteCount: Int {
    payload.count + method.utf8.count + idempotencyKey.utf8.count + 64 + (extra?.byteCount ?? 0)
  }
}

extension Envelope {
  /// The fields that few envelopes have.
  package final class Extra: Sendable, Hashable {
    package let metadata: Metadata
    package let caller: CallerIdentity?
    package let waitsForReady: Bool
    package let statusMessage: String
    package let statusDetails: [Status.Detail]
    package let hello: Hello?
    package let helloAck: HelloAck?
    package let load: Load?
    /// The caller as it is written; empty when there is none.
    let plainCaller: [UInt8]
    /// Whether there is nothing but what nearly every call says, who called and why it failed, and nothing wrong with the caller.
    let isPlain: Bool

    package init(
      metadata: Metadata = [:], caller: CallerIdentity? = nil, waitsForReady: Bool = false, statusMessage: String = "",
      statusDetails: [Status.Detail] = [], hello: Hello? = nil, helloAck: HelloAck? = nil,
      load: Load? = nil
    ) {
      self.metadata = metadata
      self.caller = caller
      self.waitsForReady = waitsForReady
      self.statusMessage = statusMessage
      self.statusDetails = statusDetails
      self.hello = hello
      self.helloAck = helloAck
      self.load = load
      let plainCaller = caller.map(\.plainBytes) ?? []
      self.plainCaller = plainCaller ?? []
      isPlain =
        plainCaller != nil && metadata.isEmpty && !waitsForReady && statusDetails.isEmpty && hello == nil
        && helloAck == nil && load == nil
    }

    /// Whether there is nothing but what an OPEN says to a worker, and says whom it is for.
    var isForWorkers: Bool {
      caller != nil && !waitsForReady && statusMessage.isEmpty && statusDetails.isEmpty && hello == nil
        && helloAck == nil && load == nil
    }

    package var byteCount: Int {
      metadata.byteCount + statusMessage.utf8.count
        + statusDetails.reduce(0) { $0 + $1.typeName.utf8.count + $1.value.count }
    }

    package func hash(into hasher: inout Hasher) {
      hasher.combine(metadata)
      hasher.combine(statusMessage)
    }

    package static func == (left: Extra, right: Extra) -> Bool {
      left.metadata == right.metadata && left.caller == right.caller
        && left.waitsForReady == right.waitsForReady && left.statusMessage == right.statusMessage
        && left.statusDetails == right.statusDetails && left.hello == right.hello && left.helloAck == right.helloAck
        && left.load == right.load
    }
  }
}
