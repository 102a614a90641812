internal import Base
package import ConsentContract

/// Everything that was entered about a document, for the page on which the person certifies it.
extension FlowEngine {
  func recap(of step: ScriptStep, in state: SessionState) -> [RecapLine] {
    guard let document = script.documents[step.documentID] else { return [] }
    return answers(of: document, before: step, in: state) { _ in true } + purposes(of: document, step, in: state)
      + sharing(of: document, in: state)
      + signers(of: document, step, in: state)
  }

  /// What stands on the signed copy of a document of what was entered: all that was certified where the document has a
  /// recap, else the answers that its author has marked.
  package func entered(in stepID: String, _ state: SessionState) -> [RecapLine] {
    guard let step = script.steps.first(where: { $0.id == stepID }), let document = script.documents[step.documentID]
    else { return [] }
    return answers(of: document, before: step, in: state) { document.settings.recap || $0?.onCopy == true }
  }

  /// Answers to questions of the flow's own that were asked before a review, and to the document's.
  ///
  /// - Parameter isWanted: whether the answer to a question belongs to them; nil stands for the birth date.
  private func answers(
    of document: ScriptDocument, before review: ScriptStep, in state: SessionState,
    _ isWanted: (QuestionDefinition?) -> Bool
  ) -> [RecapLine] {
    var lines: [RecapLine] = []
    for step in script.steps.prefix(while: { $0.id != review.id })
    where step.documentID.isEmpty || step.documentID == document.id {
      let given = state.answers.first { $0.stepID == step.id }?.answers ?? []
      for page in step.pages {
        guard case .questions(let page) = page else { continue }
        for question in page.questions where isWanted(question) {
          guard let answer = given.first(where: { $0.questionID == question.id }), !answer.isEmpty else { continue }
          lines.append(line(question, answer, page, step.documentID.isEmpty ? nil : document))
        }
      }
    }
    if let date = state.statedBirthDate?.checked, document.settings.age != nil, isWanted(nil) {
      lines.append(RecapLine(label: script.texts[.birthDateTitle], value: date.description))
    }
    return lines
  }

  private func line(
    _ question: QuestionDefinition, _ answer: QuestionAnswer, _ page: QuestionPage, _ document: ScriptDocument?
  ) -> RecapLine {
    let own = page.own.first { $0.definition?.id == question.id } ?? FlowQuestion()
    func words(_ text: LocalizedText?) -> String { script.translation(of: text)?.text ?? "" }
    let prompt = document?.text.question(question.id).prompt ?? words(own.prompt)
    let choices = answer.choiceIDs.map { choice in
      document?.text.question(question.id).choices.first { $0.choiceID == choice }?.text
        ?? words(own.choices.first { $0.choiceID == choice }?.text)
    }
    let value: String =
      switch question.kind {
      case .single, .multiple: choices.joined(separator: ", ")
      case .boolean: script.texts[answer.boolean == .yes ? .yes : .no]
      case .number, .scale: answer.number.map { "\($0.plainText) \(words(own.unit))" } ?? ""
      case .timeOfDay: answer.timeOfDay?.text ?? ""
      case .date, .birthDate: answer.date?.checked?.description ?? ""
      default: answer.text
      }
    return RecapLine(label: prompt, value: trimmed(value))
  }

  /// What was answered about optional purposes.
  private func purposes(of document: ScriptDocument, _ step: ScriptStep, in state: SessionState) -> [RecapLine] {
    let given = state.answers.first { $0.stepID == step.id }?.answers ?? []
    return document.purposeQuestions.compactMap { question in
      given.first { $0.questionID == question.id }.map { answer in
        RecapLine(
          label: document.text.purpose(question.id).title, value: script.texts[answer.boolean == .yes ? .yes : .no])
      }
    }
  }

  private func sharing(of document: ScriptDocument, in state: SessionState) -> [RecapLine] {
    guard let choice = state.sharing.first(where: { $0.documentID == document.id })?.choice else { return [] }
    let long = ["investigator": document.text.sharing?.investigatorLong ?? ""]
    let key: TextKey = choice == .wide ? .sharingWide : .sharingInvestigator
    return [RecapLine(label: script.texts[.sharingTitle], value: script.texts.filled(key, long))]
  }

  private func signers(of document: ScriptDocument, _ step: ScriptStep, in state: SessionState) -> [RecapLine] {
    let locale = LocaleTag(document.text.locale) ?? script.locale
    return document.settings.signatures.flatMap { signature -> [RecapLine] in
      func isThis(_ given: GivenSignature) -> Bool {
        given.documentID == document.id && given.signatureID == signature.id
      }
      let title = document.text.signature(signature.id).title
      let name = state.pendingNames.first(where: isThis)?.name
      let given = state.signatures.first(where: isThis)
      var lines: [RecapLine] = []
      if let name { lines.append(RecapLine(label: title, value: PrintedName.of(name, locale: locale))) }
      if case .typed(let typed)? = given?.input?.image {
        lines.append(RecapLine(label: document.text.signature(signature.id).meaning, value: typed.text))
      } else if given != nil {
        lines.append(RecapLine(label: document.text.signature(signature.id).meaning, value: script.texts[.signature]))
      }
      return lines
    }
  }
}

extension NumberValue {
  /// Without a fraction where there is none.
  fileprivate var plainText: String {
    value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : "\(value)"
  }
}
