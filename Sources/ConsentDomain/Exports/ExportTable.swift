/// A table that is written line by line.
package enum ExportTable: Sendable {
  case csv, ndjson

  /// The fields of a line with their names, the same for every line of a table; nil is an empty cell.
  package typealias Line = [(name: String, value: JSON?)]

  package var contentType: String {
    switch self {
    case .csv: "text/csv; charset=utf-8; header=present"
    case .ndjson: "application/x-ndjson"
    }
  }

  /// What comes before the first line.
  package func head(_ names: [String]) -> [UInt8] {
    switch self {
    case .csv: Self.csv(names)
    case .ndjson: []
    }
  }

  package func bytes(_ line: Line) -> [UInt8] {
    switch self {
    case .csv: Self.csv(line.map { Self.cell($0.value) })
    case .ndjson: Array((JSON.members(line.map { ($0.name, $0.value) }).line + "\n").utf8)
    }
  }

  /// A line by RFC 4180.
  private static func csv(_ cells: [String]) -> [UInt8] {
    Array((cells.map(quoted).joined(separator: ",") + "\r\n").utf8)
  }

  private static func cell(_ value: JSON?) -> String {
    switch value {
    case nil: ""
    case .string(let text): harmless(text)
    case .array(let items): items.map { cell($0) }.joined(separator: " ")
    case .number, .bool, .object: value?.line ?? ""
    }
  }

  /// A spreadsheet takes a text that begins like this for a formula, which may send the table elsewhere: an apostrophe
  /// makes it a text.
  private static func harmless(_ text: String) -> String {
    guard let first = text.unicodeScalars.first, "=+-@\t\r\n＝＋－＠".unicodeScalars.contains(first) else { return text }
    return "'" + text
  }

  private static func quoted(_ cell: String) -> String {
    guard cell.unicodeScalars.contains(where: { ",;\"\r\n\t".unicodeScalars.contains($0) }) else { return cell }
    return "\"" + cell.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
  }
}
