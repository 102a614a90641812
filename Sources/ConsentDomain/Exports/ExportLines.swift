internal import Base
package import CommonContract
package import ConsentContract
internal import Wire

extension ConsentRecord {
  /// The record as a line of a table. It names people by their identifiers alone.
  ///
  /// The record has its history.
  package var exportLine: ExportTable.Line {
    [
      ("record_id", .string(recordID)), ("study_id", .string(studyID)), ("site_id", .some(siteID)),
      ("subject_id", .string(subjectID)), ("kind", .word(kind)), ("state", .word(state)),
      ("document_id", .some(documentID)), ("document_version", .some(documentVersion)), ("flow_id", .some(flowID)),
      ("flow_version", .some(flowVersion)), ("step_id", .some(stepID)), ("locale", .some(locale)),
      ("purposes", .some(purposes)), ("declined_purposes", .some(declinedPurposes)),
      ("withdrawn_purposes", .some(withdrawnPurposes)), ("superseded_purposes", .some(supersededPurposes)),
      ("sharing", .word(sharing)), ("decided_at", .some(decidedAt)), ("in_force_at", .some(inForceAt)),
      ("expires_at", .some(expiresAt)), ("changed_at", .some(history.last?.at)),
      ("actor", .some(history.first?.actor ?? "")), ("assisted_by", .some(assistedBy)), ("device_id", .some(deviceID)),
      ("session_id", .some(sessionID)), ("signatures", .some(signatures.map(\.signatureID))),
      ("declined_signatures", .some(declinedSignatures)), ("attention", .some(attention)),
      ("signed_copy", .word(signedCopy?.state ?? .unspecified)),
      ("verification_id", .some(signedCopy?.verificationID ?? "")), ("version_hash", .some(versionHash)),
      ("shown_hash", .some(shownHash)), ("filed_before", .number(filedBefore)), ("test", .bool(test)),
    ]
  }

  package static var exportNames: [String] { ConsentRecord().exportLine.map(\.name) }
}

extension ConsentDecision {
  /// The decision as a line of a table, with what its record says about where it was made.
  package func exportLine(evidence record: ConsentRecord) -> ExportTable.Line {
    [
      ("subject_id", .string(subjectID)), ("number", .number(Int64(number))), ("study_id", .string(studyID)),
      ("site_id", .some(record.siteID)), ("purpose", .some(purpose)),
      ("decision", .string(voids == 0 ? (yes ? "yes" : "no") : "void")), ("decided_at", .some(decidedAt)),
      ("clock_behind", .bool(clockBehind)), ("actor", .some(actor)), ("record_id", .some(recordID)),
      ("kind", .word(record.kind)), ("document_id", .some(record.documentID)),
      ("document_version", .some(record.documentVersion)), ("session_id", .some(sessionID)),
      ("filed_before", .number(filedBefore)), ("seen_before", .number(seenBefore)), ("voids", .number(voids)),
      ("test", .bool(test)),
    ]
  }

  package static var exportNames: [String] {
    ConsentDecision().exportLine(evidence: ConsentRecord()).map(\.name)
  }
}

extension TrailEntry {
  /// The entry as a line of a table.
  package var exportLine: ExportTable.Line {
    [
      ("at", .some(at)), ("service", .string(service)), ("sequence", .number(sequence)), ("kind", .word(kind)),
      ("actor", .some(actor)), ("caller_kind", .some(callerKind)), ("capacity", .some(capacity)),
      ("device_id", .some(deviceID)), ("method", .some(method)), ("study_id", .some(studyID)),
      ("site_id", .some(siteID)), ("subject_id", .some(subjectID)), ("item", .some(item)),
      ("purpose", .some(purpose)), ("count", .number(Int64(max(count, 1)))),
    ]
  }

  package static var exportNames: [String] { TrailEntry().exportLine.map(\.name) }
}

extension JSON {
  fileprivate static func word(_ choice: some MessageEnum) -> JSON? {
    choice.number == 0 ? nil : .string(choice.word)
  }

  fileprivate static func some(_ number: Int32) -> JSON? { number == 0 ? nil : .number(Int64(number)) }

  fileprivate static func some(_ texts: [String]) -> JSON? { texts.isEmpty ? nil : .array(texts.map { .string($0) }) }
}
