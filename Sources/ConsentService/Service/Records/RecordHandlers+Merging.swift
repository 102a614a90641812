internal import ConsentContract
internal import RPC
internal import ServicePolicy
internal import Storage

/// Accounts that AccountService has merged: from here on one person has what is on record under both identifiers.
extension RecordHandlers {
  func noteMergedSubject(
    _ request: NoteMergedSubjectRequest, context: CallContext
  ) async throws -> NoteMergedSubjectResponse {
    let answer: NoteMergedSubjectResponse = try await data.once(request, context, of: .wholeTenant) {
      transaction, caller, _ in
      let ended = try Subject.named(request.endedID, field: "ended_id")
      let staying = try Subject.named(request.stayingID, field: "staying_id")
      let isNews = try MergedAccounts.note(ended, into: staying, transaction)
      // Whoever stays may be erased already. Also for a repeat: it begins anew what was given up.
      try EraseJob.enqueue(forMergedInto: staying, transaction)
      guard isNews else { return NoteMergedSubjectResponse() }
      let names = try MergedAccounts.names(of: staying.id, transaction).compactMap { Subject($0) }
      try transaction.shareHolds(among: names)
      // AccountService has let holds stand on all of them since it merged: also one that was lifted here meanwhile.
      for name in names { try HoldJob.enqueue(for: name, transaction) }
      try MergedRecords.settle(of: staying.id, transaction)
      let studies = try Set(names.flatMap { try Retention.studies(of: $0, transaction) }).sorted()
      for study in studies.isEmpty ? [""] : studies {
        for (subject, note) in [(ended, "into \(staying.id)"), (staying, "from \(ended.id)")] {
          let event = ConsentEvent(kind: .subjectsMerged, studyID: study, subjectID: subject.id, note: note)
          try transaction.note(event, by: caller)
        }
      }
      return NoteMergedSubjectResponse()
    }
    for subject in [request.endedID, request.stayingID] { heads.forget(subject: subject, of: context.identity.tenant) }
    return answer
  }
}
