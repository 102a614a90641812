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
      let due = try DueRecords.due(records, snapshot)
      disclosure.note(due.count, "records", of: touched, for: "list of who is due")
      return ListDueConsentsResponse(dueConsents: due, nextPageToken: next)
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
