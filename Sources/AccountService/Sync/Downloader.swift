internal import AccountContract
internal import Base
internal import Bus
internal import ConsentContract
internal import ServicePolicy
internal import Storage
internal import Wire

/// Brings a person's changes down, a page at a time, each thing as that person sees it now.
struct Downloader: Sendable {
  let parts: AccountParts
  private static let pageSize = 50
  /// What one message may hold, so that a sync of any size takes little memory.
  private static let mostBytes = 1 << 20

  /// Where a download stands.
  struct Place: Sendable {
    let person: String
    var sequence: Int64
    let end: Int64
    let total: Int64
    var completed: Int64 = 0
    /// What the person may sign, as it was listed when the download began.
    let tasks: [String: SigningTask]
    /// The cursor was too old: everything is sent.
    var isResync: Bool
    /// The device's offline verifiers that were revoked; empty once they were sent.
    var revokedVerifiers: [String]
  }

  func begin(_ request: PullChangesRequest, _ context: CallContext) async throws -> Place {
    let caller = try Caller(context.identity)
    let person = try caller.person()
    let asked = try parts.cursors.sequence(request.cursor, person: person, tenant: caller.tenant)
    try await ConsentFollower(data: parts.data, peers: parts.peers).catchUp(caller.tenant)
    try await SignatureFollower(data: parts.data, peers: parts.peers).catchUp(caller.tenant)
    let tasks = try await TaskFollower(data: parts.data, peers: peers(context)).catchUp(person, caller.tenant)
    return try await parts.data.read(context, of: AccountData.own) { snapshot, caller, _ in
      let device = try DeviceStore.inUse(caller.device, snapshot)
      _ = try PersonStore.found(person, snapshot)
      let (last, floor) = try ChangeStore.bounds(of: person, snapshot)
      let isOld = asked > 0 && asked < floor
      let start = isOld ? 0 : asked
      return Place(
        person: person, sequence: start, end: last,
        total: try ChangeStore.count(of: person, after: start, snapshot), tasks: tasks, isResync: isOld,
        revokedVerifiers: try OfflineVerifierStore.revoked(at: device.id, snapshot))
    }
  }

  /// The next message; the last one has the cursor of the end.
  func next(
    _ place: inout Place, _ meter: inout ProgressMeter, _ context: CallContext
  ) async throws
    -> (answer: PullChangesResponse, isLast: Bool)
  {
    let caller = try Caller(context.identity)
    let from = place
    let noted = try await parts.data.read(context, of: AccountData.own) { snapshot, _, _ in
      try ChangeStore.changes(of: from.person, after: from.sequence, limit: Self.pageSize, snapshot)
    }
    var answer = PullChangesResponse(resync: place.isResync, revokedVerifiers: place.revokedVerifiers)
    (place.isResync, place.revokedVerifiers) = (false, [])
    var bytes = 0
    var isLast = noted.count < Self.pageSize
    for change in noted {
      guard bytes < Self.mostBytes else {
        isLast = false
        break
      }
      let sent = try await self.change(change, at: place, context)
      bytes += sent.bodies.reduce(0) { $0 + $1.value.count }
      answer.changes.append(sent)
      place.sequence = change.sequence
      place.completed += 1
    }
    if isLast { place.sequence = max(place.sequence, place.end) }
    answer.cursor = parts.cursors.text(place.sequence, person: place.person, tenant: caller.tenant)
    answer.progress = meter.downloaded(place.completed, of: place.total, isDone: isLast)
    return (answer, isLast)
  }

  private func peers(_ context: CallContext) -> PersonalPeers {
    PersonalPeers(peers: parts.peers, identity: context.identity)
  }

  private func change(_ noted: NotedChange, at place: Place, _ context: CallContext) async throws -> SyncChange {
    let bodies = noted.isRemoved ? [] : try await bodies(of: noted, at: place, context)
    return SyncChange(kind: noted.kind, id: noted.id, removed: bodies.isEmpty, bodies: bodies)
  }

  /// The thing as the person sees it; none when it is gone, or not the person's to see.
  private func bodies(
    of noted: NotedChange, at place: Place, _ context: CallContext
  ) async throws -> [ChangeBody] {
    let (person, peers) = (place.person, peers(context))
    switch noted.kind {
    case .record: return try await peers.record(noted.id).map { [try ChangeBody($0)] } ?? []
    case .field: return try await peers.field(noted.id).map { [try ChangeBody($0)] } ?? []
    case .task: return try await task(noted.id, place, peers).map { [try ChangeBody($0)] } ?? []
    case .session:
      guard let view = try await peers.session(noted.id) else { return [] }
      guard view.outcome == .unspecified else { return [try ChangeBody(view)] }
      return [try ChangeBody(view)] + (try await peers.offlineBundle(of: noted.id).map { [try ChangeBody($0)] } ?? [])
    default:
      return try await parts.data.read(context, of: AccountData.own) { snapshot, _, _ in
        let subject = try Subject.checked(person, field: "person_id")
        guard try !snapshot.vault.isErased(subject) else { return [] }
        switch noted.kind {
        case .profile: return [try ChangeBody(try PersonStore.profile(of: subject, snapshot))]
        case .roles:
          return [try ChangeBody(AccountEntry(personID: person, roles: try RoleStore.roles(of: person, snapshot)))]
        case .item:
          let parts = noted.id.split(separator: "/", maxSplits: 1).map(String.init)
          guard parts.count == 2 else { return [] }
          let item = try OwnItems.item(parts[1], from: parts[0], of: person, snapshot)
          // What somebody else has discarded comes with the reason.
          guard let outcome = item?.outcome, outcome.state != .discarded || !outcome.reason.isEmpty else { return [] }
          return [try ChangeBody(UploadRules.told(outcome))]
        default: return []
        }
      }
    }
  }

  private func task(_ name: String, _ place: Place, _ peers: PersonalPeers) async throws -> SigningTask? {
    if let listed = place.tasks[name] { return listed }
    // Another of the person's devices has noted it since this download began.
    guard let record = name.split(separator: "/").first else { return nil }
    return try await peers.tasks(ListSigningTasksRequest(recordID: String(record))).tasks.first { $0.name == name }
  }
}

extension ChangeBody {
  fileprivate init<Body: Message>(_ body: Body) throws {
    self.init(type: Body.messageName, value: try body.encoded())
  }
}
