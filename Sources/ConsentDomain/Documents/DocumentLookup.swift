package import Base
package import ConsentContract

/// Finds texts by the identifier of what they describe.
extension DocumentText {
  package func section(_ id: String) -> SectionText { sections.first { $0.sectionID == id } ?? SectionText() }
  package func signature(_ id: String) -> SignatureText { signatures.first { $0.signatureID == id } ?? SignatureText() }
  package func question(_ id: String) -> QuestionText { questions.first { $0.questionID == id } ?? QuestionText() }
}

extension Sequence {
  /// The elements by name; of several elements with the same name, the first.
  func keyed(by name: (Element) -> String) -> [String: Element] {
    Dictionary(map { (name($0), $0) }, uniquingKeysWith: { first, _ in first })
  }
}

extension DocumentContent {
  /// The text for `locale`, with fallback to shorter tags and then to the document's default.
  package func text(for locale: LocaleTag) -> DocumentText? {
    locale.pick(from: texts, locale: \.locale, standIn: defaultLocale)
  }
}

extension DocumentSettings {
  package func signature(_ id: String) -> SignatureDefinition? { signatures.first { $0.id == id } }

  /// The codes of the purposes that a consent to the document covers; the document's identifier if it names none.
  package func purposeCodes(documentID: String) -> [String] {
    purposes.isEmpty ? [documentID] : purposes.map(\.code)
  }
}

extension LocalizedText {
  /// The text for `locale`, with fallback to shorter tags and then to `standIn`; empty when there is none.
  package func text(for locale: LocaleTag, standIn: String) -> String {
    locale.pick(from: translations, locale: \.locale, standIn: standIn)?.text ?? ""
  }

  package init(_ texts: KeyValuePairs<String, String>) {
    self.init(translations: texts.map { Translation(locale: $0.key, text: $0.value) })
  }
}

extension LocalizedText? {
  package func text(for locale: LocaleTag, standIn: String) -> String {
    self?.text(for: locale, standIn: standIn) ?? ""
  }
}

extension CalendarDate {
  /// The day, if the calendar has that date.
  package var checked: CalendarDay? { CalendarDay(year: Int(year), month: Int(month), day: Int(day)) }

  package init(_ day: CalendarDay) {
    self.init(year: Int32(day.year), month: Int32(day.month), day: Int32(day.day))
  }
}
