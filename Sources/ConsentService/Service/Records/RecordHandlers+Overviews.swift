internal import Base
internal import ConsentContract
internal import ConsentDomain
internal import RPC
internal import ServicePolicy
internal import Storage

/// Overviews for a study's staff: who is due, and counts.
extension RecordHandlers {
  func listDueConsents(
    _ request: ListDueConsentsRequest, context: CallContext
  ) async throws -> ListDueConsentsResponse {
    let touched = AccessTarget.everything(in: request.studyID)
    return try await data.disclose(context, of: { _, _ in touched }) { snapshot, _, disclosure in
      let page = try PageRequest(size: request.pageSize, token: request.pageToken)
      let query = RecordQuery(studyID: request.studyID, states: [.inForce, .expired, .reconsentDue])
      let (records, next) = try RecordSearch.list(query, page, snapshot)
      let demands = try DocumentStore.demands(on: records, snapshot)
      var published: [String: Int32] = [:]
      for id in DocumentStore.lowestVersions(of: records).keys {
        published[id] = try DocumentStore.named(id, snapshot).publishedVersion
      }
      var due: [DueConsent] = []
      for head in records {
        // Whoever was erased is not asked for anything.
        guard try !snapshot.vault.isErased(try Subject.stored(head.subjectID)) else { continue }
        var record = head
        if record.ageCheck?.needsGuardian == true {
          record.majorityMonth = try RecordStore.secrets(head.recordID, of: head.subjectID, snapshot).majorityMonth
        }
        let version = published[record.documentID] ?? 0
        guard let found = ConsentCheck.due(record, demands, published: version, at: snapshot.now),
          try !Self.hasAnswered(found, record, snapshot)
        else { continue }
        due.append(found)
      }
      disclosure.note(due.count, "records", of: touched, for: "list of who is due")
      return ListDueConsentsResponse(dueConsents: due, nextPageToken: next)
    }
  }

  /// Whether the person has answered the version that they are due for, yes or no: then nobody asks them again.
  private static func hasAnswered(
    _ due: DueConsent, _ record: ConsentRecord, _ snapshot: Snapshot
  ) throws -> Bool {
    guard [.newVersion, .notify].contains(due.reason) else { return false }
    return try RecordStore.heads(ofPerson: record.subjectID, snapshot).contains { other in
      other.documentID == record.documentID && other.documentVersion > record.documentVersion
        && other.test == record.test && ![.rejected, .voided].contains(other.state)
    }
  }

  func getVersionCounts(
    _ request: GetVersionCountsRequest, context: CallContext
  ) async throws -> GetVersionCountsResponse {
    try await data.read(context, of: DocumentHandlers.document(request.documentID)) { snapshot, _, document in
      let place = CountStore.Place(documentID: document.documentID, version: request.version, isTest: request.test)
      return GetVersionCountsResponse(counts: try CountStore.counts(place, snapshot))
    }
  }
}
