import Base
import ConsentContract
import ConsentDomain
import ServicePolicy
import Wire

/// Documents and flows on which tests are based; each test changes what it is about.
enum Example {
  static let now = Instant(millisecondsSince1970: 1_772_353_800_000)  // 2026-03-01T08:30:00Z
  static let documentID = "heart-study"

  /// A document with every section type, questions, sharing, a participant and an investigator; in English and German.
  static func content() -> DocumentContent {
    DocumentContent(defaultLocale: "en", settings: settings(), texts: [text("en"), text("de")])
  }

  static func settings() -> DocumentSettings {
    DocumentSettings(
      sections: SectionType.inOrder.map { DocumentSection(id: sectionID($0), type: $0) },
      signatures: [
        SignatureDefinition(id: "participant", role: .participant, order: 1, requiresName: true, requiresImage: true),
        SignatureDefinition(id: "investigator", role: .investigator, order: 2, requiresName: true, requiresImage: true),
      ],
      purposes: [ConsentPurpose(code: "research")],
      comprehension: ComprehensionTest(
        questions: [
          QuestionDefinition(
            id: "leave", kind: .single,
            choices: [QuestionChoice(id: "any-time", correct: true), QuestionChoice(id: "never")]),
          QuestionDefinition(
            id: "data", kind: .multiple,
            choices: [
              QuestionChoice(id: "pulse", correct: true), QuestionChoice(id: "steps", correct: true),
              QuestionChoice(id: "mail"),
            ]),
        ],
        passMark: 2, attempts: 2),
      offersSharing: true)
  }

  static func sectionID(_ type: SectionType) -> String { "section-\(type.number)" }

  static func text(_ locale: String) -> DocumentText {
    DocumentText(
      locale: locale, title: "Heart study (\(locale))",
      sections: SectionType.inOrder.map { type in
        SectionText(
          sectionID: sectionID(type), title: type == .custom ? "Our promise" : "", summary: "Summary \(type.number)",
          content: "Content \(type.number) & more\nsecond line")
      },
      signatures: [
        SignatureText(signatureID: "participant", title: "Participant", meaning: "I agree to take part."),
        SignatureText(signatureID: "investigator", title: "Investigator", meaning: "I explained the study."),
      ],
      questions: [
        QuestionText(
          questionID: "leave", prompt: "When may you leave?",
          choices: [ChoiceText(choiceID: "any-time", text: "Any time"), ChoiceText(choiceID: "never", text: "Never")]),
        QuestionText(
          questionID: "data", prompt: "What is gathered?",
          choices: [
            ChoiceText(choiceID: "pulse", text: "Pulse"), ChoiceText(choiceID: "steps", text: "Steps"),
            ChoiceText(choiceID: "mail", text: "Mail"),
          ]),
      ],
      purposes: [PurposeText(purposeCode: "research", title: "Research")],
      reviewText: "Please read.", reasonForConsent: "You want to take part.", signaturePageTitle: "Consent",
      signaturePageContent: "Signed by:",
      sharing: SharingText(
        investigatorShort: "Uni", investigatorLong: "Uni and partners", learnMoreHTML: "<p>More about sharing</p>"))
  }

  static func flow() -> FlowDefinition {
    FlowDefinition(
      defaultLocale: "en",
      steps: [
        FlowStep(
          id: "hello", step: .instruction(InstructionStep(title: "Hello".inEnglish, text: "Welcome.".inEnglish))),
        FlowStep(id: "sections", step: .visual(VisualStep(documentID: documentID))),
        FlowStep(id: "quiz", step: .question(QuestionStep(documentID: documentID))),
        FlowStep(id: "sharing", step: .sharing(SharingStep(documentID: documentID))),
        FlowStep(id: "review", step: .review(ReviewStep(documentID: documentID))),
        FlowStep(id: "end", step: .completion(CompletionStep())),
      ])
  }

  /// A consent that an app asked for on screens of its own.
  static func recordConsent(_ change: (inout RecordConsentRequest) -> Void = { _ in }) -> RecordConsentRequest {
    var request = RecordConsentRequest(
      flowID: "flow", siteID: "north", subjectID: "s1", locale: "en",
      answers: [
        StepAnswers(
          stepID: "quiz",
          answers: [
            QuestionAnswer(questionID: "leave", choiceIDs: ["any-time"]),
            QuestionAnswer(questionID: "data", choiceIDs: ["pulse", "steps"]),
          ])
      ],
      documents: [
        DocumentDecision(
          documentID: documentID, documentVersion: 1, locale: "en", agreed: true, sharing: .wide,
          signatures: [
            RecordedSignature(
              signatureID: "participant", name: PersonName(given: "Ada", family: "Lovelace"),
              signature: SignatureInput(image: .typed(TypedSignature(text: "Ada Lovelace"))))
          ])
      ])
    change(&request)
    return request
  }

  static func form(_ id: String, pages: Int = 1, _ condition: FormCondition = .optional) -> FlowStep {
    let words = (1...pages).map { number in
      FormPage(
        title: "\(id) title \(number)".inEnglish, body: "\(id) body \(number)".inEnglish,
        learnMoreHTML: number == 1 ? "<p>more</p>".inEnglish : nil)
    }
    let arrangement: FormArrangement = pages == 1 ? .single : .sequential
    return FlowStep(id: id, step: .form(FormStep(arrangement: arrangement, condition: condition, pages: words)))
  }

  static func forms(_ forms: FlowStep...) -> FlowDefinition {
    FlowDefinition(defaultLocale: "en", steps: forms + [FlowStep(id: "end", step: .completion(CompletionStep()))])
  }

  static func engine(
    _ definition: FlowDefinition, settings: DocumentSettings = settings(), locale: String = "en",
    birthDate: CalendarDate? = nil, change: (inout DocumentText) -> Void = { _ in }
  ) throws -> FlowEngine {
    let standIn = try LocaleTag.of("en")
    let texts = ScreenTexts(locale: try LocaleTag.of(locale), standIn: standIn)
    var words = text(LocaleTag.isKnown(locale) ? locale : "en")
    change(&words)
    let document = ScriptDocument(
      id: documentID, version: 1, versionHash: "version", localeHash: "locale", settings: settings, text: words,
      texts: texts)
    return FlowEngine(
      try FlowScript(
        flowID: "flow", flowVersion: 1, flowHash: "flow", definition: definition, documents: [document], texts: texts,
        birthDateGiven: birthDate != nil))
  }
}

extension LocaleTag {
  static func of(_ text: String) throws -> LocaleTag {
    guard let tag = LocaleTag(text) else { throw Refusal(.invalid, "unknown_locale", text) }
    return tag
  }

  static func isKnown(_ text: String) -> Bool { ["en", "de"].contains(text) }
}

extension String {
  var inEnglish: LocalizedText { LocalizedText(translations: [Translation(locale: "en", text: self)]) }
}

extension [Problem] {
  /// What stands in the way of publishing.
  var errors: [Problem] { filter { $0.severity == .error } }
}
