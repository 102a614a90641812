internal import Base
internal import CommonContract
internal import ConsentContract
internal import ConsentDomain
internal import RPC
internal import ServicePolicy
internal import Storage
internal import Wire

/// All changes in order: as pages, and as they happen; and a study's trail.
extension RecordHandlers {
  func listEvents(_ request: ListEventsRequest, context: CallContext) async throws -> ListEventsResponse {
    let page = try PageRequest(size: request.pageSize)
    let position = try EventPosition(token: request.pageToken)
    let touched = Self.accessTarget(request.studyID)
    return try await data.disclose(context, of: { _, _ in touched }) { snapshot, _, disclosure in
      disclosure.noteLook(at: "events", of: touched, for: "list of events")
      let (events, next) = try snapshot.events(after: position, limit: page.limit) { event in
        try ConsentEvent(event, of: request.studyID)
      }
      return ListEventsResponse(events: events, nextPageToken: next.token)
    }
  }

  func watchEvents(
    _ request: WatchEventsRequest, context: CallContext, responses: ResponseWriter<WatchEventsResponse>
  ) async throws {
    let position = try EventPosition(token: request.pageToken)
    let touched = Self.accessTarget(request.studyID)
    try await data.disclose(context, of: { _, _ in touched }) { _, _, disclosure in
      disclosure.noteLook(at: "events", of: touched, for: "events as they happen")
    }
    try await data.watchEvents(after: position, context, of: { _, _ in touched }) { event in
      guard let event = try ConsentEvent(event, of: request.studyID) else { return }
      try await responses.send(WatchEventsResponse(event: event))
    }
  }

  private static func accessTarget(_ studyID: String) -> AccessTarget {
    studyID.isEmpty ? .wholeTenant : .everything(in: studyID)
  }

  // MARK: The trail

  func listTrail(_ request: ListTrailRequest, context: CallContext) async throws -> ListTrailResponse {
    let page = try PageRequest(size: request.pageSize)
    let position = try TrailPosition(token: request.pageToken)
    let found = try await trail(
      of: request.studyID, after: position, limit: page.limit, for: "trail of a study", context)
    let wanted = TrailFilter(request)
    let entries = found.entries.filter(wanted.admits)
    let isOver = entries.isEmpty && found.readUntil.map(wanted.isOver) ?? false
    return ListTrailResponse(entries: entries, nextPageToken: isOver ? request.pageToken : found.next.token)
  }

  /// The entries of both services that follow a position, and up to which time these are all; nil: there were no more.
  func trail(
    of studyID: String, after position: TrailPosition, limit: Int, for purpose: String, _ context: CallContext
  ) async throws -> (entries: [TrailEntry], next: TrailPosition, readUntil: Instant?) {
    let touched = AccessTarget.everything(in: studyID)
    let own = try await data.disclose(context, of: { _, _ in touched }) { snapshot, _, disclosure in
      disclosure.noteLook(at: "events", of: touched, for: purpose)
      return try Self.part(of: studyID, after: position.consent, limit: limit, snapshot)
    }
    let signatures = try await signatures.trail(
      of: studyID, after: position.signature, limit: limit, tenant: try context.tenant())
    let (entries, next) = TrailMerge.page(own, signatures)
    return (entries, next, [own.readUntil, signatures.readUntil].compactMap(\.self).min())
  }

  private static func part(
    of studyID: String, after position: EventPosition, limit: Int, _ snapshot: Snapshot
  ) throws -> TrailPart {
    let events = try snapshot.verifiedEvents(after: position, limit: limit)
    let steps = try events.compactMap { event in
      try TrailEntry(event, of: "consent", in: studyID, { try $0.decode(.consent).map(TrailEntry.init(change:)) }).map {
        TrailPart.Step($0, end: EventPosition(after: event))
      }
    }
    return TrailPart(
      start: position, steps: steps, end: events.last.map { EventPosition(after: $0) } ?? position,
      readUntil: events.count < limit ? nil : events.last?.at)
  }
}

extension ConsentEvent {
  /// An event as its readers see it, with its place in the order; nil for another study's, and for Storage's own.
  init?(_ event: Event, of studyID: String) throws {
    if let known = try event.decode(.consent) {
      self = known
      sequence = event.sequence
    } else if let access = try event.access() {
      self.init(access)
    } else {
      return nil
    }
    guard studyID.isEmpty || self.studyID == studyID else { return nil }
  }

  private init(_ access: TrailEntry) {
    let item = access.item.split(separator: "/", maxSplits: 1).map(String.init)
    self.init(
      sequence: access.sequence, at: access.at,
      kind: access.kind == .denied ? .accessDenied : .personalDataRead, actor: access.actor,
      studyID: access.studyID, siteID: access.siteID, subjectID: access.subjectID,
      sessionID: item.first == "session" && item.count == 2 ? item[1] : "",
      recordID: item.first == "record" && item.count == 2 ? item[1] : "", method: access.method,
      capacity: access.capacity, callerKind: access.callerKind, purpose: access.purpose, count: access.count)
  }
}

extension TrailEntry {
  fileprivate init(change event: ConsentEvent) {
    let things = [("record", event.recordID), ("session", event.sessionID), ("document", event.documentID)]
    let entry = event.kind == .recordEntry ? " \(event.entry.word)" : ""
    // Other notes may be about people.
    let isAboutStudy = event.kind == .studyChanged || event.kind == .approvalRequested
    let note = isAboutStudy && !event.note.isEmpty ? ": \(event.note)" : ""
    self.init(
      kind: .changed, actor: event.actor, studyID: event.studyID, siteID: event.siteID, subjectID: event.subjectID,
      item: things.first { !$0.1.isEmpty }.map { "\($0.0)/\($0.1)" } ?? "",
      purpose: "\(event.kind.word)\(entry)\(note)")
  }
}
