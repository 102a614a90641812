internal import Base
internal import ConsentContract
internal import Refusals
internal import Wire

/// The contents of actions: answers, choices, names, signatures, decisions.
extension FlowRun {
  mutating func answer(
    _ action: FlowAction, _ step: ScriptStep, _ page: ScriptPage
  ) throws(Refusal) -> QuizVerdict {
    let today = CalendarDay(of: now, offsetMinutes: Int(action.deviceTime?.utcOffsetMinutes ?? 0))
    if case .birthDate = page {
      (state.birthDate, state.birthDateStated) = (try AnswerRules.birthDate(action.answers, today: today), true)
      return .passed
    }
    guard case .questions(let questions) = page else { return .passed }
    try AnswerRules.check(action.answers, for: questions.questions, today: today)
    if let birth = questions.questions.first(where: { $0.kind == .birthDate }),
      let date = action.answers.first(where: { $0.questionID == birth.id })?.date
    {
      (state.birthDate, state.birthDateStated) = (date, true)
    }
    let document = script.documents[step.documentID]
    let hasPassed = state.attempts.contains { $0.documentID == step.documentID && $0.passed }
    // Questions that were passed stay passed: going back to them changes no answer and costs no attempt.
    if document != nil, hasPassed { return .passed }
    remember(AnswerRules.kept(action.answers, for: questions.questions), to: questions.questions, of: step.id)
    guard questions.isLast, let document, let test = document.settings.comprehension else { return .passed }
    return score(test, step, document)
  }

  /// Stores the answers of one screen. An earlier answer to one of its questions is removed if it is left out now.
  private mutating func remember(_ answers: [QuestionAnswer], to questions: [QuestionDefinition], of stepID: String) {
    let index = state.answers.firstIndex { $0.stepID == stepID }
    var kept = index.map { state.answers[$0].answers } ?? []
    kept.removeAll { old in questions.contains { $0.id == old.questionID } }
    kept += answers
    if let index {
      state.answers[index].answers = kept
    } else {
      state.answers.append(StepAnswers(stepID: stepID, answers: kept))
    }
  }

  private mutating func score(_ test: ComprehensionTest, _ step: ScriptStep, _ document: ScriptDocument) -> QuizVerdict
  {
    // Another session of the subject may have used up the last attempt meanwhile.
    if AttemptRules.isUsedUp(test, state.attempts, at: document.id) { return .failed }
    let answers = state.answers.first { $0.stepID == step.id }?.answers ?? []
    let score = test.questions.count { question in
      answers.first { $0.questionID == question.id }.map { AnswerRules.isRight($0, to: question) } ?? false
    }
    let passed = score >= Int(test.passMark)
    state.attempts.append(
      QuestionAttempt(documentID: document.id, stepID: step.id, score: Int32(score), passed: passed, at: time))
    if passed { return .passed }
    let isLast = AttemptRules.isUsedUp(test, state.attempts, at: document.id)
    if test.afterFailedAttempt == .end || isLast { return .failed }
    return test.afterFailedAttempt == .restudy ? .restudy : .retry
  }

  mutating func share(_ action: FlowAction, _ step: ScriptStep) throws(Refusal) {
    guard action.sharing == .wide || action.sharing == .investigatorOnly else {
      let message = "sharing is \(action.sharing.number); it must be wide or investigator only, and cannot be skipped"
      throw Refusal(.invalid, "sharing_not_chosen", field: "action.sharing", message)
    }
    state.sharing.removeAll { $0.documentID == step.documentID }
    state.sharing.append(SharingResult(documentID: step.documentID, choice: action.sharing))
  }

  mutating func enterName(_ action: FlowAction, _ step: ScriptStep, _ page: ScriptPage) throws(Refusal) {
    guard let signature = page.signature else { return }
    let name = try SigningRules.name(action.name)
    state.pendingNames.removeAll { $0.documentID == step.documentID && $0.signatureID == signature.id }
    state.pendingNames.append(
      GivenSignature(
        documentID: step.documentID, signatureID: signature.id, name: name, signedAt: time,
        deviceTime: action.deviceTime))
  }

  mutating func sign(
    _ action: FlowAction, _ step: ScriptStep, _ page: ScriptPage, _ proof: SignatureProof
  ) throws(Refusal) {
    guard let signature = page.signature else { return }
    let name = state.pendingNames.first { $0.documentID == step.documentID && $0.signatureID == signature.id }?.name
    let input = try SigningRules.input(action.signature, for: signature, printed: name, proof: proof)
    let text = script.documents[step.documentID]?.text
    try proof.field?.words.check(printed: name, meaning: text?.signature(signature.id).meaning ?? "")
    replaceSignature(
      GivenSignature(
        documentID: step.documentID, signatureID: signature.id, name: name, input: input, signedAt: time,
        deviceTime: action.deviceTime, strokesHash: proof.field?.hash ?? "",
        authentication: signature.requiresReauthentication ? proof.authentication : nil,
        savedSignatureID: proof.field?.savedSignatureID ?? "", typedInField: proof.field?.isTyped ?? false,
        origin: proof.field.flatMap(\.stated)))
  }

  mutating func replaceSignature(_ given: GivenSignature) {
    state.signatures.removeAll { $0.documentID == given.documentID && $0.signatureID == given.signatureID }
    state.signatures.append(given)
  }

  /// Stores the answers about optional purposes; agreeing counts only with all of them.
  mutating func choosePurposes(_ action: FlowAction, _ step: ScriptStep) throws(Refusal) {
    let questions = script.documents[step.documentID]?.purposeQuestions ?? []
    guard !questions.isEmpty else { return }
    try AnswerRules.check(action.answers, for: questions, today: state.startDay)
    remember(AnswerRules.kept(action.answers, for: questions), to: questions, of: step.id)
  }

  /// The optional purposes of a review's document to which the person has said no.
  private func declinedPurposes(_ step: ScriptStep) -> [String] {
    let answers = state.answers.first { $0.stepID == step.id }?.answers ?? []
    let optional = script.documents[step.documentID]?.settings.optionalPurposes ?? []
    return optional.filter { code in answers.first { $0.questionID == code }?.boolean != .yes }
  }

  /// Records that a review was agreed or disagreed to. Disagreeing clears names and signatures, so that agreeing later
  /// starts without any.
  mutating func decide(_ step: ScriptStep, agreed: Bool, _ action: FlowAction) {
    let document = script.documents[step.documentID]
    let review = document?.review ?? ReviewDocument()
    changes.append(.reviewShown(documentID: step.documentID, hash: review.hash, html: review.html))
    state.documents.removeAll { $0.stepID == step.id }
    state.documents.append(
      DocumentResult(
        documentID: step.documentID, stepID: step.id, agreed: agreed, decidedAt: time, deviceTime: action.deviceTime,
        shownHash: review.hash, locale: document?.text.locale ?? "", localeHash: document?.localeHash ?? "",
        fileHash: document?.fileHash ?? "", declinedPurposes: agreed ? declinedPurposes(step) : []))
    guard !agreed else { return }
    state.signatures.removeAll { $0.documentID == step.documentID }
    state.pendingNames.removeAll { $0.documentID == step.documentID }
    state.answers.removeAll { $0.stepID == step.id }
  }

  mutating func decideForm(_ step: ScriptStep, allowed: Bool, _ action: FlowAction) {
    guard case .form(let form, _)? = step.pages.first else { return }
    let result = FormResult(
      stepID: step.id, purpose: form.purpose(in: step.id), allowed: allowed, decidedAt: time,
      deviceTime: action.deviceTime)
    state.forms.append(result)
    changes.append(.formDecided(result))
  }
}
