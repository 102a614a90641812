internal import Base

/// What the log says of each row, in a database of its own without a name, which SQLite keeps in memory as far as that
/// is little and deletes with the connection. So a check of any log takes the memory of a few pages.
struct ReplayedRows: Sendable {
  /// What the newest event says of a row.
  struct LoggedRow {
    let table: String
    let key: [UInt8]
    /// The row's hash; nil if the event says that it was removed.
    let digest: Digest?
    let event: Int64
  }

  private let scratch: SQLiteConnection

  init() throws(DatabaseError) {
    scratch = try SQLiteConnection(path: "", mode: .create)
    try scratch.execute(
      """
      PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF;
      CREATE TABLE logged_rows (
        name TEXT NOT NULL, key BLOB NOT NULL, digest BLOB, event INTEGER NOT NULL, former BLOB, before INTEGER,
        met INTEGER NOT NULL, PRIMARY KEY (name, key)) WITHOUT ROWID
      """)
  }

  // MARK: Steps

  /// Begins a step. If the step before was not kept, what it noted is forgotten.
  func begin() throws(DatabaseError) {
    scratch.rollBack()
    try scratch.execute("BEGIN")
  }

  func keep() throws(DatabaseError) { try scratch.execute("COMMIT") }

  // MARK: What events say

  /// Notes what an event says of a row. Returns what is wrong if the row was not, before that event, as the event
  /// before had left it.
  func note(_ change: RowChange, _ event: Int64) throws(DatabaseError) -> String? {
    let values: [Value] = [
      .text(change.table), .bytes(change.key), change.after.storedValue, .integer(event),
    ]
    guard let row = try scratch.all(Self.put, values).first else { return nil }
    let (former, before): (Digest?, Int64?) = (try row.get("former"), try row.get("before"))
    guard former != change.before else { return nil }
    let title = RowChange.title(of: change.key, in: change.table)
    guard let before, former != nil else {
      return "\(title) was there before event \(event) changed it, and no event tells of that: it was added"
    }
    guard change.before != nil else {
      return "\(title) was made anew by event \(event), and event \(before) had left one: that was removed"
    }
    return "\(title) was not as event \(before) had left it when event \(event) changed it: it was altered"
  }

  // MARK: Comparing

  /// What the newest event says of a row that was found, which counts as met from now on; nil if no event tells of it.
  func meet(_ table: String, _ key: [UInt8]) throws(DatabaseError) -> LoggedRow? {
    try scratch.all(Self.meet, [.text(table), .bytes(key)]).first.map { row throws(DatabaseError) in
      LoggedRow(table: table, key: key, digest: try row.get("digest"), event: try row.get("event"))
    }
  }

  /// Up to `limit` rows that there must be and that were not met, after a place in their order.
  func unmet(after place: (table: String, key: [UInt8]), limit: Int) throws(DatabaseError) -> [LoggedRow] {
    try scratch.all(Self.unmet, [.text(place.table), .bytes(place.key), .integer(Int64(limit))])
      .map { row throws(DatabaseError) in
        LoggedRow(
          table: try row.get("name"), key: try row.get("key"), digest: try row.get("digest"),
          event: try row.get("event"))
      }
  }

  /// The names of all tables of which events tell.
  func tables() throws(DatabaseError) -> [String] {
    try scratch.all(Self.tables, []).map { row throws(DatabaseError) in try row.get("name") }
  }

  private static let put = Query(
    fixed: """
      INSERT INTO logged_rows (name, key, digest, event, met) VALUES (?1, ?2, ?3, ?4, 0) ON CONFLICT (name, key) DO UPDATE
      SET former = digest, before = event, digest = excluded.digest, event = excluded.event RETURNING former, before
      """)
  private static let meet = Query(
    fixed: "UPDATE logged_rows SET met = 1 WHERE name = ?1 AND key = ?2 RETURNING digest, event")
  private static let unmet = Query(
    fixed: """
      SELECT name, key, digest, event FROM logged_rows WHERE (name, key) > (?1, ?2) AND met = 0 AND digest IS NOT NULL
      ORDER BY name, key LIMIT ?3
      """)
  private static let tables = Query(fixed: "SELECT DISTINCT name FROM logged_rows ORDER BY name")
}
