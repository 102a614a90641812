import Base
import ConsentContract
import ConsentDomain

/// Random flows and documents, all of which may be published.
struct RandomFlow {
  var generator: SeededGenerator
  private(set) var definition = FlowDefinition(defaultLocale: "en")
  private(set) var settings: [String: DocumentSettings] = [:]
  private(set) var birthDate: CalendarDate?

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
    let documents = (0..<Int.random(in: 0...2, using: &generator)).map { "document-\($0)" }
    for id in documents { settings[id] = randomSettings() }
    if chance(1, of: 3) {
      birthDate = CalendarDate(year: Int32.random(in: 2000...2024, using: &generator), month: 6, day: 1)
    }
    var runs = documents.map { documentSteps($0) }
    // Steps of different documents and single steps mix freely; the order inside a document stays.
    while let index = runs.indices.randomElement(using: &generator) {
      if chance(1, of: 3) { definition.steps.append(looseStep()) }
      definition.steps.append(runs[index].removeFirst())
      if runs[index].isEmpty { runs.remove(at: index) }
    }
    for _ in 0..<Int.random(in: 0...2, using: &generator) { definition.steps.append(looseStep()) }
    definition.steps.append(FlowStep(id: "end", step: .completion(CompletionStep())))
  }

  /// The steps in which whoever disagrees goes on.
  var optionalReviews: Set<String> {
    Set(
      definition.steps.filter { step in
        if case .review(let review)? = step.step { review.optional } else { false }
      }.map(\.id))
  }

  mutating func engine() throws -> FlowEngine {
    let texts = ScreenTexts(locale: try .of("en"), standIn: try .of("en"))
    let documents = settings.map { id, settings in
      ScriptDocument(
        id: id, version: 1, versionHash: "v", localeHash: "l", settings: settings, text: Example.text("en"),
        texts: texts)
    }
    return FlowEngine(
      try FlowScript(
        flowID: "flow", flowVersion: 1, flowHash: "f", definition: definition, documents: documents, texts: texts,
        birthDateGiven: birthDate != nil))
  }

  /// The same flow and documents as asked for in one language and translated into some: every text of an author names
  /// its language, as "[de]".
  func engine(asked: String, translated: [String]) throws -> FlowEngine {
    let locale = try LocaleTag.of(asked)
    let texts = ScreenTexts(locale: locale, standIn: try .of("en"))
    let languages = ["en"] + translated.filter { $0 != "en" }
    let content = DocumentContent(defaultLocale: "en", texts: languages.map { Example.text("en").marked($0) })
    let documents = settings.map { id, settings in
      ScriptDocument(
        id: id, version: 1, versionHash: "v", localeHash: "l", settings: settings,
        text: content.text(for: locale) ?? DocumentText(), texts: texts)
    }
    var definition = definition
    for index in definition.steps.indices {
      switch definition.steps[index].step {
      case .instruction?:
        definition.steps[index].step = .instruction(
          InstructionStep(title: .marked("Title", languages), text: .marked("Text", languages.reversed().dropLast())))
      case .form(var form)?:
        for page in form.pages.indices { form.pages[page] = form.pages[page].marked(languages, page) }
        definition.steps[index].step = .form(form)
      case .question(var question)?:
        for item in question.questions.indices { question.questions[item].prompt = .marked("Prompt", languages) }
        definition.steps[index].step = .question(question)
      default: break
      }
    }
    return FlowEngine(
      try FlowScript(
        flowID: "flow", flowVersion: 1, flowHash: "f", definition: definition, documents: documents, texts: texts,
        birthDateGiven: birthDate != nil))
  }

  /// Consents of the person in other sessions, to some of what the flow asks for.
  mutating func earlierConsents() -> [EarlierConsent] {
    definition.steps.compactMap { step in
      guard chance(1, of: 2) else { return nil }
      switch step.step {
      case .form(let form)?: return EarlierConsent(purposes: [form.purpose(in: step.id)])
      case .review(let review)?:
        return EarlierConsent(purposes: ["research"], documentID: review.documentID, documentVersion: 1)
      default: return nil
      }
    }
  }

  mutating func chance(_ part: Int, of whole: Int) -> Bool { Int.random(in: 0..<whole, using: &generator) < part }

  private mutating func randomSettings() -> DocumentSettings {
    var settings = Example.settings()
    settings.sections = settings.sections.shuffled(using: &generator)
    settings.sections.removeLast(Int.random(in: 0...5, using: &generator))
    if !settings.sections.contains(where: \.type.isVisual) {
      settings.sections.append(DocumentSection(id: Example.sectionID(.privacy), type: .privacy))
    }
    if chance(1, of: 2) { settings.comprehension = nil }
    settings.comprehension?.attempts = Int32.random(in: 0...3, using: &generator)
    settings.comprehension?.afterFailedAttempt =
      [.unspecified, .retry, .restudy, .end].randomElement(using: &generator) ?? .retry
    settings.offersSharing = chance(1, of: 2)
    if chance(1, of: 3) { settings.purposes.append(ConsentPurpose(code: "contact", optional: true)) }
    settings.withoutScrollGate = chance(1, of: 3)
    for index in settings.signatures.indices {
      settings.signatures[index].requiresName = chance(1, of: 2)
      settings.signatures[index].requiresImage = chance(1, of: 2)
    }
    if chance(1, of: 2) {
      settings.age = AgePolicy(minimumAge: 4, majorityAge: 18, assentAge: chance(1, of: 2) ? 12 : 0)
      settings.signatures.append(
        SignatureDefinition(
          id: "guardian", role: .guardian, requiresName: chance(1, of: 2), requiresImage: chance(1, of: 2)))
    }
    return settings
  }

  private mutating func documentSteps(_ id: String) -> [FlowStep] {
    var steps: [FlowStep] = []
    let settings = settings[id] ?? DocumentSettings()
    if chance(3, of: 4) { steps.append(FlowStep(id: "\(id)-sections", step: .visual(VisualStep(documentID: id)))) }
    if settings.comprehension != nil {
      steps.append(
        FlowStep(id: "\(id)-quiz", step: .question(QuestionStep(documentID: id, together: chance(1, of: 2)))))
    }
    if settings.offersSharing {
      steps.append(FlowStep(id: "\(id)-sharing", step: .sharing(SharingStep(documentID: id))))
    }
    steps.append(FlowStep(id: "\(id)-review", step: .review(ReviewStep(documentID: id, optional: chance(1, of: 3)))))
    return steps
  }

  private mutating func looseStep() -> FlowStep {
    let id = "loose-\(definition.steps.count)"
    switch Int.random(in: 0..<4, using: &generator) {
    case 0:
      return FlowStep(id: id, step: .instruction(InstructionStep(title: "Title".inEnglish, text: "Text".inEnglish)))
    case 1:
      let question = FlowQuestion(
        definition: QuestionDefinition(id: "mood", kind: .text, optional: chance(1, of: 2)),
        prompt: "How are you?".inEnglish)
      return FlowStep(id: id, step: .question(QuestionStep(questions: [question])))
    default:
      return Example.form(
        id, pages: Int.random(in: 1...3, using: &generator), chance(1, of: 2) ? .mandatory : .optional)
    }
  }
}

extension LocalizedText {
  /// A text in some languages, English included, that names each.
  fileprivate static func marked(_ text: String, _ languages: [String]) -> LocalizedText {
    let all = languages.contains("en") ? languages : languages + ["en"]
    return LocalizedText(translations: all.map { Translation(locale: $0, text: "\(text) [\($0)]") })
  }
}

extension FormPage {
  fileprivate func marked(_ languages: [String], _ index: Int) -> FormPage {
    FormPage(
      title: .marked("Page \(index)", languages), body: .marked("Body", ["en"]),
      learnMoreHTML: learnMoreHTML == nil ? nil : .marked("More", languages))
  }
}

extension DocumentText {
  /// The same, in a language that every text names.
  fileprivate func marked(_ language: String) -> DocumentText {
    var text = self
    func mark(_ words: inout String) { if !words.isEmpty { words += " [\(language)]" } }
    text.locale = language
    mark(&text.title)
    mark(&text.reviewText)
    mark(&text.reasonForConsent)
    for index in text.sections.indices {
      mark(&text.sections[index].title)
      mark(&text.sections[index].summary)
      mark(&text.sections[index].content)
    }
    for index in text.signatures.indices {
      mark(&text.signatures[index].title)
      mark(&text.signatures[index].meaning)
    }
    for index in text.questions.indices {
      mark(&text.questions[index].prompt)
      for choice in text.questions[index].choices.indices { mark(&text.questions[index].choices[choice].text) }
    }
    text.sharing?.learnMoreHTML = "<p>More [\(language)]</p>"
    return text
  }
}
