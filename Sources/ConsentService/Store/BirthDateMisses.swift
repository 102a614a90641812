internal import Base
internal import ServicePolicy
internal import Storage

/// When birth dates were given for a subject that differ from the stated one, in the vault. Anybody who may begin a
/// session may name any subject, and each refusal says that a date is wrong. Those of tests are counted apart.
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

  /// Why no date is compared any more for a while, right or wrong; nil: few have been wrong.
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

  /// Staff has corrected the date: what was wrong before may be right.
  static func forget(of subject: Subject, _ transaction: Transaction) throws {
    try transaction.vault.remove(item(isTest: false), of: subject)
  }
}
