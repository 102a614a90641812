internal import Storage

/// The subjects whose erasure somebody requested. A request also erases the identifiers that are merged into the
/// subject, even if the merge becomes known only later. An erasure at the end of a retention period does not, and is
/// not in this table.
enum AskedErasures {
  private static let put = Statement(
    "erasure.ask",
    "INSERT INTO asked_erasures (tenant, subject, asked_ms) VALUES ({tenant}, ?, ?) "
      + "ON CONFLICT (tenant, subject) DO NOTHING")
  private static let find = Statement(
    "erasure.asked", "SELECT subject FROM asked_erasures WHERE tenant = {tenant} AND subject = ? FOR UPDATE")

  /// A page of those subjects into whom other accounts were merged directly.
  private static let withFormers = Statement(
    "erasure.asked-with-formers",
    """
    SELECT a.subject FROM asked_erasures a WHERE a.tenant = {tenant} AND a.subject > ?
      AND EXISTS (SELECT 1 FROM merged_accounts m WHERE m.tenant = {tenant} AND m.staying = a.subject)
    ORDER BY a.subject LIMIT ?
    """)

  static let statements = [put, find, withFormers]

  /// - Parameter version: its number among the service's migrations.
  static func migration(_ version: Int) -> Migration {
    Migration(
      version, "erasures that were asked for",
      """
      CREATE TABLE asked_erasures (
        tenant TEXT NOT NULL, subject TEXT NOT NULL, asked_ms BIGINT NOT NULL, PRIMARY KEY (tenant, subject));
      """)
  }

  static func note(_ subject: Subject, _ transaction: Transaction) throws {
    try transaction.run(put, subject.id, transaction.now)
  }

  /// Whether somebody requested the subject's erasure. Locks the row until the transaction ends, so that two
  /// transactions never act on the same request at once.
  static func isAsked(of id: String, _ transaction: Transaction) throws -> Bool {
    try transaction.first(find, id) != nil
  }

  /// A page of the subjects whose erasure was requested and into whom accounts were merged, ordered by identifier.
  ///
  /// - Parameter place: the last subject of the page before; empty for the first page.
  static func withFormers(after place: String, limit: Int, _ snapshot: Snapshot) throws -> [Subject] {
    try snapshot.all(withFormers, place, limit).compactMap { Subject(try $0.get("subject", as: String.self)) }
  }
}
