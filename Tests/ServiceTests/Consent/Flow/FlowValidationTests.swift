import ConsentContract
import ConsentDomain
import ServicePolicy
import Testing

@Suite("Valid flows")
struct FlowValidationTests {
  typealias Change = @Sendable (inout FlowDefinition, inout DocumentSettings) -> Void

  private func problems(_ change: Change) -> [Problem] {
    var flow = Example.flow()
    flow.steps.insert(Example.form("terms", pages: 2, .mandatory), at: 0)
    var settings = Example.settings()
    change(&flow, &settings)
    return FlowValidation.problems(in: flow, documents: [Example.documentID: settings], assets: [])
  }

  @Test("a flow that mixes forms and a document has no problem")
  func complete() {
    let found = problems { _, _ in }
    #expect(found.isEmpty)
  }

  static let cases: [(rule: String, change: Change)] = [
    ("completion_not_last", { flow, _ in flow.steps.swapAt(5, 6) }),
    ("completion_not_last", { flow, _ in flow.steps.removeLast() }),
    ("duplicate_name", { flow, _ in flow.steps[1].id = "terms" }),
    ("empty_step", { flow, _ in flow.steps[1].step = nil }),
    ("unknown_document", { flow, _ in flow.steps[2].step = .visual(VisualStep(documentID: "nowhere")) }),
    (
      "unknown_section",
      { flow, _ in flow.steps[2].step = .visual(VisualStep(documentID: Example.documentID, sectionIDs: ["x"])) }
    ),
    (
      "section_not_visual",
      { flow, _ in flow.steps[2].step = .visual(VisualStep(documentID: Example.documentID, sectionIDs: ["section-10"]))
      }
    ),
    ("sharing_not_offered", { _, settings in settings.offersSharing = false }),
    ("sharing_not_asked", { flow, _ in flow.steps.remove(at: 4) }),
    ("questions_not_asked", { flow, _ in flow.steps.remove(at: 3) }),
    ("no_questions", { _, settings in settings.comprehension = nil }),
    ("review_too_early", { flow, _ in flow.steps.swapAt(2, 5) }),
    ("step_repeated", { flow, _ in flow.steps.insert(FlowStep(id: "again", step: flow.steps[5].step), at: 6) }),
    (
      "page_count",
      { flow, _ in
        flow.steps[0] = Example.form("terms", pages: 2);
        if case .form(var form) = flow.steps[0].step { form.arrangement = .single; flow.steps[0].step = .form(form) }
      }
    ),
    (
      "not_stated",
      { flow, _ in
        flow.steps[0].step = .form(
          FormStep(arrangement: .single, pages: [FormPage(title: "a".inEnglish, body: "b".inEnglish)]))
      }
    ),
    ("missing_translation", { flow, _ in flow.steps[1].step = .instruction(InstructionStep(title: "a".inEnglish)) }),
    ("unknown_locale", { flow, _ in flow.defaultLocale = "" }),
    (
      "unknown_asset",
      { flow, _ in
        let image = "<img src=\"asset:\(String(repeating: "0a", count: 32))\" alt=\"a\">".inEnglish
        flow.steps[1].step = .instruction(
          InstructionStep(title: "a".inEnglish, text: "b".inEnglish, learnMoreHTML: image))
      }
    ),
    (
      "nothing_to_show", { _, settings in settings.sections = settings.sections.filter { !$0.type.isVisual } }
    ),
    ("no_review", { flow, _ in flow.steps.remove(at: 5) }),
    (
      "two_sources",
      { flow, _ in
        let own = FlowQuestion(definition: QuestionDefinition(id: "mood", kind: .text), prompt: "How?".inEnglish)
        flow.steps[3].step = .question(QuestionStep(documentID: Example.documentID, questions: [own]))
      }
    ),
    (
      "right_answer_not_wanted",
      { flow, _ in
        let scored = QuestionDefinition(id: "mood", kind: .text, acceptedAnswers: ["well"])
        flow.steps[1].step = .question(
          QuestionStep(questions: [FlowQuestion(definition: scored, prompt: "How?".inEnglish)]))
      }
    ),
    (
      "purpose_conditions_differ",
      { flow, _ in
        var form = Example.form("other", .optional)
        if case .form(var step) = form.step { step.purpose = "terms"; form.step = .form(step) }
        flow.steps.insert(form, at: 0)
      }
    ),
    (
      "restudy_across_decisions",
      { flow, settings in
        settings.comprehension?.afterFailedAttempt = .restudy
        flow.steps.insert(Example.form("between"), at: 3)
      }
    ),
  ]

  static let counts: [(field: String, step: FlowStep.Step, condition: StepCondition?)] = [
    ("form.pages", .form(FormStep(pages: Array(repeating: FormPage(), count: 21))), nil),
    ("form.pages[0].body", .form(FormStep(pages: [FormPage(body: text(51))])), nil),
    ("instruction.text", .instruction(InstructionStep(text: text(51))), nil),
    ("completion.contact", .completion(CompletionStep(contact: text(51))), nil),
    ("visual.section_ids", .visual(VisualStep(sectionIDs: Array(repeating: "a", count: 101))), nil),
    ("question.questions", .question(QuestionStep(questions: Array(repeating: FlowQuestion(), count: 51))), nil),
    (
      "question.questions[q].choices",
      question(QuestionDefinition(id: "q", choices: Array(repeating: QuestionChoice(), count: 31))), nil
    ),
    (
      "question.questions[q].choices",
      question(QuestionDefinition(id: "q"), Array(repeating: FlowChoiceText(), count: 31)), nil
    ),
    (
      "condition.answers", .review(ReviewStep()),
      StepCondition(answers: Array(repeating: AnswerCondition(), count: 21))
    ),
    (
      "condition.answers[0].choice_ids", .review(ReviewStep()),
      StepCondition(answers: [AnswerCondition(choiceIDs: Array(repeating: "a", count: 31))])
    ),
    ("condition.site_ids", .review(ReviewStep()), StepCondition(siteIDs: Array(repeating: "a", count: 501))),
  ]

  private static func text(_ count: Int) -> LocalizedText {
    LocalizedText(translations: Array(repeating: Translation(locale: "en", text: "a"), count: count))
  }

  private static func question(_ definition: QuestionDefinition, _ choices: [FlowChoiceText] = []) -> FlowStep.Step {
    .question(QuestionStep(questions: [FlowQuestion(definition: definition, choices: choices)]))
  }

  @Test("a list of a step that is too long is the only problem", arguments: counts.indices)
  func tooMany(index: Int) {
    let (field, step, condition) = Self.counts[index]
    let found = problems { flow, _ in
      flow.steps[1].condition = condition
      flow.steps[1].step = step
    }
    #expect(found.map(\.rule) == ["too_many"], "\(field): \(found.map(\.message))")
    #expect(found.first?.field == "steps[hello].\(field)")
  }

  @Test("so is one of the flow, and nothing of either is cleaned")
  func tooManySteps() {
    for (field, flow) in [
      ("steps", FlowDefinition(steps: Array(repeating: FlowStep(), count: 101))),
      ("documents", FlowDefinition(documents: Array(repeating: FlowDocument(), count: 101))),
    ] {
      #expect(FlowValidation.problems(in: flow, documents: [:]).map(\.field) == [field])
      var cleaner = MarkupCleaner()
      let refusal = #expect(throws: Refusal.self) { try cleaner.clean(flow) }
      #expect(refusal?.rule == "too_many" && refusal?.field == field)
    }
  }

  private static let endless = "a" + String(repeating: "\u{301}\u{316}", count: 100_000)

  static let names: [@Sendable (inout FlowDefinition) -> Void] = [
    { $0.defaultLocale = endless }, { $0.steps[1].id = endless },
    { $0.documents = [FlowDocument(documentID: endless)] },
    { $0.steps[1].step = .visual(VisualStep(documentID: endless)) },
    { $0.steps[1].step = .visual(VisualStep(documentID: "a", sectionIDs: [endless])) },
    { $0.steps[1].step = .sharing(SharingStep(documentID: endless)) },
    { $0.steps[1].step = .review(ReviewStep(documentID: endless)) },
    { $0.steps[1].step = .question(QuestionStep(documentID: endless)) },
    { $0.steps[1].step = question(QuestionDefinition(id: endless)) },
    { $0.steps[1].step = question(QuestionDefinition(id: "q", choices: [QuestionChoice(id: endless)])) },
    { $0.steps[1].step = question(QuestionDefinition(id: "q"), [FlowChoiceText(choiceID: endless)]) },
    { $0.steps[1].step = .form(FormStep(purpose: endless)) },
    {
      let title = LocalizedText(translations: [Translation(locale: endless, text: "a")])
      $0.steps[1].step = .instruction(InstructionStep(title: title))
    },
    { $0.steps[1].condition = StepCondition(siteIDs: [endless]) },
    { $0.steps[1].condition = StepCondition(answers: [AnswerCondition(stepID: endless)]) },
    { $0.steps[1].condition = StepCondition(answers: [AnswerCondition(questionID: endless)]) },
    { $0.steps[1].condition = StepCondition(answers: [AnswerCondition(choiceIDs: [endless])]) },
  ]

  @Test("a name that is too long is the only problem, and stands shortened in it", arguments: names.indices)
  func longNames(index: Int) {
    let found = problems { flow, _ in Self.names[index](&flow) }
    #expect(found.map(\.rule) == ["too_long"])
    #expect(found.allSatisfy { $0.field.utf8.count < 500 && $0.message.utf8.count < 1000 })
  }

  @Test("a published flow that asks none of a document's new questions does not fit it, with any number of images")
  func misfitBesideImages() throws {
    let images = (0..<AuthoringBounds.mostImages).map { index in
      let number = String(index)
      return "<img src=\"asset:\(String(repeating: "0", count: 64 - number.utf8.count))\(number)\" alt=\"\">"
    }
    var flow = Example.flow()
    flow.steps[0].step = .instruction(
      InstructionStep(title: "a".inEnglish, text: "b".inEnglish, learnMoreHTML: images.joined().inEnglish))
    #expect(FlowValidation.misfit(of: try Example.engine(flow).script) == nil)
    flow.steps.removeAll { $0.id == "quiz" }
    #expect(FlowValidation.misfit(of: try Example.engine(flow).script)?.rule == "questions_not_asked")
  }

  @Test("an invalid flow is refused, and the refusal names the rule", arguments: cases.indices)
  func refused(index: Int) {
    let (rule, change) = Self.cases[index]
    let found = problems(change)
    #expect(found.contains { $0.rule == rule && !$0.field.isEmpty }, "\(rule): \(found.map(\.message))")
  }
}
