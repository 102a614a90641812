internal import Bus
internal import ConsentContract
internal import Storage

/// All changes in order: as pages, and as they happen.
extension RecordHandlers {
  func listEvents(_ request: ListEventsRequest, context: CallContext) async throws -> ListEventsResponse {
    try await data.read(context) { snapshot, caller in
      try Self.requireReading(of: request.studyID, caller)
      let limit = try PageRequest("", request.pageSize).limit
      let last = try Self.sequence(of: request.pageToken)
      let events = try snapshot.events(after: last, limit: limit)
      let own = try events.compactMap { try Self.event($0, of: request.studyID) }
      return ListEventsResponse(events: own, nextPageToken: String(events.last?.sequence ?? last))
    }
  }

  func watchEvents(
    _ request: WatchEventsRequest, context: CallContext, responses: ResponseWriter<WatchEventsResponse>
  ) async throws {
    do {
      let caller = try Caller(context.identity)
      try Self.requireReading(of: request.studyID, caller)
      let last = try Self.sequence(of: request.pageToken)
      for try await event in data.database.scope(caller.tenant).watchEvents(after: last) {
        guard let event = try Self.event(event, of: request.studyID) else { continue }
        try await responses.send(WatchEventsResponse(event: event))
      }
    } catch {
      throw Failure.status(error)
    }
  }

  /// A token is the number of the last event that was seen.
  private static func sequence(of token: String) throws(Refusal) -> Int64 {
    if token.isEmpty { return 0 }
    guard let sequence = Int64(token), sequence >= 0 else {
      let message = "page_token is '\(token.prefix(80))'; it must be a next_page_token or the sequence of an event"
      throw Refusal(.invalid, "bad_page_token", field: "page_token", message)
    }
    return sequence
  }

  private static func requireReading(of studyID: String, _ caller: Caller) throws(Refusal) {
    if studyID.isEmpty, !caller.isUnbound {
      let message = "study_id is empty; only an administrator reads the events of all studies"
      throw Refusal(.denied, "role_missing", field: "study_id", message)
    }
    try caller.require([.inspector, .coordinator, .investigator], study: studyID)
  }

  /// The event with its number; nil for events of other studies and of the vault.
  private static func event(_ event: Event, of studyID: String) throws -> ConsentEvent? {
    guard var found = try event.decode(.consent), studyID.isEmpty || found.studyID == studyID else { return nil }
    found.sequence = event.sequence
    return found
  }
}
