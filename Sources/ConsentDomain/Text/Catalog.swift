internal import Base
package import ConsentContract

/// Our own texts in every language that comes with Assent.
package enum Catalog {
  /// Languages with all texts. A key without a text does not compile.
  package static let languages = ["ar", "de", "en", "es", "fr", "ja", "zh"]

  /// The text in `language`; nil when that language has none.
  package static func text(_ key: TextKey, language: String) -> String? {
    switch language {
    case "ar": arabic(key)
    case "de": german(key)
    case "en": english(key)
    case "es": spanish(key)
    case "fr": french(key)
    case "ja": japanese(key)
    case "zh": chinese(key)
    default: nil
    }
  }

  /// The tag of the language that our own texts for `language` are in: our Chinese is written in simplified characters.
  static func tag(of language: String) -> String { language == "zh" ? "zh-Hans" : language }
}

/// The texts of one screen: a locale, its fallbacks, and a tenant's own texts.
package struct ScreenTexts: Sendable {
  /// A tenant's own texts: by key, then by locale.
  package typealias Overrides = [TextKey: [String: String]]

  package private(set) var locale: LocaleTag
  private let standIn: LocaleTag
  private let overrides: Overrides
  private var notes: LanguageNotes?
  /// The version of the tenant's own texts, and its hash; 0 and empty if there are none.
  package let version: Int32
  package let hash: String

  package init(locale: LocaleTag, standIn: LocaleTag, own: TextsVersion = TextsVersion()) {
    self.locale = locale
    self.standIn = standIn
    overrides = own.lookup
    version = own.version
    hash = own.hash
  }

  /// Looks in the locale, its shorter forms, the default locale, its shorter forms, and English, in this order. In
  /// each, the tenant's own texts come before ours.
  package func found(_ key: TextKey) -> Translation {
    for tag in locale.fallbacks + standIn.fallbacks {
      if let own = overrides[key]?[tag] { return Translation(locale: tag, text: own) }
      if let ours = Catalog.text(key, language: tag) {
        let written = Catalog.tag(of: tag)
        return Translation(locale: written, text: overrides[key]?[written] ?? ours)
      }
    }
    return Translation(locale: "en", text: overrides[key]?["en"] ?? Catalog.english(key))
  }

  package subscript(_ key: TextKey) -> String { filled(key, [:]) }

  /// The text with its `{places}` filled in.
  package func filled(_ key: TextKey, _ values: [String: String]) -> String {
    let found = found(key)
    let text = values.isEmpty ? found.text : fill(found.text, values)
    notes?.note(text, in: found.locale)
    return text
  }

  /// The same texts, and every lookup notes the language of what it finds.
  func noting(_ notes: LanguageNotes) -> ScreenTexts {
    var copy = self
    copy.notes = notes
    return copy
  }

  /// The same texts in the language of another text beside which they are shown, such as a document.
  package func speaking(_ tag: String) -> ScreenTexts {
    var copy = self
    copy.locale = LocaleTag(tag) ?? locale
    return copy
  }
}

/// `template` with every `{name}` in `values` replaced; inserted text is not searched again. The result is limited to
/// as many combining marks on a letter as texts that are sent: as part of a copy, it goes to SignatureService.
package func fill(_ template: String, _ values: [String: String]) -> String {
  var result = ""
  var rest = Substring(template)
  while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
    let name = String(rest[rest.index(after: open)..<close])
    result += rest[..<open]
    result += values[name] ?? String(rest[open...close])
    rest = rest[rest.index(after: close)...]
  }
  let filled = result + rest
  return StreamSafeText.limited(filled) ?? filled
}
