internal import Base
package import ConsentContract
internal import Refusals
internal import Wire

/// Checks a flow before it is published: every problem, each with its field, rule and value.
package struct FlowValidation {
  let definition: FlowDefinition
  /// Settings of the documents that the flow may name, in the versions that it would show.
  let documents: [String: DocumentSettings]
  /// The hashes of those images in the flow's HTML that are stored; nil if images are not checked.
  private let assets: Set<String>?
  /// The documents of the study that ask for each purpose, in words.
  private let purposes: [String: String]
  var list = ProblemList()

  package static let longestLifetime = Duration.days(365)

  /// - Parameters:
  ///   - assets: the hashes of those images in the flow's HTML that are stored; nil if images are not checked.
  ///   - purposes: the documents of the study that ask for each purpose, in words.
  package static func problems(
    in definition: FlowDefinition, documents: [String: DocumentSettings], assets: Set<String>? = nil,
    purposes: [String: String] = [:]
  ) -> [Problem] {
    do throws(Refusal) { try AuthoringBounds.check(definition) } catch { return [Problem(error)] }
    var validation = FlowValidation(
      definition: definition, documents: documents, assets: assets, purposes: purposes)
    validation.run()
    return validation.list.problems
  }

  private init(
    definition: FlowDefinition, documents: [String: DocumentSettings], assets: Set<String>?,
    purposes: [String: String]
  ) {
    self.definition = definition
    self.documents = documents
    self.assets = assets
    self.purposes = purposes
  }

  private mutating func run() {
    if LocaleTag(definition.defaultLocale)?.text != definition.defaultLocale {
      let message = "is '\(definition.defaultLocale.shortened)', which is no language tag such as 'de-AT'"
      list.error("unknown_locale", "default_locale", message)
    }
    if let lifetime = definition.sessionLifetime {
      do throws(Refusal) {
        try DurationRules.check(lifetime, within: .seconds(1)...Self.longestLifetime, "session_lifetime")
      } catch {
        list.add(error)
      }
    }
    list.checkUnique(definition.steps.map(\.id), "steps")
    for step in definition.steps where !list.isFull {
      let field = "steps[\(step.id.shortened)]"
      list.checkName(step.id, "\(field).id")
      check(step, field)
    }
    checkConditions()
    checkOrder()
    checkPurposes()
    list.checkUnique(definition.documents.map(\.documentID), "documents")
    for document in definition.documents where documents[document.documentID] == nil {
      list.error("unknown_document", "documents[\(document.documentID.shortened)]", "is not published in this study")
    }
  }

  private mutating func check(_ step: FlowStep, _ field: String) {
    switch step.step {
    case .form(let form): check(form, "\(field).form")
    case .instruction(let instruction):
      require(instruction.title, "\(field).instruction.title")
      require(instruction.text, "\(field).instruction.text")
      check(html: instruction.learnMoreHTML, "\(field).instruction.learn_more_html")
    case .question(let question): check(question, "\(field).question")
    case .visual(let visual): check(visual, "\(field).visual")
    case .sharing(let sharing):
      if let settings = document(sharing.documentID, "\(field).sharing"), !settings.offersSharing {
        let message = "names '\(sharing.documentID)', which offers no sharing choice"
        list.error("sharing_not_offered", "\(field).sharing.document_id", message)
      }
    case .review(let review): _ = document(review.documentID, "\(field).review")
    case .completion(let completion):
      optional(completion.title, "\(field).completion.title")
      optional(completion.text, "\(field).completion.text")
      optional(completion.declinedText, "\(field).completion.declined_text")
      optional(completion.contact, "\(field).completion.contact")
    case nil: list.error("empty_step", field, "states no kind of step")
    }
  }

  private mutating func check(_ form: FormStep, _ field: String) {
    let count = form.pages.count
    switch form.arrangement {
    case .single where count != 1:
      list.error("page_count", "\(field).pages", "has \(count) pages; a single form has 1")
    case .sequential where count < 2:
      let most = AuthoringBounds.mostPages
      list.error("page_count", "\(field).pages", "has \(count) pages; a sequential form has 2 to \(most)")
    case .single, .sequential: break
    case .unspecified, .unrecognized: list.error("not_stated", "\(field).arrangement", "must be single or sequential")
    }
    if form.condition != .optional, form.condition != .mandatory {
      list.error("not_stated", "\(field).condition", "must be optional or mandatory")
    }
    if !form.purpose.isEmpty { list.checkName(form.purpose, "\(field).purpose") }
    for (index, page) in form.pages.enumerated() {
      require(page.title, "\(field).pages[\(index)].title")
      require(page.body, "\(field).pages[\(index)].body")
      check(html: page.learnMoreHTML, "\(field).pages[\(index)].learn_more_html")
      optional(page.learnMoreTitle, "\(field).pages[\(index)].learn_more_title")
    }
  }

  private mutating func check(_ question: QuestionStep, _ field: String) {
    optional(question.title, "\(field).title")
    guard question.documentID.isEmpty else {
      if let settings = document(question.documentID, field), settings.comprehension == nil {
        list.error("no_questions", "\(field).document_id", "names '\(question.documentID)', which has no questions")
      }
      if !question.questions.isEmpty {
        list.error("two_sources", "\(field).questions", "must be empty: the document's questions are asked")
      }
      return
    }
    if question.questions.isEmpty { list.error("no_questions", "\(field).questions", "is empty") }
    list.checkUnique(question.questions.map { $0.definition?.id ?? "" }, "\(field).questions")
    for item in question.questions {
      let definition = item.definition ?? QuestionDefinition()
      let place = "\(field).questions[\(definition.id.shortened)]"
      QuestionValidation.check(definition, place, isScored: false, into: &list)
      require(item.prompt, "\(place).prompt")
      optional(item.detail, "\(place).detail")
      optional(item.unit, "\(place).unit")
      optional(item.minimumLabel, "\(place).minimum_label")
      optional(item.maximumLabel, "\(place).maximum_label")
      let choices = item.choices.keyed(by: \.choiceID)
      for choice in definition.choices {
        require(choices[choice.id]?.text, "\(place).choices[\(choice.id.shortened)].text")
      }
    }
  }

  private mutating func check(_ visual: VisualStep, _ field: String) {
    guard let settings = document(visual.documentID, field) else { return }
    list.checkUnique(visual.sectionIDs, "\(field).section_ids")
    let sections = settings.sections.keyed(by: \.id)
    for name in visual.sectionIDs {
      guard let section = sections[name] else {
        list.error("unknown_section", "\(field).section_ids", "names '\(name.shortened)', which the document has not")
        continue
      }
      if !section.type.isVisual {
        list.error("section_not_visual", "\(field).section_ids", "names '\(name)', which stands only in the document")
      }
    }
    if visual.sectionIDs.isEmpty, !settings.sections.contains(where: \.type.isVisual) {
      list.error("nothing_to_show", field, "shows no section: all stand only in the document")
    }
  }

  /// An optional purpose never gates a mandatory one (GDPR 7(4)): one purpose is one or the other. That it is asked for
  /// elsewhere, too, is no mistake.
  private mutating func checkPurposes() {
    var conditions: [String: FormCondition] = [:]
    for step in definition.steps {
      guard case .form(let form)? = step.step else { continue }
      let purpose = form.purpose(in: step.id)
      let field = "steps[\(step.id.shortened)].form.purpose"
      let others = [conditions[purpose].map { _ in "another form of the flow" }, purposes[purpose]]
      if let earlier = conditions[purpose], earlier != form.condition {
        let message = "is '\(purpose.shortened)', which another form asks for under the other condition"
        list.error("purpose_conditions_differ", field, message)
      }
      let known = others.compactMap(\.self)
      list.note(purpose, askedForBy: known.isEmpty ? nil : known.joined(separator: ", "), field)
      conditions[purpose] = form.condition
    }
    for step in definition.steps {
      guard case .review(let review)? = step.step else { continue }
      for code in documents[review.documentID]?.optionalPurposes ?? [] where conditions[code] == .mandatory {
        let message = "asks for '\(code.shortened)' as optional, which a form asks for as mandatory"
        list.error("purpose_conditions_differ", "steps[\(step.id.shortened)].review.document_id", message)
      }
    }
  }

  private mutating func document(_ id: String, _ field: String) -> DocumentSettings? {
    guard let settings = documents[id] else {
      let message = "is '\(id.shortened)', which is not published in this study"
      list.error("unknown_document", "\(field).document_id", message)
      return nil
    }
    return settings
  }

  /// A text that must exist, in the default locale at least, and must not be empty in any.
  private mutating func require(_ text: LocalizedText?, _ field: String) {
    let translations = text?.translations ?? []
    if !translations.contains(where: { $0.locale == definition.defaultLocale && !trimmed($0.text).isEmpty }) {
      let locale = definition.defaultLocale.shortened
      list.error("missing_translation", field, "has no text in the default locale, '\(locale)'")
    }
    checkTranslations(translations, field)
  }

  private mutating func optional(_ text: LocalizedText?, _ field: String) {
    guard let text, !text.translations.isEmpty else { return }
    require(text, field)
  }

  /// The placeholders that are filled in there. A record of a form has its words in clear, so they name nobody.
  private static func placeholders(in field: String) -> [Placeholder] {
    if field.contains(".form.") { return Placeholder.impersonal }
    let isRead = field.contains(".instruction.") || field.contains(".completion.")
    return isRead && !field.hasSuffix(".contact") ? Placeholder.allCases : []
  }

  private mutating func check(html text: LocalizedText?, _ field: String) {
    optional(text, field)
    guard let assets else { return }
    for translation in text?.translations ?? [] {
      list.checkImages(in: translation.text, "\(field)[\(translation.locale.shortened)]", stored: assets)
    }
  }

  private mutating func checkTranslations(_ translations: [Translation], _ field: String) {
    list.checkUnique(translations.map(\.locale), field)
    for translation in translations {
      if LocaleTag(translation.locale)?.text != translation.locale {
        list.error("unknown_locale", field, "has '\(translation.locale.shortened)', which is no language tag")
      }
      let place = "\(field)[\(translation.locale.shortened)]"
      list.checkLength(translation.text, atMost: 100_000, place)
      list.checkPlaceholders(in: translation.text, place, allowed: Self.placeholders(in: field))
    }
  }
}
