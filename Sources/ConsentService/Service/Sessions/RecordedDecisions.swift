internal import Base
internal import ConsentContract
internal import ConsentDomain
internal import ServicePolicy

/// Everything that an app says of a consent on screens of its own is used, or refused by name: nothing that a person
/// has decided is left out in silence.
extension RecordConsentRequest {
  /// Refuses names that the flow does not have, and entries that are stated twice.
  func checkNames(in script: FlowScript) throws(Refusal) {
    try Self.checkOnce(forms.map(\.stepID), "forms", "step_id")
    try Self.checkOnce(answers.map(\.stepID), "answers", "step_id")
    try Self.checkOnce(documents.map(\.documentID), "documents", "document_id")
    for (index, form) in forms.enumerated() where script.steps.first(where: { $0.id == form.stepID })?.isForm != true {
      throw Self.unknown("step", form.stepID, "forms[\(index)].step_id", "no form of the flow")
    }
    for (index, given) in answers.enumerated() {
      let field = "answers[\(index)]"
      guard let step = script.steps.first(where: { $0.id == given.stepID }), let known = step.asked(in: script) else {
        throw Self.unknown("step", given.stepID, "\(field).step_id", "no step of the flow that asks questions")
      }
      for (number, answer) in given.answers.enumerated() where !known.contains(answer.questionID) {
        let place = "\(field).answers[\(number)].question_id"
        throw Self.unknown("question", answer.questionID, place, "no question of step '\(given.stepID)'")
      }
    }
    for (index, decision) in documents.enumerated() {
      let field = "documents[\(index)].signatures"
      try Self.checkOnce(decision.signatures.map(\.signatureID), field, "signature_id")
      let settings = script.documents[decision.documentID]?.settings
      try SharingRules.check(decision.sharing, on: settings ?? DocumentSettings(), "documents[\(index)].sharing")
      let purposes = "documents[\(index)].purposes"
      try Self.checkOnce(decision.purposes.map(\.purpose), purposes, "purpose")
      try PurposeRules.checkNames(decision.purposes, settings ?? DocumentSettings(), purposes)
      for (number, signature) in decision.signatures.enumerated()
      where settings?.signature(signature.signatureID) == nil {
        let place = "\(field)[\(number)].signature_id"
        throw Self.unknown("signature", signature.signatureID, place, "none that '\(decision.documentID)' asks for")
      }
    }
  }

  /// Refuses decisions about steps that the walk did not reach. A walk that ended early, by the denial of a mandatory
  /// form for instance, is not checked: its outcome says that the rest was not asked.
  func checkReached(_ state: SessionState) throws(Refusal) {
    guard state.outcome == .completed || state.outcome == .declined else { return }
    for (index, form) in forms.enumerated() where !state.forms.contains(where: { $0.stepID == form.stepID }) {
      throw Self.notReached("forms[\(index)]", "the form of step '\(form.stepID)'")
    }
    for (index, decision) in documents.enumerated() {
      let field = "documents[\(index)]"
      guard state.documents.contains(where: { $0.documentID == decision.documentID }) else {
        throw Self.notReached(field, "document '\(decision.documentID)'")
      }
      for (number, signature) in decision.signatures.enumerated() {
        let isUsed = state.signatures.contains {
          $0.documentID == decision.documentID && $0.signatureID == signature.signatureID
        }
        guard !isUsed else { continue }
        throw Self.notReached("\(field).signatures[\(number)]", "signature '\(signature.signatureID)'")
      }
    }
  }

  private static func checkOnce(_ names: [String], _ field: String, _ part: String) throws(Refusal) {
    var seen: Set<String> = []
    for (index, name) in names.enumerated() where !seen.insert(name).inserted {
      let place = "\(field)[\(index)].\(part)"
      throw Refusal(.invalid, "stated_twice", field: place, "\(place) is '\(name.shortened)', which is stated before")
    }
  }

  private static func unknown(_ what: String, _ name: String, _ field: String, _ which: String) -> Refusal {
    Refusal(.invalid, "unknown_\(what)", field: field, "\(field) is '\(name.shortened)', which is \(which)")
  }

  private static func notReached(_ field: String, _ what: String) -> Refusal {
    Refusal(
      .precondition, "not_reached", field: field,
      "\(field) decides about \(what), which the flow does not ask for after the rest of what is given")
  }
}

extension ScriptStep {
  fileprivate var isForm: Bool { pages.contains { if case .form = $0 { true } else { false } } }

  /// The names of the questions that it may ask; nil for a step that asks none. A review asks for the birth date only
  /// where it is not known.
  fileprivate func asked(in script: FlowScript) -> [String]? {
    if isReview { return script.documents[documentID]?.settings.age == nil ? nil : ["birth-date"] }
    let questions = pages.flatMap { page -> [String] in
      guard case .questions(let asked) = page else { return [] }
      return asked.questions.map(\.id)
    }
    return questions.isEmpty ? nil : questions
  }
}
