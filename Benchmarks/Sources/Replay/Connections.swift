/// Collects the transactions of a trace, in which the statements of several connections are mixed.
struct Connections {
  private var open: [Substring: (isSnapshot: Bool, statements: [TracedStatement])] = [:]
  /// The statements of each transaction that was committed and of each snapshot of SQLite that was read, without those
  /// that begin and end it, in the order of their ends.
  private(set) var ended: [[TracedStatement]] = []

  mutating func add(_ statement: TracedStatement, by connection: Substring) {
    let word = statement.sql.prefix { $0 != " " }
    switch word {
    case "BEGIN": open[connection] = (statement.sql == "BEGIN", [])
    case "COMMIT": end(connection)
    // Snapshots of SQLite end so.
    case "ROLLBACK": if open[connection]?.isSnapshot == true { end(connection) } else { open[connection] = nil }
    default: open[connection]?.statements.append(statement)
    }
  }

  private mutating func end(_ connection: Substring) {
    if let transaction = open.removeValue(forKey: connection) { ended.append(transaction.statements) }
  }
}
