package import AccountContract

/// The texts of the screens of accounts in one language, with English for languages that have none. A tenant's own
/// texts replace the built-in ones.
package struct AccountTexts: Sendable {
  /// Languages with all texts. A key without a text does not compile.
  package static let languages = ["ar", "de", "en", "es", "fr", "ja", "zh"]
  private static let fromRightToLeft: Set = ["ar", "fa", "he", "ur"]

  /// The locale as it was asked for, or English.
  package let locale: String
  private let language: String
  private let own: [AccountTextKey: String]

  /// - Parameters:
  ///   - locale: a BCP 47 tag, in whatever case.
  ///   - texts: the tenant's own. A language without built-in texts is used once the tenant has all texts in it.
  package init(locale: String, own texts: [AccountViewText] = []) {
    let wanted = Self.language(of: locale)
    let own = Self.own(texts, for: locale, wanted)
    let isKnown = Self.languages.contains(wanted) || own.count == AccountTextKey.allCases.count
    language = isKnown ? wanted : "en"
    // The built-in Chinese is written in simplified characters.
    let isOther = wanted == "zh" && own.count < AccountTextKey.allCases.count && Self.isTraditional(locale)
    self.locale = isKnown ? isOther ? "zh-Hans" : locale : "en"
    self.own = isKnown ? own : Self.own(texts, for: "en", "en")
  }

  private static func language(of locale: String) -> String {
    locale.prefix { $0 != "-" && $0 != "_" }.lowercased()
  }

  /// Whether a tag asks for traditional characters, by its script or else by its region.
  private static func isTraditional(_ locale: String) -> Bool {
    let parts = locale.lowercased().split { $0 == "-" || $0 == "_" }.dropFirst()
    return !parts.contains("hans") && parts.contains { ["hant", "tw", "hk", "mo"].contains($0) }
  }

  /// The texts for a locale: those of exactly this locale before those of its language.
  private static func own(
    _ texts: [AccountViewText], for locale: String, _ language: String
  ) -> [AccountTextKey: String] {
    var found: [AccountTextKey: String] = [:]
    for tag in [language, locale.lowercased()] {
      for text in texts where text.locale.lowercased() == tag {
        if let key = AccountTextKey(name: text.key) { found[key] = text.text }
      }
    }
    return found
  }

  package var isRightToLeft: Bool { Self.fromRightToLeft.contains(language) }

  package subscript(_ key: AccountTextKey) -> String { own[key] ?? Self.builtIn(key, language) }

  /// The built-in text, in English for a language that has none.
  package static func builtIn(_ key: AccountTextKey, _ language: String) -> String {
    switch language {
    case "ar": arabic(key)
    case "de": german(key)
    case "es": spanish(key)
    case "fr": french(key)
    case "ja": japanese(key)
    case "zh": chinese(key)
    default: english(key)
    }
  }

  /// The names of the `{places}` in a text.
  package static func places(in text: String) -> Set<String> {
    var places: Set<String> = []
    var rest = Substring(text)
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      places.insert(String(rest[rest.index(after: open)..<close]))
      rest = rest[rest.index(after: close)...]
    }
    return places
  }

  /// The text with its `{places}` filled in; what is filled in is not searched again. A place without a value stays.
  package func filled(_ key: AccountTextKey, _ values: [String: String]) -> String {
    var result = ""
    var rest = Substring(self[key])
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      let name = String(rest[rest.index(after: open)..<close])
      result += rest[..<open]
      result += values[name] ?? String(rest[open...close])
      rest = rest[rest.index(after: close)...]
    }
    return result + rest
  }
}
