/// A service's description of its database: its migrations, every statement that it runs, and which columns events
/// commit to.
///
/// A statement that is not listed is refused when it runs. So the tests that try all listed statements miss none.
public struct Schema: Sendable {
  /// The name of the PostgreSQL schema, and of the history of migrations.
  public let name: String
  public let migrations: [Migration]
  public let statements: [Statement]
  /// Declares for each table to which columns events commit, and why not to the others.
  public let coverage: [TableCoverage]
  /// The tables with committed columns, also Storage's own, by their names.
  private let committed: [String: TableCoverage]
  /// Whether a query is listed, by the query's number.
  private let known: [Bool]
  /// The tracked queries, by the numbers of the queries that they replace.
  private let tracked: [TrackedQuery?]

  /// - Parameter name: lower-case letters and underscores.
  public init(name: String, migrations: [Migration], statements: [Statement], coverage: [TableCoverage] = []) {
    precondition(Self.isName(name), "a schema's name is lower-case letters and underscores")
    precondition(
      migrations.map(\.version).elementsEqual(migrations.indices.map { $0 + 1 }),
      "the migrations of '\(name)' are numbered 1, 2, 3 …")
    let names = statements.map(\.name)
    precondition(Set(names).count == names.count, "two statements of '\(name)' have the same name")
    self.name = name
    self.migrations = migrations
    self.statements = statements
    let numbers = statements.flatMap { [$0.query, $0.firstPage].compactMap { $0?.number } }
    var known = [Bool](repeating: false, count: (numbers.max() ?? -1) + 1)
    for number in numbers { known[number] = true }
    self.known = known
    self.coverage = coverage
    committed = Dictionary(
      (OwnCoverage.tables + coverage).lazy.filter(\.isCommitted).map { ($0.name, $0) },
      uniquingKeysWith: { own, _ in own })
    var tracked: [TrackedQuery?] = []
    for query in statements.map(\.query) {
      guard let form = query.form, let tracking = coverage.tracking(form, named: query.name) else { continue }
      tracked += repeatElement(nil, count: max(0, query.number + 1 - tracked.count))
      tracked[query.number] = tracking
    }
    self.tracked = tracked
  }

  static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { (97...122).contains($0) || $0 == 95 }
  }

  /// The query to run in place of one that changes committed columns; nil for other queries.
  func tracking(_ query: Query) -> TrackedQuery? {
    query.tracked ?? (tracked.indices.contains(query.number) ? tracked[query.number] : nil)
  }

  func committedTable(named name: String) -> TableCoverage? { committed[name] }

  func lists(_ query: Query) -> Bool { known.indices.contains(query.number) && known[query.number] }
}
