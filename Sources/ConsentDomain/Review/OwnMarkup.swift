internal import Base
internal import ConsentContract

/// Our own words as markup inside a document: each names its language where it is not the document's.
struct OwnMarkup {
  typealias Line = (label: String, value: String)

  private let own: ScreenTexts
  private let locale: String

  init(_ texts: ScreenTexts, in locale: String) {
    own = texts.speaking(locale)
    self.locale = locale
  }

  func text(_ key: TextKey, _ values: [String: String] = [:]) -> String { own.filled(key, values) }

  func said(_ key: TextKey, _ values: [String: String] = [:]) -> String {
    let language = LanguageMarkup.attributes(own.found(key).locale, inside: locale)
    let words = MarkupText.escaped(text(key, values))
    return language.isEmpty ? words : "<span\(language)>\(words)</span>"
  }

  /// A table of two columns, in which labels are the heads of rows. Both are markup.
  func table(_ lines: [Line]) -> String {
    let rows = lines.map { "<tr><th scope=\"row\">\($0.label)</th><td>\($0.value)</td></tr>" }
    return "<table>\(rows.joined())</table>"
  }
}
