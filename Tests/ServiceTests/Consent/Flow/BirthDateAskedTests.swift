import Base
import ConsentContract
import ConsentDomain
import ServicePolicy
import Testing

/// A rule about age is applied to a birth date that was stated, never to one that might have been.
@Suite("Where a birth date is asked for")
struct BirthDateAskedTests {
  private static let child = CalendarDate(year: 2014, month: 1, day: 1)

  private static func review(_ id: String, _ condition: StepCondition? = nil) -> FlowStep {
    FlowStep(id: id, condition: condition, step: .review(ReviewStep(documentID: id)))
  }

  private static func ask(_ id: String, _ question: QuestionDefinition, _ condition: StepCondition? = nil) -> FlowStep {
    let item = FlowQuestion(definition: question, prompt: "Well?".inEnglish)
    return FlowStep(id: id, condition: condition, step: .question(QuestionStep(questions: [item])))
  }

  private static let choice = ask("ask", QuestionDefinition(id: "q", kind: .boolean))
  private static let saidYes = StepCondition(
    answers: [AnswerCondition(stepID: "ask", questionID: "q", boolean: .yes)])

  /// A walk of steps with the documents "a" and "b", for which guardians sign, after the first answer.
  private func walker(_ steps: [FlowStep], answer: BooleanAnswer) throws -> Walker {
    let texts = ScreenTexts(locale: try .of("en"), standIn: try .of("en"))
    var settings = Example.settings()
    (settings.comprehension, settings.offersSharing) = (nil, false)
    settings.age = AgePolicy(minimumAge: 6, majorityAge: 18)
    settings.signatures.append(SignatureDefinition(id: "guardian", role: .guardian, requiresName: true))
    let documents = ["a", "b"].map { id in
      ScriptDocument(
        id: id, version: 1, versionHash: "v", localeHash: "l", settings: settings, text: Example.text("en"),
        texts: texts)
    }
    let definition = FlowDefinition(
      defaultLocale: "en", steps: steps + [FlowStep(id: "end", step: .completion(CompletionStep()))])
    var walker = Walker(
      FlowEngine(
        try FlowScript(
          flowID: "flow", flowVersion: 1, flowHash: "f", definition: definition, documents: documents, texts: texts,
          birthDateGiven: false)))
    try walker.act(FlowAction(kind: .answer, answers: [QuestionAnswer(questionID: "q", boolean: answer)]))
    return walker
  }

  @Test("a review asks although an earlier one that was not shown would have asked")
  func skippedReview() throws {
    let steps = [Self.choice, Self.review("a", Self.saidYes), Self.review("b")]
    var walker = try walker(steps, answer: .no)
    #expect(walker.screen.stepID == "b" && walker.screen.questions.map(\.kind) == [.birthDate])
    try walker.act(FlowAction(kind: .answer, answers: [QuestionAnswer(questionID: "birth-date", date: Self.child)]))
    try walker.goOn()
    #expect(walker.outcome == .completed && walker.state.signatures.map(\.signatureID) == ["guardian"])
  }

  @Test("a review asks although a question that was not shown would have")
  func skippedQuestion() throws {
    let born = Self.ask("born", QuestionDefinition(id: "born", kind: .birthDate), Self.saidYes)
    let asked = try walker([Self.choice, born, Self.review("b")], answer: .no)
    #expect(asked.screen.stepID == "b" && asked.screen.questions.map(\.kind) == [.birthDate])
    var answered = try walker([Self.choice, born, Self.review("b")], answer: .yes)
    #expect(answered.screen.stepID == "born")
    try answered.act(FlowAction(kind: .answer, answers: [QuestionAnswer(questionID: "born", date: Self.child)]))
    #expect(answered.screen.kind == .review, "it was just stated")
    try answered.goOn()
    #expect(answered.state.signatures.map(\.signatureID) == ["guardian"])
  }

  @Test("a question that was left open states nothing; one review asks for all that follow it")
  func optionalQuestion() throws {
    let born = Self.ask("born", QuestionDefinition(id: "born", kind: .birthDate, optional: true))
    var walker = try walker([Self.choice, born, Self.review("a"), Self.review("b")], answer: .no)
    try walker.act(FlowAction(kind: .answer))
    #expect(walker.screen.stepID == "a" && walker.screen.questions.map(\.kind) == [.birthDate])
    try walker.act(FlowAction(kind: .answer, answers: [QuestionAnswer(questionID: "birth-date", date: Self.child)]))
    try walker.goOn { $0.stepID == "b" }
    #expect(walker.screen.kind == .review)
  }

  @Test("nobody agrees under a rule about age, and no record says old enough, without a birth date")
  func nothingAssumed() throws {
    var settings = Example.settings()
    (settings.comprehension, settings.age) = (nil, AgePolicy(minimumAge: 6, majorityAge: 18))
    #expect(AgeRule.check(settings, documentID: "a", birthDate: nil, .ofAge) == nil)
    let texts = ScreenTexts(locale: try .of("en"), standIn: try .of("en"))
    let document = ScriptDocument(
      id: "a", version: 1, versionHash: "v", localeHash: "l", settings: settings, text: Example.text("en"),
      texts: texts)
    let refusal = #expect(throws: Refusal.self) {
      try SigningRules.check(document, state: SessionState(), at: Example.now)
    }
    #expect(refusal?.rule == "birth_date_missing")
  }
}
