package import ConsentContract
internal import Wire

/// A record as a receipt like those of ISO/IEC TS 27560: header, processing, party, events.
package enum ReceiptExport {
  package static func receipt(of record: ConsentRecord, title: String, controller: String) -> JSON {
    .members([
      ("schema_version", .string("ISO-IEC-TS-27560:2023")), ("receipt_id", .string(record.recordID)),
      ("pii_principal_id", .string(record.subjectID)),
      ("record_metadata", metadata(of: record)), ("pii_processing", processing(of: record, title: title)),
      (
        "party_identification",
        .array([.object([("party_role", .string("controller")), ("party_id", .string(controller))])])
      ),
      ("events", .array(record.history.map { event($0, record) })),
      ("signatures", record.signatures.isEmpty ? nil : .array(record.signatures.map(signature))),
    ])
  }

  private static func metadata(of record: ConsentRecord) -> JSON {
    .members([
      ("kind", .string("\(record.kind)")), ("state", .string(record.state.wireName)),
      ("study_id", .some(record.studyID)),
      ("site_id", .some(record.siteID)), ("session_id", .some(record.sessionID)), ("device_id", .some(record.deviceID)),
      ("test", record.test ? .bool(true) : nil),
    ])
  }

  private static func processing(of record: ConsentRecord, title: String) -> JSON {
    .members([
      ("notice_title", .some(title)), ("notice_language", .some(record.locale)),
      ("notice_document", .some(record.documentID)),
      ("notice_version", record.documentVersion == 0 ? nil : .number(Int64(record.documentVersion))),
      ("notice_version_hash", .some(record.versionHash)), ("notice_locale_hash", .some(record.localeHash)),
      ("notice_shown_hash", .some(record.shownHash)), ("legal_basis", .string("consent")),
      (
        "purposes",
        .array(
          record.purposes.map { purpose in
            .object([
              ("purpose", .string(purpose)),
              ("consent_withdrawn", .bool(record.withdrawnPurposes.contains(purpose))),
            ])
          })
      ),
      ("sharing", record.sharing == .unspecified ? nil : .string(record.sharing.code)),
      ("valid_from", .some(record.inForceAt)),
      ("valid_until", .some(record.expiresAt)),
      ("withdrawal_method", .string("WithdrawConsent")),
    ])
  }

  private static func event(_ entry: RecordEntry, _ record: ConsentRecord) -> JSON {
    .members([
      ("event_time", .some(entry.at)), ("event_type", .string("\(entry.kind)")),
      ("event_actor", .some(entry.actor)), ("event_reason", .some(entry.reason)),
      ("purposes", entry.purposes.isEmpty ? nil : .array(entry.purposes.map(JSON.string))),
      ("sharing", entry.sharing == .unspecified ? nil : .string(entry.sharing.code)),
      ("signature_id", .some(entry.signatureID)),
    ])
  }

  private static func signature(_ signature: RecordSignature) -> JSON {
    .members([
      ("signature_id", .string(signature.signatureID)), ("role", .string(signature.role.code)),
      ("printed_name", .some(signature.printedName)), ("name_commitment", .some(signature.nameCommitment)),
      ("strokes_hash", .some(signature.strokesHash)), ("typed", .bool(signature.typed)),
      ("signed_at", .string(SignaturePageComposer.printedTime(signature))), ("meaning", .some(signature.meaning)),
    ])
  }
}
