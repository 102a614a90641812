internal import Base
internal import ConsentContract
internal import ConsentDomain
internal import ServicePolicy
internal import Storage
internal import Wire

/// The birth dates that were stated for subjects, in the vault. The first statement is valid until staff corrects it. A
/// date that was stated in a test session counts only in test sessions.
enum BirthDateStore {
  private static func item(isTest: Bool) -> String { SubjectFacts.item("birth-date", isTest: isTest) }
  static let otherRule = "birth_date_stated"

  static func history(of subjectID: String, isTest: Bool, _ snapshot: Snapshot) throws -> BirthDateHistory {
    try BirthDateHistory(decoding: try snapshot.personal(item(isTest: isTest), of: subjectID) ?? [])
  }

  /// The valid date: the first one stated, or staff's last correction; nil if none was stated.
  static func stated(of subjectID: String, isTest: Bool, _ snapshot: Snapshot) throws -> CalendarDate? {
    try history(of: subjectID, isTest: isTest, snapshot).statements.last?.date
  }

  /// The valid date of a person with several identifiers: that of the identifier for which a date was stated first.
  /// Identifiers whose data were erased are skipped.
  static func stated(ofPerson id: String, _ snapshot: Snapshot) throws -> CalendarDate? {
    let histories = try MergedAccounts.names(of: id, snapshot).compactMap { name -> BirthDateHistory? in
      guard let subject = Subject(name), try !snapshot.vault.isErased(subject) else { return nil }
      return try history(of: name, isTest: false, snapshot)
    }
    let stated = histories.filter { !$0.statements.isEmpty }
    let first = stated.min { ($0.statements.first?.at).orEpoch < ($1.statements.first?.at).orEpoch }
    return first?.statements.last?.date
  }

  /// Stores the subject's first statement of a birth date. Stating the same date again changes nothing; another date is
  /// refused.
  static func state(
    _ date: CalendarDate, in session: StoredSession, field: String, by caller: Caller, _ transaction: Transaction
  ) throws {
    try state(date, ConsentEvent(.birthDateStated, of: session), field: field, by: caller, transaction)
  }

  /// The same for a birth date that staff enters from a consent on paper.
  static func state(
    _ date: CalendarDate, on record: ConsentRecord, field: String, by caller: Caller, _ transaction: Transaction
  ) throws {
    let event = ConsentEvent(
      kind: .birthDateStated, studyID: record.studyID, siteID: record.siteID, subjectID: record.subjectID,
      recordID: record.recordID)
    try state(date, event, field: field, by: caller, transaction)
  }

  private static func state(
    _ date: CalendarDate, _ event: ConsentEvent, field: String, by caller: Caller, _ transaction: Transaction
  ) throws {
    if try isStated(date, of: event.subjectID, isTest: event.test, field: field, transaction) { return }
    let statement = BirthDateStatement(
      date: date, at: Timestamp(transaction.now), actor: caller.actor, sessionID: event.sessionID)
    try add(statement, event, by: caller, transaction)
  }

  /// Whether this date was stated before; false if none was. Throws if another one was stated. After several wrong
  /// dates it throws for any date for a while, so that nobody can find the right one by guessing.
  static func isStated(
    _ date: CalendarDate, of subjectID: String, isTest: Bool, field: String, _ snapshot: Snapshot
  ) throws -> Bool {
    guard let known = try stated(of: subjectID, isTest: isTest, snapshot) else { return false }
    if let refusal = try BirthDateMisses.refusal(of: subjectID, isTest: isTest, field: field, snapshot) {
      throw refusal
    }
    guard known == date else { throw other(field) }
    return true
  }

  /// Compares a date that was stated in an offline walk with the one on record, within the same limit on wrong dates.
  /// The walk's decisions are recorded in any case, so the refusal is returned instead of thrown.
  static func misfit(
    of date: CalendarDate?, with known: CalendarDate, _ subject: Subject, isTest: Bool, _ transaction: Transaction
  ) throws -> Refusal? {
    let field = "action.answers"
    if let refusal = try BirthDateMisses.refusal(of: subject.id, isTest: isTest, field: field, transaction) {
      return refusal
    }
    if date == known { return nil }
    try BirthDateMisses.add(of: subject, isTest: isTest, transaction)
    return other(field)
  }

  /// Stores a correction. Returns false if the date is the valid one already.
  static func correct(
    _ date: CalendarDate, of subjectID: String, in studyID: String, reason: String, by caller: Caller,
    _ transaction: Transaction
  ) throws -> Bool {
    guard let known = try stated(of: subjectID, isTest: false, transaction) else {
      let message = "no birth date was stated for subject_id '\(subjectID.shortened)', so there is none to correct"
      throw Refusal(.precondition, "birth_date_missing", field: "subject_id", message)
    }
    if known == date { return false }
    let statement = BirthDateStatement(
      date: date, at: Timestamp(transaction.now), actor: caller.actor, reason: reason)
    let event = ConsentEvent(kind: .birthDateCorrected, studyID: studyID, subjectID: subjectID)
    try add(statement, event, by: caller, transaction)
    try BirthDateMisses.forget(of: try Subject.stored(subjectID), transaction)
    return true
  }

  /// The refusal of a date that differs from the valid one.
  static func other(_ field: String) -> Refusal {
    let message = "\(field) differs from the birth date that was stated for this subject before; staff corrects it"
    return Refusal(.precondition, otherRule, field: field, message)
  }

  private static func add(
    _ statement: BirthDateStatement, _ event: ConsentEvent, by caller: Caller, _ transaction: Transaction
  ) throws {
    let subject = try Subject.stored(event.subjectID)
    var history = try history(of: event.subjectID, isTest: event.test, transaction)
    history.statements.append(statement)
    try transaction.vault.put(try history.encoded(), as: item(isTest: event.test), of: subject)
    let commitment = try transaction.vault.commit(
      to: Array((statement.date?.checked?.description ?? "").utf8), as: "birth date", of: subject)
    var event = event
    event.hash = commitment.digest.hex
    try transaction.note(event, by: caller)
  }
}
