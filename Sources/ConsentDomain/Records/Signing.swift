package import Base
package import ConsentContract
package import Refusals
internal import Wire

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
    return missing.filter { $0.order == turn && !record.declinedSignatures.contains($0.id) }
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
    let definition = try due(signature.signatureID, on: record, settings, at: entry.at.orEpoch)
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

  /// A *copy* of the record with a signature's refusal. A consent that is not complete without it is rejected.
  package static func declining(
    _ signatureID: String, on record: ConsentRecord, _ settings: DocumentSettings, entry: RecordEntry
  ) throws(Refusal) -> ConsentRecord {
    let definition = try due(signatureID, on: record, settings, at: entry.at.orEpoch)
    guard definition.role == .witness || definition.role == .investigator else {
      let message = "signature '\(definition.id)' is a \(definition.role)'s, who can withdraw the consent"
      throw Refusal(.precondition, "not_declinable", field: "signature_id", message)
    }
    var copy = record
    var entry = entry
    (entry.kind, entry.signatureID) = (.signingDeclined, definition.id)
    copy.append(entry)
    guard copy.state == .awaitingSignatures, settings.inForceFrom == .lastSignature else { return copy }
    copy.append(RecordEntry(kind: .rejected, at: entry.at, deviceTime: entry.deviceTime, actor: entry.actor))
    return copy
  }

  /// The definition of a signature that is due on a record now.
  private static func due(
    _ signatureID: String, on record: ConsentRecord, _ settings: DocumentSettings, at now: Instant
  ) throws(Refusal) -> SignatureDefinition {
    guard let definition = settings.signature(signatureID) else {
      let known = settings.signatures.map(\.id).joined(separator: ", ")
      let message = "signature_id is '\(signatureID.shortened)'; the document asks for: \(known)"
      throw Refusal(.notFound, "unknown_signature", field: "signature_id", message)
    }
    guard record.stands else {
      let message =
        "record '\(record.recordID)' is \(record.state.word): only a consent that was given and stands is signed"
      throw Refusal(.precondition, "consent_not_given", field: "record_id", message)
    }
    guard record.waits(at: now) else {
      let message = "record '\(record.recordID)' has waited for signatures as long as its document lets it"
      throw Refusal(.precondition, "signatures_overdue", field: "record_id", message)
    }
    guard !record.signatures.contains(where: { $0.signatureID == definition.id }) else {
      let message = "record '\(record.recordID)' already has signature '\(definition.id)'"
      throw Refusal(.alreadyExists, "already_signed", field: "signature_id", message)
    }
    guard !record.declinedSignatures.contains(definition.id) else {
      let message = "somebody refused to give signature '\(definition.id)' of record '\(record.recordID)'"
      throw Refusal(.precondition, "signing_declined", field: "signature_id", message)
    }
    let due = self.due(record, settings).map(\.id)
    guard due.contains(definition.id) else {
      let message = "signature '\(definition.id)' is not due yet; first: \(due.joined(separator: ", "))"
      throw Refusal(.precondition, "signature_out_of_order", field: "signature_id", message)
    }
    return definition
  }
}

extension Signing {
  /// Throws if the signer signed for somebody else on this record, is the participant, has assisted and is the witness,
  /// or has operated the device and is the investigator. Signers at a device who are not known by an account cannot be
  /// compared.
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
    let parts = record.assistants + [AssistedPart(assistedBy: record.assistedBy, assistance: record.assistance)]
    let assisted = parts.filter { role == .witness || role == .investigator && $0.assistance == .operatesDevice }
    if assisted.contains(where: { names.contains($0.assistedBy) }) {
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
  /// False for a consent that has waited for signatures as long as its document lets it.
  func waits(at now: Instant) -> Bool {
    state != .awaitingSignatures || signaturesDueBy.map { now < $0.clamped } ?? true
  }

  /// Starts the time for which the consent waits for signatures.
  package mutating func awaitSignatures(_ settings: DocumentSettings, from start: Instant) {
    let days = settings.signaturesWithinDays
    signaturesDueBy = days > 0 ? Timestamp(start + .days(Int(days))) : nil
  }

  /// Enters into force if the record has all signatures for it. Signatures on paper are on the scan.
  package mutating func enterForceIfComplete(_ settings: DocumentSettings, entry: RecordEntry) {
    guard state == .awaitingSignatures, kind == .paper || Signing.isInForce(self, settings) else { return }
    append(RecordEntry(kind: .inForce, at: entry.at, deviceTime: entry.deviceTime, actor: entry.actor))
  }
}
