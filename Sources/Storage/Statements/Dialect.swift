/// The differences between the two engines' SQL, as far as Assent's statements meet them.
enum Dialect: Sendable {
  case sqlite
  case postgres

  func parameter(_ number: Int) -> String {
    switch self {
    case .sqlite: "?\(number)"
    case .postgres: "$\(number)"
    }
  }

  /// 1 if the row that RETURNING yields was made by the statement, and not changed by it. SQLite has one writer, so
  /// what was read before tells the same there.
  private var isNewRow: String {
    switch self {
    case .sqlite: "1"
    case .postgres: "CASE WHEN xmax = 0 THEN 1 ELSE 0 END"
    }
  }

  /// Renders a statement's template as this engine's SQL, with numbered parameters.
  ///
  /// The tenant comes first (when there is one), then each `?` in order, then the values of a page's cursor, then
  /// its limit. On a first page there is no cursor, and its condition holds for every row.
  func render(_ form: Query.Form, continues: Bool) -> String {
    let (tokens, cursorColumns) = (form.tokens, form.cursorColumns)
    let firstCursor = 1 + (form.hasTenant ? 1 : 0) + tokens.count { $0 == .parameter }
    let limit = firstCursor + (continues ? cursorColumns.count : 0)
    var parts: [String] = []
    var number = form.hasTenant ? 1 : 0
    for token in withoutRowLocks(tokens) {
      switch token {
      case .word(let word), .quoted(let word):
        parts.append(word)
      case .symbol(let symbol):
        parts.append(String(symbol))
      case .parameter:
        number += 1
        parts.append(parameter(number))
      case .brace("tenant"):
        parts.append(parameter(1))
      case .brace("limit"):
        parts.append(parameter(limit))
      case .brace("is new"):
        parts.append(isNewRow)
      case .brace(let page):
        guard continues else {
          parts.append("TRUE")
          continue
        }
        let values = cursorColumns.indices.map { parameter(firstCursor + $0) }
        let comparison = page.hasPrefix("before") ? "<" : ">"
        parts.append(
          "(\(cursorColumns.joined(separator: ", "))) \(comparison) (\(values.joined(separator: ", ")))")
      }
    }
    return SQLToken.join(parts)
  }

  /// Removes `FOR UPDATE` and the like for SQLite, which has one writer and no row locks.
  private func withoutRowLocks(_ tokens: [SQLToken]) -> [SQLToken] {
    guard self == .sqlite else { return tokens }
    var kept: [SQLToken] = []
    var index = 0
    while index < tokens.count {
      let locks =
        tokens[index].isKeyword("FOR") && index + 1 < tokens.count
        && tokens[index + 1].isKeyword(among: ["UPDATE", "SHARE"])
      guard locks else {
        kept.append(tokens[index])
        index += 1
        continue
      }
      index += 2
      while index < tokens.count, tokens[index].isKeyword(among: ["SKIP", "LOCKED", "NOWAIT"]) { index += 1 }
    }
    return kept
  }
}
