package import Base
package import ConsentContract
package import ServicePolicy
internal import Wire

/// When a record that needed attention may be confirmed: what was wrong with it must be so no longer.
package enum AttentionRules {
  /// What is known of the subject when somebody decides.
  package struct Facts {
    package var attempts: [QuestionAttempt]
    package var birthDate: CalendarDay?

    package init(attempts: [QuestionAttempt], birthDate: CalendarDay?) {
      self.attempts = attempts
      self.birthDate = birthDate
    }
  }

  /// The record as it is confirmed, with the age check that holds now.
  package static func confirmed(
    _ record: ConsentRecord, _ settings: DocumentSettings, _ facts: Facts
  ) throws(Refusal) -> ConsentRecord {
    let rule = String(record.attention.prefix { $0 != ":" })
    switch rule {
    case "below_pass_mark", "attempts_used_up":
      guard facts.attempts.contains(where: \.passed) else {
        throw still(record, "the subject has not passed the questions of this version in any session")
      }
      return record
    case "outside_ethics_approval", "not_offered_now":
      throw still(record, "it was agreed to at a time at which it might not be")
    default:
      return try aged(record, settings, facts)
    }
  }

  private static func aged(
    _ record: ConsentRecord, _ settings: DocumentSettings, _ facts: Facts
  ) throws(Refusal) -> ConsentRecord {
    let day = CalendarDay(of: record.decidedAt.orEpoch)
    let standing = AgeRule.standing(settings.age, birthDate: facts.birthDate, on: day)
    guard standing != .tooYoung else { throw still(record, "by the birth date on record the subject was too young") }
    var record = record
    record.ageCheck = AgeRule.check(settings, documentID: record.documentID, standing)
    return record
  }

  private static func still(_ record: ConsentRecord, _ why: String) -> Refusal {
    Refusal(
      .precondition, "attention_still_needed", field: "decision",
      "decision is to confirm record '\(record.recordID)', which needs attention (\(record.attention)): \(why)")
  }
}
