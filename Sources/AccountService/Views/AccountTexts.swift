/// The texts of the screens of accounts in one language, with English for languages that have none.
package struct AccountTexts: Sendable {
  /// Languages with all texts. A key without a text does not compile.
  package static let languages = ["ar", "de", "en", "es", "fr", "ja", "zh"]

  /// The locale as it was asked for, or English.
  package let locale: String
  private let language: String

  /// - Parameter locale: a BCP 47 tag, in whatever case.
  package init(locale: String) {
    let wanted = locale.split { $0 == "-" || $0 == "_" }.first.map { $0.lowercased() } ?? ""
    let isKnown = Self.languages.contains(wanted)
    language = isKnown ? wanted : "en"
    self.locale = isKnown ? locale : "en"
  }

  package var isRightToLeft: Bool { language == "ar" }

  package subscript(_ key: AccountTextKey) -> String {
    switch language {
    case "ar": Self.arabic(key)
    case "de": Self.german(key)
    case "es": Self.spanish(key)
    case "fr": Self.french(key)
    case "ja": Self.japanese(key)
    case "zh": Self.chinese(key)
    default: Self.english(key)
    }
  }

  /// The text with its `{places}` filled in; what is filled in is not searched again.
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
