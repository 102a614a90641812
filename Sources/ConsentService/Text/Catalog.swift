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
}

/// The texts of one screen: a locale, its fallbacks, and a tenant's own texts.
package struct ScreenTexts: Sendable {
  /// A tenant's own texts: by key, then by locale.
  package typealias Overrides = [TextKey: [String: String]]

  package let locale: LocaleTag
  private let standIn: LocaleTag
  private let overrides: Overrides
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

/// `template` with every `{name}` in `values` replaced; inserted text is not searched again.
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
