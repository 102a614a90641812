internal import ConsentContract
internal import RPC
internal import ServicePolicy
internal import Storage
internal import Wire

/// A subject's personal data: erasing them, or holding them against erasure.
extension RecordHandlers {
  /// Erases a subject and the identifiers that were merged into it: all of them or, while one is held, none. An
  /// identifier whose merge becomes known only later is erased by a job.
  func eraseSubject(_ request: EraseSubjectRequest, context: CallContext) async throws -> EraseSubjectResponse {
    let subject = try Subject.named(request.subjectID)
    let find = Self.concerned(by: subject) { try [subject.id] + MergedAccounts.ended(into: subject.id, $0) }
    try await requireMayErase(subject, of: find, context)
    return try await data.once(request, context, of: find) {
      transaction, caller, found in
      try caller.requireOther(than: subject.id, field: "subject_id", transaction)
      try Refusal.requireReason(request.reason, for: "an erasure says why")
      for one in found.value.subjects { try Self.erase(one, by: caller, transaction) }
      try AskedErasures.note(subject, transaction)
      try EraseJob.enqueue(forMergedInto: subject, transaction)
      return EraseSubjectResponse()
    }
  }

  /// Refuses to erase somebody who has roles, unless the caller administers the whole tenant. If AccountService cannot
  /// be asked now, the jobs that carry the erasure to other services ask it before these erase anything.
  private func requireMayErase(
    _ subject: Subject, of find: @escaping ServiceDatabase.Lookup<Found<SubjectsInStudies>>, _ context: CallContext
  ) async throws {
    let administersTenant = try await data.read(context, of: find) { _, caller, _ in caller.administersTenant }
    guard !administersTenant else { return }
    let tenant = try context.tenant()
    guard (try? await accounts.hasRoles(subject.id, tenant: tenant)) == true else { return }
    let message = "'\(subject.id)' has roles: only an administrator of the tenant can erase this subject"
    throw Refusal(.precondition, EraseJob.rolesRule, field: "subject_id", message)
  }

  private static func erase(_ subject: Subject, by caller: Caller, _ transaction: Transaction) throws {
    let isErased = try transaction.vault.isErased(subject)
    try transaction.vault.eraseAhead(of: subject, by: caller.actor, reason: "request")
    guard isErased else { return try Retention.followErasure(of: subject, by: caller.actor, transaction) }
    // A repeated call carries the erasure again to a service for which it was given up.
    try HoldJob.enqueue(for: subject, transaction)
    try EraseJob.enqueue(for: subject, transaction)
  }

  /// The identifiers of the person whom a call is about, and the studies in which they take part.
  private struct SubjectsInStudies: Sendable {
    var subjects: [Subject]
    var studies: [String]
  }

  /// Finds the studies in which a subject takes part or is a guardian; the caller must administer all of them. What a
  /// guardian has signed belongs to the wards' studies, and is erased or held along. Somebody who is nothing but a
  /// guardian is no subject, and not found.
  ///
  /// - Parameter names: the subject, and further identifiers of the same person.
  private static func concerned(
    by subject: Subject, _ names: @escaping @Sendable (Snapshot) throws -> [String]
  ) -> ServiceDatabase.Lookup<Found<SubjectsInStudies>> {
    { snapshot, _ in
      let subjects = try names(snapshot).compactMap { Subject($0) }
      var targets: [AccessTarget] = []
      var studies: Set<String> = []
      for one in subjects {
        for study in try Retention.studies(of: one, snapshot) {
          targets.append(AccessTarget.person(one.id, in: study))
          studies.insert(study)
        }
      }
      guard !targets.isEmpty else { throw Refusal.notFound("subject", subject.id) }
      for one in subjects {
        for study in Set(try GuardianStore.wards(of: one.id, snapshot).map(\.studyID)).sorted() {
          targets.append(AccessTarget.person(one.id, in: study))
        }
      }
      return Found(SubjectsInStudies(subjects: subjects, studies: studies.sorted()), targets: targets)
    }
  }

  /// Finds all identifiers of a person: a legal hold covers each of them.
  private static func held(_ subject: Subject) -> ServiceDatabase.Lookup<Found<SubjectsInStudies>> {
    concerned(by: subject) { try MergedAccounts.names(of: subject.id, $0) }
  }

  func getLegalHold(_ request: GetLegalHoldRequest, context: CallContext) async throws -> GetLegalHoldResponse {
    let subject = try Subject.named(request.subjectID)
    return try await data.disclose(context, of: Self.held(subject)) { snapshot, found, disclosure in
      if try snapshot.vault.isErased(subject) {
        throw Refusal(.precondition, "subject_erased", field: "subject_id", "the data of this subject were erased")
      }
      let holds = try snapshot.vault.holds(on: subject).map { hold in
        SubjectHold(reason: hold.reason, setBy: hold.placedBy, setAt: Timestamp(hold.placedAt))
      }
      if let place = found.accessTargets.first { disclosure.note("legal hold", of: place, for: "legal hold") }
      return GetLegalHoldResponse(holds: holds)
    }
  }

  func setLegalHold(_ request: SetLegalHoldRequest, context: CallContext) async throws -> SetLegalHoldResponse {
    let subject = try Subject.named(request.subjectID)
    return try await data.once(request, context, of: Self.held(subject)) { transaction, caller, found in
      try caller.requireMayHold(request.held, subject.id, field: "subject_id", transaction)
      try Refusal.requireReason(request.reason, for: "setting or lifting a legal hold says why")
      var isChanged = false
      for one in found.value.subjects where try one == subject || !transaction.vault.isErased(one) {
        // This is done also when nothing changes here: a repeat carries the hold to a service that has not heard of it.
        try HoldJob.enqueue(for: one, transaction)
        if try transaction.setHold(request.held, on: one, by: caller, reason: request.reason) { isChanged = true }
      }
      guard isChanged else { return SetLegalHoldResponse() }
      let note = request.held ? "set" : "lifted"
      for study in found.value.studies {
        let event = ConsentEvent(kind: .legalHoldChanged, studyID: study, subjectID: subject.id, note: note)
        try transaction.note(event, by: caller)
      }
      return SetLegalHoldResponse()
    }
  }
}
