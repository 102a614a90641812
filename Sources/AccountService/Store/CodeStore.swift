internal import Base
internal import Storage

/// What an invitation, a link code or the code of a device stands for.
struct StoredCode: Sendable {
  /// The person whom a link code leads to; empty for an invitation of somebody new.
  var personID = ""
  /// The identifier of a new person; empty: one is made when the code is used.
  var newPersonID = ""
  /// The device that a browser becomes; empty for all other codes.
  var deviceID = ""
}

enum CodeStore {
  private static let insert = Statement(
    "code.insert",
    "INSERT INTO codes (tenant, digest, person_id, new_person_id, device_id, maker, made_ms, expires_ms, used) "
      + "VALUES ({tenant}, ?, ?, ?, ?, ?, ?, ?, 0)")
  private static let use = Statement(
    "code.use",
    "UPDATE codes SET used = 1 WHERE tenant = {tenant} AND digest = ? AND used = 0 AND expires_ms > ?")
  private static let name = Statement(
    "code.name", "UPDATE codes SET new_person_id = ? WHERE tenant = {tenant} AND digest = ?")
  private static let lockNamed = Statement(
    "code.lock-named",
    "SELECT digest FROM codes WHERE tenant = {tenant} AND new_person_id = ? ORDER BY digest FOR UPDATE")
  private static let useUp = Statement(
    "code.use-up", "UPDATE codes SET used = 1 WHERE tenant = {tenant} AND person_id = ? AND used = 0")
  private static let find = Statement(
    "code.find", "SELECT person_id, new_person_id, device_id, used FROM codes WHERE tenant = {tenant} AND digest = ?")
  private static let made = Statement(
    "code.made", "SELECT COUNT(*) AS made FROM codes WHERE tenant = {tenant} AND maker = ? AND made_ms > ?")
  private static let forget = Statement("code.forget", "DELETE FROM codes WHERE tenant = {tenant} AND expires_ms < ?")
  private static let removeLinks = Statement(
    "code.remove-links", "DELETE FROM codes WHERE tenant = {tenant} AND person_id = ? AND used = 0")
  private static let removeInvitations = Statement(
    "code.remove-invitations", "DELETE FROM codes WHERE tenant = {tenant} AND new_person_id = ? AND used = 0")

  static let statements = [
    insert, use, name, lockNamed, useUp, find, made, forget, removeLinks, removeInvitations,
  ]

  static func insert(
    _ digest: Digest, _ code: StoredCode, maker: String, until end: Instant, _ transaction: Transaction
  ) throws {
    try transaction.run(insert, digest, code.personID, code.newPersonID, code.deviceID, maker, transaction.now, end)
  }

  /// Uses a code up; nil when there is none, or it was used or has expired. Until the transaction ends, nobody else
  /// uses a code for the same new person.
  static func use(_ digest: Digest, _ transaction: Transaction) throws -> StoredCode? {
    guard let code = try stored(digest, transaction)?.code else { return nil }
    if !code.newPersonID.isEmpty { _ = try transaction.all(lockNamed, code.newPersonID) }
    return try transaction.run(use, digest, transaction.now) == 1 ? code : nil
  }

  /// Stores the identifier that a new person got when an invitation without one was used.
  static func setPerson(_ personID: String, of digest: Digest, _ transaction: Transaction) throws {
    try transaction.run(name, personID, digest)
  }

  /// What a used code stood for; nil when it was not used, or was deleted.
  static func used(_ digest: Digest, _ snapshot: Snapshot) throws -> StoredCode? {
    guard let (code, isUsed) = try stored(digest, snapshot), isUsed else { return nil }
    return code
  }

  /// The device that a code was made for, whether or not it may still be used; nil when there is no such code.
  static func device(of digest: Digest, _ snapshot: Snapshot) throws -> String? {
    try stored(digest, snapshot)?.code.deviceID
  }

  private static func stored(_ digest: Digest, _ snapshot: Snapshot) throws -> (code: StoredCode, isUsed: Bool)? {
    guard let row = try snapshot.first(find, digest) else { return nil }
    let code = StoredCode(
      personID: try row.get("person_id"), newPersonID: try row.get("new_person_id"),
      deviceID: try row.get("device_id"))
    return (code, try row.get("used"))
  }

  /// Makes all link codes of a person void.
  static func useUp(of personID: String, _ transaction: Transaction) throws { try transaction.run(useUp, personID) }

  static func count(madeBy maker: String, since start: Instant, _ snapshot: Snapshot) throws -> Int {
    try snapshot.one(made, maker, start).get("made")
  }

  /// Removes the codes that lead to a person and were not used.
  static func removeAll(of personID: String, _ transaction: Transaction) throws {
    try transaction.run(removeLinks, personID)
    try transaction.run(removeInvitations, personID)
  }

  /// Deletes codes that expired before a time.
  static func forget(before time: Instant, _ transaction: Transaction) throws { try transaction.run(forget, time) }
}
