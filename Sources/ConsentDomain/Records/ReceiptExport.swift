internal import Base
package import ConsentContract
internal import Wire

/// A record as a receipt of ISO/IEC TS 27560: what it is, what is done with the data and why, who answers for it, and
/// what has happened. States and kinds are spelled as `CheckConsent` spells its reasons: `in_force`, `withdrawn`.
package struct ReceiptExport {
  private let record: ConsentRecord
  private let facts: ExportFacts

  package static func receipt(of record: ConsentRecord, _ facts: ExportFacts) -> JSON {
    ReceiptExport(record: record, facts: facts).receipt
  }

  private var receipt: JSON {
    .members([
      ("schema_version", .string("ISO-IEC-TS-27560:2023")), ("receipt_id", .string(record.recordID)),
      ("record_id", .string(record.recordID)), ("pii_principal_id", .string(record.subjectID)),
      ("record_metadata", metadata), ("pii_processing", processing), ("party_identification", .array(parties)),
      ("events", .array(record.history.map(event))),
      ("signatures", record.signatures.isEmpty ? nil : .array(record.signatures.map(signature))),
    ])
  }

  private var metadata: JSON {
    .members([
      ("kind", .string(record.kind.word)), ("state", .string(record.state.word)),
      ("study_id", .some(record.studyID)), ("site_id", .some(record.siteID)),
      ("session_id", .some(record.sessionID)), ("device_id", .some(record.deviceID)),
      ("test", record.test ? .bool(true) : nil),
    ])
  }

  private var processing: JSON {
    .members([
      ("privacy_notice", notice), ("purposes", .array(record.asked.map(purpose))),
      ("sharing", record.sharing == .unspecified ? nil : .string(record.sharing.code)),
      ("valid_until", .some(facts.validUntil(record))),
      ("privacy_rights", Self.list(facts.text.rights)),
      (
        "withdrawal_method",
        .members([
          ("description", .some(facts.text.withdrawal)), ("url", .some(facts.withdrawalURL)),
          ("call", .string("assent.consent.v1.RecordService/WithdrawConsent")),
        ])
      ),
    ])
  }

  private var notice: JSON {
    .members([
      ("title", .some(facts.title)), ("language", .some(record.locale)), ("document", .some(record.documentID)),
      ("version", record.documentVersion == 0 ? nil : .number(Int64(record.documentVersion))),
      ("version_hash", .some(record.versionHash)), ("locale_hash", .some(record.localeHash)),
      ("shown_hash", .some(record.shownHash)),
    ])
  }

  private func purpose(_ code: String) -> JSON {
    let words = facts.words(of: code) ?? PurposeText()
    let periods = record.permittedPeriods(of: code, lapse: facts.lapse(of: record)).map { period in
      JSON.members([
        ("from", .time(Timestamp(period.start))), ("until", .some(period.end.map { Timestamp($0) })),
      ])
    }
    return .members([
      ("purpose_id", .string(code)), ("purpose", .string(words.title.isEmpty ? code : words.title)),
      ("description", .some(words.description)), ("lawful_basis", .string("consent")),
      ("state", .string(state(of: code).word)), ("permitted", periods.isEmpty ? nil : .array(periods)),
      ("pii_information", Self.list(words.dataCategories)), ("pii_controllers", .array([.string("controller")])),
      ("recipient_third_parties", Self.list(words.recipients)), ("retention_period", .some(words.retention)),
    ])
  }

  private func state(of purpose: String) -> RecordState {
    if record.state == .erased { return .erased }
    if record.declinedPurposes.contains(purpose) { return .declined }
    if record.withdrawnPurposes.contains(purpose) { return .withdrawn }
    return record.supersededPurposes.contains(purpose) ? .superseded : record.state
  }

  private var parties: [JSON] {
    let party = facts.controller
    let controller = JSON.members([
      ("party_id", .string("controller")), ("party_role", .string("controller")),
      ("party_name", .string(party.name.isEmpty ? facts.tenant : party.name)), ("party_address", .some(party.address)),
      ("party_email", .some(party.email)), ("party_phone", .some(party.phone)), ("party_url", .some(party.url)),
      ("party_contact", .some(party.contact)), ("tenant", .some(facts.tenant)),
    ])
    let principal = JSON.object([
      ("party_id", .string("pii_principal")), ("party_role", .string("pii_principal")),
      ("pii_principal_id", .string(record.subjectID)),
    ])
    return [controller, principal]
  }

  private func event(_ entry: RecordEntry) -> JSON {
    .members([
      ("event_time", .some(entry.at)), ("event_type", .string(entry.kind.word)),
      ("event_actor", .some(entry.actor)), ("event_reason", .some(entry.reason)),
      ("purposes", entry.purposes.isEmpty ? nil : .array(entry.purposes.map(JSON.string))),
      ("sharing", entry.sharing == .unspecified ? nil : .string(entry.sharing.code)),
      ("signature_id", .some(entry.signatureID)),
    ])
  }

  private func signature(_ signature: RecordSignature) -> JSON {
    .members([
      ("signature_id", .string(signature.signatureID)), ("role", .string(signature.role.code)),
      ("printed_name", .some(signature.nameNow)),
      ("name_as_signed", signature.corrections.isEmpty ? nil : .string(signature.printedName)),
      ("name_commitment", .some(signature.corrections.last?.nameCommitment ?? signature.nameCommitment)),
      ("strokes_hash", .some(signature.strokesHash)), ("typed", .bool(signature.typed)),
      ("uploaded", .bool(signature.origin?.uploaded ?? false)),
      ("reused", .bool(!(signature.origin?.reusedFrom ?? "").isEmpty)),
      ("signed_at", .string(SignaturePageComposer.printedTime(signature))), ("meaning", .some(signature.meaning)),
    ])
  }

  private static func list(_ texts: [String]) -> JSON? { texts.isEmpty ? nil : .array(texts.map(JSON.string)) }
}
