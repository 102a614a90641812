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
