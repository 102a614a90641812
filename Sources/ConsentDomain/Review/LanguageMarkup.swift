internal import Base

/// Language and direction in composed HTML, so that it is read aloud, hyphenated and laid out rightly wherever it is
/// shown.
enum LanguageMarkup {
  /// The attributes of an element in this language, such as ` lang="ar" dir="rtl"`.
  static func attributes(_ locale: String) -> String {
    let direction = LocaleTag.isRightToLeft(locale) ? "rtl" : "ltr"
    return " lang=\"\(MarkupText.escaped(locale))\" dir=\"\(direction)\""
  }

  /// The same for a part that stands inside another text; nothing when both are in the same language.
  static func attributes(_ locale: String, inside outer: String) -> String {
    locale == outer ? "" : attributes(locale)
  }

  static func block(_ html: String, in locale: String) -> String { "<div\(attributes(locale))>\(html)</div>" }
}
