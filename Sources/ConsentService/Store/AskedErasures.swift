internal import Storage

/// Those whose erasure was asked for. It takes along whoever was merged into them, also where the news of that comes
/// later; the end of a retention period takes nobody along.
enum AskedErasures {
  private static let put = Statement(
    "erasure.ask",
    "INSERT INTO asked_erasures (tenant, subject, asked_ms) VALUES ({tenant}, ?, ?) "
      + "ON CONFLICT (tenant, subject) DO NOTHING")
  private static let find = Statement(
    "erasure.asked", "SELECT subject FROM asked_erasures WHERE tenant = {tenant} AND subject = ? FOR UPDATE")

  static let statements = [put, find]

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
}
