package import ConsentContract
package import Refusals

/// A version of a document, in one locale, in the form in which a session shows it. Test sessions may show drafts.
package struct ScriptDocument: Sendable {
  package let id: String
  package let version: Int32
  package let versionHash: String
  package let localeHash: String
  package let settings: DocumentSettings
  package let text: DocumentText
  /// The review document that is shown, hashed and stored.
  package let review: ReviewDocument
  /// Whether the person's name stands in it.
  package private(set) var namesPerson = false

  package init(
    id: String, version: Int32, versionHash: String, localeHash: String, settings: DocumentSettings,
    text: DocumentText, texts: ScreenTexts
  ) {
    self.id = id
    self.version = version
    self.versionHash = versionHash
    self.localeHash = localeHash
    self.settings = settings
    self.text = text
    review = ReviewComposer(settings: settings, text: text, texts: texts).review()
  }

  /// The document with its placeholders filled in.
  package func filled(_ values: [String: String], _ texts: ScreenTexts) -> ScriptDocument {
    var filled = ScriptDocument(
      id: id, version: version, versionHash: versionHash, localeHash: localeHash, settings: settings,
      text: text.filled(values), texts: texts)
    let name = values[Placeholder.participantName.rawValue] ?? Placeholder.blank
    filled.namesPerson = name != Placeholder.blank && text.placeholders.contains(.participantName)
    return filled
  }

  /// A question with yes or no about each optional purpose, which the review asks before the person agrees.
  var purposeQuestions: [QuestionDefinition] {
    settings.optionalPurposes.map { QuestionDefinition(id: $0, kind: .boolean) }
  }

  /// SHA-256 of the file that is shown; empty if the document is a text.
  var fileHash: String { text.file?.asset ?? "" }
}

/// A flow with its documents, in one locale: everything that determines a session's screens and moves.
package struct FlowScript: Sendable {
  package let flowID: String
  package let flowVersion: Int32
  package let flowHash: String
  package let definition: FlowDefinition
  package let documents: [String: ScriptDocument]
  package let texts: ScreenTexts
  package let isTest: Bool
  private let birthDateGiven: Bool
  /// The placeholders in its texts that are not filled in.
  package let placeholders: Set<Placeholder>
  /// What was filled in for placeholders.
  private let filled: [FilledPlaceholder]
  /// One entry per step of the definition.
  package let steps: [ScriptStep]

  /// - Parameter birthDateGiven: whether the birth date was known before the first screen, so that no review asks for
  /// it.
  package init(
    flowID: String, flowVersion: Int32, flowHash: String, definition: FlowDefinition, documents: [ScriptDocument],
    texts: ScreenTexts, birthDateGiven: Bool, isTest: Bool = false, filled: [FilledPlaceholder] = []
  ) throws(Refusal) {
    self.flowID = flowID
    self.flowVersion = flowVersion
    self.flowHash = flowHash
    self.definition = definition
    self.texts = texts
    self.isTest = isTest
    self.birthDateGiven = birthDateGiven
    self.filled = filled
    placeholders = documents.reduce(definition.placeholders) { $0.union($1.text.placeholders) }
    let byID = Dictionary(documents.map { ($0.id, $0) }) { first, _ in first }
    self.documents = byID
    var builder = ScriptBuilder(documents: byID, birthDateGiven: birthDateGiven)
    steps = try builder.steps(of: definition)
  }

  package var locale: LocaleTag { texts.locale }

  /// The script with its placeholders filled in.
  package func filled(_ values: [FilledPlaceholder]) throws(Refusal) -> FlowScript {
    try FlowScript(
      flowID: flowID, flowVersion: flowVersion, flowHash: flowHash, definition: definition.filled(values.words(in: "")),
      documents: documents.values.map { $0.filled(values.words(in: $0.id), texts) }, texts: texts,
      birthDateGiven: birthDateGiven, isTest: isTest, filled: values)
  }

  /// What a session on this script keeps of its texts: the version of our words, the locales of documents, and what was
  /// filled in.
  package var sessionTexts: SessionTexts {
    let locales = documents.values.sorted { $0.id < $1.id }.map { document in
      DocumentLocale(documentID: document.id, locale: document.text.locale)
    }
    return SessionTexts(textsVersion: texts.version, documents: locales, filled: filled)
  }

  /// A text of the flow in the script's locale, or in the one that stands in for it.
  func translation(of text: LocalizedText?) -> Translation? { definition.translation(of: text, in: locale) }

  /// Whether the script has the page of a position, which may come from another script.
  package func has(_ position: FlowPosition) -> Bool {
    steps.indices.contains(Int(position.step)) && steps[Int(position.step)].pages.indices.contains(Int(position.page))
  }

  /// Whether the page of a position asks for a decision, so that it may be declined there.
  package func mayDecline(at position: FlowPosition?) -> Bool {
    switch page(at: position ?? FlowPosition()) {
    case .form, .read: true
    default: false
    }
  }

  /// The page of a position; the step's last one if the position comes from a script in another language, whose file
  /// had more pages.
  func page(at position: FlowPosition) -> ScriptPage {
    let pages = steps[Int(position.step)].pages
    return pages[min(Int(position.page), pages.count - 1)]
  }
}

/// A step as a sequence of pages.
package struct ScriptStep: Sendable {
  package let id: String
  package let documentID: String
  /// Steps with the same number share a modal.
  let modal: Int
  package let pages: [ScriptPage]
  /// Whether whoever disagrees in this review goes on to the next step.
  var isOptional = false
  /// The condition under which the step is shown; nil if it always is.
  var condition: StepCondition?

  /// Whether the step is a review with a page for the birth date.
  var mayAskBirthDate: Bool { pages.contains { if case .birthDate = $0 { true } else { false } } }

  /// The step's questions about a birth date.
  var birthDateQuestions: [QuestionDefinition] {
    pages.flatMap { page -> [QuestionDefinition] in
      guard case .questions(let asked) = page else { return [] }
      return asked.questions.filter { $0.kind == .birthDate }
    }
  }

  /// Whether a document is read and decided in this step.
  package var isReview: Bool { pages.contains { if case .read = $0 { true } else { false } } }
}

/// One page of a step, shown as one screen.
package enum ScriptPage: Sendable {
  case form(FormStep, page: Int)
  case instruction(InstructionStep)
  case questions(QuestionPage)
  case section(DocumentSection)
  case sharing
  case birthDate
  /// A page of the file that is reviewed.
  case filePage(FilePage, index: Int)
  case read
  case name(SignatureDefinition)
  case sign(SignatureDefinition)
  case recap
  case completion(CompletionStep)

  /// The page's part of a screen's name.
  var name: String {
    switch self {
    case .form(_, let page): "page-\(page + 1)"
    case .instruction: "instruction"
    case .questions(let page): "questions-\(page.index + 1)"
    case .section(let section): "section-\(section.id)"
    case .sharing: "sharing"
    case .birthDate: "birth-date"
    case .filePage(_, let index): "file-page-\(index + 1)"
    case .read: "read"
    case .name(let signature): "name-\(signature.id)"
    case .sign(let signature): "sign-\(signature.id)"
    case .recap: "recap"
    case .completion: "completion"
    }
  }

  /// Whether the page shows the document that a person is about to agree to.
  var showsDocument: Bool {
    switch self {
    case .filePage, .read: true
    default: false
    }
  }

  var isSharing: Bool { if case .sharing = self { true } else { false } }

  /// The signature that the page belongs to.
  var signature: SignatureDefinition? {
    switch self {
    case .name(let signature), .sign(let signature): signature
    default: nil
    }
  }
}

/// The questions of one screen.
package struct QuestionPage: Sendable {
  let index: Int
  let title: LocalizedText?
  package let questions: [QuestionDefinition]
  /// Questions that belong to the flow itself.
  let own: [FlowQuestion]
  /// True for the last page of the step, after which a document's questions are scored.
  let isLast: Bool
}
