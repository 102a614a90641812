internal import Storage

/// The subjects whose erasure was requested. It also erases identifiers that were merged into them, even if the news of
/// that comes later; the end of a retention period does not.
enum AskedErasures {
  private static let put = Statement(
    "erasure.ask",
    "INSERT INTO asked_erasures (tenant, subject, asked_ms) VALUES ({tenant}, ?, ?) "
      + "ON CONFLICT (tenant, subject) DO NOTHING")
  private static let find = Statement(
    "erasure.asked", "SELECT subject FROM asked_erasures WHERE tenant = {tenant} AND subject = ? FOR UPDATE")

  /// A page of the subjects into whom somebody was merged directly.
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

  /// Until the transaction ends, no other one acts on the same.
  static func isAsked(of id: String, _ transaction: Transaction) throws -> Bool {
    guard try transaction.first(find, id) != nil else { return false }
    try transaction.verify([CommittedRow("asked_erasures", id)])
    return true
  }

  /// A page of those into whom somebody was merged, in order. What is found so is not verified.
  ///
  /// - Parameter place: the one after whom they come; empty for the first ones.
  static func withFormers(after place: String, limit: Int, _ snapshot: Snapshot) throws -> [Subject] {
    try snapshot.all(withFormers, place, limit).compactMap { Subject(try $0.get("subject", as: String.self)) }
  }
}
