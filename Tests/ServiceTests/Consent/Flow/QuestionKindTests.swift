import Base
import ConsentContract
import ConsentDomain
import ServicePolicy
import Testing

@Suite("Kinds of questions")
struct QuestionKindTests {
  private static let weight = QuestionDefinition(
    id: "weight", kind: .number,
    number: NumberRule(minimum: NumberValue(value: 30), maximum: NumberValue(value: 250), decimals: 1))
  private static let pain = QuestionDefinition(
    id: "pain", kind: .scale, scale: ScaleRule(minimum: 0, maximum: 10, step: 2))
  private static let smokes = QuestionDefinition(id: "smokes", kind: .boolean)
  private static let wakes = QuestionDefinition(id: "wakes", kind: .timeOfDay)
  private static let since = QuestionDefinition(id: "since", kind: .date)

  private func rule(_ answer: QuestionAnswer, to question: QuestionDefinition) throws -> String {
    do {
      try AnswerRules.check([answer], for: [question], today: CalendarDay(of: Example.now))
      return ""
    } catch {
      return error.rule
    }
  }

  private func number(_ value: Double, _ id: String) -> QuestionAnswer {
    QuestionAnswer(questionID: id, number: NumberValue(value: value))
  }

  @Test(
    "a number lies within its bounds and has no more decimals than allowed",
    arguments: [
      (30, ""), (72.5, ""), (250, ""), (29.9, "number_out_of_bounds"), (251, "number_out_of_bounds"),
      (72.55, "too_many_decimals"), (.nan, "answer_missing"), (.infinity, "answer_missing"),
    ])
  func numbers(value: Double, expected: String) throws {
    #expect(try rule(number(value, "weight"), to: Self.weight) == expected)
  }

  @Test(
    "a scale has its places and nothing between them",
    arguments: [(0, ""), (4, ""), (10, ""), (5, "not_on_scale"), (2.5, "not_on_scale"), (12, "not_on_scale")])
  func scales(value: Double, expected: String) throws {
    #expect(try rule(number(value, "pain"), to: Self.pain) == expected)
  }

  @Test(
    "a time of day is one", arguments: [(0, 0, ""), (23, 59, ""), (24, 0, "no_such_time"), (7, -1, "no_such_time")])
  func times(hour: Int32, minute: Int32, expected: String) throws {
    let answer = QuestionAnswer(questionID: "wakes", timeOfDay: TimeOfDay(hour: hour, minute: minute))
    #expect(try rule(answer, to: Self.wakes) == expected)
  }

  @Test(
    "a date is a day of the calendar, past or to come",
    arguments: [
      (2024, 2, 29, ""), (1899, 12, 31, ""), (2031, 1, 1, ""), (2025, 2, 29, "no_such_day"),
      (2025, 13, 1, "no_such_day"), (0, 1, 1, "no_such_day"), (2025, 4, 31, "no_such_day"),
    ])
  func dates(year: Int32, month: Int32, day: Int32, expected: String) throws {
    let answer = QuestionAnswer(questionID: "since", date: CalendarDate(year: year, month: month, day: day))
    #expect(try rule(answer, to: Self.since) == expected)
  }

  @Test("a date is asked for, stands in the answers and on the recap, and is not taken for a birth date")
  func dateAsked() throws {
    let step = FlowStep(
      id: "q",
      step: .question(
        QuestionStep(questions: [FlowQuestion(definition: Self.since, prompt: "Since when?".inEnglish)])))
    var settings = Example.settings()
    (settings.comprehension, settings.recap) = (nil, true)
    var flow = Example.flow()
    flow.steps = [step] + flow.steps.filter { ["review", "end"].contains($0.id) }
    var walker = Walker(try Example.engine(flow, settings: settings))
    #expect(walker.screen.questions.map(\.kind) == [.date] && walker.screen.questions[0].prompt == "Since when?")
    let text = QuestionAnswer(questionID: "since", text: "2019-05-31")
    let refusal = #expect(throws: Refusal.self) { try walker.act(FlowAction(kind: .answer, answers: [text])) }
    #expect(refusal?.rule == "no_such_day")
    let answer = QuestionAnswer(questionID: "since", date: CalendarDate(year: 2019, month: 5, day: 31))
    try walker.act(FlowAction(kind: .answer, answers: [answer]))
    #expect(walker.state.answers.first?.answers == [answer] && walker.state.birthDate == nil)
    try walker.goOn { $0.kind == .recap }
    let recap = try #require(walker.screen.entries?.recap)
    #expect(recap.contains(RecapLine(label: "Since when?", value: "2019-05-31")))
    try walker.goOn()
    #expect(walker.outcome == .completed)
  }

  @Test("yes and no are answers, and nothing else is")
  func booleans() throws {
    #expect(try rule(QuestionAnswer(questionID: "smokes", boolean: .yes), to: Self.smokes).isEmpty)
    #expect(try rule(QuestionAnswer(questionID: "smokes", boolean: .no), to: Self.smokes).isEmpty)
    #expect(try rule(QuestionAnswer(questionID: "smokes", text: "yes"), to: Self.smokes) == "answer_missing")
    #expect(try rule(QuestionAnswer(questionID: "smokes"), to: Self.smokes) == "answer_missing")
    var optional = Self.smokes
    optional.optional = true
    #expect(try rule(QuestionAnswer(questionID: "smokes"), to: optional).isEmpty)
  }

  @Test("a comprehension question with yes or no has a right answer")
  func scored() {
    var question = Self.smokes
    question.rightAnswer = .no
    #expect(AnswerRules.isRight(QuestionAnswer(questionID: "smokes", boolean: .no), to: question))
    #expect(!AnswerRules.isRight(QuestionAnswer(questionID: "smokes", boolean: .yes), to: question))
    #expect(!AnswerRules.isRight(QuestionAnswer(questionID: "smokes"), to: question))
  }

  private func problems(_ question: QuestionDefinition) -> [String] {
    let item = FlowQuestion(definition: question, prompt: "Prompt".inEnglish)
    let step = FlowStep(id: "q", step: .question(QuestionStep(questions: [item])))
    return FlowValidation.problems(in: Example.forms(step), documents: [:]).map(\.rule)
  }

  @Test("questions that make no sense are refused before they are published")
  func validation() {
    for good in [Self.weight, Self.pain, Self.smokes, Self.wakes, Self.since] { #expect(problems(good).isEmpty) }
    func changed(_ question: QuestionDefinition, _ change: (inout QuestionDefinition) -> Void) -> [String] {
      var question = question
      change(&question)
      return problems(question)
    }
    #expect(changed(Self.weight) { $0.number?.decimals = 9 } == ["out_of_bounds"])
    #expect(changed(Self.weight) { $0.number?.maximum = NumberValue(value: 1) } == ["empty_range"])
    #expect(changed(Self.pain) { $0.scale?.step = -1 } == ["out_of_bounds"])
    #expect(changed(Self.pain) { $0.scale?.step = 3 } == ["bad_scale"])
    #expect(changed(Self.pain) { $0.scale?.maximum = 1_000_000 } == ["bad_scale"])
    #expect(changed(Self.pain) { $0.scale = nil } == ["bad_scale"])
    #expect(changed(Self.smokes) { $0.scale = ScaleRule(minimum: 0, maximum: 1) } == ["rule_of_other_kind"])
    #expect(changed(Self.since) { $0.choices = [QuestionChoice(id: "a")] }.contains("choices_not_wanted"))
    #expect(changed(Self.smokes) { $0.rightAnswer = .yes } == ["right_answer_not_wanted"])
    #expect(changed(Self.smokes) { $0.choices = [QuestionChoice(id: "a")] }.contains("choices_not_wanted"))
  }

  @Test("the screen says how to ask, in the person's words, and an older client gets a plain one")
  func screen() throws {
    let questions = [
      FlowQuestion(definition: Self.weight, prompt: "Your weight".inEnglish, unit: "kg".inEnglish),
      FlowQuestion(
        definition: Self.pain, prompt: "Pain".inEnglish, minimumLabel: "none".inEnglish, maximumLabel: "worst".inEnglish
      ),
      FlowQuestion(definition: Self.smokes, prompt: "Do you smoke?".inEnglish),
    ]
    let step = FlowStep(id: "q", step: .question(QuestionStep(questions: questions, together: true)))
    var walker = Walker(try Example.engine(Example.forms(step)))
    let asked = walker.screen.questions
    #expect(asked.map(\.unit) == ["kg", "", ""] && asked[0].number?.decimals == 1)
    #expect(asked[1].scale?.step == 2 && asked[1].minimumLabel == "none" && asked[1].maximumLabel == "worst")
    #expect(asked[2].yesTitle == "Yes" && asked[2].noTitle == "No")
    #expect(walker.screen.schemaVersion == 3)
    let texts = ScreenTexts(locale: try .of("en"), standIn: try .of("en"))
    #expect(ScreenSchema.screen(walker.screen, for: 2, texts: texts).kind == .plain)
    let answers = [number(72.5, "weight"), number(4, "pain"), QuestionAnswer(questionID: "smokes", boolean: .no)]
    try walker.act(FlowAction(kind: .answer, answers: answers))
    #expect(walker.outcome == .completed && walker.state.answers.first?.answers == answers)
  }

  @Test("of an answer only what its question asks for is kept, so no other field has room for anything")
  func keptAlone() throws {
    let text = QuestionDefinition(id: "words", kind: .text, optional: true)
    let questions = [Self.weight, Self.smokes, Self.wakes, Self.since, text].map { FlowQuestion(definition: $0) }
    let step = FlowStep(id: "q", step: .question(QuestionStep(questions: questions, together: true)))
    var walker = Walker(try Example.engine(Example.forms(step)))
    let good = [
      number(72.5, "weight"), QuestionAnswer(questionID: "smokes", boolean: .no),
      QuestionAnswer(questionID: "wakes", timeOfDay: TimeOfDay(hour: 7, minute: 5)),
      QuestionAnswer(questionID: "since", date: CalendarDate(year: 2024, month: 2, day: 29)),
      QuestionAnswer(questionID: "words"),
    ]
    let stuffed = good.map { answer in
      var answer = answer
      answer.text = String(repeating: " ", count: 4000) + (answer.questionID == "words" ? "" : "x")
      if answer.questionID != "words" { answer.choiceIDs = Array(repeating: "c", count: 4000) }
      return answer
    }
    try walker.act(FlowAction(kind: .answer, answers: stuffed))
    #expect(walker.state.answers.map(\.answers) == [good])
  }

  @Test("more choices than a question offers are refused before they are looked at")
  func manyChoices() throws {
    let choices = [QuestionChoice(id: "a"), QuestionChoice(id: "b")]
    let question = QuestionDefinition(id: "which", kind: .multiple, choices: choices)
    let answer = QuestionAnswer(questionID: "which", choiceIDs: ["a", "b", "a"])
    #expect(try rule(answer, to: question) == "too_many")
  }
}
