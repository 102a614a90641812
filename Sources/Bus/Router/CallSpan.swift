package import Base
package import RPC

/// The part of a trace that a call's stay at this gateway was.
package struct CallSpan: Hashable, Sendable {
  package let method: String
  package let traceID: String
  package let spanID: String
  /// Empty for a call that begins its trace.
  package let parentID: String
  package let receivedAt: MonotonicTime
  /// When it was first handed to a worker; nil when it never was.
  package let handedOverAt: MonotonicTime?
  package let endedAt: MonotonicTime
  package let attempts: Int
  /// How long the transactions of its last attempt took; nil when no worker said so.
  package let databaseMicroseconds: Int64?
  package let code: StatusCode

  package init(
    method: String, traceID: String, spanID: String, parentID: String, receivedAt: MonotonicTime,
    handedOverAt: MonotonicTime?, endedAt: MonotonicTime, attempts: Int, databaseMicroseconds: Int64?, code: StatusCode
  ) {
    self.method = method
    self.traceID = traceID
    self.spanID = spanID
    self.parentID = parentID
    self.receivedAt = receivedAt
    self.handedOverAt = handedOverAt
    self.endedAt = endedAt
    self.attempts = attempts
    self.databaseMicroseconds = databaseMicroseconds
    self.code = code
  }
}

/// Which calls a router traces.
package struct Tracing: Hashable, Sendable {
  /// Of calls that come without a trace, how many in a hundred begin one. A call that brings one has it decided
  /// already.
  package var percentage: Int

  package init(percentage: Int) {
    self.percentage = percentage
  }
}

/// What a traced call keeps until it ends.
struct CallTrace: Sendable {
  /// The metadata in which a worker tells the router how many microseconds a traced call's transactions took.
  static let databaseTime = "assent-database-us"

  let parentID: String
  let own: TraceParent
  var handedOverAt: MonotonicTime?
  var databaseMicroseconds: Int64?
}
