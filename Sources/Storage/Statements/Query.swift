internal import Synchronization

/// A statement as SQL for both engines.
final class Query: Sendable {
  let name: String
  /// A number that is unique in the process, from 0 on. It serves as an index into arrays, which is faster than
  /// hashing.
  let number: Int
  let sqlite: String
  let postgres: String
  /// Whether this is Storage's own query rather than a service's.
  let isOwn: Bool
  /// The template that the query was rendered from, if a tracked query may be made of it.
  let form: Form?
  /// For Storage's own changes to committed rows: the query that also yields the changed rows, and is run instead.
  let tracked: TrackedQuery?
  /// False for SQL that is composed at run time. It is prepared for one use, and has no number.
  let isCached: Bool

  /// SQL that reads the engines' catalogues, or tables whose names come from there.
  init(uncached name: String, _ sql: String) {
    self.name = name
    number = -1
    isOwn = true
    form = nil
    tracked = nil
    isCached = false
    sqlite = sql
    postgres = sql
  }

  /// A query with parameters, for one use.
  init(made name: String, _ form: Form) {
    self.name = name
    number = -1
    isOwn = true
    self.form = nil
    tracked = nil
    isCached = false
    sqlite = Dialect.sqlite.render(form, continues: false)
    postgres = Dialect.postgres.render(form, continues: false)
  }

  /// SQL of the engine's own that takes no parameters.
  init(fixed sql: String) {
    name = sql
    number = Self.nextNumber()
    isOwn = true
    form = nil
    tracked = nil
    isCached = true
    sqlite = sql
    postgres = sql
  }

  struct Form: Sendable {
    let tokens: [SQLToken]
    let hasTenant: Bool
    let isOwn: Bool
    let cursorColumns: [String]
  }

  init(_ name: String, _ form: Form, continues: Bool) {
    self.name = name
    number = Self.nextNumber()
    isOwn = form.isOwn
    self.form = form
    tracked = form.isOwn ? OwnCoverage.tables.tracking(form, named: name) : nil
    isCached = true
    sqlite = Dialect.sqlite.render(form, continues: continues)
    postgres = Dialect.postgres.render(form, continues: continues)
  }

  private static let count = Atomic(0)
  private static func nextNumber() -> Int { count.add(1, ordering: .relaxed).oldValue }

  func sql(_ dialect: Dialect) -> String {
    switch dialect {
    case .sqlite: sqlite
    case .postgres: postgres
    }
  }
}
