internal import Base
internal import ConsentContract

/// What an offline table knows of a session: what had been stated when it was made. Its replay must look at the same,
/// or it would refuse, or read otherwise, what the table offered.
struct TableFacts: Sendable {
  let birthDate: CalendarDay?
  private let answers: [StepAnswers]

  init(of state: SessionState) {
    birthDate = state.birthDate?.checked
    answers = state.answers
  }

  /// Questions count as passed, people whose birth date is not known as of age. A question that must be answered has an
  /// answer behind it.
  func facts(on started: CalendarDay) -> FlowFacts {
    let (birthDate, answers) = (birthDate, answers)
    return FlowFacts(
      standing: { AgeRule.standing($0.settings.age, birthDate: birthDate, on: started) },
      shows: { StepConditions.holds($0.condition, answers: answers, birthDate: birthDate, on: started) },
      knowsBirthDate: birthDate != nil,
      statesBirthDate: { step in step.birthDateQuestions.contains { !$0.optional } })
  }
}
