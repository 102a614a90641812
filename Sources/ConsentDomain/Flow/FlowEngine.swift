package import Base
package import ConsentContract
package import Refusals
internal import Wire

/// A final decision of a step of a session; records are made from these.
package enum FlowChange: Equatable, Sendable {
  case formDecided(FormResult)
  case documentDecided(DocumentResult)
  /// A review was agreed or disagreed to: the text that was shown, even if texts and languages change afterwards.
  case reviewShown(documentID: String, hash: String, html: String)
  case ended(SessionOutcome)
}

/// What was verified about a signature before the engine gets it.
package struct SignatureProof: Equatable, Sendable {
  /// The field that was checked for this signature; nil unless it is drawn.
  package var field: SavedField?
  /// The fresh authentication that was verified; nil if there was none.
  package var authentication: VerifiedAuthentication?

  package init(field: SavedField? = nil, authentication: VerifiedAuthentication? = nil) {
    self.field = field
    self.authentication = authentication
  }
}

/// Runs sessions: `(script, state, action, now) → state' + changes`, and the screen of any state. It does no I/O and
/// reads no clock.
package struct FlowEngine: Sendable {
  package let script: FlowScript
  /// The facts that an offline table knew; nil for a live session. A replay moves as its table did: without right
  /// answers, and without anything that was stated after the table was made. `OfflineWalk` checks afterwards what this
  /// let through.
  let table: TableFacts?

  package init(_ script: FlowScript) {
    self.init(script, table: nil)
  }

  init(_ script: FlowScript, table: TableFacts?) {
    self.script = script
    self.table = table
  }

  /// A new session at its first screen.
  package func start(birthDate: CalendarDate?, at now: Instant) -> (state: SessionState, changes: [FlowChange]) {
    var run = FlowRun(script: script, state: SessionState(), now: now, table: table)
    run.state.birthDate = birthDate
    run.state.birthDateGiven = birthDate != nil
    run.state.birthDateStated = birthDate != nil
    run.state.texts = script.sessionTexts
    run.state.startedAt = Timestamp(now)
    run.state.actedAt = Timestamp(now)
    run.take(run.moves().start, from: nil)
    return (run.state, run.changes)
  }

  /// Applies an action that the current screen offers; throws for others, and changes nothing.
  package func apply(
    _ action: FlowAction, to state: SessionState, proof: SignatureProof = SignatureProof(), at now: Instant
  ) throws(Refusal) -> (state: SessionState, changes: [FlowChange]) {
    var run = FlowRun(script: script, state: state, now: now, table: table)
    try run.apply(action, proof: proof)
    run.state.actedAt = Timestamp(now)
    return (run.state, run.changes)
  }

  /// Ends a session from outside: it expired, was abandoned, or a version that it shows was stopped.
  package func end(
    _ state: SessionState, as outcome: SessionOutcome, at now: Instant
  ) -> (
    state: SessionState, changes: [FlowChange]
  ) {
    guard state.outcome == .unspecified else { return (state, []) }
    var run = FlowRun(script: script, state: state, now: now, table: table)
    run.take(.end(outcome), from: state.position)
    return (run.state, run.changes)
  }

  /// Takes a session up again that was quit, at the screen on which it was quit.
  package func takingUp(_ quit: SessionState, at now: Instant) -> SessionState {
    var state = quit
    state.outcome = .unspecified
    state.position?.closed = false
    state.position?.transition = .slideUp
    state.actedAt = Timestamp(now)
    return state
  }

  /// The complete screen of a state.
  package func screen(of state: SessionState) -> ConsentScreen { screen(of: state, Aftermath()) }

  package func screen(of state: SessionState, _ aftermath: Aftermath) -> ConsentScreen {
    let position = state.position ?? FlowPosition()
    let builder = ScreenBuilder(
      script: script, moves: moves(of: state), given: given(in: state),
      hasAllowed: state.forms.contains(where: \.allowed),
      declinedPurposes: state.documents.reduce(into: [:]) { $0[$1.stepID] = $1.declinedPurposes },
      retry: retry(after: state), aftermath: aftermath)
    var screen = builder.screen(at: position, outcome: state.outcome)
    screen.entries = entries(of: state, at: position)
    if screen.entries?.notice.isEmpty == false {
      screen.state(script.texts.found(.questionsRetry).locale, of: "entries.notice")
    }
    return screen
  }

  /// What was decided in steps that the person has left forwards: only then there is a record of it.
  func given(in state: SessionState) -> DocumentsGiven {
    let finished = Set(state.steps.filter(\.finished).map(\.stepID))
    return DocumentsGiven(state.documents.filter { finished.contains($0.stepID) }.map { ($0.stepID, $0.agreed) })
  }

  /// Whether a document was agreed to in such a step.
  package func hasSigned(in state: SessionState) -> Bool { given(in: state).hasAgreed }

  /// The current step of a session.
  package func stepID(of state: SessionState) -> String { script.steps[Int(state.position?.step ?? 0)].id }

  /// What the current screen offers.
  package func offered(in state: SessionState) -> [ActionKind] {
    moves(of: state).offered(at: state.position ?? FlowPosition())
  }

  package func moves(of state: SessionState) -> FlowMoves {
    let now = state.actedAt.orEpoch
    return FlowRun(script: script, state: state, now: now, table: table).moves()
  }

  /// The document whose page is shown now and its signature, if the screen is one for signing.
  package func pendingSignature(in state: SessionState) -> (document: ScriptDocument, signature: SignatureDefinition)? {
    guard let position = state.position, !position.closed, case .sign(let signature) = script.page(at: position),
      let document = script.documents[script.steps[Int(position.step)].documentID]
    else { return nil }
    return (document, signature)
  }

  private func entries(of state: SessionState, at position: FlowPosition) -> ScreenEntries? {
    guard !position.closed else { return nil }
    let step = script.steps[Int(position.step)]
    switch script.page(at: position) {
    case .questions(let page):
      let kept = state.answers.first { $0.stepID == step.id }?.answers ?? []
      var entries = ScreenEntries(
        answers: kept.filter { answer in page.questions.contains { $0.id == answer.questionID } })
      guard let document = script.documents[step.documentID], let test = document.settings.comprehension else {
        return entries
      }
      let attempts = state.attempts.filter { $0.documentID == document.id }
      entries.attemptsMade = Int32(AttemptRules.made(attempts, at: document.id))
      entries.attemptsLeft = test.attempts == 0 ? -1 : max(0, max(0, test.attempts) - entries.attemptsMade)
      entries.notice = retryNotice(of: document, in: state) ?? ""
      return entries
    case .section:
      // After a failed attempt at some documents' questions, the sections are shown again, and the screen says why.
      guard let document = script.documents[step.documentID] else { return nil }
      return retryNotice(of: document, in: state).map { ScreenEntries(notice: $0) }
    case .read where script.documents[step.documentID]?.settings.optionalPurposes.isEmpty == false:
      return ScreenEntries(answers: state.answers.first { $0.stepID == step.id }?.answers ?? [])
    case .birthDate:
      let told = state.statedBirthDate.map { QuestionAnswer(questionID: "birth-date", date: $0) }
      return ScreenEntries(answers: told.map { [$0] } ?? [])
    case .sharing:
      return ScreenEntries(sharing: state.sharing.first { $0.documentID == step.documentID }?.choice ?? .unspecified)
    case .name(let signature):
      let name = state.pendingNames.first { $0.documentID == step.documentID && $0.signatureID == signature.id }?.name
      return ScreenEntries(name: name)
    case .recap:
      return ScreenEntries(recap: recap(of: step, in: state))
    default:
      return nil
    }
  }

  /// The notice after a failed attempt at a document's questions; nil if the last attempt passed or was renewed.
  private func retryNotice(of document: ScriptDocument, in state: SessionState) -> String? {
    guard let test = document.settings.comprehension,
      let last = state.attempts.last(where: { $0.documentID == document.id }), !last.passed, !last.renewed
    else { return nil }
    let numbers = ["score": String(last.score), "total": String(test.questions.count)]
    return script.texts.filled(.questionsRetry, numbers)
  }
}
