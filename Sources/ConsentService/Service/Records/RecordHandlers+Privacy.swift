internal import Bus
internal import ConsentContract
internal import ServicePolicy
internal import Storage
internal import Wire

/// A subject's personal data: erasing them, or holding them against erasure.
extension RecordHandlers {
  func eraseSubject(_ request: EraseSubjectRequest, context: CallContext) async throws -> EraseSubjectResponse {
    let subject = try Subject.checked(request.subjectID)
    let answer: EraseSubjectResponse = try await data.once(request, context, of: Self.studies(of: subject)) {
      transaction, caller, _ in
      try Refusal.requireReason(request.reason, for: "an erasure says why")
      let isErased = try transaction.vault.isErased(subject)
      try transaction.vault.erase(subject, by: caller.actor, reason: "request")
      guard !isErased else {
        // A repeat carries the erasure to a service that has not heard of it, or gave it up.
        try HoldJob.enqueue(for: subject, transaction)
        try EraseJob.enqueue(for: subject, transaction)
        return EraseSubjectResponse()
      }
      try Retention.followErasure(of: subject, by: caller.actor, transaction)
      return EraseSubjectResponse()
    }
    heads.forget(subject: subject.id, of: context.identity.tenant)
    return answer
  }

  /// Finds the studies with data of the subject; the caller must administer all of them.
  private static func studies(of subject: Subject) -> ServiceDatabase.Finding<Found<[String]>> {
    { snapshot, _ in
      let studies = try Retention.studies(of: subject, snapshot)
      guard !studies.isEmpty else { throw Refusal.notFound("subject", subject.id) }
      return Found(studies, touching: studies.map { Touched.person(subject.id, in: $0) })
    }
  }

  func getLegalHold(_ request: GetLegalHoldRequest, context: CallContext) async throws -> GetLegalHoldResponse {
    let subject = try Subject.checked(request.subjectID)
    return try await data.disclose(context, of: Self.studies(of: subject)) { snapshot, found, disclosure in
      if try snapshot.vault.isErased(subject) {
        throw Refusal(.precondition, "subject_erased", field: "subject_id", "the data of this subject were erased")
      }
      let holds = try snapshot.vault.holds(on: subject).map { hold in
        SubjectHold(reason: hold.reason, setBy: hold.placedBy, setAt: Timestamp(hold.placedAt))
      }
      if let place = found.touched.first { disclosure.note("legal hold", of: place, for: "legal hold") }
      return GetLegalHoldResponse(holds: holds)
    }
  }

  func setLegalHold(_ request: SetLegalHoldRequest, context: CallContext) async throws -> SetLegalHoldResponse {
    let subject = try Subject.checked(request.subjectID)
    return try await data.once(request, context, of: Self.studies(of: subject)) { transaction, caller, found in
      let studies = found.value
      try Refusal.requireReason(request.reason, for: "setting or lifting a legal hold says why")
      // Also when there is nothing to change here: a repeat carries the hold to a service that has not heard of it.
      try HoldJob.enqueue(for: subject, transaction)
      guard try transaction.setHold(request.held, on: subject, by: caller, reason: request.reason) else {
        return SetLegalHoldResponse()
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
