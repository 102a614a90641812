package import Ink
package import ServicePolicy
package import SignatureContract

/// What a saved signature must be to be used again.
package enum ReuseRules {
  package static func otherMark(_ wanted: FieldMark) -> Refusal {
    let (asked, found) = wanted == .initials ? ("initials", "a signature") : ("a signature", "initials")
    return Refusal(
      .precondition, "other_mark", field: "signature_id", "signature_id names \(found); the field asks for \(asked)")
  }

  /// Reusing is no way around what a field refuses.
  package static func check(isTyped: Bool, isUploaded: Bool, in rules: Cell.Rules) throws(Refusal) {
    func refused(_ what: String) -> Refusal {
      Refusal(
        .precondition, "kind_refused", field: "signature_id", "signature_id names \(what), which the field refuses")
    }
    if isTyped, !rules.allowsTyping { throw refused("a typed signature") }
    if isUploaded, !rules.allowsUpload { throw refused("an uploaded image") }
  }

  /// Words need a canvas to stand below, which strokes that were saved without one do not have.
  package static func inscribed(
    _ content: StoredSignature, _ words: Inscription
  ) throws -> StoredSignature {
    if case .strokes(let ink) = content, ink.canvas == nil, words != .none {
      throw Refusal(
        .precondition, "no_canvas", field: "signature_id", "signature_id names strokes without a canvas for words")
    }
    return try content.inscribed(words)
  }
}
