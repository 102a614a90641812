internal import Base
internal import ConsentContract

/// The facts that an offline table knows of a session: those that had been stated when it was made. A replay must use
/// the same facts, or it would refuse, or interpret otherwise, what the table offered.
struct TableFacts: Sendable {
  let birthDate: CalendarDay?
  private let answers: [StepAnswers]
  private let earlierConsents: [EarlierConsent]

  init(of state: SessionState) {
    birthDate = state.birthDate?.checked
    answers = state.answers
    earlierConsents = state.earlierConsents
  }

  /// Questions count as passed, and people whose birth date is not known as of age. A question that must be answered
  /// counts as answered.
  func facts(on started: CalendarDay) -> FlowFacts {
    let (birthDate, answers) = (birthDate, answers)
    return FlowFacts(
      standing: { AgeRule.standing($0.settings.age, birthDate: birthDate, on: started) },
      shows: { StepConditions.holds($0.condition, answers: answers, birthDate: birthDate, on: started) },
      knowsBirthDate: birthDate != nil,
      statesBirthDate: { step in step.birthDateQuestions.contains { !$0.optional } },
      earlierConsents: earlierConsents)
  }
}
