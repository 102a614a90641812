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
  }

  func begin(_ request: PullChangesRequest, _ context: CallContext) async throws -> Place {
    let caller = try Caller(context.identity)
    let person = try caller.person()
    let asked = try parts.cursors.sequence(request.cursor, person: person, tenant: caller.tenant)
    async let signatures: Void = parts.followers.catchUpWithSignatures(caller.tenant)
    try await parts.followers.catchUpWithConsent(caller.tenant)
    try await signatures
    let tasks = try await TaskFollower(data: parts.data, peers: peers(context)).catchUp(person, caller.tenant)
    return try await parts.data.read(context, of: AccountData.own) { snapshot, caller, _ in
      _ = try DeviceStore.inUse(caller.device, snapshot)
      _ = try PersonStore.found(person, snapshot)
      let (last, floor) = try ChangeStore.bounds(of: person, snapshot)
      let isOld = asked > 0 && asked < floor
      let start = isOld ? 0 : asked
      return Place(
        person: person, sequence: start, end: last,
        total: try ChangeStore.count(of: person, after: start, snapshot), tasks: tasks, isResync: isOld)
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
    let page = try await parts.data.read(context, of: AccountData.own) { snapshot, _, _ in
      try Page(of: from.person, after: from.sequence, snapshot)
    }
    var answer = PullChangesResponse(resync: place.isResync)
    place.isResync = false
    var bytes = 0
    var isLast = page.isLast
    for (change, own) in page.changes {
      guard bytes < Self.mostBytes else {
        isLast = false
        break
      }
      let sent = try await self.change(change, own, at: place, context)
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

  /// - Parameter own: what AccountService itself has of it; nil for what another service has.
  private func change(
    _ noted: NotedChange, _ own: [ChangeBody]?, at place: Place, _ context: CallContext
  ) async throws -> SyncChange {
    var bodies = own ?? []
    if own == nil, !noted.isRemoved { bodies = try await othersBodies(of: noted, at: place, context) }
    return SyncChange(kind: noted.kind, id: noted.id, removed: bodies.isEmpty, bodies: bodies)
  }

  /// The thing as the person sees it; none when it is gone, or not the person's to see.
  private func othersBodies(
    of noted: NotedChange, at place: Place, _ context: CallContext
  ) async throws -> [ChangeBody] {
    let peers = peers(context)
    switch noted.kind {
    case .record: return try await peers.record(noted.id).map { [try ChangeBody($0)] } ?? []
    case .field: return try await peers.field(noted.id).map { [try ChangeBody($0)] } ?? []
    case .task: return try await task(noted.id, place, peers).map { [try ChangeBody($0)] } ?? []
    case .session:
      guard let view = try await peers.session(noted.id) else { return [] }
      guard view.outcome == .unspecified else { return [try ChangeBody(view)] }
      return [try ChangeBody(view)] + (try await peers.offlineBundle(of: noted.id).map { [try ChangeBody($0)] } ?? [])
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

extension Downloader {
  /// The next changes of a person, with what AccountService itself has of them, as of one moment.
  fileprivate struct Page: Sendable {
    private(set) var changes: [(noted: NotedChange, own: [ChangeBody]?)] = []
    /// Whether nothing follows.
    private(set) var isLast: Bool

    init(of person: String, after sequence: Int64, _ snapshot: Snapshot) throws {
      let noted = try ChangeStore.changes(of: person, after: sequence, limit: pageSize, snapshot)
      isLast = noted.count < pageSize
      let subject = try Subject.checked(person, field: "person_id")
      let isErased = try snapshot.vault.isErased(subject)
      var bytes = 0
      for change in noted {
        guard bytes < mostBytes else {
          isLast = false
          break
        }
        let own = change.isRemoved || isErased ? [] : try Self.own(change, of: subject, snapshot)
        bytes += own.reduce(0) { $0 + $1.value.count }
        changes.append((change, change.kind.isOfAnotherService ? nil : own))
      }
    }

    private static func own(
      _ change: NotedChange, of person: Subject, _ snapshot: Snapshot
    ) throws -> [ChangeBody] {
      switch change.kind {
      case .profile: return [try ChangeBody(try PersonStore.profile(of: person, snapshot))]
      case .roles:
        let roles = try RoleStore.roles(of: person.id, snapshot)
        return [try ChangeBody(AccountEntry(personID: person.id, roles: roles))]
      case .item:
        let parts = change.id.split(separator: "/", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { return [] }
        let item = try ItemStore.item(parts[1], from: parts[0], of: person.id, snapshot)
        guard let outcome = item?.outcome, outcome.state != .discarded else { return [] }
        return [try ChangeBody(outcome)]
      default: return []
      }
    }
  }
}

extension SyncChangeKind {
  fileprivate var isOfAnotherService: Bool { [.record, .field, .task, .session].contains(self) }
}

extension ChangeBody {
  fileprivate init<Body: Message>(_ body: Body) throws {
    self.init(type: Body.messageName, value: try body.encoded())
  }
}
