/// Collects the transactions of a trace, in which the statements of several connections are mixed.
struct Connections {
  private var open: [Substring: [TracedStatement]] = [:]
  /// The statements of each transaction that was committed, without its BEGIN and COMMIT, in the order of commits.
  private(set) var committed: [[TracedStatement]] = []

  mutating func add(_ statement: TracedStatement, by connection: Substring) {
    let word = statement.sql.prefix { $0 != " " }
    switch word {
    case "BEGIN": open[connection] = []
    case "COMMIT": if let statements = open.removeValue(forKey: connection) { committed.append(statements) }
    case "ROLLBACK": open[connection] = nil
    default: open[connection]?.append(statement)
    }
  }
}
