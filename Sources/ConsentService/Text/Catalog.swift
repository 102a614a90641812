/// The texts of our own in every language that comes with Assent.
package enum Catalog {
  /// Languages with a complete set. A key without a text does not compile.
  package static let languages = ["ar", "de", "en", "es", "fr", "ja", "zh"]

  /// The text in `language`; nil when there is no set for it.
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
}

/// The texts that one screen is written with: a locale, what it falls back to, and a tenant's own words.
package struct ScreenTexts: Sendable {
  /// A tenant's own words: by key, then by locale.
  package typealias Overrides = [TextKey: [String: String]]

  package let locale: LocaleTag
  private let standIn: LocaleTag
  private let overrides: Overrides

  package init(locale: LocaleTag, standIn: LocaleTag, overrides: Overrides = [:]) {
    self.locale = locale
    self.standIn = standIn
    self.overrides = overrides
  }

  /// The locale, then shorter forms of it, then the default locale and its shorter forms, then English. In each, the
  /// tenant's own words come before ours.
  package subscript(_ key: TextKey) -> String {
    for tag in locale.fallbacks + standIn.fallbacks {
      if let own = overrides[key]?[tag] { return own }
      if let ours = Catalog.text(key, language: tag) { return ours }
    }
    return overrides[key]?["en"] ?? Catalog.english(key)
  }

  /// The text with its `{places}` filled in.
  package func filled(_ key: TextKey, _ values: [String: String]) -> String {
    fill(self[key], values)
  }
}

/// `template` with every `{name}` that `values` knows replaced; what is put in is not searched again.
package func fill(_ template: String, _ values: [String: String]) -> String {
  var result = ""
  var rest = Substring(template)
  while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
    let name = String(rest[rest.index(after: open)..<close])
    result += rest[..<open]
    result += values[name] ?? String(rest[open...close])
    rest = rest[rest.index(after: close)...]
  }
  return result + rest
}
