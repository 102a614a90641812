internal import ConsentContract

/// Checks the conditions of steps: they are about questions that were asked before, and leave no document without what
/// its review needs.
extension FlowValidation {
  mutating func checkConditions() {
    for (index, step) in definition.steps.enumerated() {
      guard let condition = step.condition else { continue }
      let field = "steps[\(step.id.prefix(80))].condition"
      if case .completion = step.step {
        list.error("end_is_conditional", field, "is stated for the end, which is always shown")
      }
      list.checkCount(condition.answers.count, atMost: 20, "\(field).answers")
      list.checkCount(condition.siteIDs.count, atMost: 500, "\(field).site_ids")
      list.checkUnique(condition.siteIDs, "\(field).site_ids")
      if let age = condition.age { check(age, "\(field).age") }
      for (number, answer) in condition.answers.enumerated() {
        check(answer, before: index, "\(field).answers[\(number)]")
      }
    }
    for documentID in documents.keys.sorted() { checkConditions(of: documentID) }
  }

  private mutating func check(_ age: AgeCondition, _ field: String) {
    let bounds = [age.fromAge, age.belowAge]
    if !bounds.allSatisfy({ (0...150).contains($0) }) || (age.belowAge != 0 && age.belowAge <= age.fromAge) {
      list.error("empty_range", field, "must be from 0 to 150, and end after it begins")
    }
  }

  private mutating func check(_ answer: AnswerCondition, before index: Int, _ field: String) {
    let steps = definition.steps[..<index]
    guard let step = steps.first(where: { $0.id == answer.stepID }), case .question(let asked)? = step.step,
      let question = asked.questions.first(where: { $0.definition?.id == answer.questionID })?.definition
    else {
      let name = "\(answer.stepID.prefix(80))/\(answer.questionID.prefix(80))"
      list.error("unknown_question", field, "names '\(name)', which no earlier step of the flow's own asks")
      return
    }
    let isNumber = answer.atLeast != nil || answer.atMost != nil
    let stated = [!answer.choiceIDs.isEmpty, answer.boolean != .unspecified, isNumber]
    let fits: Bool =
      switch question.kind {
      case .single, .multiple: stated == [true, false, false]
      case .boolean: stated == [false, true, false]
      case .number, .scale: stated == [false, false, true]
      default: false
      }
    if !fits { list.error("condition_misfit", field, "does not state one answer of the kind that the question takes") }
    for choice in answer.choiceIDs where !question.choices.contains(where: { $0.id == choice }) {
      list.error("unknown_choice", "\(field).choice_ids", "names '\(choice.prefix(80))', which is not offered")
    }
  }

  /// What a review needs before it is shown whenever the review is.
  private mutating func checkConditions(of documentID: String) {
    let review = definition.steps.first { step in
      if case .review(let review)? = step.step { review.documentID == documentID } else { false }
    }
    guard let review else { return }
    for step in definition.steps {
      let isNeeded =
        switch step.step {
        case .question(let step)?: step.documentID == documentID
        case .sharing(let step)?: step.documentID == documentID
        default: false
        }
      guard isNeeded, let condition = step.condition, condition != review.condition else { continue }
      let message = "differs from that of the review of '\(documentID)', which could then lack what it needs"
      list.error("conditions_differ", "steps[\(step.id)].condition", message)
    }
  }
}
