package import Bus
package import ConsentContract
internal import Storage

/// Everything that changed, in order: as pages, and as it happens.
extension ConsentHandlers {
  package func listConsentEvents(
    _ request: ListConsentEventsRequest, context: CallContext
  ) async throws -> ListConsentEventsResponse {
    try await read(context) { snapshot, caller in
      try Self.requireReading(of: request.studyID, caller)
      let limit = try page("", request.pageSize).limit
      let events = try snapshot.events(after: request.after, limit: limit)
      let own = try events.compactMap { try Self.event($0, of: request.studyID) }
      return ListConsentEventsResponse(events: own, next: events.last?.sequence ?? request.after)
    }
  }

  package func watchConsentEvents(
    _ request: WatchConsentEventsRequest, context: CallContext, responses: ResponseWriter<WatchConsentEventsResponse>
  ) async throws {
    do {
      let caller = try Caller(context.identity)
      try Self.requireReading(of: request.studyID, caller)
      for try await event in database.scope(caller.tenant).watchEvents(after: request.after) {
        guard let event = try Self.event(event, of: request.studyID) else { continue }
        try await responses.send(WatchConsentEventsResponse(event: event))
      }
    } catch {
      throw Failure.status(error)
    }
  }

  private static func requireReading(of studyID: String, _ caller: Caller) throws(Refusal) {
    if studyID.isEmpty, !caller.isUnbound {
      let message = "study_id is empty; only an administrator reads the events of all studies"
      throw Refusal(.denied, "role_missing", field: "study_id", message)
    }
    try caller.require([.inspector, .coordinator, .investigator], study: studyID)
  }

  /// The event with its place in the order; nil for another study's, and for the vault's own.
  private static func event(_ event: Event, of studyID: String) throws -> ConsentEvent? {
    guard var found = try event.decode(.consent), studyID.isEmpty || found.studyID == studyID else { return nil }
    found.sequence = event.sequence
    return found
  }
}
