internal import Base
internal import ConsentContract
internal import Wire

/// Somebody in the demo who is asked to take part, and what they do on each screen.
struct DemoPerson {
  let given: String
  let family: String
  /// Whether they answer the questions wrongly at first.
  var guesses = false
  /// Whether they agree in the end.
  var agrees = true

  static let participant = DemoPerson(given: "Ada", family: "Lindqvist", guesses: true)
  static let other = DemoPerson(given: "Jonas", family: "Weber", agrees: false)

  func action(on screen: ConsentScreen) throws -> FlowAction {
    let decision: ActionKind = agrees ? .agree : .disagree
    let order: [ActionKind] = [.next, .answer, .share, .scrolledToEnd, decision, .enterName, .sign, .done, .confirm]
    guard let kind = order.first(where: screen.offered.contains) else {
      throw ConsentComplaint("screen '\(screen.id)' offers nothing that leads on")
    }
    var action = FlowAction(kind: kind, deviceTime: DeviceTime(at: Timestamp(Clock.system.now)))
    let isWrong = guesses && screen.entries?.attemptsMade == 0
    switch kind {
    case .answer: action.answers = screen.questions.map { answer($0, isWrong: isWrong) }
    case .share: action.sharing = .wide
    case .enterName: action.name = PersonName(given: given, family: family)
    default: break
    }
    return action
  }

  private func answer(_ question: ScreenQuestion, isWrong: Bool) -> QuestionAnswer {
    switch question.id {
    case "leave": QuestionAnswer(questionID: question.id, choiceIDs: [isWrong ? "end" : "any-time"])
    case "gathered":
      QuestionAnswer(questionID: question.id, choiceIDs: isWrong ? ["steps", "messages"] : ["steps", "pressure"])
    default: QuestionAnswer(questionID: question.id, text: "20")
    }
  }

  func words(for action: FlowAction, on screen: ConsentScreen) -> String {
    switch action.kind {
    case .answer:
      action.answers.map { answer in
        let choices = screen.questions.flatMap(\.choices).filter { answer.choiceIDs.contains($0.id) }.map(\.text)
        return choices.isEmpty ? answer.text : choices.joined(separator: ", ")
      }.joined(separator: "; ")
    case .share: screen.sharingOptions.first?.text ?? ""
    case .enterName: "\(given) \(family)"
    case .sign: "signs with a finger"
    case .scrolledToEnd: "reads to the end"
    default: button(action.kind, on: screen)
    }
  }

  private func button(_ kind: ActionKind, on screen: ConsentScreen) -> String {
    let bar = [screen.navigationBar?.leading, screen.navigationBar?.trailing].compactMap(\.self)
    let buttons = (screen.alert?.buttons ?? []) + (screen.toolbar?.buttons ?? []) + bar
    return buttons.first { $0.action == kind }?.title ?? "\(kind)"
  }
}
