internal import Base
internal import ConsentContract
internal import Refusals
internal import Wire

/// Applies one action to one session. If it throws, the caller keeps the old state.
struct FlowRun {
  let script: FlowScript
  var state: SessionState
  let now: Instant
  let table: TableFacts?
  var changes: [FlowChange] = []

  init(script: FlowScript, state: SessionState, now: Instant, table: TableFacts?) {
    self.script = script
    self.state = state
    self.now = now
    self.table = table
  }

  var time: Timestamp { Timestamp(now) }

  func moves(verdict: QuizVerdict = .passed) -> FlowMoves {
    let started = state.startDay
    if let table { return FlowMoves(script: script, facts: table.facts(on: started)) }
    let birthDate = state.birthDate?.checked
    let answers = state.answers
    return FlowMoves(
      script: script,
      facts: FlowFacts(
        standing: { AgeRule.standing($0.settings.age, birthDate: birthDate, on: started) },
        verdict: verdict,
        shows: { StepConditions.holds($0.condition, answers: answers, birthDate: birthDate, on: started) },
        statesBirthDate: { step in
          let given = answers.first { $0.stepID == step.id }?.answers ?? []
          return step.birthDateQuestions.contains { question in
            given.contains { $0.questionID == question.id && $0.date != nil }
          }
        },
        earlierConsents: state.earlierConsents))
  }

  mutating func apply(_ action: FlowAction, proof: SignatureProof) throws(Refusal) {
    let position = state.position ?? FlowPosition()
    let offered = moves().offered(at: position)
    guard offered.contains(action.kind) else { throw notOffered(action.kind, offered, position) }
    try DeviceTimeRules.check(action.deviceTime, "action.device_time")
    let step = script.steps[Int(position.step)]
    try checkReview(step, at: position, action.kind)
    var verdict = QuizVerdict.passed
    switch action.kind {
    case .answer: verdict = try answer(action, step, script.page(at: position))
    case .share: try share(action, step)
    case .agree:
      try checkSigning(step)
      try choosePurposes(action, step)
    case .sign:
      try checkSigning(step)
      try sign(action, step, script.page(at: position), proof)
    case .enterName: try enterName(action, step, script.page(at: position))
    case .confirm where position.alert == .confirmAgreement:
      try checkSigning(step)
      decide(step, agreed: true, action)
    case .allow: decideForm(step, allowed: true, action)
    case .confirm where position.alert == .consentNeeded: decideForm(step, allowed: false, action)
    case let kind where moves().declines(kind, at: position):
      if step.isReview { decide(step, agreed: false, action) } else { decideForm(step, allowed: false, action) }
    default: break
    }
    let move = moves(verdict: verdict).move(from: position, on: action.kind)
    try requireDecision(in: step, leaving: position, by: move)
    take(move, from: position)
  }

  /// Throws if the person goes on in a review whose text is not the one that was shown, or names or signs before having
  /// agreed. Going back and cancelling are always allowed.
  private func checkReview(_ step: ScriptStep, at position: FlowPosition, _ kind: ActionKind) throws(Refusal) {
    let isTurningAway = [.back, .cancel, .dismiss].contains(kind) || position.alert == .quit
    guard step.isReview, !isTurningAway else { return }
    try script.requireShownReview(state, field: "action.kind")
    switch script.page(at: position) {
    case .name, .sign, .recap:
      guard !state.documents.contains(where: { $0.stepID == step.id && $0.agreed }) else { return }
      let message = "action.kind is '\(kind.word)', and '\(step.documentID)' was not agreed to; go back, and read it"
      throw Refusal(.precondition, "not_agreed", field: "action.kind", message)
    default: return
    }
  }

  /// Throws if a move leaves a review forwards without a decision, so that no session is completed without one.
  private func requireDecision(
    in step: ScriptStep, leaving from: FlowPosition, by move: FlowMove
  ) throws(Refusal) {
    guard step.isReview, case .to(let position) = move, position.step != from.step, position.transition != .pop,
      !state.documents.contains(where: { $0.stepID == step.id })
    else { return }
    let message = "action.kind would leave the review '\(step.id)', in which nothing was decided"
    throw Refusal(.precondition, "nothing_decided", field: "action.kind", message)
  }

  private func checkSigning(_ step: ScriptStep) throws(Refusal) {
    guard table == nil else { return }
    try SigningRules.check(script.documents[step.documentID], state: state, at: now)
  }

  /// Goes to the target of a move, and records what that decides.
  mutating func take(_ move: FlowMove, from: FlowPosition?) {
    assert(from?.closed != true, "a closed session stays where it is")
    switch move {
    case .to(let position):
      if from?.step != position.step, position.transition != .pop { finishReview(leaving: from) }
      forgetSkipped(from: from, to: position)
      markSteps(from: from, to: position)
      keepReview(from: from, to: position)
      state.position = position
      if case .completion = script.page(at: position), state.outcome == .unspecified {
        let given = DocumentsGiven(state.documents.map { ($0.stepID, $0.agreed) })
        end(given.isDeclined(in: script) ? .declined : .completed)
      }
    case .end(let outcome, let leavesStep):
      if leavesStep { finishReview(leaving: from) }
      var position = from ?? FlowPosition()
      position.alert = .unspecified
      position.closed = true
      position.transition = .slideDown
      leaveStep(at: from, finished: leavesStep)
      state.position = position
      end(outcome)
    }
  }

  private mutating func end(_ outcome: SessionOutcome) {
    assert(state.outcome == .unspecified && outcome != .unspecified, "a session has one outcome")
    state.outcome = outcome
    changes.append(.ended(outcome))
  }

  /// Records the decision of a review when the person leaves it forwards: only then it has everything that it asked
  /// for.
  private mutating func finishReview(leaving from: FlowPosition?) {
    guard let from else { return }
    let step = script.steps[Int(from.step)]
    guard let result = state.documents.first(where: { $0.stepID == step.id }) else { return }
    if result.agreed { signWithoutPages(step, at: result) }
    changes.append(.documentDecided(result))
  }

  /// Stores the hash of the review's text, from the first page that shows it until the review is left.
  private mutating func keepReview(from: FlowPosition?, to position: FlowPosition) {
    if from?.step != position.step { state.reviewHash = "" }
    if state.reviewHash.isEmpty { state.reviewHash = script.shownReview(at: position) ?? "" }
  }

  /// Removes what was entered in steps that the move skips, because an answer before them was changed.
  private mutating func forgetSkipped(from: FlowPosition?, to position: FlowPosition) {
    guard let from, position.step > from.step + 1 else { return }
    for step in script.steps[(Int(from.step) + 1)..<Int(position.step)] where !moves().facts.shows(step) {
      state.answers.removeAll { $0.stepID == step.id }
      guard step.isReview || step.pages.contains(where: \.isSharing) else { continue }
      state.documents.removeAll { $0.stepID == step.id }
      state.sharing.removeAll { $0.documentID == step.documentID }
      state.pendingNames.removeAll { $0.documentID == step.documentID }
      state.signatures.removeAll { $0.documentID == step.documentID }
    }
  }

  /// Adds the signatures without a page of their own: the agreement itself is the act, or only the name is asked for.
  private mutating func signWithoutPages(_ step: ScriptStep, at result: DocumentResult) {
    guard let document = script.documents[step.documentID] else { return }
    let standing = moves().facts.standing(document)
    for signature in document.settings.signatures where standing.signs(signature.role) {
      guard !signature.requiresImage, !signature.requiresReauthentication else { continue }
      let name = state.pendingNames.first { $0.documentID == document.id && $0.signatureID == signature.id }
      replaceSignature(
        GivenSignature(
          documentID: document.id, signatureID: signature.id, name: name?.name,
          signedAt: name?.signedAt ?? result.decidedAt, deviceTime: name?.deviceTime ?? result.deviceTime))
    }
  }

  // MARK: Results per step

  private mutating func markSteps(from: FlowPosition?, to: FlowPosition) {
    if from?.step != to.step {
      leaveStep(at: from, finished: to.transition != .pop)
      let id = script.steps[Int(to.step)].id
      if !state.steps.contains(where: { $0.stepID == id }) {
        state.steps.append(StepResult(stepID: id, startedAt: time))
      }
    }
    if case .completion = script.page(at: to) { leaveStep(at: to, finished: true) }
  }

  private mutating func leaveStep(at position: FlowPosition?, finished: Bool) {
    guard let position else { return }
    let id = script.steps[Int(position.step)].id
    guard let index = state.steps.firstIndex(where: { $0.stepID == id }) else { return }
    state.steps[index].endedAt = time
    state.steps[index].finished = state.steps[index].finished || finished
  }

  private func notOffered(_ kind: ActionKind, _ offered: [ActionKind], _ position: FlowPosition) -> Refusal {
    let id = ScreenBuilder(script: script, moves: moves()).name(of: position)
    let list = offered.isEmpty ? "nothing" : offered.map(\.word).joined(separator: ", ")
    return Refusal(
      .precondition, "not_offered", field: "action.kind",
      "'\(kind.word)' is not offered on screen '\(id)'; offered: \(list)")
  }
}
