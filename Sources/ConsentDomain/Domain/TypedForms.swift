internal import ConsentContract
internal import TextFolding

/// The texts that a typed signature may have without a question: the printed name and its initials.
///
/// Letters are compared without case and accents, in either order of the name's parts, with or without spaces and
/// punctuation.
struct TypedForms {
  private let given: [[Unicode.Scalar]]
  private let family: [[Unicode.Scalar]]

  init(of name: PersonName) {
    given = Self.words(name.mononym.isEmpty ? name.given : name.mononym)
    family = Self.words(name.mononym.isEmpty ? name.family : "")
  }

  /// Whether a text is one of them. It has words or first letters of both parts, in their order: "A. Lovelace" and "AL"
  /// for Ada Augusta Lovelace, and not "Ada".
  func contain(_ text: String) -> Bool {
    let letters = Self.words(text).flatMap(\.self)
    guard !letters.isEmpty else { return false }
    return Self.spells(letters, [given, family]) || Self.spells(letters, [family, given])
  }

  /// Whether letters are put together of words or their first letters, of each part at least one.
  private static func spells(_ letters: [Unicode.Scalar], _ parts: [[[Unicode.Scalar]]]) -> Bool {
    /// Up to where the letters are explained.
    var ends: Set<Int> = [0]
    for words in parts where !words.isEmpty {
      // Whether a word of this part was among them already.
      var begun: Set<Int> = []
      for word in words {
        let reached = ends.union(begun).flatMap { start in
          [word, firstLetter(of: word), Array(word.prefix(1))].compactMap { form in
            letters[start...].starts(with: form) ? start + form.count : nil
          }
        }
        begun.formUnion(reached)
      }
      ends = begun
    }
    return ends.contains(letters.count)
  }

  /// The first letter with its vowel signs.
  private static func firstLetter(of word: [Unicode.Scalar]) -> [Unicode.Scalar] {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: word)
    return String(text).first.map { Array($0.unicodeScalars) } ?? []
  }

  private static func words(_ text: String) -> [[Unicode.Scalar]] {
    SearchText.folded(text).split(separator: " ").map { word in
      word.filter { scalar in
        switch scalar.properties.generalCategory {
        case .dashPunctuation, .connectorPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
          .finalPunctuation, .otherPunctuation, .mathSymbol, .modifierSymbol, .otherSymbol, .format:
          false
        default: true
        }
      }
    }.filter { !$0.isEmpty }
  }
}
