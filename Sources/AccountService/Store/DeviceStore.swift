internal import AccountContract
internal import Base
internal import ServicePolicy
internal import Storage
internal import Wire

/// A device as it is stored. Its name may be that of its owner, so it is not here but in the vault.
struct StoredDevice: Sendable {
  let id: String
  let publicKey: [UInt8]
  /// The digest of the secret; empty when the device has a key pair.
  let secret: [UInt8]
  let isSingleUser: Bool
  /// Where it may be used, as roles of devices; none: everywhere in the tenant.
  let places: [String]
  /// The person whose sign-in screen is shown; empty: nobody's.
  let current: String
  let registeredAt: Instant
  /// The time in its newest proof of possession.
  let provedAt: Instant
  let wipedAt: Instant?

  init(_ row: Row) throws {
    id = try row.get("id")
    publicKey = try row.get("public_key")
    secret = try row.get("secret")
    isSingleUser = try row.get("single_user")
    places = try row.get("places", as: String.self).split(separator: " ").map(String.init)
    current = try row.get("current_person")
    registeredAt = try row.get("registered_ms")
    provedAt = try row.get("proved_ms")
    wipedAt = try row.get("wiped_ms")
  }

  func message(_ snapshot: Snapshot) throws -> AccountDevice {
    AccountDevice(
      deviceID: id, name: try DeviceName.read(of: id, snapshot), publicKey: publicKey, singleUser: isSingleUser,
      registeredAt: Timestamp(registeredAt), wipedAt: wipedAt.map { Timestamp($0) })
  }
}

enum DeviceStore {
  private static let columns =
    "id, public_key, secret, single_user, current_person, registered_ms, proved_ms, wiped_ms, places"
  private static let insert = Statement(
    "device.insert",
    "INSERT INTO devices (tenant, \(columns)) VALUES ({tenant}, ?, ?, ?, ?, '', ?, 0, NULL, ?) "
      + "ON CONFLICT (tenant, id) DO NOTHING")
  private static let setKey = Statement(
    "device.set-key",
    "UPDATE devices SET public_key = ? WHERE tenant = {tenant} AND id = ? AND wiped_ms IS NULL")
  private static let find = Statement(
    "device.find", "SELECT \(columns) FROM devices WHERE tenant = {tenant} AND id = ?")
  private static let used = Statement(
    "device.used", "SELECT id FROM devices WHERE tenant = {tenant} AND wiped_ms IS NULL")
  private static let wiped = Statement(
    "device.wiped",
    "SELECT id, wiped_ms FROM devices WHERE tenant = {tenant} AND wiped_ms IS NOT NULL ORDER BY wiped_ms, id")
  private static let lock = Statement(
    "device.lock", "SELECT id FROM devices WHERE tenant = {tenant} AND id = ? FOR UPDATE")
  private static let list = Statement(
    "device.list", "SELECT \(columns) FROM devices WHERE tenant = {tenant} AND {after id} ORDER BY id LIMIT {limit}")
  private static let select = Statement(
    "device.select", "UPDATE devices SET current_person = ? WHERE tenant = {tenant} AND id = ?")
  private static let deselect = Statement(
    "device.deselect",
    "UPDATE devices SET current_person = '' WHERE tenant = {tenant} AND id = ? AND current_person = ?")
  private static let prove = Statement(
    "device.prove", "UPDATE devices SET proved_ms = ? WHERE tenant = {tenant} AND id = ? AND proved_ms < ?")
  private static let wipe = Statement(
    "device.wipe",
    "UPDATE devices SET wiped_ms = ?, current_person = '' WHERE tenant = {tenant} AND id = ? AND wiped_ms IS NULL")

  static let statements =
    [
      insert, setKey, find, used, wiped, lock, list, select, deselect, prove, wipe,
    ]

  /// False when there is a device of this identifier already, or there was one that was wiped and that a restored
  /// backup does not know.
  static func insert(
    _ device: AccountDevice, secret: [UInt8], places: [String], _ transaction: Transaction
  ) throws -> Bool {
    guard try !TakenBack(deviceID: device.deviceID).isNoted(transaction) else { return false }
    let isNew = try transaction.run(
      insert, device.deviceID, device.publicKey, secret, device.singleUser, transaction.now,
      places.joined(separator: " "))
    guard isNew == 1 else { return false }
    try DeviceName.put(device.name, of: device.deviceID, transaction)
    return true
  }

  /// Gives a device that was made for a browser the browser's key.
  static func setKey(_ key: [UInt8], of id: String, _ transaction: Transaction) throws {
    try transaction.run(setKey, key, id)
  }

  static func device(_ id: String, _ snapshot: Snapshot) throws -> StoredDevice? {
    try snapshot.first(find, id).map { try StoredDevice($0) }
  }

  /// Whether a device of this identifier was ever registered, as far as is known. It may be wiped, also if a restored
  /// backup does not know it.
  static func knows(_ id: String, _ snapshot: Snapshot) throws -> Bool {
    try TakenBack(deviceID: id).isNoted(snapshot) || device(id, snapshot) != nil
  }

  /// The identifiers of all devices that were not wiped.
  static func used(_ snapshot: Snapshot) throws -> [String] { try snapshot.all(used).map { try $0.get("id") } }

  /// The device of a call, which must be registered and in use.
  static func inUse(_ id: String, _ snapshot: Snapshot) throws -> StoredDevice {
    guard !id.isEmpty, let device = try device(id, snapshot) else {
      let message = "the caller's credential names no registered device; register it, and authenticate as it"
      throw Refusal(.precondition, "no_device", field: "device_id", message)
    }
    guard device.wipedAt == nil else {
      throw Refusal(
        .precondition, "device_wiped", field: "device_id", "device '\(id)' was wiped; its data must be deleted")
    }
    return device
  }

  /// Refuses another person on a device that is for one and has one. Until the transaction ends, nobody else joins the
  /// device.
  static func requireRoom(on device: StoredDevice, _ transaction: Transaction) throws {
    _ = try transaction.first(lock, device.id)
    try checkRoom(on: device, transaction)
  }

  /// The same check without a lock: somebody may join the device right after it.
  static func checkRoom(on device: StoredDevice, _ snapshot: Snapshot) throws {
    if device.isSingleUser, try !PlacementStore.all(on: device.id, snapshot).isEmpty {
      throw Refusal(
        .precondition, "single_user", field: "device_id", "device_id: '\(device.id)' is for one person, and has one")
    }
  }

  static func list(_ page: PageRequest, _ snapshot: Snapshot) throws -> ([StoredDevice], String) {
    let page = try snapshot.page(list, at: page)
    return (try page.rows.map { try StoredDevice($0) }, page.nextToken)
  }

  static func select(_ personID: String, on id: String, _ transaction: Transaction) throws {
    try transaction.run(select, personID, id)
  }

  /// If the person is the device's current one, leaves the device without one.
  static func deselect(_ personID: String, on id: String, _ transaction: Transaction) throws {
    try transaction.run(deselect, id, personID)
  }

  /// Notes the time of a proof; false when one at that time or later was seen.
  static func prove(_ id: String, at time: Instant, _ transaction: Transaction) throws -> Bool {
    try transaction.run(prove, time, id, time) == 1
  }

  /// A revocation for each device that was ever wiped, which makes the device's tokens and keys void.
  static func wiped(_ snapshot: Snapshot) throws -> [Revocation] {
    try snapshot.all(wiped).map { row in
      Revocation(
        tenant: snapshot.tenant.id, revoked: .deviceID(try row.get("id")),
        before: Timestamp(try row.get("wiped_ms", as: Instant.self)))
    }
  }

  /// Stores that a device was wiped, and erases its name, which nobody needs any more. False when it was wiped before.
  static func wipe(_ id: String, by actor: String, _ transaction: Transaction) throws -> Bool {
    guard try transaction.run(wipe, transaction.now, id) == 1 else { return false }
    try DeviceName.forget(of: id, by: actor, transaction)
    return true
  }
}
