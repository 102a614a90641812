import ConsentContract
import ConsentDomain
import Testing

@Suite("Valid flows")
struct FlowValidationTests {
  typealias Change = @Sendable (inout FlowDefinition, inout DocumentSettings) -> Void

  private func problems(_ change: Change) -> [Problem] {
    var flow = Example.flow()
    flow.steps.insert(Example.form("terms", pages: 2, .mandatory), at: 0)
    var settings = Example.settings()
    change(&flow, &settings)
    return FlowValidation.problems(in: flow, documents: [Example.documentID: settings])
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

  @Test("an invalid flow is refused, and the refusal names the rule", arguments: cases.indices)
  func refused(index: Int) {
    let (rule, change) = Self.cases[index]
    let found = problems(change)
    #expect(found.contains { $0.rule == rule && !$0.field.isEmpty }, "\(rule): \(found.map(\.message))")
  }
}
