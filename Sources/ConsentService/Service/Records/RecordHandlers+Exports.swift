internal import Base
internal import ConsentContract
internal import ConsentDomain
internal import RPC
internal import ServicePolicy
internal import Storage

/// Records and subjects in formats for other systems.
extension RecordHandlers {
  func exportRecord(_ request: ExportRecordRequest, context: CallContext) async throws -> ExportRecordResponse {
    await signHead(context)
    return try await data.disclose(context, of: Self.record(request.recordID)) { snapshot, record, disclosure in
      var full = try record.opened(snapshot, &disclosure, for: "export of a record")
      try RecordStore.verify([full], withLaterVersions: true, snapshot)
      full = try full.asOfNow(snapshot)
      let facts = try ExportFacts(of: full, snapshot)
      switch request.format {
      case .fhirR5, .fhirR4b:
        let json = FHIRExport.bundle(of: full, facts, request.format == .fhirR5 ? .r5 : .r4b)
        return ExportRecordResponse(contentType: "application/fhir+json", content: Array(json.text.utf8))
      case .receipt:
        let json = ReceiptExport.receipt(of: full, facts)
        return ExportRecordResponse(contentType: "application/json", content: Array(json.text.utf8))
      case .unspecified, .unrecognized:
        let message = "format is \(request.format.number); it must be FHIR_R5, FHIR_R4B or RECEIPT"
        throw Refusal(.invalid, "unknown_format", field: "format", message)
      }
    }
  }

  /// Signs the log's head before an export, so that the signed head covers what is exported. A log that cannot be
  /// signed, after a backup was restored for instance, does not prevent the export: the periodic task logs what is
  /// wrong.
  private func signHead(_ context: CallContext) async {
    guard let tenant = try? context.tenant() else { return }
    _ = try? await evidence?.sign(tenant)
  }

  private struct Held: Sendable {
    /// The person's identifiers.
    var names: [String] = []
    var records: [ConsentRecord] = []
    var sessions: [StoredSession] = []
    /// Whether the caller may see all of the person's records and sessions.
    var isWhole = false

    /// The statements of the birth date. A caller who may see only some of the sessions gets those that were made in
    /// these: the others would tell of studies that are not the caller's. Corrections, and dates on paper, belong to no
    /// session, so such a caller does not get them.
    func statements(_ snapshot: Snapshot) throws -> [BirthDateStatement] {
      let all = try names.flatMap { name in
        try [false, true].flatMap { try BirthDateStore.history(of: name, isTest: $0, snapshot).statements }
      }
      guard !isWhole else { return all }
      let open = Set(sessions.map(\.id))
      return all.filter { open.contains($0.sessionID) }
    }

    /// The guardians on record. Like renewed attempts, they belong to no session, so only a caller who may see
    /// everything gets them.
    func guardians(_ snapshot: Snapshot) throws -> [Guardian] {
      guard isWhole else { return [] }
      let studies = Set(records.map(\.studyID) + sessions.map(\.studyID)).sorted()
      return try names.flatMap { name in
        try studies.flatMap { try GuardianStore.guardians(of: name, in: $0, snapshot) }
      }
    }

    /// The renewals of attempts at questions, with their reasons.
    func renewals(_ snapshot: Snapshot) throws -> [JSON] {
      guard isWhole else { return [] }
      var seen: Set<[String]> = []
      var found: [JSON] = []
      for session in sessions {
        for pinned in session.documents {
          let (id, version) = (pinned.documentID, pinned.version)
          guard seen.insert([session.subjectID, id, "\(version)", "\(session.isTest)"]).inserted else { continue }
          let history = try AttemptStore.history(
            of: session.subjectID, id, version, isTest: session.isTest, snapshot)
          found += history.renewals.map { SubjectExport.renewal($0, id, version) }
        }
      }
      return found
    }
  }

  /// Finds the records and sessions of a subject that the caller may see.
  private static func held(about subject: Subject) -> ServiceDatabase.Lookup<Found<Held>> {
    { snapshot, gate in
      // The person's other identifiers are left out if they were erased: nothing under them can be decrypted any more.
      let names = try MergedAccounts.names(of: subject.id, snapshot).filter { name in
        try name == subject.id || Subject(name).map { try !snapshot.vault.isErased($0) } ?? false
      }
      let all = Held(
        names: names, records: try names.flatMap { try RecordStore.heads(of: $0, snapshot) },
        sessions: try names.flatMap { try SessionStore.sessions(of: $0, snapshot) }
          .map { try SessionStore.session($0, snapshot) })
      guard !all.records.isEmpty || !all.sessions.isEmpty else { throw Refusal.notFound("subject", subject.id) }
      var open = Held(
        names: names, records: try all.records.filter { try gate.isOpen(to: $0, snapshot) },
        sessions: try all.sessions.filter { try gate.isOpen(to: $0, snapshot) })
      open.isWhole = open.records.count == all.records.count && open.sessions.count == all.sessions.count
      let isRefused = open.records.isEmpty && open.sessions.isEmpty
      let touched =
        isRefused
        ? all.records.accessTargets + all.sessions.accessTargets
        : open.records.accessTargets + open.sessions.accessTargets
      return Found(open, targets: touched)
    }
  }

  /// Exports the data held about a subject: receipts of the records, and what the vault has except files.
  func exportSubject(
    _ request: ExportSubjectRequest, context: CallContext
  ) async throws -> ExportSubjectResponse {
    let subject = try Subject.named(request.subjectID)
    await signHead(context)
    return try await data.disclose(context, of: Self.held(about: subject)) { snapshot, held, disclosure in
      var receipts: [JSON] = []
      var personal: [JSON] = []
      for head in held.value.records {
        let record = try RecordStore.record(head.recordID, snapshot)
        var full = try record.opened(snapshot, &disclosure, for: "export of a subject")
        try RecordStore.verify([full], withLaterVersions: true, snapshot)
        full = try full.asOfNow(snapshot)
        receipts.append(ReceiptExport.receipt(of: full, try ExportFacts(of: full, snapshot)))
        let images = try full.signatures.compactMap { signature in
          try RenderJob.image(of: signature, on: full, snapshot).map { (signature.signatureID, $0.bytes, $0.salt) }
        }
        var secrets = try RecordStore.secrets(full.recordID, of: full.subjectID, snapshot)
        if !held.value.isWhole, !secrets.majorityStated { secrets.majorityMonth = "" }
        personal.append(SubjectExport.personal(of: full, secrets, images: images))
      }
      let statements = try held.value.statements(snapshot)
      var sessions: [JSON] = []
      for session in held.value.sessions {
        disclosure.note(session, for: "export of a subject")
        var state = session.state
        // A session also uses a date that was stated in another one.
        let isStatedHere = state.birthDateStated || statements.contains { $0.sessionID == session.id }
        if !held.value.isWhole, !isStatedHere { state.birthDate = nil }
        sessions.append(SubjectExport.session(session.id, session.studyID, state))
      }
      let export = JSON.object([
        ("format", .string("assent-subject-export-1")), ("subject_id", .string(subject.id)),
        ("consents", .array(receipts)), ("personal", .array(personal)), ("sessions", .array(sessions)),
        ("birth_dates", .array(statements.map(SubjectExport.birthDate))),
        ("renewed_attempts", .array(try held.value.renewals(snapshot))),
        ("guardians", .array(try held.value.guardians(snapshot).map(SubjectExport.guardian))),
      ])
      return ExportSubjectResponse(contentType: "application/json", content: Array(export.text.utf8))
    }
  }
}
