package import RPC

/// One message of the bus, as the state machines see it. They do not look into its payload.
///
/// Fields that nearly every envelope has are plain properties; rare ones are in a box, so that copying stays cheap.
package struct Envelope: Sendable, Hashable {
  package var kind: Kind
  /// The link's session, from HELLO_ACK; envelopes for another session are dropped.
  package var session: UInt64 = 0
  /// The number of its call on the link.
  package var call: UInt64 = 0
  /// DATA: the offset of its first byte in its direction of the stream. WINDOW: the offset up to which the peer may
  /// send.
  package var offset: UInt64 = 0
  /// CREDIT, HELLO and any envelope from a worker: the total number of calls that this session may have been given; 0:
  /// not stated.
  package var credit: UInt64 = 0
  /// OPEN: how long the caller still waits; 0 when it did not say.
  package var remainingMilliseconds: UInt32 = 0
  package var attempt: UInt8 = 0
  /// Whether the payload is a whole message, even when it is empty.
  package var carriesMessage = false
  /// Whether the payload is in a second frame; set by the code that converts between envelopes and frames.
  package var payloadFollows = false
  package var statusCode: StatusCode = .ok
  /// STATUS: the call reached no handler, so it may be tried again in any case.
  package var notStarted = false
  /// OPEN: `/package.Service/Method`.
  package var method = ""
  /// OPEN: names the mutation, so that a repeat of it takes effect once.
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

  /// The approximate size of the envelope in a queue.
  package var byteCount: Int {
    payload.count + method.utf8.count + idempotencyKey.utf8.count + 64 + (extra?.byteCount ?? 0)
  }
}

extension Envelope {
  /// The rarely used fields.
  package final class Extra: Sendable, Hashable {
    package let metadata: Metadata
    package let caller: CallerIdentity?
    package let waitsForReady: Bool
    package let statusMessage: String
    package let statusDetails: [Status.Detail]
    package let hello: Hello?
    package let helloAck: HelloAck?
    package let load: Load?
    /// The encoded caller; empty when there is none.
    let plainCaller: [UInt8]
    /// Whether only caller and status message are set, and the caller is valid.
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

    /// Whether only caller and metadata are set, as in an OPEN to a worker.
    var isForWorkers: Bool {
      caller != nil && !waitsForReady && statusMessage.isEmpty && statusDetails.isEmpty && hello == nil
        && helloAck == nil && load == nil
    }

    package var byteCount: Int {
      metadata.byteCount + statusMessage.utf8.count + plainCaller.count
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
