internal import Base
internal import ServicePolicy
internal import Storage

/// The times at which somebody gave a birth date for a subject that differs from the stated one, in the vault. They
/// limit guessing: anybody who may begin a session may name any subject, and each refusal tells that a date is wrong.
/// Misses in test sessions are counted apart.
enum BirthDateMisses {
  private static func item(isTest: Bool) -> String { SubjectFacts.item("birth-date-misses", isTest: isTest) }
  private static let most = 5
  private static let memory = Duration.days(1)

  /// The times of the misses that still count.
  private static func times(of subjectID: String, isTest: Bool, _ snapshot: Snapshot) throws -> [Instant] {
    let stored = String(decoding: try snapshot.personal(item(isTest: isTest), of: subjectID) ?? [], as: UTF8.self)
    let times = stored.split(separator: " ").compactMap { Int64($0) }.map { Instant(millisecondsSince1970: $0) }
    return times.filter { $0 + memory > snapshot.now }
  }

  /// The refusal to compare any date, right or wrong, after `most` misses within `memory`; nil while there are fewer.
  static func refusal(
    of subjectID: String, isTest: Bool, field: String, _ snapshot: Snapshot
  ) throws -> Refusal? {
    let times = try times(of: subjectID, isTest: isTest, snapshot)
    guard times.count >= most, let first = times.first else { return nil }
    let message =
      "\(field) is compared with the stated birth date no more until \(TimeText.rfc3339(first + memory)): "
      + "\(times.count) others were given; leave it out, or let staff correct it"
    return Refusal(.precondition, "birth_date_guessed", field: field, message)
  }

  static func add(of subject: Subject, isTest: Bool, _ transaction: Transaction) throws {
    let times = try times(of: subject.id, isTest: isTest, transaction).suffix(most - 1) + [transaction.now]
    let text = times.map { String($0.millisecondsSince1970) }.joined(separator: " ")
    try transaction.vault.put(Array(text.utf8), as: item(isTest: isTest), of: subject)
  }

  /// Forgets the misses after staff has corrected the date: a date that was wrong before may be right now.
  static func forget(of subject: Subject, _ transaction: Transaction) throws {
    try transaction.vault.remove(item(isTest: false), of: subject)
  }
}
