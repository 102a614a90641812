internal import Base
package import ConsentContract
package import Refusals

/// Which signatures a record has, needs, and may take next.
package enum Signing {
  /// The signatures that this person's consent needs: all but those of a guardian who is not needed, and of a minor who
  /// does not assent.
  package static func needed(_ settings: DocumentSettings, _ check: AgeCheck?) -> [SignatureDefinition] {
    let standing = standing(of: check)
    return settings.signatures.filter { signature in
      switch signature.role {
      case .participant, .guardian: standing.signs(signature.role)
      default: true
      }
    }
  }

  static func standing(of check: AgeCheck?) -> Standing {
    guard let check, check.needsGuardian else { return .ofAge }
    return .minor(assents: check.needsAssent)
  }

  package static func missing(_ record: ConsentRecord, _ settings: DocumentSettings) -> [SignatureDefinition] {
    needed(settings, record.ageCheck).filter { signature in
      !record.signatures.contains { $0.signatureID == signature.id }
    }
  }

  /// The missing signatures that are next: no signature of a lower order is missing too.
  package static func due(_ record: ConsentRecord, _ settings: DocumentSettings) -> [SignatureDefinition] {
    guard record.stands else { return [] }
    let missing = missing(record, settings)
    guard let turn = missing.map(\.order).min() else { return [] }
    return missing.filter { $0.order == turn }
  }

  /// True when the record has all the signatures that it needs to be in force.
  package static func isInForce(_ record: ConsentRecord, _ settings: DocumentSettings) -> Bool {
    let missing = missing(record, settings)
    guard settings.inForceFrom != .lastSignature else { return missing.isEmpty }
    return !missing.contains { $0.role == .participant || $0.role == .guardian }
  }

  /// Adds a signature to a *copy* of the record: for an identifier that the document has, once, in its order, and only
  /// to a consent that was given.
  package static func adding(
    _ signature: RecordSignature, to record: ConsentRecord, _ settings: DocumentSettings, entry: RecordEntry,
    signerAlsoKnownAs names: [String] = []
  ) throws(Refusal) -> ConsentRecord {
    guard let definition = settings.signature(signature.signatureID) else {
      let known = settings.signatures.map(\.id).joined(separator: ", ")
      let message = "signature_id is '\(signature.signatureID.shortened)'; the document asks for: \(known)"
      throw Refusal(.notFound, "unknown_signature", field: "signature_id", message)
    }
    guard record.stands else {
      let message =
        "record '\(record.recordID)' is \(record.state.word): only a consent that was given and stands is signed"
      throw Refusal(.precondition, "consent_not_given", field: "record_id", message)
    }
    guard !record.signatures.contains(where: { $0.signatureID == definition.id }) else {
      let message = "record '\(record.recordID)' already has signature '\(definition.id)'"
      throw Refusal(.alreadyExists, "already_signed", field: "signature_id", message)
    }
    let due = due(record, settings).map(\.id)
    guard due.contains(definition.id) else {
      let message = "signature '\(definition.id)' is not due yet; first: \(due.joined(separator: ", "))"
      throw Refusal(.precondition, "signature_out_of_order", field: "signature_id", message)
    }
    try checkDistinct(signature, definition.role, on: record, settings, names)
    var copy = record
    var signature = signature
    signature.role = definition.role
    copy.signatures.append(signature)
    var entry = entry
    entry.kind = .signed
    entry.signatureID = definition.id
    copy.append(entry)
    copy.enterForceIfComplete(settings, entry: entry)
    return copy
  }
}

extension Signing {
  /// Throws if the signer signed for somebody else on this record, or is the participant or, as a witness, assisted.
  /// Signers at a device who are not known by an account cannot be compared.
  private static func checkDistinct(
    _ signature: RecordSignature, _ role: SignerRole, on record: ConsentRecord, _ settings: DocumentSettings,
    _ names: [String]
  ) throws(Refusal) {
    guard !settings.signersMayCoincide, !signature.personID.isEmpty else { return }
    let names = Set(names + [signature.personID])
    let isInitials = settings.signature(signature.signatureID)?.initials == true
    // Initials stand beside the signature of the same person in the same role.
    let others = record.signatures.filter { earlier in
      guard earlier.role == role else { return true }
      return !isInitials && settings.signature(earlier.signatureID)?.initials != true
    }
    if let earlier = others.first(where: { names.contains($0.personID) }) {
      throw sameSigner(signature, "signed '\(earlier.signatureID)' of this record")
    }
    if role != .participant, names.contains(record.subjectID) { throw sameSigner(signature, "is the participant") }
    let assisted = record.assistants.map(\.assistedBy) + [record.assistedBy]
    if role == .witness, assisted.contains(where: names.contains) {
      throw sameSigner(signature, "assisted the participant")
    }
  }

  private static func sameSigner(_ signature: RecordSignature, _ why: String) -> Refusal {
    Refusal(
      .precondition, "same_signer", field: "signature_id",
      "'\(signature.personID.shortened)' \(why), and '\(signature.signatureID)' is for another person")
  }
}

extension ConsentRecord {
  /// Enters into force if the record has all signatures for it. Signatures on paper are on the scan.
  package mutating func enterForceIfComplete(_ settings: DocumentSettings, entry: RecordEntry) {
    guard state == .awaitingSignatures, kind == .paper || Signing.isInForce(self, settings) else { return }
    append(RecordEntry(kind: .inForce, at: entry.at, deviceTime: entry.deviceTime, actor: entry.actor))
  }
}
