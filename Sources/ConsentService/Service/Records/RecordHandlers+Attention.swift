internal import Base
internal import ConsentContract
internal import ConsentDomain
internal import RPC
internal import ServicePolicy
internal import Storage

/// Decisions of staff about records that need attention.
extension RecordHandlers {
  func resolveAttention(
    _ request: ResolveAttentionRequest, context: CallContext
  ) async throws -> ResolveAttentionResponse {
    return try await data.once(request, context, of: Self.head(request.recordID)) {
      [randomness] transaction, caller, _ in
      try Refusal.requireReason(request.reason, for: "a decision about a record says why")
      var record = try RecordStore.locked(request.recordID, transaction)
      try caller.requireOtherPerson(than: record.subjectID, field: "record_id", transaction)
      let known = record.history.count
      guard record.state == .needsAttention else {
        let message = "record_id is '\(record.recordID)', which is \(record.state.word) and needs no attention"
        throw Refusal(.precondition, "no_attention_needed", field: "record_id", message)
      }
      // A form has no document.
      let version =
        try record.kind == .form
        ? DocumentVersion() : DocumentStore.existing(record.documentID, record.documentVersion, transaction)
      let settings = version.content?.settings ?? DocumentSettings()
      let entry = try RecordFiling.entry(nil, request.reason, transaction, caller)
      switch request.decision {
      case .confirm:
        let isStopped = version.state == .stopped
        record = try AttentionRules.confirmed(
          record, settings, try Self.facts(of: record, isStopped: isStopped, transaction))
        try Self.requireStanding(record, transaction)
        try RecordStore.renewMajority(record.majorityMonth, of: record, transaction)
        // The response does not reveal the month, either.
        record.majorityMonth = ""
        record.append(entry.of(.attentionConfirmed))
        record.awaitSignatures(settings, from: transaction.now)
        record.enterForceIfComplete(settings, entry: entry)
        try RecordFiling.giveWay(&record, known: known, transaction)
      case .reject:
        record.append(entry.of(.rejected))
      case .unspecified, .unrecognized:
        let message = "decision is \(request.decision.number); it must be to confirm or to reject"
        throw Refusal(.invalid, "not_stated", field: "decision", message)
      }
      try RecordFiling.update(record, known: known, transaction, by: caller.actor)
      // A consent on paper was signed there, so nobody is asked for signatures.
      let due = record.kind == .paper ? [] : Signing.due(record, settings)
      let words = due.isEmpty ? nil : try SignerWords(of: record, version, transaction)
      try RecordStore.replaceTasks(record, due, in: words, transaction)
      try Settlement.settle(after: record, transaction, caller)
      record = try RecordStore.record(record.recordID, transaction)
      try CopyFiling.follow(record, settings, randomness, transaction)
      return ResolveAttentionResponse(record: try record.withCopies(transaction).withAttempts(transaction))
    }
  }

  /// Refuses to confirm a consent if the person has said no to all of it since: nobody decides against that but
  /// themselves.
  private static func requireStanding(_ record: ConsentRecord, _ snapshot: Snapshot) throws {
    let decisions = try DecisionStore.decisions(around: record, snapshot)
    let granted = record.standingPurposes.filter { purpose in
      Decisions.standing(purpose, in: decisions).contains { $0.recordID == record.recordID }
    }
    guard granted.isEmpty else { return }
    let message =
      "decision is to confirm record '\(record.recordID)', and the person has said no to all of it since; they can "
      + "decide anew"
    throw Refusal(.precondition, "said_no_meanwhile", field: "decision", message)
  }

  private static func facts(
    of record: ConsentRecord, isStopped: Bool, _ snapshot: Snapshot
  ) throws -> AttentionRules.Facts {
    // Attempts in test sessions count only for records of tests.
    let history = try AttemptStore.history(
      of: record.subjectID, record.documentID, record.documentVersion, isTest: record.test, snapshot)
    let birthDate = try BirthDateStore.stated(of: record.subjectID, isTest: record.test, snapshot)
    let session = record.sessionID.isEmpty ? nil : try SessionStore.session(record.sessionID, snapshot)
    var stopped = isStopped ? "version \(record.documentVersion) of '\(record.documentID)'" : nil
    if let session, try FlowStore.state(of: session.flowID, session.flowVersion, snapshot) == .stopped {
      stopped = stopped ?? "version \(session.flowVersion) of flow '\(session.flowID)'"
    }
    return AttentionRules.Facts(
      attempts: history.attempts, birthDate: birthDate?.checked, startedAt: session?.startedAt, stopped: stopped)
  }
}
