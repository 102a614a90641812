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

  static let statements = [put, find]

  static func note(_ subject: Subject, _ transaction: Transaction) throws {
    try transaction.run(put, subject.id, transaction.now)
  }

  /// Whether somebody requested the subject's erasure. Locks the row until the transaction ends, so that two
  /// transactions never act on the same request at once.
  static func isAsked(of id: String, _ transaction: Transaction) throws -> Bool {
    try transaction.first(find, id) != nil
  }
}
