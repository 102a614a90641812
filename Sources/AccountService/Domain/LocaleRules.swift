package import Refusals

/// Checks language tags that callers and settings name.
package enum LocaleRules {
  /// The length that every reader of language tags has to accept (RFC 5646).
  private static let longest = 35
  /// The longest locale that a caller may name. Systems append to a tag, for example a calendar.
  private static let longestNamed = 255

  /// Refuses a locale that is too long. A caller whose locale is no tag is answered in English.
  package static func check(_ locale: String, _ field: String = "locale") throws(Refusal) {
    guard locale.utf8.count <= longestNamed else {
      let message = "\(field) is \(locale.utf8.count) bytes long; at most \(longestNamed) are allowed"
      throw Refusal(.invalid, "too_long", field: field, message)
    }
  }

  /// Whether the text could be a BCP 47 tag.
  static func isTag(_ locale: String) -> Bool {
    (1...longest).contains(locale.utf8.count)
      && locale.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
  }
}
