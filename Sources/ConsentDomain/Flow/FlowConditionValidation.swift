internal import Base
internal import ConsentContract

/// Checks the conditions of steps: they are about questions that were asked before, and leave no document without what
/// its review needs.
extension FlowValidation {
  mutating func checkConditions() {
    // The questions of each step before the present one; of several steps with the same name, those of the first.
    var asked: [String: [String: QuestionDefinition]] = [:]
    for step in definition.steps {
      defer { note(step, in: &asked) }
      guard let condition = step.condition else { continue }
      let field = "steps[\(step.id.shortened)].condition"
      if case .completion = step.step {
        list.error("end_is_conditional", field, "is stated for the end, which is always shown")
      }
      list.checkUnique(condition.siteIDs, "\(field).site_ids")
      if let age = condition.age { check(age, "\(field).age") }
      for (number, answer) in condition.answers.enumerated() {
        check(answer, after: asked, "\(field).answers[\(number)]")
      }
    }
    for documentID in documents.keys.sorted() { checkConditions(of: documentID) }
  }

  private func note(_ step: FlowStep, in asked: inout [String: [String: QuestionDefinition]]) {
    guard asked[step.id] == nil else { return }
    guard case .question(let own)? = step.step else {
      asked[step.id] = [:]
      return
    }
    asked[step.id] = own.questions.compactMap(\.definition).keyed(by: \.id)
  }

  private mutating func check(_ age: AgeCondition, _ field: String) {
    let bounds = [age.fromAge, age.belowAge]
    if !bounds.allSatisfy({ (0...150).contains($0) }) || (age.belowAge != 0 && age.belowAge <= age.fromAge) {
      list.error("empty_range", field, "must be from 0 to 150, and end after it begins")
    }
  }

  private mutating func check(
    _ answer: AnswerCondition, after asked: [String: [String: QuestionDefinition]], _ field: String
  ) {
    guard let question = asked[answer.stepID]?[answer.questionID] else {
      let name = "\(answer.stepID.shortened)/\(answer.questionID.shortened)"
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
    let offered = Set(question.choices.map(\.id))
    for choice in answer.choiceIDs where !offered.contains(choice) {
      list.error("unknown_choice", "\(field).choice_ids", "names '\(choice.shortened)', which is not offered")
    }
  }

  /// Question and sharing steps that a review needs must be shown whenever the review is: unconditionally, or under the
  /// review's own condition.
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
      list.error("conditions_differ", "steps[\(step.id.shortened)].condition", message)
    }
  }
}
