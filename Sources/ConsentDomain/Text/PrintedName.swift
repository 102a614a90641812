package import ConsentContract

/// A person's name as it is printed.
package enum PrintedName {
  /// Given and family name joined by a no-break space; the family name first if the locale requires that.
  package static func join(given: String, family: String, locale: LocaleTag) -> String {
    let parts = locale.putsFamilyNameFirst ? [family, given] : [given, family]
    return parts.map(trimmed).filter { !$0.isEmpty }.joined(separator: "\u{A0}")
  }

  package static func of(_ name: PersonName, locale: LocaleTag) -> String {
    name.mononym.isEmpty ? join(given: name.given, family: name.family, locale: locale) : trimmed(name.mononym)
  }
}

/// `text` without white space at its ends.
package func trimmed(_ text: String) -> String {
  var rest = Substring(text)
  while rest.first?.isWhitespace == true { rest.removeFirst() }
  while rest.last?.isWhitespace == true { rest.removeLast() }
  return String(rest)
}
