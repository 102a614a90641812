internal import Base
internal import ConsentContract
internal import ConsentDomain
internal import RPC
internal import ServicePolicy
internal import Storage
internal import Wire

/// Guardians on record: who may do for a person what the person may.
extension StudyHandlers {
  func setGuardian(_ request: SetGuardianRequest, context: CallContext) async throws -> SetGuardianResponse {
    let subject = try Subject.named(request.subjectID)
    let guardian = try Subject.named(request.guardianID, field: "guardian_id")
    let find: ServiceDatabase.Lookup<[AccessTarget]> = { snapshot, _ in
      try ConsentRelations(snapshot: snapshot).accessTargets(subject.id, in: request.studyID, site: request.siteID)
    }
    return try await data.once(request, context, about: subject, of: find) { transaction, caller, _ in
      try caller.requireOtherPerson(than: subject.id, field: "subject_id", transaction)
      _ = try StudyStore.study(request.studyID, transaction)
      try StudyStore.checkSite(request.siteID, of: request.studyID, transaction)
      if try transaction.vault.isErased(subject) {
        throw Refusal(.precondition, "subject_erased", field: "subject_id", "the data of this subject were erased")
      }
      if !request.removed { try Self.check(guardian, of: subject, by: caller, transaction) }
      let known = try Self.guardians(of: subject.id, in: request.studyID, transaction)
      let names = try MergedAccounts.names(of: guardian.id, transaction)
      let standing = known.filter { names.contains($0.guardianID) }
      if request.removed {
        for one in standing {
          try GuardianStore.remove(one, transaction)
          try note("removed", one, request, transaction, caller)
        }
      } else {
        for var one in try Self.changed(request, standing, among: known) {
          (one.authority, one.majorityAge) = (request.authority, request.majorityAge)
          one.registeredBy = caller.actor
          one.registeredAt = Timestamp(transaction.now)
          try GuardianStore.save(one, transaction)
          try note("set", one, request, transaction, caller)
        }
      }
      return SetGuardianResponse(guardians: try Self.guardians(of: subject.id, in: request.studyID, transaction))
    }
  }

  /// The guardians of a person in a study, under all of the person's identifiers.
  private static func guardians(
    of subjectID: String, in studyID: String, _ snapshot: Snapshot
  ) throws -> [Guardian] {
    try MergedAccounts.names(of: subjectID, snapshot).flatMap { name in
      try GuardianStore.guardians(of: name, in: studyID, snapshot)
    }
  }

  /// Which entries a request changes: the one that it names and those of the same two people under other identifiers,
  /// so that the guardian has the same authority under each.
  ///
  /// - Parameters:
  ///   - standing: the entries of the two people.
  ///   - known: those of all guardians of the person.
  private static func changed(
    _ request: SetGuardianRequest, _ standing: [Guardian], among known: [Guardian]
  ) throws(Refusal) -> [Guardian] {
    var changed = standing.filter { one in
      one.authority != request.authority || one.majorityAge != request.majorityAge
    }
    let isNew = !standing.contains { $0.subjectID == request.subjectID && $0.guardianID == request.guardianID }
    if isNew {
      changed.append(
        Guardian(studyID: request.studyID, subjectID: request.subjectID, guardianID: request.guardianID))
    }
    if !changed.isEmpty {
      try check(request, known: isNew ? known.count { $0.subjectID == request.subjectID } : 0)
    }
    return changed
  }

  func listGuardians(_ request: ListGuardiansRequest, context: CallContext) async throws -> ListGuardiansResponse {
    let find: ServiceDatabase.Lookup<[AccessTarget]> = { snapshot, _ in
      try ConsentRelations(snapshot: snapshot).accessTargets(request.subjectID, in: request.studyID)
    }
    return try await data.disclose(context, of: find) { snapshot, touched, disclosure in
      let guardians = try Self.guardians(of: request.subjectID, in: request.studyID, snapshot)
      if let person = touched.first { disclosure.note(guardians.count, "guardians", of: person, for: "guardians") }
      return ListGuardiansResponse(guardians: guardians)
    }
  }

  private func note(
    _ what: String, _ guardian: Guardian, _ request: SetGuardianRequest, _ transaction: Transaction, _ caller: Caller
  ) throws {
    let event = ConsentEvent(
      kind: .guardianChanged, studyID: guardian.studyID, siteID: request.siteID, subjectID: guardian.subjectID,
      note: what, guardianID: guardian.guardianID)
    try transaction.note(event, by: caller)
  }

  /// Staff cannot act for participants by registering themselves as guardians, under whichever identifier.
  private static func check(
    _ guardian: Subject, of subject: Subject, by caller: Caller, _ snapshot: Snapshot
  ) throws {
    let names = try MergedAccounts.names(of: guardian.id, snapshot)
    guard !names.contains(subject.id), !names.contains(caller.actor) else {
      let message = "guardian_id names the person or the caller; a guardian is somebody else than both"
      throw Refusal(.invalid, "bad_guardian", field: "guardian_id", message)
    }
  }

  /// - Parameter known: how many guardians the subject has; 0 if one of them is changed.
  private static func check(_ request: SetGuardianRequest, known: Int) throws(Refusal) {
    guard [.parent, .appointed, .attorney].contains(request.authority) else {
      let message = "authority is \(request.authority.number); it must be PARENT, APPOINTED or ATTORNEY"
      throw Refusal(.invalid, "authority_missing", field: "authority", message)
    }
    let age = Int(request.majorityAge)
    guard age == 0 || request.authority == .parent && GuardianRules.majorities.contains(age) else {
      let message = "majority_age is \(age); it must be 1 to \(GuardianRules.majorities.upperBound), and is for PARENT"
      throw Refusal(.invalid, "bad_age", field: "majority_age", message)
    }
    guard known < GuardianStore.most else {
      let message = "the person has \(known) guardians; at most \(GuardianStore.most) are kept"
      throw Refusal(.precondition, "too_many", field: "guardian_id", message)
    }
  }
}
