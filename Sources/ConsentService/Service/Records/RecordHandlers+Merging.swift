internal import ConsentContract
internal import RPC
internal import ServicePolicy
internal import Storage

/// Notes that AccountService has merged two accounts: from then on, the data under both identifiers belong to one
/// person.
extension RecordHandlers {
  func noteMergedSubject(
    _ request: NoteMergedSubjectRequest, context: CallContext
  ) async throws -> NoteMergedSubjectResponse {
    return try await data.once(request, context, of: .wholeTenant) {
      transaction, caller, _ in
      let ended = try Subject.named(request.endedID, field: "ended_id")
      let staying = try Subject.named(request.stayingID, field: "staying_id")
      let isNews = try MergedAccounts.note(ended, into: staying, transaction)
      // The erasure of the staying account may have been requested already. A repeated call queues this as well, and so
      // restarts a job that was given up.
      try EraseJob.enqueue(forMergedInto: staying, transaction)
      guard isNews else { return NoteMergedSubjectResponse() }
      let names = try MergedAccounts.names(of: staying.id, transaction).compactMap { Subject($0) }
      try transaction.shareHolds(among: names)
      // Since the merge, AccountService holds all of these identifiers if one was held, even if that hold was lifted
      // here meanwhile.
      for name in names { try HoldJob.enqueue(for: name, transaction) }
      try Settlement.settle(merged: staying.id, transaction)
      let studies = try Set(names.flatMap { try Retention.studies(of: $0, transaction) }).sorted()
      for study in studies.isEmpty ? [""] : studies {
        for (subject, note) in [(ended, "into \(staying.id)"), (staying, "from \(ended.id)")] {
          let event = ConsentEvent(kind: .subjectsMerged, studyID: study, subjectID: subject.id, note: note)
          try transaction.note(event, by: caller)
        }
      }
      return NoteMergedSubjectResponse()
    }
  }
}
