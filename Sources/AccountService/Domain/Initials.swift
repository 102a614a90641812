/// A person's initials, for names in any script. Clients show them in place of a missing picture.
///
/// | name | initials |
/// |---|---|
/// | of several words | the first letters of the first and the last one |
/// | of one word | its first letter |
/// | in Chinese characters, kana or Hangul | the first character |
/// | in Arabic script | as above, kept from joining |
/// | in Thai or Lao | as above, the consonant and not the vowel that is written before it |
/// | without a letter | its first character; of nothing, a question mark |
package enum Initials {
  package static func of(_ name: String) -> String {
    let words = name.split(whereSeparator: \.isWhitespace).compactMap(firstLetter)
    guard let first = words.first else {
      return name.first { !$0.isWhitespace }.map(String.init) ?? "?"
    }
    guard words.count > 1, let last = words.last, !isWholeName(first) else { return titled(first) }
    // A zero-width non-joiner keeps two Arabic letters from being drawn as the beginning of a word.
    let isJoining = isArabic(first) || isArabic(last)
    return titled(first) + (isJoining ? "\u{200C}" : "") + titled(last)
  }

  private static func firstLetter(of word: Substring) -> Character? {
    let letters = word.filter { $0.unicodeScalars.contains(where: \.properties.isAlphabetic) }
    guard let first = letters.first, let scalar = first.unicodeScalars.first else { return nil }
    let isLeadingVowel = 0x0E40...0x0E44 ~= scalar.value || 0x0EC0...0x0EC4 ~= scalar.value
    return isLeadingVowel ? letters.dropFirst().first ?? first : first
  }

  /// The letter in title case, which differs from upper case in Croatian digraphs and in Georgian.
  private static func titled(_ letter: Character) -> String {
    letter.unicodeScalars.enumerated().map {
      $0.offset == 0 ? $0.element.properties.titlecaseMapping : String($0.element)
    }
    .joined()
  }

  /// Whether a letter is of a script in which one character is a syllable or a word, and so is enough.
  private static func isWholeName(_ letter: Character) -> Bool {
    guard let scalar = letter.unicodeScalars.first else { return false }
    return scalar.properties.isIdeographic || 0x3040...0x30FF ~= scalar.value || 0xAC00...0xD7AF ~= scalar.value
      || 0x1100...0x11FF ~= scalar.value
  }

  private static func isArabic(_ letter: Character) -> Bool {
    letter.unicodeScalars.first.map { 0x0600...0x077F ~= $0.value || 0x08A0...0x08FF ~= $0.value } == true
  }
}
