internal import AccountContract
internal import Base
internal import ServicePolicy
internal import Storage
internal import Wire

/// Items of offline queues that were begun or have an outcome. Their content is in the vault, under their person.
enum ItemStore {
  private static let put = Statement(
    "item.put",
    "INSERT INTO queue_items (tenant, device_id, id, person_id, state, arrived_ms, place, settled_ms) "
      + "VALUES ({tenant}, ?, ?, ?, ?, ?, ?, ?) "
      + "ON CONFLICT (tenant, device_id, person_id, id) DO UPDATE SET state = excluded.state, settled_ms = excluded.settled_ms"
  )
  private static let begin = Statement(
    "item.begin",
    "INSERT INTO queue_items (tenant, device_id, id, person_id, state, arrived_ms, place, settled_ms) "
      + "VALUES ({tenant}, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (tenant, device_id, person_id, id) DO NOTHING")
  private static let unbegin = Statement(
    "item.unbegin",
    "DELETE FROM queue_items WHERE tenant = {tenant} AND device_id = ? AND person_id = ? AND id = ? AND state = ?")
  private static let find = Statement(
    "item.find",
    "SELECT state, arrived_ms FROM queue_items WHERE tenant = {tenant} AND device_id = ? AND person_id = ? AND id = ?")
  private static let lock = Statement(
    "item.lock",
    "SELECT id FROM queue_items WHERE tenant = {tenant} AND device_id = ? AND person_id = ? AND id = ? FOR UPDATE")
  private static let failed = Statement(
    "item.failed",
    "SELECT device_id, id, person_id, arrived_ms, place FROM queue_items "
      + "WHERE tenant = {tenant} AND person_id = ? AND state IN (3, 4) "
      + "AND {after arrived_ms, place, device_id, id, person_id} "
      + "ORDER BY arrived_ms, place, device_id, id, person_id LIMIT {limit}")
  private static let settled = Statement(
    "item.settled",
    "SELECT device_id, id, person_id FROM queue_items WHERE tenant = {tenant} AND state IN (1, 5, 7) AND settled_ms < ? "
      + "ORDER BY settled_ms LIMIT 500")
  private static let remove = Statement(
    "item.remove", "DELETE FROM queue_items WHERE tenant = {tenant} AND device_id = ? AND person_id = ? AND id = ?")
  private static let removeAll = Statement(
    "item.remove-all", "DELETE FROM queue_items WHERE tenant = {tenant} AND person_id = ?")

  static let statements = [put, begin, unbegin, find, lock, failed, settled, remove, removeAll]

  /// What identifies an item: its own identifier, the device whose queue it was in, and its person.
  struct Name: Hashable, Sendable {
    let id: String
    let deviceID: String
    let personID: String
  }

  private static func name(_ id: String, _ deviceID: String) -> String { "queue/\(deviceID)/\(id)" }

  /// Locks items until the transaction ends. To be called before they are read. Everybody locks them in the same order,
  /// so that there is no deadlock.
  static func lock(_ names: [Name], _ transaction: Transaction) throws {
    for name in names.sorted(by: { ($0.deviceID, $0.personID, $0.id) < ($1.deviceID, $1.personID, $1.id) }) {
      _ = try transaction.first(lock, name.deviceID, name.personID, name.id)
    }
  }

  /// Reads those of the named items that have an outcome, and returns what `part` takes from each. An item may be
  /// large, so they are read one at a time.
  static func parts<Part>(
    of names: [Name], _ snapshot: Snapshot, _ part: (KeptItem) throws -> Part?
  ) throws -> [Name: Part] {
    var parts: [Name: Part] = [:]
    for name in names where parts[name] == nil { parts[name] = try item(name, snapshot).flatMap(part) }
    return parts
  }

  /// Reads an item; nil when it has no outcome.
  static func item(_ item: Name, _ snapshot: Snapshot) throws -> KeptItem? {
    guard let row = try snapshot.first(find, item.deviceID, item.personID, item.id),
      try row.get("state", as: Int64.self) != begun
    else { return nil }
    return try content(of: item, snapshot)
  }

  /// What is kept of an item that has an outcome; nil when nothing is: it has none, or was deleted since, or its person
  /// was erased.
  static func content(of item: Name, _ snapshot: Snapshot) throws -> KeptItem? {
    let person = try Subject.stored(item.personID)
    do {
      return try snapshot.vault.get(name(item.id, item.deviceID), of: person).map { try KeptItem(decoding: $0) }
    } catch let error as DatabaseError where error.code == .erased {
      return nil
    }
  }

  /// The state of an item that was begun and has no outcome yet. No client gets to see it.
  private static let begun: Int64 = 7

  /// What has become of an item, as far as others build on it.
  enum End: Sendable {
    case done
    /// It failed, waits for a decision, was discarded or was refused.
    case notDone
  }

  /// What has become of an item of this device; nil: nothing yet.
  static func end(of name: ItemName, from deviceID: String, _ snapshot: Snapshot) throws -> End? {
    guard let row = try snapshot.first(find, deviceID, name.personID, name.itemID) else { return nil }
    switch try row.get("state", as: Int64.self) {
    case Int64(ItemState.done.number): return .done
    case begun: return nil
    default: return .notDone
    }
  }

  /// When an item was begun; nil when it was not, or has an outcome.
  static func begun(
    _ id: String, from deviceID: String, of personID: String, _ snapshot: Snapshot
  ) throws -> Instant? {
    guard let row = try snapshot.first(find, deviceID, personID, id), try row.get("state", as: Int64.self) == begun
    else { return nil }
    return try row.get("arrived_ms")
  }

  /// - Parameter place: its place in the upload, which orders what arrives together.
  static func begin(
    _ id: String, from deviceID: String, of personID: String, at place: Int, _ transaction: Transaction
  ) throws {
    try transaction.run(begin, deviceID, id, personID, begun, transaction.now, Int64(place), transaction.now)
  }

  static func unbegin(_ id: String, from deviceID: String, of personID: String, _ transaction: Transaction) throws {
    try transaction.run(unbegin, deviceID, personID, id, begun)
  }

  static func save(_ item: KeptItem, _ transaction: Transaction) throws {
    guard let outcome = item.outcome else { return }
    let person = try Subject.stored(outcome.personID)
    try transaction.run(
      put, outcome.deviceID, outcome.itemID, outcome.personID, Int64(outcome.state.number), transaction.now,
      item.place, transaction.now)
    try transaction.vault.put(try item.encoded(), as: name(outcome.itemID, outcome.deviceID), of: person)
  }

  /// The items of some accounts that failed or wait for a decision, those that came first before the others. A page
  /// ends early once its items have `mostBytes`.
  static func failed(
    of people: [String], _ page: PageRequest, mostBytes: Int, _ snapshot: Snapshot
  ) throws -> ([KeptItem], String) {
    let pages = try people.map { try snapshot.page(failed, $0, after: page.cursor, limit: page.limit) }
    let rows = try pages.flatMap(\.rows).map { row in (row: row, at: try Arrival(row)) }.sorted { $0.at < $1.at }
    var (items, bytes, read) = ([KeptItem](), 0, 0)
    while read < min(rows.count, page.limit), bytes < mostBytes {
      read += 1
      guard let item = try item(rows[read - 1].at.name, snapshot) else { continue }
      items.append(item)
      bytes += item.item.map { $0.request.count + $0.requestJSON.utf8.count } ?? 0
    }
    guard read > 0, read < rows.count || pages.contains(where: { $0.next != nil }) else { return (items, "") }
    return (items, try PageCursor(of: rows[read - 1].row, for: failed).text)
  }

  /// When an item came, in the order of the list of failed ones.
  private struct Arrival: Comparable {
    let time: Int64
    let place: Int64
    let name: Name

    init(_ row: Row) throws {
      (time, place) = (try row.get("arrived_ms"), try row.get("place"))
      name = Name(id: try row.get("id"), deviceID: try row.get("device_id"), personID: try row.get("person_id"))
    }

    static func < (one: Arrival, other: Arrival) -> Bool {
      (one.time, one.place, one.name.deviceID, one.name.id, one.name.personID)
        < (other.time, other.place, other.name.deviceID, other.name.id, other.name.personID)
    }
  }

  /// Deletes up to 500 items that were done, discarded, or begun without an outcome, before a time. False when none is
  /// left.
  static func forget(before time: Instant, _ transaction: Transaction) throws -> Bool {
    let rows = try transaction.all(settled, time)
    for row in rows {
      let (id, device): (String, String) = (try row.get("id"), try row.get("device_id"))
      let person = try Subject.stored(try row.get("person_id"))
      try transaction.run(remove, device, person.id, id)
      if try !transaction.vault.isErased(person) { try transaction.vault.remove(name(id, device), of: person) }
    }
    return rows.count == 500
  }

  /// Deletes the rows of the items of a person who is erased. The erasure of the vault's part deletes their content.
  static func removeAll(of personID: String, _ transaction: Transaction) throws {
    try transaction.run(removeAll, personID)
  }
}
