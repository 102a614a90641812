import Base
import ConsentContract
import ConsentDomain
import Wire

extension VerifiedAuthentication {
  /// A verified authentication, for tests of the steps after verification.
  static let example = VerifiedAuthentication(verifierID: "idp", signer: "s1", method: "passcode")
}

extension SavedField {
  /// A field that was checked, for tests of the steps after that.
  static let example = SavedField(
    fieldID: "f", place: SignaturePlace(), isClosed: false, revision: 1, savedSignatureID: "saved-f", hash: "ab",
    typedText: nil)
}

/// Walks a session as a person would, one action at a time.
struct Walker {
  let engine: FlowEngine
  private(set) var state: SessionState
  private(set) var changes: [FlowChange]
  private(set) var time: Instant

  init(_ engine: FlowEngine, birthDate: CalendarDate? = nil, at now: Instant = Example.now) {
    self.engine = engine
    (state, changes) = engine.start(birthDate: birthDate, at: now)
    time = now
  }

  var screen: ConsentScreen { engine.screen(of: state) }
  var outcome: SessionOutcome { state.outcome }

  @discardableResult
  mutating func act(_ action: FlowAction, proof: SignatureProof = SignatureProof()) throws -> ConsentScreen {
    time = time + .seconds(1)
    let (next, made) = try engine.apply(action, to: state, proof: proof, at: time)
    state = next
    changes += made
    return screen
  }

  @discardableResult
  mutating func act(_ kinds: ActionKind...) throws -> ConsentScreen {
    for kind in kinds { try act(FlowAction(kind: kind)) }
    return screen
  }

  /// Tells the session what its person has consented to in others.
  mutating func hasConsented(_ earlier: [EarlierConsent]) { state.earlierConsents = earlier }

  /// Ends the session from outside.
  mutating func end(as outcome: SessionOutcome) {
    let (ended, made) = engine.end(state, as: outcome, at: time)
    (state, changes) = (ended, changes + made)
  }

  /// Continues the session in another language.
  mutating func changeLanguage() { state = engine.inAnotherLanguage(state) }

  /// Goes on towards a successful end, until `isThere` or the end.
  mutating func goOn(until isThere: (ConsentScreen) -> Bool = { _ in false }) throws {
    for _ in 0..<500 where state.position?.closed != true {
      if isThere(screen) { return }
      try act(Self.goodAction(on: screen), proof: SignatureProof(field: .example, authentication: .example))
    }
  }

  /// The action of a person who wants to take part and has understood.
  static func goodAction(on screen: ConsentScreen) -> FlowAction {
    let wanted: [ActionKind] = [
      .next, .allow, .answer, .share, .scrolledToEnd, .agree, .enterName, .sign, .done, .confirm,
    ]
    let kind = wanted.first { screen.offered.contains($0) } ?? .unspecified
    return filled(kind, on: screen)
  }

  /// The action with all its fields, right answers included.
  static func filled(_ kind: ActionKind, on screen: ConsentScreen, right: Bool = true) -> FlowAction {
    var action = FlowAction(kind: kind)
    switch kind {
    case .answer, .agree: action.answers = screen.questions.map { answer($0, right: right) }
    case .share: action.sharing = .wide
    case .enterName: action.name = PersonName(given: "Ada", family: "Lovelace")
    case .sign:
      action.signature = SignatureInput(
        image: .typed(TypedSignature(text: "Ada Lovelace", font: "plain")), otherThanName: true)
      if screen.signatureForm?.typedAllowed == false {
        action.signature?.image = .drawn(DrawnSignature(fieldID: "field", revision: 1))
      }
    default: break
    }
    return action
  }

  private static func answer(_ question: ScreenQuestion, right: Bool) -> QuestionAnswer {
    switch question.kind {
    case .single: QuestionAnswer(questionID: question.id, choiceIDs: [question.choices[right ? 0 : 1].id])
    case .multiple:
      QuestionAnswer(
        questionID: question.id, choiceIDs: right ? question.choices.prefix(2).map(\.id) : [question.choices[0].id])
    case .boolean: QuestionAnswer(questionID: question.id, boolean: right ? .yes : .no)
    case .text: QuestionAnswer(questionID: question.id, text: right ? "right" : "wrong")
    default: QuestionAnswer(questionID: question.id, date: CalendarDate(year: 1980, month: 5, day: 17))
    }
  }
}

extension OfflineBundle {
  /// The actions of a walk with the table alone, like that of a client without any consent logic.
  func walked(right: Bool = true, _ change: (inout FlowAction) -> Void = { _ in }) -> [FlowAction] {
    var row = 0
    var actions: [FlowAction] = []
    while let screen = screens[row].screen, !screens[row].edges.isEmpty {
      let good = Walker.goodAction(on: screen)
      var action = Walker.filled(good.kind, on: screen, right: right)
      action.deviceTime = DeviceTime(at: Timestamp(Example.now + .seconds(-5)), utcOffsetMinutes: 60)
      change(&action)
      actions.append(action)
      row = Int(screens[row].edges.first { $0.action == action.kind }?.successor ?? 0)
    }
    return actions
  }
}
