internal import Base
internal import Bus
internal import ConsentContract
internal import ServicePolicy
internal import Storage

/// Overviews for a study's staff: who is due, and counts.
extension RecordHandlers {
  func listDueConsents(
    _ request: ListDueConsentsRequest, context: CallContext
  ) async throws -> ListDueConsentsResponse {
    try await data.read(context, of: .everything(in: request.studyID)) { snapshot, _, _ in
      let page = try PageRequest(size: request.pageSize, token: request.pageToken)
      let query = RecordQuery(studyID: request.studyID, states: [.inForce, .expired])
      let (records, next) = try RecordSearch.list(query, page, snapshot)
      var demands: [String: [ReconsentDemand]] = [:]
      for id in Set(records.map(\.documentID)) where !id.isEmpty {
        demands[id] = try DocumentStore.demands(id, snapshot)
      }
      let due = records.compactMap { ConsentCheck.due($0, demands[$0.documentID] ?? [], at: snapshot.now) }
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
