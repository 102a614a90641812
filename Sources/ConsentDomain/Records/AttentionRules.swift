package import Base
package import ConsentContract
package import Refusals
internal import Wire

/// When a record that needed attention may be confirmed: what was wrong with it must have been put right.
package enum AttentionRules {
  /// The facts on record when somebody decides.
  package struct Facts {
    /// The subject's attempts at the questions of the version, in all sessions.
    package var attempts: [QuestionAttempt]
    /// The birth date on record.
    package var birthDate: CalendarDay?
    /// When the session of the record began.
    package var startedAt: Instant?
    /// The version that was stopped since, in words for the refusal; nil if none was.
    package var stopped: String?

    package init(
      attempts: [QuestionAttempt], birthDate: CalendarDay?, startedAt: Instant? = nil, stopped: String? = nil
    ) {
      self.attempts = attempts
      self.birthDate = birthDate
      self.startedAt = startedAt
      self.stopped = stopped
    }
  }

  /// The record as it is confirmed, with the age check and the month of majority that hold now.
  ///
  /// All rules are checked, whatever was found first: a record names one reason, and may have several.
  package static func confirmed(
    _ record: ConsentRecord, _ settings: DocumentSettings, _ facts: Facts
  ) throws(Refusal) -> ConsentRecord {
    if let stopped = facts.stopped { throw still(record, "\(stopped) was stopped") }
    // Whoever consents on paper is asked no questions here.
    if record.kind != .paper, settings.comprehension != nil, !facts.attempts.contains(where: \.passed) {
      throw still(record, "the subject has not passed the questions of this version in any session")
    }
    do throws(Refusal) {
      try SigningRules.checkDates(settings, at: decided(record, facts))
    } catch {
      throw still(record, "it was agreed to at a time at which it might not be")
    }
    guard settings.age == nil || facts.birthDate != nil else {
      throw still(record, "no birth date is on record, and the document has a rule about age")
    }
    let day = CalendarDay(of: record.decidedAt.orEpoch)
    let standing = AgeRule.standing(settings.age, birthDate: facts.birthDate, on: day)
    guard standing != .tooYoung else { throw still(record, "by the birth date on record the subject was too young") }
    var record = record
    record.ageCheck = AgeRule.check(settings, documentID: record.documentID, birthDate: facts.birthDate, standing)
    record.majorityMonth = AgeRule.majorityMonth(settings.age, birthDate: facts.birthDate, standing)
    return record
  }

  /// When it was agreed to: by the device's clock, between the session's start and the submission.
  private static func decided(_ record: ConsentRecord, _ facts: Facts) -> Instant {
    let submitted = record.decidedAt.orEpoch
    guard let claimed = record.history.first?.deviceTime?.at?.clamped, let started = facts.startedAt else {
      return submitted
    }
    return min(max(claimed, started), submitted)
  }

  private static func still(_ record: ConsentRecord, _ why: String) -> Refusal {
    Refusal(
      .precondition, "attention_still_needed", field: "decision",
      "decision is to confirm record '\(record.recordID)', which needs attention (\(record.attention)): \(why)")
  }
}
