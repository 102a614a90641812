/// The SQL of leases for answers from memory: each holder has a row.
enum AnswerLeaseStatements {
  static let register = Statement(
    acrossTenants: "storage.answer-leases.register",
    "INSERT INTO storage_answer_leases (holder, lease_ms, wanted, seen) VALUES (?, ?, 0, 0) ON CONFLICT (holder) "
      + "DO UPDATE SET doubt = NULL")
  static let own = Statement(
    acrossTenants: "storage.answer-leases.own",
    "SELECT wanted, seen, doubt FROM storage_answer_leases WHERE holder = ?")
  static let all = Statement(
    acrossTenants: "storage.answer-leases.all",
    "SELECT holder, lease_ms, seen FROM storage_answer_leases ORDER BY holder")
  static let position = Statement(
    acrossTenants: "storage.answer-leases.position",
    "SELECT CAST(COALESCE(SUM(last), 0) AS BIGINT) AS position FROM storage_event_heads")
  static let ask = Statement(
    acrossTenants: "storage.answer-leases.ask",
    "UPDATE storage_answer_leases SET wanted = ? WHERE holder = ? AND wanted < ?")
  static let acknowledge = Statement(
    acrossTenants: "storage.answer-leases.acknowledge",
    "UPDATE storage_answer_leases SET seen = ? WHERE holder = ? AND seen < ?")
  static let doubt = Statement(
    acrossTenants: "storage.answer-leases.doubt",
    "UPDATE storage_answer_leases SET doubt = ? WHERE holder = ? AND seen < ?")
  static let forget = Statement(
    acrossTenants: "storage.answer-leases.forget", "DELETE FROM storage_answer_leases WHERE doubt = ?")
  static let leave = Statement(
    acrossTenants: "storage.answer-leases.leave", "DELETE FROM storage_answer_leases WHERE holder = ?")
}
