package import ConsentContract
package import Refusals

/// Checks a study's names in other languages.
package enum StudyNames {
  private static let most = 50
  private static let longest = 1000

  /// The names as they are stored: each locale once, in one spelling and one order; nil for none.
  ///
  /// - Parameter standard: the locale of the study's main name; no second name may be in it.
  package static func checked(
    _ names: LocalizedText?, besides standard: LocaleTag, _ field: String
  ) throws(Refusal) -> LocalizedText? {
    guard let given = names?.translations, !given.isEmpty else { return nil }
    guard given.count <= most else {
      let message = "\(field) has \(given.count) entries; at most \(most) are allowed"
      throw Refusal(.invalid, "too_many", field: field, message)
    }
    var texts: [String: String] = [:]
    for (index, name) in given.enumerated() {
      let place = "\(field).translations[\(index)]"
      let locale = try LocaleTag.checked(name.locale, "\(place).locale")
      guard locale != standard, texts[locale.text] == nil else {
        let other = locale == standard ? "in which study.name is" : "which has a name before"
        let message = "\(place).locale is '\(locale.text)', \(other)"
        throw Refusal(.invalid, "duplicate_name", field: "\(place).locale", message)
      }
      guard !trimmed(name.text).isEmpty else {
        throw Refusal(.invalid, "missing_text", field: "\(place).text", "\(place).text is empty")
      }
      let length = name.text.utf8.count
      guard length <= longest else {
        let message = "\(place).text is \(length) bytes long; at most \(longest) are allowed"
        throw Refusal(.invalid, "too_long", field: "\(place).text", message)
      }
      texts[locale.text] = name.text
    }
    return LocalizedText(
      translations: texts.sorted { $0.key < $1.key }.map { Translation(locale: $0.key, text: $0.value) })
  }
}

extension ConsentStudy {
  /// The name for `locale`, with fallback to shorter tags and then to the main name, which is in the default locale.
  package func name(for locale: LocaleTag) -> String {
    let known = (names?.translations ?? []) + [Translation(locale: defaultLocale, text: name)]
    return locale.pick(from: known, locale: \.locale, standIn: "")?.text ?? name
  }
}
