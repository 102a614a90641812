internal import Base
internal import Bus
internal import ConsentContract
internal import ServicePolicy
internal import Storage

/// Records and subjects in formats for other systems.
extension RecordHandlers {
  func exportRecord(_ request: ExportRecordRequest, context: CallContext) async throws -> ExportRecordResponse {
    try await data.disclose(context) { snapshot, caller, disclosure in
      let record = try RecordStore.record(request.recordID, snapshot)
      try record.requireReading(by: caller)
      let full = try record.opened(snapshot, &disclosure)
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

  /// Everything held about a subject: receipts of the records, and what the vault holds.
  func exportSubject(
    _ request: ExportSubjectRequest, context: CallContext
  ) async throws -> ExportSubjectResponse {
    try await data.disclose(context) { snapshot, caller, disclosure in
      let subject = try Subject.checked(request.subjectID)
      var receipts: [JSON] = []
      var personal: [JSON] = []
      for head in try RecordStore.heads(of: subject.id, snapshot) {
        try head.requireReading(by: caller)
        let full = try RecordStore.record(head.recordID, snapshot).opened(snapshot, &disclosure)
        let title = try Self.title(of: head, snapshot)
        receipts.append(ReceiptExport.receipt(of: full, title: title, controller: caller.tenant.id))
        let images = try full.signatures.compactMap { signature in
          try snapshot.personal(RenderJob.item(full.recordID, signature.signatureID), of: subject.id)
            .map { (signature.signatureID, $0) }
        }
        let secrets = try RecordStore.secrets(full.recordID, of: subject.id, snapshot)
        personal.append(SubjectExport.personal(of: full, secrets, images: images))
      }
      var sessions: [JSON] = []
      for id in try SessionStore.sessions(of: subject.id, snapshot) {
        let session = try StoredSession.found(id, snapshot, caller)
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
}
