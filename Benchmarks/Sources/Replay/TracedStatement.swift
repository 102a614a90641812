/// A statement that a program executed, with the values of its parameters in order.
package struct TracedStatement: Equatable, Sendable {
  package let sql: String
  package let values: [TracedValue]

  package init(_ sql: String, _ values: [TracedValue]) {
    (self.sql, self.values) = (sql, values)
  }
}

package enum TracedValue: Hashable, Sendable {
  case null
  case number(Int64)
  /// A number that is not whole, or is one by its type, as SQLite writes it.
  case real(String)
  case text(String)
  case bytes([UInt8])
}

/// Why a trace cannot be read or replayed.
package struct TraceError: Error, CustomStringConvertible {
  package let description: String

  init(_ description: String) {
    self.description = description
  }
}

extension [[TracedStatement]] {
  /// Of a trace's transactions those of calls that change something, each of which looks for an earlier answer. The
  /// others are jobs, periodic tasks and the reading of events.
  package var changes: [[TracedStatement]] {
    filter { $0.contains { $0.sql.contains(" FROM storage_idempotency ") } }
  }
}

extension [TracedStatement] {
  /// Whether both execute the same statements in the same order.
  func hasStatements(of other: [TracedStatement]) -> Bool {
    count == other.count && zip(self, other).allSatisfy { $0.sql == $1.sql }
  }
}
