internal import Base
internal import ServicePolicy
internal import Storage

/// A person on a device's list.
struct Placement: Sendable {
  let deviceID: String
  let personID: String
  /// Whether the passcode was given by an administrator and has to be changed.
  let mustChange: Bool
  let lastSignIn: Instant?

  init(_ row: Row) throws {
    deviceID = try row.get("device_id")
    personID = try row.get("person_id")
    mustChange = try row.get("must_change")
    lastSignIn = try row.get("last_ms")
  }
}

enum PlacementStore {
  private static let columns = "device_id, person_id, must_change, onboarded_ms, last_ms"
  private static let insert = Statement(
    "placement.insert",
    "INSERT INTO placements (tenant, \(columns)) VALUES ({tenant}, ?, ?, 0, ?, NULL) "
      + "ON CONFLICT (tenant, device_id, person_id) DO NOTHING")
  private static let find = Statement(
    "placement.find",
    "SELECT \(columns) FROM placements WHERE tenant = {tenant} AND device_id = ? AND person_id = ?")
  private static let lock = Statement(
    "placement.lock",
    "SELECT \(columns) FROM placements WHERE tenant = {tenant} AND device_id = ? AND person_id = ? FOR UPDATE")
  private static let list = Statement(
    "placement.list",
    "SELECT \(columns) FROM placements WHERE tenant = {tenant} AND device_id = ? AND {after onboarded_ms, person_id} "
      + "ORDER BY onboarded_ms, person_id LIMIT {limit}")
  private static let ofDevice = Statement(
    "placement.device", "SELECT \(columns) FROM placements WHERE tenant = {tenant} AND device_id = ? ORDER BY person_id"
  )
  private static let ofPerson = Statement(
    "placement.person",
    "SELECT \(columns) FROM placements WHERE tenant = {tenant} AND person_id = ? ORDER BY device_id")
  private static let signIn = Statement(
    "placement.sign-in",
    "UPDATE placements SET last_ms = ? WHERE tenant = {tenant} AND device_id = ? AND person_id = ?")
  private static let mustChange = Statement(
    "placement.must-change",
    "UPDATE placements SET must_change = ? WHERE tenant = {tenant} AND device_id = ? AND person_id = ?")
  private static let remove = Statement(
    "placement.remove", "DELETE FROM placements WHERE tenant = {tenant} AND device_id = ? AND person_id = ?")

  static let statements = [insert, find, lock, list, ofDevice, ofPerson, signIn, mustChange, remove]

  /// False when the person is on the list already.
  static func insert(_ personID: String, on deviceID: String, _ transaction: Transaction) throws -> Bool {
    try transaction.run(insert, deviceID, personID, transaction.now) == 1
  }

  static func placement(of personID: String, on deviceID: String, _ snapshot: Snapshot) throws -> Placement? {
    try snapshot.first(find, deviceID, personID).map { try Placement($0) }
  }

  /// Until the transaction ends, nobody else replaces the person's passcode for that device.
  static func lock(_ personID: String, on deviceID: String, _ transaction: Transaction) throws {
    _ = try transaction.first(lock, deviceID, personID)
  }

  static func list(
    on deviceID: String, _ page: PageRequest, _ snapshot: Snapshot
  ) throws -> ([Placement], String) {
    let page = try snapshot.page(list, deviceID, at: page)
    return (try page.rows.map { try Placement($0) }, page.nextToken)
  }

  static func all(on deviceID: String, _ snapshot: Snapshot) throws -> [Placement] {
    try snapshot.all(ofDevice, deviceID).map { try Placement($0) }
  }

  static func all(of personID: String, _ snapshot: Snapshot) throws -> [Placement] {
    try snapshot.all(ofPerson, personID).map { try Placement($0) }
  }

  static func noteSignIn(of personID: String, on deviceID: String, _ transaction: Transaction) throws {
    try transaction.run(signIn, transaction.now, deviceID, personID)
  }

  /// Takes the person off the list, with the passcode for that device.
  static func remove(_ personID: String, from deviceID: String, _ transaction: Transaction) throws {
    try transaction.run(remove, deviceID, personID)
    try OfflineVerifierStore.revoke(of: personID, at: deviceID, transaction)
    let subject = try Subject.stored(personID)
    if try !transaction.vault.isErased(subject) { try transaction.vault.remove(verifierItem(deviceID), of: subject) }
    try DeviceStore.deselect(personID, on: deviceID, transaction)
  }

  // MARK: The verifier of the passcode

  private static func verifierItem(_ deviceID: String) -> String { "passcode/\(deviceID)" }

  static func verifier(of person: Subject, on deviceID: String, _ snapshot: Snapshot) throws -> String? {
    do {
      return try snapshot.vault.get(verifierItem(deviceID), of: person).map { String(decoding: $0, as: UTF8.self) }
    } catch {
      guard error.code == .erased else { throw error }
      return nil
    }
  }

  /// - Parameter mustChange: whether it was given by an administrator.
  static func setVerifier(
    _ verifier: String, of person: Subject, on deviceID: String, mustChange isGiven: Bool, _ transaction: Transaction
  ) throws {
    // Every transaction locks the placement before it changes the vault, so that there is no deadlock.
    try lock(person.id, on: deviceID, transaction)
    try transaction.vault.put(Array(verifier.utf8), as: verifierItem(deviceID), of: person)
    try transaction.run(mustChange, isGiven, deviceID, person.id)
  }
}
