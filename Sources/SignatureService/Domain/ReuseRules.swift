package import Ink
package import Refusals
package import SignatureContract

/// The rules that a saved signature must meet to be used again in another field.
package enum ReuseRules {
  package static func otherMark(_ wanted: FieldMark) -> Refusal {
    let (asked, found) = wanted == .initials ? ("initials", "a signature") : ("a signature", "initials")
    return Refusal(
      .precondition, "other_mark", field: "signature_id", "signature_id names \(found); the field asks for \(asked)")
  }

  /// Refuses to reuse a kind of signature that the field does not allow to be saved either.
  package static func check(isTyped: Bool, isUploaded: Bool, in rules: Cell.Rules) throws(Refusal) {
    func refused(_ what: String) -> Refusal {
      Refusal(
        .precondition, "kind_refused", field: "signature_id", "signature_id names \(what), which the field refuses")
    }
    if isTyped, !rules.allowsTyping { throw refused("a typed signature") }
    if isUploaded, !rules.allowsUpload { throw refused("an uploaded image") }
  }

  /// Adds the field's words below a signature. Refuses this for strokes that were saved without a canvas, since words
  /// are placed on it.
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
