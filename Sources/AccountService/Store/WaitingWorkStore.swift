internal import AccountContract
internal import Base
internal import ServicePolicy
internal import Storage
internal import Wire

/// Whose work waits on which device until somebody acts, by the device's last upload of it. The work itself is on the
/// device alone.
enum WaitingWorkStore {
  private static let put = Statement(
    "waiting.put",
    "INSERT INTO waiting_work (tenant, device_id, person_id, rule, since_ms) VALUES ({tenant}, ?, ?, ?, ?) "
      + "ON CONFLICT (tenant, device_id, person_id) DO UPDATE SET rule = excluded.rule, since_ms = excluded.since_ms")
  private static let onDevice = Statement(
    "waiting.device",
    "SELECT person_id, rule, since_ms FROM waiting_work WHERE tenant = {tenant} AND device_id = ? ORDER BY person_id")
  private static let devices = Statement(
    "waiting.devices",
    "SELECT DISTINCT device_id FROM waiting_work WHERE tenant = {tenant} AND {after device_id} "
      + "ORDER BY device_id LIMIT {limit}")
  private static let remove = Statement(
    "waiting.remove", "DELETE FROM waiting_work WHERE tenant = {tenant} AND device_id = ? AND person_id = ?")
  private static let removeOnDevice = Statement(
    "waiting.remove-device", "DELETE FROM waiting_work WHERE tenant = {tenant} AND device_id = ?")
  private static let removeOfPerson = Statement(
    "waiting.remove-person", "DELETE FROM waiting_work WHERE tenant = {tenant} AND person_id = ?")

  static let statements = [put, onDevice, devices, remove, removeOnDevice, removeOfPerson]

  /// The rule for which each person's work waits on a device, by person.
  static func rules(on deviceID: String, _ snapshot: Snapshot) throws -> [String: String] {
    let rows = try snapshot.all(onDevice, deviceID)
    return Dictionary(uniqueKeysWithValues: try rows.map { (try $0.get("person_id"), try $0.get("rule")) })
  }

  /// - Parameter rule: why the person's work waits; nil: it does not any more.
  static func set(_ rule: String?, of personID: String, on deviceID: String, _ transaction: Transaction) throws {
    guard let rule else {
      try transaction.run(remove, deviceID, personID)
      return
    }
    try transaction.run(put, deviceID, personID, rule, transaction.now)
  }

  static func removeAll(on deviceID: String, _ transaction: Transaction) throws {
    try transaction.run(removeOnDevice, deviceID)
  }

  static func removeAll(of personID: String, _ transaction: Transaction) throws {
    try transaction.run(removeOfPerson, personID)
  }

  /// What waits on a device, each with what helps as things are now: whoever was locked then may be unlocked by now.
  static func work(on deviceID: String, _ snapshot: Snapshot) throws -> [WaitingWork] {
    try snapshot.all(onDevice, deviceID).map { row in
      let person: String = try row.get("person_id")
      let isLocked = try PersonStore.person(person, snapshot)?.isLocked ?? false
      let isListed = try PlacementStore.placement(of: person, on: deviceID, snapshot) != nil
      return WaitingWork(
        personID: person, rule: try row.get("rule"), step: isLocked ? .unlock : isListed ? .signIn : .invite,
        since: Timestamp(try row.get("since_ms", as: Instant.self)))
    }
  }

  /// The devices on which somebody's work waits.
  static func devices(_ page: PageRequest, _ snapshot: Snapshot) throws -> ([StoredDevice], String) {
    let page = try snapshot.page(devices, at: page)
    return (try page.rows.compactMap { try DeviceStore.device(try $0.get("device_id"), snapshot) }, page.nextToken)
  }
}
