package import Base
package import RPC

/// A span of a trace: a call from its arrival at this gateway to its outcome.
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
  package internal(set) var code: StatusCode

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
  /// How many in a hundred of the calls that arrive without a trace begin one. Where a call brings a trace, its caller
  /// has decided.
  package var percentage: Int

  package init(percentage: Int) {
    self.percentage = percentage
  }
}

/// What the router keeps of a traced call until it reports the call's span.
struct CallTrace: Sendable {
  /// The metadata in which a worker tells the router how many microseconds a traced call's transactions took.
  static let databaseTime = "assent-database-us"

  let parentID: String
  let own: TraceParent
  var handedOverAt: MonotonicTime?
  var databaseMicroseconds: Int64?
}
