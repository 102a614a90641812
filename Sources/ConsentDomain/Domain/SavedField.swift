internal import Base
package import ConsentContract
package import Refusals

/// A field of SignatureService, with the signature that is saved in it.
package struct SavedField: Equatable, Sendable {
  package let fieldID: String
  /// The place at which the field was made to be signed with.
  package let place: SignaturePlace
  package let isClosed: Bool
  /// The saved revision; 0 while the field is empty.
  package let revision: Int32
  package let savedSignatureID: String
  package let hash: String
  /// The name that was typed in it; nil if it was signed otherwise.
  package let typedText: String?
  package let origin: SignatureOrigin
  package let words: WordsBelow

  package init(
    fieldID: String, place: SignaturePlace, isClosed: Bool, revision: Int32, savedSignatureID: String, hash: String,
    typedText: String?, origin: SignatureOrigin = SignatureOrigin(), words: WordsBelow = WordsBelow()
  ) {
    self.fieldID = fieldID
    self.place = place
    self.isClosed = isClosed
    self.revision = revision
    self.savedSignatureID = savedSignatureID
    self.hash = hash
    self.typedText = typedText
    self.origin = origin
    self.words = words
  }
}

extension SavedField {
  package var isTyped: Bool { typedText != nil }

  /// The signature's origin; nil if it has nothing particular, such as an upload or reuse.
  package var stated: SignatureOrigin? { origin == SignatureOrigin() ? nil : origin }

  /// Refuses a field that was made for another place than the one where somebody signs, that is empty, or whose
  /// signature is not the one that the signer saw. Each part of the place has a rule of its own.
  package func check(for place: SignaturePlace, seen revision: Int32) throws(Refusal) {
    if let part = Self.parts.first(where: { !$0.isEqual(self.place, place) }) {
      let message =
        "\(Self.path).field_id is '\(fieldID.shortened)', a field that was made for another \(part.name)"
      throw Refusal(.precondition, "field_of_other_\(part.name)", field: "\(Self.path).field_id", message)
    }
    guard self.revision > 0 else {
      let message = "\(Self.path).field_id is '\(fieldID.shortened)', a field in which nothing is saved"
      throw Refusal(.precondition, "field_empty", field: "\(Self.path).field_id", message)
    }
    guard revision == self.revision else {
      let message = "\(Self.path).revision is \(revision); field '\(fieldID.shortened)' holds \(self.revision)"
      throw Refusal(.aborted, "stale_version", field: "\(Self.path).revision", message)
    }
  }

  /// Refuses a signature whose origin the document does not allow, and one that is not of the kind asked for. A
  /// signature that was saved before needs a fresh authentication beside it: it can be repeated without anybody's hand.
  package func check(_ definition: SignatureDefinition, isAuthenticated: Bool) throws(Refusal) {
    let holds = "\(Self.path).field_id is '\(fieldID.shortened)', which holds"
    func refusal(_ rule: String, _ finding: String) -> Refusal {
      Refusal(
        .precondition, rule, field: "\(Self.path).field_id",
        "\(holds) \(finding); signature '\(definition.id)' does not take that")
    }
    if isTyped, definition.requiresImage, definition.refusesTyped {
      let message = "signature '\(definition.id)' must be drawn; signature.drawn.field_id holds a typed name"
      throw Refusal(.precondition, "typed_signature_refused", field: "\(Self.path).field_id", message)
    }
    if origin.uploaded, !definition.allowsUploaded {
      throw refusal("uploaded_signature_refused", "an uploaded image")
    }
    if !origin.reusedFrom.isEmpty, !definition.allowsReused || !isAuthenticated {
      throw refusal("reused_signature_refused", "a signature that was saved before")
    }
    if origin.initials != definition.initials {
      throw refusal("other_mark", origin.initials ? "initials" : "a signature")
    }
  }

  /// The refusal of a field that was signed with before, or closed by anybody else.
  package func used() -> Refusal {
    let message = "\(Self.path).field_id is '\(fieldID.shortened)', which was signed with or closed before"
    return Refusal(.precondition, "field_used", field: "\(Self.path).field_id", message)
  }

  package static func missing(_ fieldID: String) -> Refusal {
    let message = "\(path).field_id is '\(fieldID.shortened)', which names no field for signing"
    return Refusal(.precondition, "signature_not_saved", field: "\(path).field_id", message)
  }

  private static let path = "signature.drawn"

  private struct Part {
    let name: String
    let isEqual: @Sendable (SignaturePlace, SignaturePlace) -> Bool
  }

  /// In the order in which a difference is reported: the widest first.
  private static let parts = [
    Part(name: "study") { $0.studyID == $1.studyID },
    Part(name: "site") { $0.siteID == $1.siteID },
    Part(name: "subject") { $0.subjectID == $1.subjectID },
    Part(name: "session") { $0.sessionID == $1.sessionID },
    Part(name: "record") { $0.recordID == $1.recordID },
    Part(name: "document") { $0.documentID == $1.documentID },
    Part(name: "version") { $0.documentVersion == $1.documentVersion },
    Part(name: "signature") { $0.signatureID == $1.signatureID },
  ]
}
