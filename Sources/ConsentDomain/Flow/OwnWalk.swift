package import ConsentContract
package import Refusals

/// Turns what an app gathered on screens of its own into the actions that walk the flow.
package struct OwnWalk {
  private let given: RecordConsentRequest

  package init(_ given: RecordConsentRequest) {
    self.given = given
  }

  /// The action for a screen; throws if the flow asks there for something that the app does not give.
  package func action(on screen: ConsentScreen) throws(Refusal) -> FlowAction {
    var action = FlowAction(kind: kind(on: screen), deviceTime: given.deviceTime)
    switch screen.kind {
    case .form: action.kind = try form(on: screen)
    case .questions: action.answers = try answers(on: screen)
    case .sharing: action.sharing = try document(of: screen).sharing
    case .review:
      action.kind = try review(screen)
      if action.kind == .agree { action.answers = try purposes(on: screen) }
    case .name: action.name = try signature(screen.nameForm?.signatureID ?? "", on: screen).name
    case .signature: action.signature = try signature(screen.signatureForm?.signatureID ?? "", on: screen).signature
    default: break
    }
    return action
  }

  private func kind(on screen: ConsentScreen) -> ActionKind {
    let forward: [ActionKind] = [.next, .answer, .share, .enterName, .sign, .done]
    return forward.first { screen.offered.contains($0) } ?? .unspecified
  }

  private func form(on screen: ConsentScreen) throws(Refusal) -> ActionKind {
    if screen.alert != nil { return .confirm }
    if screen.offered.contains(.next) { return .next }
    guard let decision = given.forms.first(where: { $0.stepID == screen.stepID }) else {
      throw missing("forms", "the form of step '\(screen.stepID)'")
    }
    if decision.allowed { return .allow }
    return screen.offered.contains(.deny) ? .deny : .notNow
  }

  private func review(_ screen: ConsentScreen) throws(Refusal) -> ActionKind {
    if screen.alert != nil { return .confirm }
    guard try document(of: screen).agreed else { return .disagree }
    return screen.offered.contains(.agree) ? .agree : .scrolledToEnd
  }

  /// Each optional purpose has an answer: none of them is preselected.
  private func purposes(on screen: ConsentScreen) throws(Refusal) -> [QuestionAnswer] {
    let decision = try document(of: screen)
    var answers: [QuestionAnswer] = []
    for question in screen.questions {
      guard let given = decision.purposes.first(where: { $0.purpose == question.id }) else {
        throw missing("documents[\(decision.documentID)].purposes[\(question.id)]", "purpose '\(question.id)'")
      }
      answers.append(QuestionAnswer(questionID: question.id, boolean: given.allowed ? .yes : .no))
    }
    return answers
  }

  private func answers(on screen: ConsentScreen) throws(Refusal) -> [QuestionAnswer] {
    let known = given.answers.first { $0.stepID == screen.stepID }?.answers ?? []
    let answers = known.filter { answer in screen.questions.contains { $0.id == answer.questionID } }
    if answers.isEmpty, screen.questions.contains(where: { $0.kind == .birthDate }) {
      throw Refusal(
        .precondition, "not_given", field: "birth_date", "birth_date is missing, and the flow asks for it")
    }
    if answers.isEmpty, screen.questions.contains(where: { !$0.optional }) {
      throw missing("answers", "the questions of step '\(screen.stepID)'")
    }
    return answers
  }

  /// The app's decision about the document of a screen. The screen does not name the document, so its step does.
  private func document(of screen: ConsentScreen) throws(Refusal) -> DocumentDecision {
    guard let decision = given.documents.first(where: { documents[screen.stepID] == $0.documentID }) else {
      throw missing("documents", "document '\(documents[screen.stepID] ?? "")'")
    }
    return decision
  }

  /// The documents of steps, by the steps' identifiers.
  package var documents: [String: String] = [:]

  private func signature(_ id: String, on screen: ConsentScreen) throws(Refusal) -> RecordedSignature {
    let decision = try document(of: screen)
    guard let signature = decision.signatures.first(where: { $0.signatureID == id }) else {
      throw missing("\(documentPath(of: screen) ?? "documents").signatures", "signature '\(id)'")
    }
    return signature
  }

  /// The same refusal with the field of the app's request in place of that of the action on a screen.
  package func placed(_ refusal: Refusal, on screen: ConsentScreen) -> Refusal {
    guard let (field, place) = origin(of: refusal.field, on: screen) else { return refusal }
    func moved(_ text: String) -> String { place + text.dropFirst(field.count) }
    return Refusal(
      refusal.kind, refusal.rule, field: moved(refusal.field),
      refusal.message.hasPrefix(refusal.field) ? moved(refusal.message) : refusal.message)
  }

  /// The beginning of a field of an action, and where the app's request has that.
  private func origin(of field: String, on screen: ConsentScreen) -> (field: String, place: String)? {
    switch screen.kind {
    case .questions where field.hasPrefix("action.answers"):
      guard let index = given.answers.firstIndex(where: { $0.stepID == screen.stepID }) else { return nil }
      return ("action.answers", "answers[\(index)].answers")
    case .sharing where field.hasPrefix("action.sharing"):
      return documentPath(of: screen).map { ("action.sharing", "\($0).sharing") }
    case .name where field.hasPrefix("name"):
      return signaturePath(screen.nameForm?.signatureID ?? "", on: screen).map { ("name", "\($0).name") }
    case .signature where field.hasPrefix("signature"):
      let path = signaturePath(screen.signatureForm?.signatureID ?? "", on: screen)
      return path.map { ("signature", "\($0).signature") }
    default: return nil
    }
  }

  private func documentPath(of screen: ConsentScreen) -> String? {
    let index = given.documents.firstIndex { documents[screen.stepID] == $0.documentID }
    return index.map { "documents[\($0)]" }
  }

  private func signaturePath(_ id: String, on screen: ConsentScreen) -> String? {
    guard let path = documentPath(of: screen), let decision = try? document(of: screen) else { return nil }
    return decision.signatures.firstIndex { $0.signatureID == id }.map { "\(path).signatures[\($0)]" }
  }

  private func missing(_ field: String, _ what: String) -> Refusal {
    Refusal(.precondition, "not_given", field: field, "\(field) has nothing about \(what), which the flow asks for")
  }
}

extension FlowScript {
  /// The document of each step that has one.
  package var documentsByStep: [String: String] {
    Dictionary(steps.filter { !$0.documentID.isEmpty }.map { ($0.id, $0.documentID) }) { first, _ in first }
  }
}
