internal import Base
internal import ConsentContract
internal import ConsentDomain
internal import RPC
internal import ServicePolicy
internal import Storage
internal import Wire

/// Changes of records: withdrawal, another sharing choice, consent on paper.
extension RecordHandlers {
  func withdrawConsent(
    _ request: WithdrawConsentRequest, context: CallContext
  ) async throws -> WithdrawConsentResponse {
    try Refusal.requireShort(request.reason)
    let asked = Set(request.purposes)
    let find: ServiceDatabase.Finding<Found<Withdrawable>> = { snapshot, gate in
      try Self.named(by: request, snapshot, gate)
    }
    return try await data.once(request, context, of: find) {
      transaction, caller, found in
      var changed: [ConsentRecord] = []
      let (named, earlier) = (found.value.named, found.value.earlier)
      let now = try named.first.map { record in
        try DecisionTime.ofWithdrawal(by: record.subjectID, in: record.studyID, transaction)
      }
      for head in try Self.concerned(by: request, asked, named) {
        var record = try RecordStore.locked(head.recordID, transaction)
        let wanted = request.recordID.isEmpty ? record.purposes.filter(asked.contains) : request.purposes
        var entry = try RecordFiling.entry(request.deviceTime, request.reason, transaction, caller)
        if let now { entry.at = Timestamp(now) }
        entry.onBehalf = record.touched.contains(where: caller.isStaff)
        if entry.onBehalf {
          try Refusal.requireReason(
            request.reason, for: "it is needed when consent is withdrawn on somebody's behalf")
        }
        try record.withdraw(wanted, entry: entry)
        try RecordFiling.update(record, known: record.history.count - 1, transaction, by: caller.actor)
        changed.append(record)
        let taken = request.purposes.isEmpty ? nil : Set(wanted)
        for other in try earlier.compactMap({ try Self.withdraw(taken, from: $0, entry, transaction, caller) })
        where found.value.open.contains(other.recordID) {
          changed.append(other)
        }
      }
      // The stored response is erased with one subject, so it has attempts only if all of its records are that
      // subject's.
      if Set((named + earlier).map(\.subjectID)).count == 1 {
        changed = try changed.map { try $0.withAttemptsAsFarAsKnown(transaction) }
      }
      return WithdrawConsentResponse(records: changed)
    }
  }

  /// Withdraws purposes also from an earlier consent to the same document, if it stands: while a newer one waits for a
  /// signature, the earlier one is in force.
  ///
  /// - Parameter purposes: nil for all purposes of the earlier consent, even if the newer one has other codes.
  /// - Returns: the record if it was changed.
  private static func withdraw(
    _ purposes: Set<String>?, from earlier: ConsentRecord, _ entry: RecordEntry, _ transaction: Transaction,
    _ caller: Caller
  ) throws -> ConsentRecord? {
    var record = try RecordStore.locked(earlier.recordID, transaction)
    let rest = record.purposes.filter { purpose in
      (purposes?.contains(purpose) ?? true) && !record.withdrawnPurposes.contains(purpose)
    }
    guard record.stands, !rest.isEmpty else { return nil }
    try record.withdraw(rest, entry: entry)
    try RecordFiling.update(record, known: record.history.count - 1, transaction, by: caller.actor)
    return record
  }

  /// The records that a withdrawal concerns.
  private struct Withdrawable: Sendable {
    var named: [ConsentRecord]
    /// The consents to a named record's document that were given before it and stand.
    var earlier: [ConsentRecord] = []
    /// Which of the earlier ones the caller may see.
    var open: Set<String> = []
  }

  /// Finds the records that a request names: one, or all of a subject's in a study, whether or not they have something
  /// to withdraw.
  private static func named(
    by request: WithdrawConsentRequest, _ snapshot: Snapshot, _ gate: Gate
  ) throws -> Found<Withdrawable> {
    guard request.recordID.isEmpty else {
      let record = try RecordStore.head(request.recordID, snapshot)
      var found = Withdrawable(named: [record])
      found.earlier = try recordable(RecordFiling.others(besides: record, snapshot), snapshot).filter { other in
        record.kind != .form && other.stands && other.decidedAt.orEpoch <= record.decidedAt.orEpoch
      }
      found.open = Set(try found.earlier.filter { try gate.isOpen(to: $0, snapshot) }.map(\.recordID))
      return Found(found, touching: record)
    }
    let heads = try RecordStore.heads(ofPerson: request.subjectID, snapshot).filter { $0.studyID == request.studyID }
    let kept = try recordable(heads, snapshot)
    if !kept.isEmpty { return Found(Withdrawable(named: kept), touching: kept) }
    // If all records are of erased identifiers, these are returned, and the refusal of the withdrawal says so.
    guard heads.isEmpty else { return Found(Withdrawable(named: heads), touching: heads) }
    return Found(Withdrawable(named: []), touching: Touched.person(request.subjectID, in: request.studyID))
  }

  /// The records whose subjects' data were not erased: nothing more can be recorded about the others.
  private static func recordable(_ heads: [ConsentRecord], _ snapshot: Snapshot) throws -> [ConsentRecord] {
    try heads.filter { head in try Subject(head.subjectID).map { try !snapshot.vault.isErased($0) } ?? false }
  }

  /// The named records that can be withdrawn and still grant one of the purposes; a record that was named by its
  /// identifier in any case.
  private static func concerned(
    by request: WithdrawConsentRequest, _ purposes: Set<String>, _ named: [ConsentRecord]
  ) throws(Refusal) -> [ConsentRecord] {
    guard request.recordID.isEmpty else { return named }
    let found = named.filter { record in
      let standing = record.purposes.filter { purposes.contains($0) && !record.withdrawnPurposes.contains($0) }
      return record.isWithdrawable && (purposes.isEmpty || !standing.isEmpty)
    }
    guard !found.isEmpty else {
      let message =
        "subject '\(request.subjectID.shortened)' has nothing to withdraw in study '\(request.studyID.shortened)'"
      throw Refusal(.precondition, "not_withdrawable", field: "subject_id", message)
    }
    return found
  }

  func updateSharing(_ request: UpdateSharingRequest, context: CallContext) async throws -> UpdateSharingResponse {
    return try await data.once(request, context, of: Self.head(request.recordID)) {
      transaction, caller, _ in
      var record = try RecordStore.locked(request.recordID, transaction)
      let known = record.history.count
      var entry = try RecordFiling.entry(request.deviceTime, "", transaction, caller)
      entry.queuedBy = LaterWithdrawals.queue(of: context)
      try record.changeSharing(request.sharing, entry: entry)
      if record.history.count > known {
        try LaterWithdrawals.checkSharing(of: record, context, caller, transaction)
        try RecordFiling.update(record, known: known, transaction, by: caller.actor)
      }
      // A repeated choice changes no data of the subject. The stored response has the subject's scores all the same, so
      // it must be erased with the subject.
      let subject = try Subject.stored(record.subjectID)
      if try !transaction.vault.isErased(subject) { transaction.concern(subject) }
      return UpdateSharingResponse(record: try record.withAttemptsAsFarAsKnown(transaction))
    }
  }

  func createPaperRecord(
    _ request: CreatePaperRecordRequest, context: CallContext
  ) async throws -> CreatePaperRecordResponse {
    let subjectID = request.subjectID.isEmpty ? identifiers.next() : request.subjectID
    let recordID = identifiers.next()
    let find: ServiceDatabase.Finding<[Touched]> = { snapshot, _ in
      try ConsentRelations(snapshot: snapshot).joining(subjectID, request.studyID, at: request.siteID)
    }
    return try await data.countingBirthDates(context, of: find) {
      try await register(request, subjectID, recordID, context, of: find)
    }
  }

  private func register(
    _ request: CreatePaperRecordRequest, _ subjectID: String, _ recordID: String, _ context: CallContext,
    of find: @escaping ServiceDatabase.Finding<[Touched]>
  ) async throws -> CreatePaperRecordResponse {
    try await data.once(request, context, about: Subject(request.subjectID), of: find) { transaction, caller, _ in
      let subject = try Subject.named(subjectID)
      try caller.requireOther(than: subjectID, field: "subject_id", transaction)
      if let given = request.birthDate {
        _ = try BirthDateStore.isStated(given, of: subjectID, isTest: false, field: "birth_date", transaction)
      }
      try StudyStore.checkSite(request.siteID, of: request.studyID, transaction)
      let document = try DocumentStore.named(request.documentID, transaction)
      guard document.studyID == request.studyID else { throw Refusal.notFound("document", request.documentID) }
      let version = try DocumentStore.version(request.documentVersion, of: document, transaction)
      var record = try PaperRules.record(request, version, id: recordID, subjectID: subjectID, at: transaction.now)
      let scan = try transaction.commit(request.scan, as: "scan", PaperRules.item(recordID), of: subject)
      record.scanHash = scan.digest.hex
      let secrets = RecordSecrets(scanCommitment: scan.id, majorityTold: !record.majorityMonth.isEmpty)
      try RecordStore.saveSecrets(secrets, of: record, transaction)
      // A birth date on paper is stored as a statement like any other, if the document has a rule about age.
      if let given = request.birthDate, version.content?.settings?.age != nil {
        try BirthDateStore.state(given, on: record, field: "birth_date", by: caller, transaction)
      }
      var entry = try RecordFiling.entry(nil, "", transaction, caller).of(.paperRegistered)
      entry.sharing = request.sharing
      record.append(entry)
      if let since = try RecordFiling.decision(since: record, transaction) {
        record.append(RecordFiling.superseded(by: since, transaction))
      } else {
        record.append(try RecordFiling.entry(nil, "", transaction, caller).of(.inForce))
      }
      try RecordFiling.update(record, known: 0, transaction, by: caller.actor)
      try RecordFiling.supersede(by: record, transaction)
      return CreatePaperRecordResponse(record: record)
    }
  }
}
