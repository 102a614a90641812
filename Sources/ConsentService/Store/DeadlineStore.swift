internal import Base
internal import Storage

/// When to check something. A deadline is a reminder, not the truth: the thing itself may have changed.
struct Deadline: Hashable, Sendable {
  enum Kind: Int64, Sendable {
    /// A session may have been idle too long.
    case session = 1
    /// A consent's validity period ends.
    case expiry = 2
    /// The date by which a version demands a new consent; `id` is `DOCUMENT/VERSION`.
    case reconsent = 3
    /// A month begins: in the study `id`, participants for whom guardians consented may have come of age.
    case comingOfAge = 4
    /// Proofs of a seal that were missing are to be looked for again; `id` is the copy's name.
    case proofs = 5
    /// The archive time stamp over a sealed file is to be renewed; `id` is the copy's name.
    case archive = 6
    /// A version was stopped; `id` is `DOCUMENT/VERSION`.
    case stopped = 7
    /// The time of a seal that no authority has attested is to be asked for again; `id` is the copy's name.
    case time = 8
    /// The same for the archive time stamp of a file that has none, or lacks the next one.
    case archiveTime = 9
    /// A consent may end soon; `id` is an `EndingReminder`.
    case ending = 10
    /// A version was published that ends earlier consents by a date, whose reminders are to be set; `id` is
    /// `DOCUMENT/VERSION`.
    case endings = 11
    /// A session may have been unfinished for as many days as its study says.
    case unfinished = 12
  }

  let kind: Kind
  let id: String
}

/// Stores reminders, so that changes that follow from the passing of time are found without reading every row.
enum DeadlineStore {
  private static let set = Statement(
    "deadline.set",
    "INSERT INTO deadlines (tenant, kind, id, at_ms) VALUES ({tenant}, ?, ?, ?) "
      + "ON CONFLICT (tenant, kind, id) DO UPDATE SET at_ms = excluded.at_ms")
  private static let remove = Statement(
    "deadline.remove", "DELETE FROM deadlines WHERE tenant = {tenant} AND kind = ? AND id = ?")
  private static let due = Statement(
    "deadline.due",
    "SELECT kind, id FROM deadlines WHERE tenant = {tenant} AND at_ms <= ? ORDER BY at_ms, kind, id LIMIT ?")

  // The plus keeps SQLite from the index of times, which leads to the deadlines of all kinds.
  private static let hasten = Statement(
    "deadline.hasten",
    "UPDATE deadlines SET at_ms = ? WHERE tenant = {tenant} AND kind = ? AND id IN ("
      + "SELECT id FROM deadlines WHERE tenant = {tenant} AND kind = ? AND +at_ms > ? ORDER BY id DESC LIMIT ?)")

  static let statements = [set, remove, due, hasten]

  static func set(_ kind: Deadline.Kind, _ id: String, at time: Instant, _ transaction: Transaction) throws {
    try transaction.run(set, kind.rawValue, id, time)
  }

  static func remove(_ deadline: Deadline, _ transaction: Transaction) throws {
    try transaction.run(remove, deadline.kind.rawValue, deadline.id)
  }

  /// Makes at most `count` deadlines of a kind due now, those with the highest identifiers first: these are the newest.
  static func hasten(_ kind: Deadline.Kind, atMost count: Int, _ transaction: Transaction) throws {
    try transaction.run(hasten, transaction.now, kind.rawValue, kind.rawValue, transaction.now, Int64(count))
  }

  static func due(limit: Int, _ snapshot: Snapshot) throws -> [Deadline] {
    try snapshot.all(due, snapshot.now, limit).compactMap { row in
      guard let kind = Deadline.Kind(rawValue: try row.get("kind")) else { return nil }
      return Deadline(kind: kind, id: try row.get("id"))
    }
  }
}
