internal import AccountContract
internal import Base
internal import ConsentContract
internal import RPC
internal import ServicePolicy
internal import Storage
internal import Wire

/// Sends a person's changes to a device, page by page. Each thing is sent as its service shows it to that person now.
struct Downloader: Sendable {
  let parts: AccountParts

  /// The state of a download between two messages.
  struct Place: Sendable {
    let person: String
    var cursor: SyncCursor.Place
    let end: Int64
    let total: Int64
    var completed: Int64 = 0
    /// What the person may sign, as it was listed when the download began.
    let tasks: [String: SigningTask]
    /// The cursor was too old, cannot be read, or is one of changes that a restored database does not have: everything
    /// is sent.
    var isResync: Bool
    /// SignatureService cannot be reached: fields are left out, and the cursor notes that they are owed.
    var omitsFields: Bool
    /// The device's offline verifiers that were revoked; empty once they were sent.
    var revokedVerifiers: [String]
    /// The newest screen schema that the client knows.
    let clientSchema: Int32
    /// Whether bodies are sent as JSON.
    let isJSON: Bool
  }

  func begin(_ request: PullChangesRequest, _ context: CallContext) async throws -> Place {
    let caller = try Caller(context.identity)
    let person = try caller.person()
    let known = parts.cursors.place(request.cursor, person: person, tenant: caller.tenant)
    let asked = known ?? SyncCursor.Place()
    // Read before anything is noted below. Numbers of new changes could pass that of a cursor from before a restore of
    // the database, which would then seem to be known.
    let isKnown = try await parts.data.database.scope(caller.tenant).read { snapshot in
      try known?.isKnown(of: person, in: snapshot) ?? false
    }
    async let hasFields = catchUpOnFields(owedBy: asked, to: person, caller.tenant)
    try await parts.followers.catchUp(with: .consent, caller.tenant)
    let omitsFields = try await !hasFields
    let tasks = try await TaskFollower(data: parts.data, peers: peers(context)).catchUp(person, caller.tenant)
    return try await parts.data.read(context, of: AccountData.own) { snapshot, caller, _ in
      let device = try DeviceStore.inUse(caller.device, snapshot)
      _ = try PersonStore.found(person, snapshot)
      let (last, floor) = try ChangeStore.bounds(of: person, snapshot)
      let isVoid = !isKnown || asked.isBehind(floor)
      var start = isVoid ? SyncCursor.Place() : asked
      if start.sequence == 0 { start.fullUntil = last }
      if !omitsFields { start.owedAfter = nil }
      return Place(
        person: person, cursor: start, end: last,
        total: try ChangeStore.count(of: person, after: start.sequence, snapshot), tasks: tasks, isResync: isVoid,
        omitsFields: omitsFields, revokedVerifiers: try OfflineVerifierStore.revoked(at: device.id, snapshot),
        clientSchema: request.clientSchema, isJSON: request.asJSON)
    }
  }

  /// Notes what happened at SignatureService, and once more the fields that earlier pulls left out.
  ///
  /// - Returns: false when the service cannot be reached. The download then goes on without fields.
  private func catchUpOnFields(
    owedBy asked: SyncCursor.Place, to person: String, _ tenant: Tenant
  ) async throws -> Bool {
    do {
      try await parts.followers.catchUp(with: .signature, tenant)
    } catch let status as Status where status.isOfAbsence {
      return false
    }
    guard let owedAfter = asked.owedAfter else { return true }
    try await parts.data.database.scope(tenant).write { transaction in
      let owed = try ChangeStore.ids(.field, of: person, after: owedAfter, upTo: asked.sequence, transaction)
      for id in owed { try ChangeStore.note(.field, id, of: person, transaction) }
    }
    return true
  }

  /// A message, and the state of the download after it.
  struct Message: Sendable {
    let answer: PullChangesResponse
    let isLast: Bool
    let place: Place
    let meter: ProgressMeter
  }

  /// The next message; the last one has the cursor of the end.
  func next(_ from: Place, _ meter: ProgressMeter, _ context: CallContext) async throws -> Message {
    let caller = try Caller(context.identity)
    var (place, meter) = (from, meter)
    let page = try await parts.data.read(context, of: AccountData.own) { snapshot, _, _ in
      try DownloadPage(of: from.person, after: from.cursor.sequence, snapshot)
    }
    var answer = PullChangesResponse(resync: place.isResync, revokedVerifiers: place.revokedVerifiers)
    (place.isResync, place.revokedVerifiers) = (false, [])
    var bytes = 0
    var isLast = page.isLast
    for (change, own) in page.changes {
      guard bytes < DownloadPage.mostBytes else {
        isLast = false
        break
      }
      if let sent = try await self.sent(change, own, &place, context) {
        bytes += sent.bodies.reduce(0) { $0 + $1.value.count + $1.json.utf8.count }
        answer.changes.append(sent)
      }
      place.cursor.sequence = change.sequence
      place.completed += 1
    }
    if isLast {
      place.cursor.sequence = max(place.cursor.sequence, place.end)
      answer.omitted = place.omitsFields ? [.field] : []
    }
    if place.cursor.sequence >= place.cursor.fullUntil ?? 0 { place.cursor.fullUntil = nil }
    // A cursor that has not moved keeps its position, so that it stays valid even if an old backup is restored.
    if place.cursor.sequence > from.cursor.sequence || place.cursor.position == nil {
      place.cursor.position = page.position
    }
    answer.cursor = parts.cursors.text(place.cursor, person: place.person, tenant: caller.tenant)
    answer.progress = meter.downloaded(place.completed, of: place.total, isDone: isLast)
    return Message(answer: answer, isLast: isLast, place: place, meter: meter)
  }

  /// A change as it is sent; nil for a field while SignatureService cannot be reached: the cursor then notes that the
  /// field is owed.
  private func sent(
    _ noted: NotedChange, _ own: [ChangeBody]?, _ place: inout Place, _ context: CallContext
  ) async throws -> SyncChange? {
    guard noted.kind == .field, !noted.isRemoved else { return try await change(noted, own, at: place, context) }
    if !place.omitsFields {
      do {
        return try await change(noted, nil, at: place, context)
      } catch let status as Status where status.isOfAbsence {
        place.omitsFields = true
      }
    }
    place.cursor.owedAfter = place.cursor.owedAfter ?? noted.sequence - 1
    return nil
  }

  private func peers(_ context: CallContext) -> PersonalPeers {
    PersonalPeers(peers: parts.peers, identity: context.identity)
  }

  /// - Parameter own: what AccountService itself has of it; nil for what another service has.
  private func change(
    _ noted: NotedChange, _ own: [ChangeBody]?, at place: Place, _ context: CallContext
  ) async throws -> SyncChange {
    var bodies = own ?? []
    if own == nil, !noted.isRemoved { bodies = try await othersBodies(of: noted, at: place, context) }
    if place.isJSON { bodies = try bodies.map { try $0.inJSON() } }
    return SyncChange(kind: noted.kind, id: noted.id, removed: bodies.isEmpty, bodies: bodies)
  }

  /// The thing as its service shows it to the person; none when it is gone, or the person may not see it.
  private func othersBodies(
    of noted: NotedChange, at place: Place, _ context: CallContext
  ) async throws -> [ChangeBody] {
    let peers = peers(context)
    switch noted.kind {
    case .record: return try await peers.record(noted.id).map { [try ChangeBody($0)] } ?? []
    case .field: return try await peers.field(noted.id).map { [try ChangeBody($0)] } ?? []
    case .task: return try await task(noted.id, place, peers).map { [try ChangeBody($0)] } ?? []
    case .session:
      let schema = place.clientSchema
      guard let view = try await peers.session(noted.id, schema: schema) else { return [] }
      guard view.outcome == .unspecified else { return [try ChangeBody(view)] }
      let table = try await peers.offlineBundle(of: noted.id, schema: schema)
      return [try ChangeBody(view)] + (try table.map { [try ChangeBody($0)] } ?? [])
    default: return []
    }
  }

  private func task(_ name: String, _ place: Place, _ peers: PersonalPeers) async throws -> SigningTask? {
    if let listed = place.tasks[name] { return listed }
    // Another of the person's devices has noted it since this download began.
    guard let record = name.split(separator: "/").first else { return nil }
    return try await peers.tasks(ListSigningTasksRequest(recordID: String(record))).tasks.first { $0.name == name }
  }
}

extension Status {
  /// Whether the status says that no process of the service can be reached.
  fileprivate var isOfAbsence: Bool { code == .unavailable || code == .unimplemented }
}
