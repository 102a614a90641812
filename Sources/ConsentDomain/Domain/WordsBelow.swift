package import ConsentContract
package import Refusals

/// Words below the ink of a saved signature, which are part of its picture.
package struct WordsBelow: Hashable, Sendable {
  package let name: String
  package let reason: String

  package init(name: String = "", reason: String = "") {
    (self.name, self.reason) = (name, reason)
  }

  /// Refuses words that contradict the record: another name than the one that is printed, or another reason than the
  /// meaning that the document gives to the signature. If the record has no name, any name below the ink passes.
  package func check(printed: PersonName?, meaning: String) throws(Refusal) {
    let names = printed.map(Self.forms) ?? []
    if !name.isEmpty, !names.isEmpty, !names.contains(Self.plain(name)) {
      throw Self.refusal("words_of_other_name", "another name below the ink than the one that the signer printed")
    }
    if !reason.isEmpty, Self.plain(reason) != Self.plain(meaning) {
      throw Self.refusal("words_of_other_reason", "another reason below the ink than what the signature means")
    }
  }

  /// A name as it may be written: in either order, or the only one that the person has.
  private static func forms(of name: PersonName) -> [String] {
    [
      name.mononym, PrintedName.join(given: name.given, family: name.family, locale: .english),
      "\(name.family) \(name.given)", "\(name.family), \(name.given)",
    ].map(plain).filter { !$0.isEmpty && $0 != "," }
  }

  /// The text without what makes no difference to a reader: case, white space, and punctuation at the end.
  private static func plain(_ text: String) -> String {
    var plain = text.lowercased().filter { !$0.isWhitespace }
    while plain.last?.isPunctuation == true { plain.removeLast() }
    return plain
  }

  private static func refusal(_ rule: String, _ finding: String) -> Refusal {
    Refusal(
      .precondition, rule, field: "signature.drawn.field_id",
      "signature.drawn.field_id names a field with \(finding); make a field whose words are those of the record")
  }
}
