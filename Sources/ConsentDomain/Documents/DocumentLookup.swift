package import Base
package import ConsentContract

/// Finds texts by the identifier of what they describe.
extension DocumentText {
  package func section(_ id: String) -> SectionText { sections.first { $0.sectionID == id } ?? SectionText() }
  package func signature(_ id: String) -> SignatureText { signatures.first { $0.signatureID == id } ?? SignatureText() }
  package func purpose(_ code: String) -> PurposeText { purposes.first { $0.purposeCode == code } ?? PurposeText() }

  /// What a person says yes to by agreeing, in their words: the purposes that are not asked for by a question.
  func titlesOfRequiredPurposes(_ settings: DocumentSettings) -> [String] {
    settings.purposes.filter { !$0.optional }.map { required in
      let title = purpose(required.code).title
      return title.isEmpty ? required.code : title
    }
  }

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

  /// The codes of all purposes that the document asks for; the document's identifier if it names none.
  package func purposeCodes(documentID: String) -> [String] {
    purposes.isEmpty ? [documentID] : purposes.map(\.code)
  }

  /// The purposes for which a consent to the document is given by somebody who says no to some of the optional ones.
  package func purposeCodes(documentID: String, without declined: [String]) -> [String] {
    purposeCodes(documentID: documentID).filter { !declined.contains($0) }
  }

  /// The purposes that are asked for by a question of their own.
  package var optionalPurposes: [String] { purposes.filter(\.optional).map(\.code) }
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
