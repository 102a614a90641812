internal import Storage

/// Roles that people were granted.
enum RoleStore {
  private static let add = Statement(
    "role.add",
    "INSERT INTO roles (tenant, person_id, role, granted_ms) VALUES ({tenant}, ?, ?, ?) "
      + "ON CONFLICT (tenant, person_id, role) DO NOTHING")
  private static let remove = Statement(
    "role.remove", "DELETE FROM roles WHERE tenant = {tenant} AND person_id = ? AND role = ?")
  private static let list = Statement(
    "role.list", "SELECT role FROM roles WHERE tenant = {tenant} AND person_id = ? ORDER BY role")

  static let statements = [add, remove, list]

  /// False when the person has the role already. The caller has locked the person's row, so that nobody else adds a
  /// role.
  ///
  /// - Parameter study: a study whose share of the person's room may not be exceeded; nil: none.
  static func add(
    _ role: String, to personID: String, withinShareOf study: String? = nil, field: String = "role",
    _ transaction: Transaction
  ) throws -> Bool {
    let held = try roles(of: personID, transaction)
    if held.contains(role) { return false }
    if let study { try RoleText.checkShare(of: study, in: held + [role]) }
    try RoleText.checkRoom(for: held + [role], field: field)
    return try transaction.run(add, personID, role, transaction.now) == 1
  }

  /// False when the person does not have the role.
  static func remove(_ role: String, from personID: String, _ transaction: Transaction) throws -> Bool {
    try transaction.run(remove, personID, role) == 1
  }

  static func roles(of personID: String, _ snapshot: Snapshot) throws -> [String] {
    try snapshot.all(list, personID).map { try $0.get("role") }
  }
}
