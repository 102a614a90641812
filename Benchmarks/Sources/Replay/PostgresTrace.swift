internal import Base

/// Reads PostgreSQL's log of statements (`log_statement=all`, `log_line_prefix=%p|`): a line for each statement, and
/// one with the values of its parameters.
package enum PostgresTrace {
  package static func transactions(in log: [UInt8]) throws(TraceError) -> [[TracedStatement]] {
    var connections = Connections()
    // The statement that each connection executed last: its values may follow.
    var latest: [Substring: String] = [:]
    for entry in entries(String(decoding: log, as: UTF8.self)) {
      let parts = entry.split(separator: "|", maxSplits: 1)
      guard parts.count == 2 else { continue }
      let (connection, message) = (parts[0], parts[1])
      if message.hasPrefix(detail) {
        guard let sql = latest.removeValue(forKey: connection) else { continue }
        connections.add(TracedStatement(sql, try values(in: message.dropFirst(detail.count))), by: connection)
        continue
      }
      if let sql = latest.removeValue(forKey: connection) { connections.add(TracedStatement(sql, []), by: connection) }
      guard message.hasPrefix(statement), let start = message.firstRange(of: ": ", after: statement) else { continue }
      latest[connection] = String(message[start...])
    }
    for (connection, sql) in latest { connections.add(TracedStatement(sql, []), by: connection) }
    return connections.ended
  }

  private static let statement = "LOG:  "
  private static let detail = "DETAIL:  parameters: "

  /// The log's entries. The further lines of an entry begin with a tab.
  private static func entries(_ log: String) -> [String] {
    var entries: [String] = []
    for line in log.split(separator: "\n") {
      if line.hasPrefix("\t"), let last = entries.indices.last {
        entries[last] += "\n" + line.dropFirst()
      } else {
        entries.append(String(line))
      }
    }
    return entries
  }

  /// The values in `$1 = 'bench', $2 = NULL`.
  private static func values(in list: Substring) throws(TraceError) -> [TracedValue] {
    var values: [TracedValue] = []
    var rest = list
    while let equals = rest.firstIndex(of: "=") {
      rest = rest[equals...].dropFirst(2)
      if rest.hasPrefix("NULL") {
        values.append(.null)
        rest = rest.dropFirst(4)
        continue
      }
      guard rest.first == "'" else { throw TraceError("a value cannot be read in \(list)") }
      rest = rest.dropFirst()
      var content = ""
      while let quote = rest.firstIndex(of: "'") {
        content += rest[..<quote]
        rest = rest[quote...].dropFirst()
        guard rest.first == "'" else { break }
        content.append("'")
        rest = rest.dropFirst()
      }
      values.append(value(content))
    }
    return values
  }

  /// The log does not tell of which type a value is: bytes begin with `\x`, and what looks like a number is taken for
  /// one. The loop writes it as text where the parameter is one.
  private static func value(_ content: String) -> TracedValue {
    if content.hasPrefix("\\x"), let bytes = Hex.decode(String(content.dropFirst(2))) { return .bytes(bytes) }
    if let number = Int64(content), String(number) == content { return .number(number) }
    return .text(content)
  }
}

extension Substring {
  /// Where the text goes on after the first `mark` behind a prefix.
  fileprivate func firstRange(of mark: String, after prefix: String) -> Index? {
    var rest = dropFirst(prefix.count)
    while !rest.isEmpty {
      if rest.hasPrefix(mark) { return rest.dropFirst(mark.count).startIndex }
      rest = rest.dropFirst()
    }
    return nil
  }
}
