internal import Base
package import ConsentContract

/// Whether a step is shown, by what is known when it would be entered.
enum StepConditions {
  /// - Parameter birthDate: nil while it is not known; then no condition about age holds.
  static func holds(
    _ condition: StepCondition?, answers: [StepAnswers], birthDate: CalendarDay?, on day: CalendarDay
  ) -> Bool {
    guard let condition else { return true }
    return condition.answers.allSatisfy { holds($0, answers) } && holds(condition.age, birthDate, on: day)
  }

  private static func holds(_ condition: AgeCondition?, _ birthDate: CalendarDay?, on day: CalendarDay) -> Bool {
    guard let condition else { return true }
    guard let birthDate else { return false }
    let age = Age.years(from: birthDate, on: day)
    return age >= Int(condition.fromAge) && (condition.belowAge == 0 || age < Int(condition.belowAge))
  }

  private static func holds(_ condition: AnswerCondition, _ answers: [StepAnswers]) -> Bool {
    let given = answers.first { $0.stepID == condition.stepID }?.answers.first { $0.questionID == condition.questionID }
    guard let given, !given.isEmpty else { return condition.negated }
    return isSo(condition, given) != condition.negated
  }

  private static func isSo(_ condition: AnswerCondition, _ given: QuestionAnswer) -> Bool {
    if !condition.choiceIDs.isEmpty { return condition.choiceIDs.contains(where: given.choiceIDs.contains) }
    if condition.boolean != .unspecified { return given.boolean == condition.boolean }
    guard let value = given.number?.value else { return false }
    return (condition.atLeast.map { value >= $0.value } ?? true) && (condition.atMost.map { value <= $0.value } ?? true)
  }
}

extension StepCondition {
  /// Whether the step may be shown at a site at all.
  func mayHold(at siteID: String) -> Bool { siteIDs.isEmpty || siteIDs.contains(siteID) }
}

extension FlowDefinition {
  /// The definition as it is walked at a site: without the steps that are for other sites only.
  package func walked(at siteID: String) -> FlowDefinition {
    var walked = self
    walked.steps = steps.filter { $0.condition?.mayHold(at: siteID) ?? true }
    return walked
  }
}
