internal import Base
internal import ConsentContract

/// Checks the order of steps: completion once and last; what a review needs comes before it, and nothing about its
/// document after it.
extension FlowValidation {
  mutating func checkOrder() {
    let completions = places { if case .completion = $0 { true } else { false } }
    let count = definition.steps.count
    if completions.count != 1 || completions.first != count - 1 {
      let message = "must end with one completion step; it has \(completions.count), and \(count) steps"
      list.error("completion_not_last", "steps", message)
    }
    for (documentID, settings) in documents.sorted(by: { $0.key < $1.key }) {
      checkOrder(of: documentID, settings)
    }
  }

  private func places(_ matches: (FlowStep.Step) -> Bool) -> [Int] {
    definition.steps.indices.filter { definition.steps[$0].step.map(matches) ?? false }
  }

  private mutating func checkOrder(of documentID: String, _ settings: DocumentSettings) {
    let reviews = places { if case .review(let step) = $0 { step.documentID == documentID } else { false } }
    let quizzes = places { if case .question(let step) = $0 { step.documentID == documentID } else { false } }
    let visuals = places { if case .visual(let step) = $0 { step.documentID == documentID } else { false } }
    let sharings = places { if case .sharing(let step) = $0 { step.documentID == documentID } else { false } }
    let named = "document '\(documentID)'"
    for (what, found) in [("review", reviews), ("question", quizzes), ("sharing", sharings)] where found.count > 1 {
      list.error("step_repeated", "steps", "has \(found.count) \(what) steps of \(named); 1 is allowed")
    }
    checkRestudy(settings, visuals: visuals, quizzes: quizzes, named)
    guard let review = reviews.first else {
      if !(visuals + quizzes + sharings).isEmpty {
        list.warning("no_review", "steps", "shows \(named) without a review")
      }
      return
    }
    let field = "steps[\(definition.steps[review].id.shortened)]"
    for (what, found) in [("visual", visuals), ("question", quizzes), ("sharing", sharings)]
    where found.contains(where: { $0 > review }) {
      list.error("review_too_early", field, "stands before a \(what) step of \(named)")
    }
    if settings.comprehension != nil, quizzes.isEmpty {
      let message = "reviews \(named), which has questions, without asking them: it could never be signed"
      list.error("questions_not_asked", field, message)
    }
    if settings.offersSharing, sharings.isEmpty {
      let message = "reviews \(named), which offers a sharing choice, without a sharing step"
      list.error("sharing_not_asked", field, message)
    }
  }

  /// Going back to the sections must not pass a decision, which would then be made twice.
  private mutating func checkRestudy(_ settings: DocumentSettings, visuals: [Int], quizzes: [Int], _ named: String) {
    guard settings.comprehension?.afterFailedAttempt == .restudy, let quiz = quizzes.first,
      let study = visuals.last(where: { $0 < quiz })
    else { return }
    let decides = definition.steps[study..<quiz].contains { step in
      switch step.step {
      case .form, .review: true
      default: false
      }
    }
    guard decides else { return }
    let message = "decide something between the sections of \(named) and its questions: it would be decided again"
    list.error("restudy_across_decisions", "steps", message)
  }
}
