internal import Base
internal import ConsentContract
internal import Wire

/// When a flow may be started again after its questions were failed.
enum Retry: Equatable {
  case never, now
  case from(Timestamp)
}

/// What has happened since a session ended, as far as the session's last screen mentions it.
package struct Aftermath {
  /// Whether a version has taken the place of the one that was stopped, so that a new session may begin.
  package var hasSuccessor = false
  /// Whether staff has decided about everything that needed attention.
  package var isAttentionResolved = false
  /// Whether somebody else has still to sign what was agreed to.
  package var isAwaitingOthers = false
  /// Whether what is left of a session that was quit can still be done.
  package var mayGoOn = false

  package init() {}
}

/// What a person can do once a session has ended.
extension ScreenBuilder {
  func ways(after outcome: SessionOutcome) -> [ScreenWay] {
    switch outcome {
    case .completed: []
    case .quit where mayGoOn: [ScreenWay(kind: .goOn, title: texts[.wayGoOn]), contact(), close()]
    case .denied, .quit, .declined, .expired, .abandoned: [startAgain(), contact(), close()]
    case .failedQuestions: retrying() + [contact(), close()]
    case .stopped where aftermath.hasSuccessor: [startAgain(), contact(), close()]
    default: [contact(), close()]
    }
  }

  /// In an offline table, nobody knows yet when its session is handed in.
  var mayGoOn: Bool { aftermath.mayGoOn || isOffline && hasSigned }

  func startAgain(from time: Timestamp? = nil) -> ScreenWay {
    ScreenWay(kind: .startAgain, title: texts[.wayStartAgain], from: time)
  }

  /// The way to contact somebody, in the words of the flow's last step.
  func contact() -> ScreenWay {
    guard case .completion(let completion)? = script.steps.last?.pages.last else { return ScreenWay() }
    return ScreenWay(
      kind: .contact, title: texts[.wayContact], text: first(words(completion.contact), .wayContactText))
  }

  private func close() -> ScreenWay { ScreenWay(kind: .close, title: texts[.wayClose]) }

  private func retrying() -> [ScreenWay] {
    switch retry {
    case .never: []
    case .now: [startAgain()]
    case .from(let time): [startAgain(from: time)]
    }
  }
}

extension FlowEngine {
  /// When the questions that a session failed may be tried again in a new one.
  func retry(after state: SessionState) -> Retry {
    let step = script.steps[Int(state.position?.step ?? 0)]
    guard state.outcome == .failedQuestions, let document = script.documents[step.documentID],
      let test = document.settings.comprehension
    else { return .never }
    guard AttemptRules.isUsedUp(test, state.attempts, at: document.id) else { return .now }
    guard let pause = test.renewedAfter?.duration,
      let last = state.attempts.last(where: { $0.documentID == document.id })
    else { return .never }
    return .from(Timestamp(last.at.orEpoch + pause))
  }
}
