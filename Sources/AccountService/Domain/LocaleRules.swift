package import ServicePolicy

/// Languages, as callers and settings name them.
package enum LocaleRules {
  /// As long as every reader of language tags takes them (RFC 5646).
  private static let longest = 35
  /// What a system adds to a tag, such as its calendar, may make it longer.
  private static let longestNamed = 255

  /// Refuses what is too long for a tag. A caller's text that is no tag is answered in English.
  package static func check(_ locale: String, _ field: String = "locale") throws(Refusal) {
    guard locale.utf8.count <= longestNamed else {
      let message = "\(field) is \(locale.utf8.count) bytes long; at most \(longestNamed) are allowed"
      throw Refusal(.invalid, "too_long", field: field, message)
    }
  }

  /// Whether it could be a BCP 47 tag.
  static func isTag(_ locale: String) -> Bool {
    (1...longest).contains(locale.utf8.count)
      && locale.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
  }
}
