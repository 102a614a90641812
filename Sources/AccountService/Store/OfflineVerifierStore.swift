internal import AccountContract
internal import Base
internal import Storage
internal import Wire

/// Which offline verifiers were issued to devices, without their salts, and which offline sign-ins the devices have
/// reported.
enum OfflineVerifierStore {
  private static let insert = Statement(
    "verifier.insert",
    "INSERT INTO offline_verifiers (tenant, id, person_id, device_id, expires_ms, revoked_ms) "
      + "VALUES ({tenant}, ?, ?, ?, ?, NULL)")
  private static let find = Statement(
    "verifier.find", "SELECT person_id, device_id FROM offline_verifiers WHERE tenant = {tenant} AND id = ?")
  private static let revokeOfPerson = Statement(
    "verifier.revoke-person",
    "UPDATE offline_verifiers SET revoked_ms = ? WHERE tenant = {tenant} AND person_id = ? AND revoked_ms IS NULL")
  private static let revokeAt = Statement(
    "verifier.revoke-at",
    "UPDATE offline_verifiers SET revoked_ms = ? "
      + "WHERE tenant = {tenant} AND person_id = ? AND device_id = ? AND revoked_ms IS NULL")
  private static let revokeOfDevice = Statement(
    "verifier.revoke-device",
    "UPDATE offline_verifiers SET revoked_ms = ? WHERE tenant = {tenant} AND device_id = ? AND revoked_ms IS NULL")
  private static let revoked = Statement(
    "verifier.revoked",
    "SELECT id FROM offline_verifiers WHERE tenant = {tenant} AND device_id = ? AND revoked_ms IS NOT NULL "
      + "AND expires_ms > ? ORDER BY id")
  private static let forget = Statement(
    "verifier.forget", "DELETE FROM offline_verifiers WHERE tenant = {tenant} AND expires_ms < ?")
  private static let report = Statement(
    "verifier.report",
    "INSERT INTO offline_sign_ins (tenant, device_id, verifier_id, person_id, at_ms, reported_ms) "
      + "VALUES ({tenant}, ?, ?, ?, ?, ?) ON CONFLICT (tenant, device_id, verifier_id, person_id, at_ms) DO NOTHING")
  private static let forgetReports = Statement(
    "verifier.forget-reports", "DELETE FROM offline_sign_ins WHERE tenant = {tenant} AND reported_ms < ?")

  static let statements = [
    insert, find, revokeOfPerson, revokeAt, revokeOfDevice, revoked, forget, report, forgetReports,
  ]

  static func insert(_ verifier: OfflineVerifier, _ transaction: Transaction) throws {
    try transaction.run(
      insert, verifier.verifierID, verifier.personID, verifier.deviceID,
      verifier.expiresAt.map(\.clamped) ?? transaction.now)
  }

  /// Whether the device was given that verifier for that person.
  static func isKnown(_ id: String, of personID: String, at deviceID: String, _ snapshot: Snapshot) throws -> Bool {
    guard let row = try snapshot.first(find, id) else { return false }
    return try row.get("person_id") == personID && row.get("device_id") == deviceID
  }

  static func revoke(of personID: String, _ transaction: Transaction) throws {
    try transaction.run(revokeOfPerson, transaction.now, personID)
  }

  static func revoke(of personID: String, at deviceID: String, _ transaction: Transaction) throws {
    try transaction.run(revokeAt, transaction.now, personID, deviceID)
  }

  static func revoke(at deviceID: String, _ transaction: Transaction) throws {
    try transaction.run(revokeOfDevice, transaction.now, deviceID)
  }

  /// The device's verifiers that were revoked and have not expired, so that the device could still accept them.
  static func revoked(at deviceID: String, _ snapshot: Snapshot) throws -> [String] {
    try snapshot.all(revoked, deviceID, snapshot.now).map { try $0.get("id") }
  }

  /// Notes a report of a sign-in; false when it was reported before.
  static func report(_ signIn: OfflineSignIn, by deviceID: String, _ transaction: Transaction) throws -> Bool {
    let at = signIn.at.map(\.clamped) ?? Instant(millisecondsSince1970: 0)
    return try transaction.run(report, deviceID, signIn.verifierID, signIn.personID, at, transaction.now) == 1
  }

  /// Deletes verifiers that expired before a time, and sign-ins that were reported before it.
  static func forget(before time: Instant, _ transaction: Transaction) throws {
    try transaction.run(forget, time)
    try transaction.run(forgetReports, time)
  }
}
