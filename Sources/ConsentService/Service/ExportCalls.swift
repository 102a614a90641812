package import Bus
package import ConsentContract
internal import Storage
internal import Wire

/// Exports, and what privacy asks for.
extension ConsentHandlers {
  package func exportRecord(_ request: ExportRecordRequest, context: CallContext) async throws -> ExportRecordResponse {
    try await disclose(context) { snapshot, caller, readings in
      let record = try RecordStore.record(request.recordID, snapshot)
      try Self.requireReading(record, caller)
      let full = try opened(record, snapshot, caller, &readings)
      let title = try Self.title(of: record, snapshot)
      switch request.format {
      case .fhirR5:
        let json = FHIRExport.bundle(of: full, title: title)
        return ExportRecordResponse(contentType: "application/fhir+json", content: Array(json.text.utf8))
      case .receipt:
        let json = ReceiptExport.receipt(of: full, title: title, controller: caller.tenant.id)
        return ExportRecordResponse(contentType: "application/json", content: Array(json.text.utf8))
      case .unspecified, .unrecognized:
        let message = "format is \(request.format.number); it must be FHIR_R5 or RECEIPT"
        throw Refusal(.invalid, "unknown_format", field: "format", message)
      }
    }
  }

  private static func title(of record: ConsentRecord, _ snapshot: Snapshot) throws -> String {
    guard !record.documentID.isEmpty, let locale = LocaleTag(record.locale) else { return "" }
    let version = try DocumentStore.version(record.documentID, record.documentVersion, snapshot)
    return version.content?.text(for: locale)?.title ?? ""
  }

  package func getRecordImage(
    _ request: GetRecordImageRequest, context: CallContext
  ) async throws -> GetRecordImageResponse {
    try await disclose(context) { snapshot, caller, readings in
      let record = try RecordStore.head(request.recordID, snapshot)
      try Self.requireReading(record, caller)
      guard let signature = record.signatures.first(where: { $0.signatureID == request.signatureID }) else {
        throw Refusal.notFound("signature", request.signatureID)
      }
      let item = RenderJob.item(record.id, signature.signatureID)
      guard let image = try snapshot.personal(item, of: record.subjectID) else {
        let message =
          "signature '\(signature.signatureID)' of record '\(record.id)' is not rendered yet; try again shortly"
        throw Refusal(.precondition, "not_rendered", field: "signature_id", message)
      }
      readings.note(record, by: caller)
      return GetRecordImageResponse(contentType: "image/png", content: image, hash: signature.imageHash)
    }
  }

  /// Everything held about a subject: receipts of the records, and what the vault holds.
  package func exportSubject(
    _ request: ExportSubjectRequest, context: CallContext
  ) async throws -> ExportSubjectResponse {
    try await disclose(context) { snapshot, caller, readings in
      let subject = try Subject.checked(request.subjectID)
      var receipts: [JSON] = []
      var personal: [JSON] = []
      for head in try RecordStore.heads(of: subject.id, snapshot) {
        try Self.requireReading(head, caller)
        let full = try opened(try RecordStore.record(head.id, snapshot), snapshot, caller, &readings)
        let title = try Self.title(of: head, snapshot)
        receipts.append(ReceiptExport.receipt(of: full, title: title, controller: caller.tenant.id))
        let images = try full.signatures.compactMap { signature in
          try snapshot.personal(RenderJob.item(full.id, signature.signatureID), of: subject.id)
            .map { (signature.signatureID, $0) }
        }
        let secrets = try RecordStore.secrets(full.id, of: subject.id, snapshot)
        personal.append(SubjectExport.personal(of: full, secrets, images: images))
      }
      var sessions: [JSON] = []
      for id in try SessionStore.sessions(of: subject.id, snapshot) {
        let session = try session(id, snapshot, caller)
        sessions.append(SubjectExport.session(id, session.studyID, session.state))
      }
      guard !receipts.isEmpty || !sessions.isEmpty else { throw Refusal.notFound("subject", subject.id) }
      let export = JSON.object([
        ("format", .string("assent-subject-export-1")), ("subject_id", .string(subject.id)),
        ("consents", .array(receipts)), ("personal", .array(personal)), ("sessions", .array(sessions)),
      ])
      return ExportSubjectResponse(contentType: "application/json", content: Array(export.text.utf8))
    }
  }

  package func eraseSubject(_ request: EraseSubjectRequest, context: CallContext) async throws -> EraseSubjectResponse {
    try await write(request, context) { transaction, caller in
      let subject = try Subject.checked(request.subjectID)
      _ = try Self.studies(of: subject, transaction, caller)
      guard !trimmed(request.reason).isEmpty else {
        throw Refusal(.invalid, "reason_missing", field: "reason", "reason is empty; an erasure says why")
      }
      if try transaction.vault.isErased(subject) { return EraseSubjectResponse() }
      try transaction.vault.erase(subject, by: caller.actor, reason: "request")
      try Retention.followErasure(of: subject, by: caller.actor, transaction)
      return EraseSubjectResponse()
    }
  }

  /// The studies that know the subject; the caller must administer all of them.
  private static func studies(of subject: Subject, _ transaction: Transaction, _ caller: Caller) throws -> [String] {
    let studies = try Retention.studies(of: subject, transaction)
    guard !studies.isEmpty else { throw Refusal.notFound("subject", subject.id) }
    for study in studies { try caller.require([.admin], study: study) }
    return studies
  }

  package func setLegalHold(_ request: SetLegalHoldRequest, context: CallContext) async throws -> SetLegalHoldResponse {
    try await write(request, context) { transaction, caller in
      let subject = try Subject.checked(request.subjectID)
      let studies = try Self.studies(of: subject, transaction, caller)
      if request.held {
        guard !trimmed(request.reason).isEmpty else {
          throw Refusal(.invalid, "reason_missing", field: "reason", "reason is empty; a legal hold says why")
        }
        _ = try transaction.vault.placeHold(on: subject, by: caller.actor, reason: request.reason)
      } else {
        for hold in try transaction.vault.holds(on: subject) {
          try transaction.vault.liftHold(hold.id, by: caller.actor)
        }
      }
      let note = request.held ? "set" : "lifted"
      for study in studies {
        let event = ConsentEvent(kind: .legalHoldChanged, studyID: study, subjectID: subject.id, note: note)
        try transaction.note(event, by: caller)
      }
      return SetLegalHoldResponse()
    }
  }
}
