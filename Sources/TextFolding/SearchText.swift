/// Text as it is compared in a search, or with a name: without case and accents, in every script.
///
/// Letters are decomposed and lose their marks; letters that Unicode does not decompose, such as ø, are replaced by
/// those that people type instead. Marks that make another letter stay: vowel signs of Indic scripts, the virama, the
/// voicing of kana.
package enum SearchText {
  package static func folded(_ text: String) -> [Unicode.Scalar] {
    var result: [Unicode.Scalar] = []
    var isAfterSpace = true
    for scalar in text.unicodeScalars {
      for part in Decomposition.of(narrow(scalar)) where !isAccent(part) {
        if part.properties.isWhitespace {
          if !isAfterSpace { result.append(" ") }
          isAfterSpace = true
          continue
        }
        isAfterSpace = false
        // Upper case first: it turns ß into SS, and both lower-case sigmas into one letter.
        for letter in part.properties.uppercaseMapping.unicodeScalars {
          for small in letter.properties.lowercaseMapping.unicodeScalars where !isAccent(small) {
            result += replacements[small] ?? [hiragana(small)]
          }
        }
      }
    }
    if result.last == " " { result.removeLast() }
    return result
  }

  /// Whether every word of the query begins a word of the text. A query in ideographs may also be inside of a word,
  /// since such texts have no spaces.
  package static func matches(_ query: [Unicode.Scalar], in text: [Unicode.Scalar]) -> Bool {
    let words = text.split(separator: " ")
    return query.split(separator: " ").allSatisfy { wanted in
      words.contains { word in
        begins(word, wanted) || wanted.first?.properties.isIdeographic == true && word.contains(run: wanted)
      }
    }
  }

  /// Whether a word begins with the wanted letters. A mark of voicing after the last one makes it another kana.
  private static func begins(_ word: ArraySlice<Unicode.Scalar>, _ wanted: ArraySlice<Unicode.Scalar>) -> Bool {
    guard word.starts(with: wanted) else { return false }
    return word.dropFirst(wanted.count).first?.properties.canonicalCombiningClass.rawValue != 8
  }

  private static func isAccent(_ scalar: Unicode.Scalar) -> Bool {
    // Tatweel and the joiners only change how letters are drawn.
    if [0x0640, 0x200C, 0x200D].contains(scalar.value) { return true }
    let combiningClass = scalar.properties.canonicalCombiningClass.rawValue
    return combiningClass != 0 && combiningClass != 8 && combiningClass != 9
  }

  /// The usual form of a full-width character.
  private static func narrow(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    guard 0xFF01...0xFF5E ~= scalar.value else { return scalar }
    return Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar
  }

  /// The hiragana of a katakana letter: the two are ways to write one syllable.
  private static func hiragana(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    guard 0x30A1...0x30F6 ~= scalar.value else { return scalar }
    return Unicode.Scalar(scalar.value - 0x60) ?? scalar
  }

  private static let replacements: [Unicode.Scalar: [Unicode.Scalar]] = [
    "ø": ["o"], "ł": ["l"], "đ": ["d"], "ð": ["d"], "þ": ["t", "h"], "ħ": ["h"], "æ": ["a", "e"], "œ": ["o", "e"],
    "ı": ["i"], "ŋ": ["n"],
  ]
}

extension Collection where Element: Equatable {
  fileprivate func contains(run: some Collection<Element>) -> Bool {
    indices.contains { self[$0...].starts(with: run) } || run.isEmpty
  }
}
