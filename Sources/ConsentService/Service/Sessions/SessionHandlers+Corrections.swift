internal import Base
internal import ConsentContract
internal import ConsentDomain
internal import RPC
internal import ServicePolicy
internal import Storage
internal import Wire

/// Corrections by staff: of a birth date that a subject stated, and of attempts at questions that a subject used up.
/// Each has a reason on record.
extension SessionHandlers {
  func correctBirthDate(
    _ request: CorrectBirthDateRequest, context: CallContext
  ) async throws -> CorrectBirthDateResponse {
    let subject = try Subject.named(request.subjectID)
    let find: ServiceDatabase.Lookup<Found<Set<String>>> = { snapshot, gate in
      Found(
        try Self.open(of: subject, gate, snapshot),
        targets: try Self.places(of: subject, in: request.studyID, snapshot))
    }
    return try await data.once(request, context, about: subject, of: find) {
      transaction, caller, found in
      try caller.requireOtherPerson(than: subject.id, field: "subject_id", transaction)
      try Refusal.requireReason(request.reason, for: "a correction says why")
      let day = try AnswerRules.birthDay(request.birthDate, "birth_date", today: CalendarDay(of: transaction.now))
      // Without these locks, a concurrent transaction that adds a signature or its image could write the earlier month
      // of majority back.
      try RecordStore.lockStanding(of: subject.id, transaction)
      let isNew = try BirthDateStore.correct(
        CalendarDate(day), of: subject.id, in: request.studyID, reason: request.reason, by: caller, transaction)
      guard isNew else { return CorrectBirthDateResponse() }
      // A birth date counts in all studies, so sessions and records of all studies are changed. The response names only
      // those that are open to the caller.
      return CorrectBirthDateResponse(
        endedSessionIDs: try endSessions(of: subject, transaction, caller).filter(found.value.contains),
        attentionRecordIDs: try questionRecords(of: subject, bornOn: day, transaction, caller)
          .filter(found.value.contains))
    }
  }

  /// The names of the subject's sessions and records that are open to the caller.
  private static func open(of subject: Subject, _ gate: Gate, _ snapshot: Snapshot) throws -> Set<String> {
    var open: Set<String> = []
    for head in try RecordStore.heads(of: subject.id, snapshot) where try gate.isOpen(to: head, snapshot) {
      open.insert(head.recordID)
    }
    for id in try SessionStore.sessions(of: subject.id, snapshot) {
      guard let session = try SessionStore.plain(id, snapshot) else { continue }
      let touched = AccessTarget.person(session.subjectID, in: session.studyID, site: session.siteID)
      if try gate.isOpen(to: touched, snapshot) { open.insert(id) }
    }
    return open
  }

  /// Ends the running sessions, which used the earlier date: the participant starts a new one.
  private func endSessions(
    of subject: Subject, _ transaction: Transaction, _ caller: Caller
  ) throws -> [String] {
    var ended: [String] = []
    for id in try SessionStore.sessions(of: subject.id, transaction) {
      guard let plain = try SessionStore.plain(id, transaction), plain.outcome == .unspecified else { continue }
      var session = try SessionStore.session(id, transaction)
      ended.append(id)
      guard let script = try scripts.script(toEnd: session, transaction) else {
        try recorder.end(&session, as: .abandoned, transaction, caller)
        continue
      }
      let engine = FlowEngine(script)
      let (state, changes) = engine.end(session.state, as: .abandoned, at: transaction.now)
      session.state = state
      try recorder.advance(&session, changes, engine, transaction, caller)
    }
    return ended
  }

  /// Marks the consents that, by the corrected date, would have needed other signatures or could not have been given.
  /// All consents that stand get the month of majority by the corrected date.
  private func questionRecords(
    of subject: Subject, bornOn day: CalendarDay, _ transaction: Transaction, _ caller: Caller
  ) throws -> [String] {
    var questioned: [String] = []
    for head in try RecordStore.heads(of: subject.id, transaction) {
      // Tests have a birth date of their own.
      guard head.stands, !head.test, let checked = head.ageCheck else { continue }
      let version = try DocumentStore.existing(head.documentID, head.documentVersion, transaction)
      guard let settings = version.content?.settings else { continue }
      let standing = AgeRule.standing(
        settings.age, birthDate: day, on: CalendarDay(of: head.decidedAt.orEpoch))
      let month = AgeRule.majorityMonth(settings.age, birthDate: day, standing)
      try RecordStore.renewMajority(month, of: head, transaction)
      guard AgeRule.check(settings, documentID: head.documentID, birthDate: day, standing) != checked else { continue }
      var record = try RecordStore.locked(head.recordID, transaction)
      let known = record.history.count
      record.append(
        RecordEntry(
          kind: .needsAttention, at: Timestamp(transaction.now), actor: caller.actor,
          attention: "birth_date_corrected: by the corrected birth date the check of the age comes out differently"))
      try RecordFiling.update(record, known: known, transaction, by: caller.actor)
      questioned.append(record.recordID)
    }
    return questioned
  }

  func renewAttempts(_ request: RenewAttemptsRequest, context: CallContext) async throws -> RenewAttemptsResponse {
    let subject = try Subject.named(request.subjectID)
    let find: ServiceDatabase.Lookup<Found<ConsentDocument>> = { snapshot, _ in
      let document = try DocumentStore.named(request.documentID, snapshot)
      return Found(document, targets: try Self.places(of: subject, in: document.studyID, snapshot))
    }
    return try await data.once(request, context, about: subject, of: find) { transaction, caller, found in
      try caller.requireOtherPerson(than: subject.id, field: "subject_id", transaction)
      let document = found.value
      let version = try DocumentStore.version(request.documentVersion, of: document, transaction)
      let test = version.content?.settings?.comprehension ?? ComprehensionTest()
      if test.renewedBy == .investigator { try caller.requireInvestigator(for: found.accessTargets) }
      try Refusal.requireReason(request.reason, for: "a renewal says why")
      guard test.renewedBy != .nobody else {
        let message = "document_id is '\(document.documentID)', which lets nobody renew attempts"
        throw Refusal(.precondition, "renewal_refused", field: "document_id", message)
      }
      var counted = 0
      for isTest in [false, true] {
        var history = try AttemptStore.history(
          of: subject.id, document.documentID, version.version, isTest: isTest, transaction)
        if isTest, history.attempts.isEmpty { continue }
        counted += AttemptRules.marked(history, by: test, at: transaction.now).count { !$0.renewed }
        history.renewals.append(
          RenewedAttempts(at: Timestamp(transaction.now), actor: caller.actor, reason: request.reason))
        try AttemptStore.save(
          history, of: subject.id, document.documentID, version.version, isTest: isTest, transaction)
      }
      let event = ConsentEvent(
        kind: .attemptsRenewed, studyID: document.studyID, subjectID: subject.id, documentID: document.documentID,
        version: version.version)
      try transaction.note(event, by: caller)
      return RenewAttemptsResponse(renewedCount: Int32(counted))
    }
  }
}

extension SessionHandlers {
  /// The sites where the subject takes part in the study.
  fileprivate static func places(
    of subject: Subject, in studyID: String, _ snapshot: Snapshot
  ) throws -> [AccessTarget] {
    let relations = ConsentRelations(snapshot: snapshot)
    guard try relations.places(of: subject.id).contains(where: { $0.study == studyID }) else {
      throw Refusal.notFound("subject", subject.id)
    }
    return try relations.accessTargets(subject.id, in: studyID)
  }
}

extension Caller {
  /// Throws if the caller is no investigator at any of the places: a document may reserve a decision for investigators.
  fileprivate func requireInvestigator(for places: [AccessTarget]) throws(Refusal) {
    guard !places.contains(where: { isStaff([.investigator], for: $0) }) else { return }
    throw Refusal(.denied, "not_admitted", "'\(actor)' is no investigator here, and the document asks for one")
  }
}
