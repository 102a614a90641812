/// A statement about many texts at once, such as the identifiers of the people whom a call asks about.
///
/// `{list}` in its SQL stands for a query of the texts, each once, with the column `value`. It comes before every other
/// parameter: `SELECT … WHERE tenant = {tenant} AND id IN {list} AND kind = ?`. The engines prepare the statement for
/// a few lengths; a shorter list is filled up with its last text.
public struct ListStatement: Sendable {
  /// The statement for each length.
  public let statements: [Statement]

  private static let lengths = [1, 32, 1000]
  /// How many texts a statement takes at most. A longer list is asked about in parts.
  static let longest = 1000

  public init(_ name: String, _ sql: String) {
    statements = Self.filled(name, sql).map { Statement($0.name, $0.sql) }
  }

  /// A statement of Storage itself.
  init(own name: String, _ sql: String) {
    statements = Self.filled(name, sql).map { Statement(own: $0.name, $0.sql) }
  }

  private static func filled(_ name: String, _ sql: String) -> [(name: String, sql: String)] {
    lengths.map { length in
      let rows = [String](repeating: "(?)", count: length).joined(separator: ", ")
      let query = "(SELECT DISTINCT column1 AS value FROM (VALUES \(rows)) AS listed)"
      return ("\(name)-\(length)", sql.replacing("{list}", with: query))
    }
  }

  /// The statement for a list of up to `longest` texts, and the list as the statement takes it.
  func fitting(_ texts: ArraySlice<String>) -> (statement: Statement, texts: [Value]) {
    let index = Self.lengths.firstIndex { texts.count <= $0 } ?? Self.lengths.count - 1
    let missing = Self.lengths[index] - texts.count
    let filling = [Value](repeating: .text(texts.last ?? ""), count: missing)
    return (statements[index], texts.map { .text($0) } + filling)
  }
}

extension Snapshot {
  /// All rows of the result about a list of texts.
  public func all<each Parameter: Storable>(
    _ list: ListStatement, about texts: [String], _ parameters: repeat each Parameter
  ) throws(DatabaseError) -> [Row] {
    var found: [Row] = []
    var rest = texts[...]
    while !rest.isEmpty {
      let (statement, values) = list.fitting(rest.prefix(ListStatement.longest))
      rest = rest.dropFirst(ListStatement.longest)
      var arguments = arguments(repeat each parameters)
      arguments.insert(contentsOf: values, at: 1)
      found += try rows(of: statement, arguments)
    }
    return found
  }
}
