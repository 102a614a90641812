internal import Base
internal import ConsentContract
internal import ConsentDomain
internal import ServicePolicy
internal import Storage
internal import Wire

/// An event that says some days ahead that a consent will end.
///
/// Each is a deadline of its own, which is removed in the transaction that notes the event, and only ever set ahead: so
/// it comes once, whatever ends the process.
struct EndingReminder {
  private let recordID: String
  private let days: Int

  /// How many days ahead. The last one comes first: of those that are late, it alone is sent.
  private static let stages = [1, 7, 30]

  private var deadline: Deadline { Deadline(kind: .ending, id: "\(recordID)/\(days)") }

  private static func time(_ days: Int, before end: Instant) -> Instant { end + (.zero - .days(days)) }

  static func set(for record: ConsentRecord, _ transaction: Transaction) throws {
    guard record.state == .inForce, !record.test, let end = try DocumentStore.standing(record, transaction).end else {
      return
    }
    for days in stages where time(days, before: end) > transaction.now {
      try EndingReminder(recordID: record.recordID, days: days).set(before: end, transaction)
    }
  }

  private func set(before end: Instant, _ transaction: Transaction) throws {
    try DeadlineStore.set(.ending, deadline.id, at: Self.time(days, before: end), transaction)
  }

  static func remove(for record: ConsentRecord, _ transaction: Transaction) throws {
    for days in stages {
      try DeadlineStore.remove(EndingReminder(recordID: record.recordID, days: days).deadline, transaction)
    }
  }

  /// Notes the event if the consent still ends then and the person has not answered.
  static func settle(_ deadline: Deadline, by actor: String, _ transaction: Transaction) throws {
    try DeadlineStore.remove(deadline, transaction)
    let parts = deadline.id.split(separator: "/")
    guard parts.count == 2, let days = Int(parts[1]) else {
      throw Refusal(.invalid, "bad_deadline", "'\(deadline.id)' names no reminder")
    }
    let record = try RecordStore.head(String(parts[0]), transaction)
    let standing = try DocumentStore.standing(record, transaction)
    guard record.state == .inForce, let end = standing.end else { return }
    let ahead = stages.filter { time($0, before: end) <= transaction.now }
    guard ahead.contains(days) else {
      // It ends later than when this was set.
      return try EndingReminder(recordID: record.recordID, days: days).set(before: end, transaction)
    }
    guard ahead.first == days, transaction.now < end, try !DueRecords.due([record], transaction).isEmpty else { return }
    try transaction.note(
      ConsentEvent(
        kind: .consentEnding, studyID: record.studyID, siteID: record.siteID, subjectID: record.subjectID,
        documentID: record.documentID, version: record.documentVersion, recordID: record.recordID,
        due: standing.state(at: end) == .reconsentDue ? .newVersion : .expiry, days: Int32(days)),
      by: actor)
  }
}
