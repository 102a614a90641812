internal import Base
package import Bus
package import ConsentContract
internal import Storage

/// Records: read, list, withdraw, change, register.
extension ConsentHandlers {
  package func getConsentRecord(
    _ request: GetConsentRecordRequest, context: CallContext
  ) async throws -> GetConsentRecordResponse {
    try await disclose(context) { snapshot, caller, readings in
      let record = try RecordStore.record(request.recordID, snapshot)
      try Self.requireReading(record, caller)
      return GetConsentRecordResponse(record: try opened(record, snapshot, caller, &readings))
    }
  }

  package func listConsentRecords(
    _ request: ListConsentRecordsRequest, context: CallContext
  ) async throws -> ListConsentRecordsResponse {
    try await read(context) { snapshot, caller in
      try caller.require(Role.readers, study: request.studyID, site: request.siteID)
      let (cursor, limit) = try page(request.pageToken, request.pageSize)
      let query = RecordQuery(
        studyID: request.studyID, siteID: request.siteID, subjectID: request.subjectID, documentID: request.documentID,
        documentVersion: request.documentVersion, states: request.state == .unspecified ? [] : [request.state],
        from: request.decidedFromMs,
        until: request.decidedUntilMs, isTest: request.test)
      let (records, next) = try RecordSearch.list(query, after: cursor, limit: limit, snapshot)
      return ListConsentRecordsResponse(records: records, nextPageToken: next?.text ?? "")
    }
  }

  package func getSubjectHistory(
    _ request: GetSubjectHistoryRequest, context: CallContext
  ) async throws -> GetSubjectHistoryResponse {
    try await disclose(context) { snapshot, caller, readings in
      let heads = try RecordStore.heads(of: request.subjectID, snapshot).filter { record in
        request.studyID.isEmpty || record.studyID == request.studyID
      }
      // Of several studies, those in which the caller may read; where that is none, the refusal says why.
      let readable = heads.filter { (try? Self.requireReading($0, caller)) != nil }
      if readable.isEmpty, let first = heads.first { try Self.requireReading(first, caller) }
      var records: [ConsentRecord] = []
      for head in readable {
        records.append(try opened(try RecordStore.record(head.id, snapshot), snapshot, caller, &readings))
      }
      return GetSubjectHistoryResponse(records: records)
    }
  }

  package func getShownContent(
    _ request: GetShownContentRequest, context: CallContext
  ) async throws -> GetShownContentResponse {
    try await disclose(context) { snapshot, caller, readings in
      let record = try RecordStore.head(request.recordID, snapshot)
      try Self.requireReading(record, caller)
      if record.kind == .paper {
        readings.note(record, by: caller)
        let scan = try snapshot.personal(PaperRules.item(record.id), of: record.subjectID)
        let type = PaperRules.mediaType(of: scan ?? []) ?? "application/octet-stream"
        return GetShownContentResponse(contentType: type, content: scan ?? [], shownHash: record.scanHash)
      }
      let shown = try RecordStore.shown(record.shownHash, snapshot)
      return GetShownContentResponse(contentType: shown.contentType, content: shown.bytes, shownHash: record.shownHash)
    }
  }

  package func withdrawConsent(
    _ request: WithdrawConsentRequest, context: CallContext
  ) async throws -> WithdrawConsentResponse {
    let answer: WithdrawConsentResponse = try await write(request, context) { transaction, caller in
      var changed: [ConsentRecord] = []
      for head in try Self.concerned(by: request, transaction) {
        try caller.requireParticipation(of: head.subjectID, study: head.studyID, site: head.siteID)
        let isOnBehalf = caller.isStaff(study: head.studyID, site: head.siteID, subject: head.subjectID)
        if isOnBehalf, trimmed(request.reason).isEmpty {
          let message = "reason is empty; it is needed when consent is withdrawn on somebody's behalf"
          throw Refusal(.invalid, "reason_missing", field: "reason", message)
        }
        var record = try RecordStore.locked(head.id, transaction)
        let wanted = request.recordID.isEmpty ? request.purposes.filter(record.purposes.contains) : request.purposes
        try record.withdraw(wanted, entry: Self.entry(request.deviceTime, request.reason, transaction, caller))
        try save(record, known: record.history.count - 1, transaction, caller)
        changed.append(record)
      }
      return WithdrawConsentResponse(records: changed)
    }
    heads.forget(answer.records, of: context.identity.tenant)
    return answer
  }

  /// One record, or everything of a subject's in a study that can be withdrawn and concerns the purposes.
  private static func concerned(by request: WithdrawConsentRequest, _ snapshot: Snapshot) throws -> [ConsentRecord] {
    guard request.recordID.isEmpty else { return [try RecordStore.head(request.recordID, snapshot)] }
    let found = try RecordStore.heads(of: request.subjectID, snapshot).filter { record in
      record.studyID == request.studyID && record.isWithdrawable
        && (request.purposes.isEmpty || request.purposes.contains(where: record.purposes.contains))
    }
    guard !found.isEmpty else {
      let message =
        "subject '\(request.subjectID.prefix(80))' has nothing to withdraw in study '\(request.studyID.prefix(80))'"
      throw Refusal(.precondition, "not_withdrawable", field: "subject_id", message)
    }
    return found
  }

  package func changeSharing(
    _ request: ChangeSharingRequest, context: CallContext
  ) async throws -> ChangeSharingResponse {
    let answer: ChangeSharingResponse = try await write(request, context) { transaction, caller in
      var record = try RecordStore.locked(request.recordID, transaction)
      try caller.requireParticipation(of: record.subjectID, study: record.studyID, site: record.siteID)
      try record.changeSharing(request.choice, entry: Self.entry(request.deviceTime, "", transaction, caller))
      try save(record, known: record.history.count - 1, transaction, caller)
      return ChangeSharingResponse(record: record)
    }
    heads.forget(answer.record.map { [$0] } ?? [], of: context.identity.tenant)
    return answer
  }

  package func registerPaperConsent(
    _ request: RegisterPaperConsentRequest, context: CallContext
  ) async throws -> RegisterPaperConsentResponse {
    let subjectID = request.subjectID.isEmpty ? identifiers.next() : request.subjectID
    let recordID = identifiers.next()
    return try await write(request, context, of: request.subjectID) { transaction, caller in
      try caller.require([.coordinator, .investigator], study: request.studyID, site: request.siteID)
      try StudyStore.checkSite(request.siteID, of: request.studyID, transaction)
      let document = try DocumentStore.document(request.documentID, transaction)
      guard document.studyID == request.studyID else { throw Refusal.notFound("document", request.documentID) }
      let version = try DocumentStore.version(document.id, request.documentVersion, transaction)
      var record = try PaperRules.record(request, version, id: recordID, subjectID: subjectID, at: transaction.now)
      try transaction.vault.put(request.scan, as: PaperRules.item(recordID), of: try Subject.checked(subjectID))
      var entry = try Self.entry(nil, "", transaction, caller).of(.paperRegistered)
      entry.sharing = request.sharing
      record.append(entry)
      record.append(try Self.entry(nil, "", transaction, caller).of(.inForce))
      try save(record, known: 0, transaction, caller)
      try supersede(by: record, transaction)
      return RegisterPaperConsentResponse(record: record, subjectID: subjectID)
    }
  }

  package func listDue(_ request: ListDueRequest, context: CallContext) async throws -> ListDueResponse {
    try await read(context) { snapshot, caller in
      try caller.require([.coordinator, .investigator, .inspector], study: request.studyID)
      let (cursor, limit) = try page(request.pageToken, request.pageSize)
      let query = RecordQuery(studyID: request.studyID, states: [.inForce, .expired])
      let (records, next) = try RecordSearch.list(query, after: cursor, limit: limit, snapshot)
      var demands: [String: [ReconsentDemand]] = [:]
      for id in Set(records.map(\.documentID)) where !id.isEmpty {
        demands[id] = try DocumentStore.demands(id, snapshot)
      }
      let due = records.compactMap { ConsentCheck.due($0, demands[$0.documentID] ?? [], at: snapshot.now) }
      return ListDueResponse(due: due, nextPageToken: next?.text ?? "")
    }
  }

  package func countVersion(_ request: CountVersionRequest, context: CallContext) async throws -> CountVersionResponse {
    try await read(context) { snapshot, caller in
      let document = try DocumentStore.document(request.documentID, snapshot)
      try caller.require(Role.readers + [.publisher], study: document.studyID)
      let place = CountStore.Place(documentID: document.id, version: request.version, isTest: request.test)
      return CountVersionResponse(counts: try CountStore.counts(place, snapshot))
    }
  }

  // MARK: Pieces

  static func requireReading(_ record: ConsentRecord, _ caller: Caller) throws(Refusal) {
    if caller.has(Role.readers, study: record.studyID, site: record.siteID) { return }
    try caller.requireParticipation(of: record.subjectID, study: record.studyID, site: record.siteID)
  }

  static func entry(
    _ device: DeviceTime?, _ reason: String, _ transaction: Transaction, _ caller: Caller
  ) throws(Refusal) -> RecordEntry {
    try DeviceTimeRules.check(device, "device_time")
    return RecordEntry(
      atMs: transaction.now.millisecondsSince1970, deviceTime: device, actor: caller.actor, reason: reason)
  }

  func save(_ record: ConsentRecord, known: Int, _ transaction: Transaction, _ caller: Caller) throws {
    try RecordStore.save(record, known: known, transaction)
    if record.state == .withdrawn || record.state == .expired { try RecordStore.replaceTasks(record, [], transaction) }
    try transaction.noteEntries(of: record, known: known, by: caller.actor)
    try Retention.review(record.subjectID, in: record.studyID, transaction)
  }
}
