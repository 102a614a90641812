internal import Base
package import ConsentContract

/// The words of a flow's forms: of one version of the flow, in one locale.
package struct FormWords: Sendable {
  let flowVersion: Int32
  let flowHash: String
  private let definition: FlowDefinition
  private let locale: LocaleTag

  package init(flowVersion: Int32, flowHash: String, definition: FlowDefinition, locale: LocaleTag) {
    self.flowVersion = flowVersion
    self.flowHash = flowHash
    self.definition = definition
    self.locale = locale
  }

  /// The purpose that a form permits; nil if the version has no such form.
  package func purpose(of stepID: String) -> String? { form(stepID)?.purpose(in: stepID) }

  /// Whether any text of the version's forms is in the locale itself. In a version that is translated only in part, the
  /// other texts are in the default locale.
  package var isInLocale: Bool {
    definition.steps.contains { step in
      form(step.id)?.pages.contains { page in
        [page.title, page.body, page.learnMoreHTML].contains { translation(of: $0)?.locale == locale.text }
      } == true
    }
  }

  /// The language of the title of a form's first page.
  package func language(of stepID: String) -> String {
    form(stepID)?.pages.first.flatMap { translation(of: $0.title)?.locale } ?? locale.text
  }

  /// A form as the bytes that a record names: every page with the text behind its learn-more link. Each text states its
  /// language where it differs from its page's.
  func html(of stepID: String) -> String {
    let pages = form(stepID)?.pages ?? []
    return pages.map { section($0, translation(of: $0.title)?.locale ?? locale.text) }.joined()
  }

  private func form(_ stepID: String) -> FormStep? {
    guard case .form(let form)? = definition.steps.first(where: { $0.id == stepID })?.step else { return nil }
    return form
  }

  private func translation(of text: LocalizedText?) -> Translation? { definition.translation(of: text, in: locale) }

  private func section(_ page: FormPage, _ language: String) -> String {
    func marked(_ text: LocalizedText?, _ write: (_ words: String, _ attributes: String) -> String) -> String {
      guard let found = translation(of: text) else { return "" }
      return write(found.text, LanguageMarkup.attributes(found.locale, inside: language))
    }
    return "<section\(LanguageMarkup.attributes(language))>"
      + marked(page.title) { "<h1\($1)>\(MarkupText.escaped($0))</h1>" }
      + marked(page.body) { "<p\($1)>\(ReviewComposer.paragraphs($0))</p>" }
      + marked(page.learnMoreHTML) { $1.isEmpty ? $0 : "<div\($1)>\($0)</div>" }
      + "</section>"
  }
}

extension FlowScript {
  /// The words in which the script's screens show its forms.
  package var formWords: FormWords {
    FormWords(flowVersion: flowVersion, flowHash: flowHash, definition: definition, locale: locale)
  }
}

extension FlowDefinition {
  /// A text in a locale, or in the one that stands in for it.
  func translation(of text: LocalizedText?, in locale: LocaleTag) -> Translation? {
    locale.pick(from: text?.translations ?? [], locale: \.locale, standIn: defaultLocale)
  }
}

extension FormStep {
  /// The purpose that the form permits: the identifier of its step if it names none.
  package func purpose(in stepID: String) -> String { purpose.isEmpty ? stepID : purpose }
}

extension FlowDefinition {
  /// The purposes for which its forms ask.
  package var formPurposes: [String] {
    steps.compactMap { step in
      guard case .form(let form)? = step.step else { return nil }
      return form.purpose(in: step.id)
    }
  }
}
