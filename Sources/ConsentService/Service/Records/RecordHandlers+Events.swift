internal import Bus
internal import ConsentContract
internal import ServicePolicy
internal import Storage

/// All changes in order: as pages, and as they happen.
extension RecordHandlers {
  func listEvents(_ request: ListEventsRequest, context: CallContext) async throws -> ListEventsResponse {
    let page = try PageRequest(size: request.pageSize)
    let position = try EventPosition(token: request.pageToken)
    return try await data.read(context, of: Self.touched(request.studyID)) { snapshot, _, _ in
      let (events, next) = try snapshot.events(.consent, after: position, limit: page.limit) { event, payload in
        Self.event(payload, event.sequence, of: request.studyID)
      }
      return ListEventsResponse(events: events, nextPageToken: next.token)
    }
  }

  func watchEvents(
    _ request: WatchEventsRequest, context: CallContext, responses: ResponseWriter<WatchEventsResponse>
  ) async throws {
    let position = try EventPosition(token: request.pageToken)
    let touched = Self.touched(request.studyID)
    try await data.watchEvents(.consent, after: position, context, of: { _, _ in touched }) { event, payload in
      guard let event = Self.event(payload, event.sequence, of: request.studyID) else { return }
      try await responses.send(WatchEventsResponse(event: event))
    }
  }

  private static func touched(_ studyID: String) -> Touched {
    studyID.isEmpty ? .wholeTenant : .everything(in: studyID)
  }

  /// The event with its place in the order; nil for another study's.
  private static func event(_ event: ConsentEvent, _ sequence: Int64, of studyID: String) -> ConsentEvent? {
    guard studyID.isEmpty || event.studyID == studyID else { return nil }
    var event = event
    event.sequence = sequence
    return event
  }
}
