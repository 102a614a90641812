import Base
import ConsentContract
import ConsentDomain
import RPC
import ServicePolicy
import Testing
import Wire

@Suite("Steps that depend on answers, age and site")
struct ConditionTests {
  private static func asking(_ question: QuestionDefinition) -> FlowStep {
    let choices = question.choices.map { FlowChoiceText(choiceID: $0.id, text: $0.id.inEnglish) }
    let item = FlowQuestion(definition: question, prompt: "Which?".inEnglish, choices: choices)
    return FlowStep(id: "ask", step: .question(QuestionStep(questions: [item])))
  }

  private static func told(_ id: String, _ condition: StepCondition?) -> FlowStep {
    FlowStep(
      id: id, condition: condition,
      step: .instruction(InstructionStep(title: id.inEnglish, text: "Text".inEnglish)))
  }

  private static let device = QuestionDefinition(
    id: "device", kind: .single, choices: [QuestionChoice(id: "watch"), QuestionChoice(id: "none")])

  private static func chose(_ choice: String, negated: Bool = false) -> StepCondition {
    StepCondition(
      answers: [AnswerCondition(stepID: "ask", questionID: "device", choiceIDs: [choice], negated: negated)])
  }

  private func walked(_ steps: [FlowStep], answer: QuestionAnswer, birthDate: CalendarDate? = nil) throws -> [String] {
    var walker = Walker(try Example.engine(definition(steps), birthDate: birthDate), birthDate: birthDate)
    try walker.act(FlowAction(kind: .answer, answers: [answer]))
    try walker.goOn()
    return walker.state.steps.map(\.stepID)
  }

  private func definition(_ steps: [FlowStep]) -> FlowDefinition {
    FlowDefinition(
      defaultLocale: "en", steps: steps + [FlowStep(id: "end", step: .completion(CompletionStep()))])
  }

  @Test("a step is shown by what was chosen, or by what was not", arguments: [("watch", "a"), ("none", "b")])
  func choices(choice: String, shown: String) throws {
    let steps = [
      Self.asking(Self.device), Self.told("a", Self.chose("watch")), Self.told("b", Self.chose("watch", negated: true)),
    ]
    let answer = QuestionAnswer(questionID: "device", choiceIDs: [choice])
    #expect(try walked(steps, answer: answer) == ["ask", shown, "end"])
  }

  @Test("by yes or no, and by a number", arguments: [(17.0, false), (18.0, true), (65.0, true), (66.0, false)])
  func numbers(value: Double, isShown: Bool) throws {
    let question = QuestionDefinition(id: "count", kind: .number)
    let condition = StepCondition(
      answers: [
        AnswerCondition(
          stepID: "ask", questionID: "count", atLeast: NumberValue(value: 18), atMost: NumberValue(value: 65))
      ])
    let answer = QuestionAnswer(questionID: "count", number: NumberValue(value: value))
    let steps = [Self.asking(question), Self.told("a", condition)]
    #expect(try walked(steps, answer: answer) == (isShown ? ["ask", "a", "end"] : ["ask", "end"]))
  }

  @Test("by age on the day on which the session started; while no birth date is known, no such step is shown")
  func ages() throws {
    let steps = [
      Self.asking(Self.device), Self.told("child", StepCondition(age: AgeCondition(belowAge: 18))),
      Self.told("adult", StepCondition(age: AgeCondition(fromAge: 18))),
    ]
    let answer = QuestionAnswer(questionID: "device", choiceIDs: ["none"])
    let child = CalendarDate(year: 2012, month: 1, day: 1)
    let adult = CalendarDate(year: 1990, month: 1, day: 1)
    #expect(try walked(steps, answer: answer, birthDate: child) == ["ask", "child", "end"])
    #expect(try walked(steps, answer: answer, birthDate: adult) == ["ask", "adult", "end"])
    #expect(try walked(steps, answer: answer) == ["ask", "end"])
  }

  @Test("an answer that is taken back leads nowhere, and is kept nowhere")
  func takenBack() throws {
    var optional = Self.device
    optional.optional = true
    let steps = [Self.asking(optional), Self.told("a", Self.chose("watch")), Self.told("b", nil)]
    var walker = Walker(try Example.engine(definition(steps)))
    let answer = QuestionAnswer(questionID: "device", choiceIDs: ["watch"])
    #expect(try walker.act(FlowAction(kind: .answer, answers: [answer])).stepID == "a")
    try walker.act(.back)
    #expect(try walker.act(FlowAction(kind: .answer)).stepID == "b")
    #expect(walker.state.answers.flatMap(\.answers).isEmpty)
  }

  @Test("going back and answering otherwise leads another way, and Back passes what is not shown")
  func back() throws {
    let steps = [Self.asking(Self.device), Self.told("a", Self.chose("watch")), Self.told("b", nil)]
    var walker = Walker(try Example.engine(definition(steps)))
    func choose(_ choice: String) throws {
      try walker.act(FlowAction(kind: .answer, answers: [QuestionAnswer(questionID: "device", choiceIDs: [choice])]))
    }
    try choose("watch")
    #expect(walker.screen.stepID == "a")
    try walker.act(.next, .back, .back)
    #expect(walker.screen.stepID == "ask")
    try choose("none")
    #expect(walker.screen.stepID == "b")
    #expect(try walker.act(.back).stepID == "ask")
  }

  @Test("what was entered in a step that is hidden afterwards counts for nothing")
  func hidden() throws {
    var flow = Example.flow()
    flow.steps = [Self.asking(Self.device)] + flow.steps.dropFirst(2)
    var settings = Example.settings()
    settings.comprehension = nil
    flow.steps.remove(at: 1)
    for index in 1...2 { flow.steps[index].condition = Self.chose("watch") }
    var walker = Walker(try Example.engine(flow, settings: settings))
    func choose(_ choice: String) throws {
      try walker.act(FlowAction(kind: .answer, answers: [QuestionAnswer(questionID: "device", choiceIDs: [choice])]))
    }
    try choose("watch")
    try walker.goOn { $0.kind == .signature }
    #expect(walker.state.documents.map(\.agreed) == [true])
    while walker.screen.stepID != "ask" { try walker.act(.back) }
    try choose("none")
    #expect(walker.outcome == .completed && walker.state.documents.isEmpty && walker.state.sharing.isEmpty)
    #expect(!walker.changes.contains { if case .documentDecided = $0 { true } else { false } })
  }

  @Test("what a table cannot know is not walked without a connection")
  func offline() throws {
    let steps = [Self.asking(Self.device), Self.told("a", Self.chose("watch"))]
    let engine = try Example.engine(definition(steps))
    let state = engine.start(birthDate: nil, at: Example.now).state
    let refusal = #expect(throws: Refusal.self) { try OfflineCompiler.table(of: engine, from: state) }
    #expect(refusal?.rule == "conditional_steps")
  }

  private func rules(_ steps: [FlowStep]) -> [String] {
    FlowValidation.problems(in: definition(steps), documents: [:]).filter { $0.severity == .error }.map(\.rule)
  }

  @Test("conditions that can never be decided are refused before they are published")
  func validation() {
    let ask = Self.asking(Self.device)
    #expect(rules([ask, Self.told("a", Self.chose("watch"))]).isEmpty)
    #expect(rules([Self.told("a", Self.chose("watch")), ask]) == ["unknown_question"])
    #expect(rules([ask, Self.told("a", Self.chose("phone"))]) == ["unknown_choice"])
    let boolean = StepCondition(answers: [AnswerCondition(stepID: "ask", questionID: "device", boolean: .yes)])
    #expect(rules([ask, Self.told("a", boolean)]) == ["condition_misfit"])
    let age = StepCondition(age: AgeCondition(fromAge: 18, belowAge: 18))
    #expect(rules([Self.told("a", age)]) == ["empty_range"])
    var conditional = definition([])
    conditional.steps[0].condition = age
    let end = FlowValidation.problems(in: conditional, documents: [:]).map(\.rule)
    #expect(end.contains("end_is_conditional"))
    var flow = Example.flow()
    flow.steps[3].condition = StepCondition(siteIDs: ["north"])
    let differ = FlowValidation.problems(in: flow, documents: [Example.documentID: Example.settings()]).map(\.rule)
    #expect(differ == ["conditions_differ"])
  }

  @Test("a site has its own steps and documents; those of other sites need not be published")
  func sites() async throws {
    let world = try await World()
    var flow = Example.flow()
    for index in 1...4 { flow.steps[index].condition = StepCondition(siteIDs: ["north"]) }
    try await world.open(flow: flow)
    let north = try await world.walk(subject: "s1", site: "north")
    #expect(north.recordIDs.count == 1 && north.outcome == .completed)
    _ = try await world.publisher.documents.retireDocumentVersion(
      RetireDocumentVersionRequest(documentID: Example.documentID, version: 1, reason: "only north had it"))
    let south = try await world.walk(subject: "s2", site: "south")
    #expect(south.recordIDs.isEmpty && south.outcome == .completed)
    await expectRefusal(.failedPrecondition, "not_published") { try await world.walk(subject: "s3", site: "north") }
    await world.end()
  }
}
