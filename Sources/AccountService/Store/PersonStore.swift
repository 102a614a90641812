internal import AccountContract
internal import Base
internal import ServicePolicy
internal import Storage
internal import Wire

/// An account as it is stored, without what is personal.
struct StoredPerson: Sendable {
  let id: String
  let isLocked: Bool
  /// The account that this one was merged into; empty: it was not merged.
  let mergedInto: String
  /// The digest of the recovery code.
  let recovery: [UInt8]
  /// Upload grants that were issued until this time are void.
  let voidBefore: Instant
  let erasedAt: Instant?

  init(_ row: Row) throws {
    id = try row.get("id")
    isLocked = try row.get("locked")
    mergedInto = try row.get("merged_into")
    recovery = try row.get("recovery")
    voidBefore = try row.get("void_ms")
    erasedAt = try row.get("erased_ms")
  }

  /// Whether the person may sign in anywhere.
  var isActive: Bool { !isLocked && mergedInto.isEmpty && erasedAt == nil }

  /// The error of calls that need an active account, for one that is not.
  var lockedOut: Refusal {
    Refusal(.precondition, "person_locked", field: "person_id", "person_id: this person is locked out")
  }

  func subject() throws -> Subject { try Subject.stored(id) }
}

enum PersonStore {
  private static let columns = "id, locked, merged_into, recovery, void_ms, erased_ms"
  private static let insert = Statement(
    "person.insert",
    "INSERT INTO people (tenant, id, locked, merged_into, recovery, void_ms, created_ms, erased_ms) "
      + "VALUES ({tenant}, ?, 0, '', ?, 0, ?, NULL) ON CONFLICT (tenant, id) DO NOTHING")
  private static let find = Statement("person.find", "SELECT \(columns) FROM people WHERE tenant = {tenant} AND id = ?")
  private static let hold = Statement(
    "person.hold", "SELECT id FROM people WHERE tenant = {tenant} AND id = ? FOR UPDATE")
  private static let list = Statement(
    "person.list", "SELECT \(columns) FROM people WHERE tenant = {tenant} AND {after id} ORDER BY id LIMIT {limit}")
  private static let merged = Statement(
    "person.merged", "SELECT id FROM people WHERE tenant = {tenant} AND merged_into = ? ORDER BY id")
  private static let lock = Statement(
    "person.lock", "UPDATE people SET locked = ? WHERE tenant = {tenant} AND id = ? AND locked <> ?")
  private static let recovery = Statement(
    "person.recovery", "UPDATE people SET recovery = ? WHERE tenant = {tenant} AND id = ?")
  private static let void = Statement("person.void", "UPDATE people SET void_ms = ? WHERE tenant = {tenant} AND id = ?")
  private static let merge = Statement(
    "person.merge", "UPDATE people SET merged_into = ? WHERE tenant = {tenant} AND id = ? AND merged_into = ''")
  private static let erase = Statement(
    "person.erase",
    "UPDATE people SET erased_ms = ?, recovery = ? WHERE tenant = {tenant} AND id = ? AND erased_ms IS NULL")

  static let statements = [insert, find, hold, list, merged, lock, recovery, void, merge, erase]

  /// False when there is such a person already.
  static func insert(_ id: String, recovery: Digest, _ transaction: Transaction) throws -> Bool {
    try transaction.run(insert, id, recovery, transaction.now) == 1
  }

  static func person(_ id: String, _ snapshot: Snapshot) throws -> StoredPerson? {
    try snapshot.first(find, id).map { try StoredPerson($0) }
  }

  /// Locks the person's row: until the transaction ends, nobody else issues a token to the person or makes the person's
  /// tokens void. To be called before placements and sessions of the person are locked, so that there is no deadlock.
  static func hold(_ id: String, _ transaction: Transaction) throws { _ = try transaction.first(hold, id) }

  static func found(_ id: String, field: String = "person_id", _ snapshot: Snapshot) throws -> StoredPerson {
    guard let person = try person(id, snapshot) else { throw Refusal.notFound("person", id, field: field) }
    return person
  }

  /// A person who may sign in.
  static func active(_ id: String, _ snapshot: Snapshot) throws -> StoredPerson {
    let person = try found(id, snapshot)
    guard person.isActive else { throw person.lockedOut }
    return person
  }

  static func list(_ page: PageRequest, _ snapshot: Snapshot) throws -> ([StoredPerson], String) {
    let page = try snapshot.page(list, at: page)
    return (try page.rows.map { try StoredPerson($0) }, page.nextToken)
  }

  /// The accounts that were merged into this one, directly or by way of others.
  static func merged(into id: String, _ snapshot: Snapshot) throws -> [String] {
    var (found, open) = ([String](), [id])
    while let next = open.popLast() {
      let direct = try snapshot.all(merged, next).map { try $0.get("id", as: String.self) }
      let new = direct.filter { $0 != id && !found.contains($0) }
      found += new
      open += new
    }
    return found
  }

  /// An account, and those that were merged into it.
  static func names(of id: String, _ snapshot: Snapshot) throws -> [String] { try [id] + merged(into: id, snapshot) }

  /// Whose account an identifier stands for now: the one that its account was merged into, directly or by way of
  /// others, or itself.
  static func owner(of id: String, _ snapshot: Snapshot) throws -> String {
    try ended(from: id, snapshot).last?.mergedInto ?? id
  }

  /// The accounts that ended on the way from an identifier to the account that it stands for now, each merged into the
  /// next.
  static func ended(from id: String, _ snapshot: Snapshot) throws -> [StoredPerson] {
    var ended: [StoredPerson] = []
    // No account is merged into one that ended, so the way has no circle; a row that was altered could make one.
    for _ in 0..<longestWay {
      let account = try person(ended.last?.mergedInto ?? id, snapshot)
      guard let account, !account.mergedInto.isEmpty else { return ended }
      ended.append(account)
    }
    throw DatabaseError(.corrupt, "the accounts that '\(id)' was merged into make a circle: they were altered")
  }

  private static let longestWay = 100

  /// False when the person is locked, or unlocked, already.
  static func setLock(_ isLocked: Bool, _ id: String, _ transaction: Transaction) throws -> Bool {
    try transaction.run(lock, isLocked, id, isLocked) == 1
  }

  static func setRecovery(_ digest: Digest, of id: String, _ transaction: Transaction) throws {
    try transaction.run(recovery, digest, id)
  }

  /// - Parameter newest: when the newest token was issued, as read while the person's row is locked.
  static func voidGrants(of id: String, newest: Instant?, _ transaction: Transaction) throws {
    try transaction.run(void, max(transaction.now, newest ?? transaction.now), id)
  }

  static func merge(_ id: String, into other: String, _ transaction: Transaction) throws {
    try transaction.run(merge, other, id)
  }

  static func erase(_ id: String, _ transaction: Transaction) throws {
    try transaction.run(erase, transaction.now, [UInt8](), id)
  }

  // MARK: What is personal

  private static let profileItem = "profile"

  static func profile(of person: Subject, _ snapshot: Snapshot) throws -> PersonProfile {
    do {
      guard let bytes = try snapshot.vault.get(profileItem, of: person) else { return PersonProfile() }
      return try PersonProfile(decoding: bytes)
    } catch let error as DatabaseError where error.code == .erased {
      throw Refusal(.precondition, "subject_erased", field: "person_id", "the data of this person were erased")
    }
  }

  static func save(_ profile: PersonProfile, of person: Subject, _ transaction: Transaction) throws {
    try transaction.vault.put(try profile.encoded(), as: profileItem, of: person)
  }
}
