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
    case reconsent = 4
    /// A month begins in a study, `id`, for whose participants guardians have consented.
    case comingOfAge = 5
    /// What proves a seal could not be had; `id` is the copy.
    case proofs = 6
    /// The attested time over a sealed file is to be renewed, or was not to be had; `id` is the copy.
    case archive = 7
    /// A version was stopped; `id` is `DOCUMENT/VERSION`.
    case stopped = 8
    /// An earlier release merged accounts without looking at what is kept of this subject, `id`.
    case retention = 9
    /// An earlier release may have removed the reminder of this record's end.
    case lookAgain = 10
  }

  let kind: Kind
  let id: String
}

/// Reminders, by which changes that time alone brings are found without reading everything.
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

  private static let hasten = Statement(
    "deadline.hasten",
    "UPDATE deadlines SET at_ms = ? WHERE tenant = {tenant} AND kind = ? AND at_ms > ? AND id IN ("
      + "SELECT id FROM deadlines WHERE tenant = {tenant} AND kind = ? AND at_ms > ? ORDER BY id DESC LIMIT ?)")

  static let statements = [set, remove, due, hasten]

  static func set(_ kind: Deadline.Kind, _ id: String, at time: Instant, _ transaction: Transaction) throws {
    try transaction.run(set, kind.rawValue, id, time)
  }

  static func remove(_ deadline: Deadline, _ transaction: Transaction) throws {
    try transaction.run(remove, deadline.kind.rawValue, deadline.id)
  }

  /// Lets some of a kind be due now, the latest things first.
  static func hasten(_ kind: Deadline.Kind, atMost count: Int, _ transaction: Transaction) throws {
    try transaction.run(
      hasten, transaction.now, kind.rawValue, transaction.now, kind.rawValue, transaction.now, Int64(count))
  }

  static func due(limit: Int, _ snapshot: Snapshot) throws -> [Deadline] {
    try snapshot.all(due, snapshot.now, limit).compactMap { row in
      guard let kind = Deadline.Kind(rawValue: try row.get("kind")) else { return nil }
      return Deadline(kind: kind, id: try row.get("id"))
    }
  }
}
