internal import Synchronization

/// A statement in the form that the engines use.
final class Query: Sendable {
  let name: String
  /// Unique, counted from 0 in each process: an index into tables, which is faster than hashing.
  let number: Int
  let sqlite: String
  let postgres: String
  /// Whether it is Storage's own rather than a service's.
  let isOwn: Bool
  /// False for SQL that is composed at run time: it is prepared for one use, and has no number.
  let isCached: Bool

  /// SQL that reads the engines' catalogues, or tables whose names come from there.
  init(uncached name: String, _ sql: String) {
    self.name = name
    number = -1
    isOwn = true
    isCached = false
    sqlite = sql
    postgres = sql
  }

  /// SQL of the engine's own that takes no parameters.
  init(fixed sql: String) {
    name = sql
    number = Self.nextNumber()
    isOwn = true
    isCached = true
    sqlite = sql
    postgres = sql
  }

  struct Form {
    let tokens: [SQLToken]
    let hasTenant: Bool
    let isOwn: Bool
    let cursorColumns: [String]
  }

  init(_ name: String, _ form: Form, continues: Bool) {
    self.name = name
    number = Self.nextNumber()
    isOwn = form.isOwn
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
