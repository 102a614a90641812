internal import AccountContract
internal import Base
internal import RPC
internal import ServicePolicy
internal import Storage

/// What a device is told without asking: that there is something to fetch, and who is on its list.
extension SyncHandlers {
  /// How long a device is told nothing after it was told something: what happens meanwhile comes in one message.
  private static let pause = Duration.seconds(1)

  func watchDevice(
    _ request: WatchDeviceRequest, context: CallContext, responses: ResponseWriter<WatchDeviceResponse>
  ) async throws {
    let tenant = try Caller(context.identity).tenant
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await parts.followers.keepUp(with: tenant, each: Self.pause) }
      defer { group.cancelAll() }
      try await tell(request.cursor, context, responses)
    }
  }

  private func tell(
    _ cursor: String, _ context: CallContext, _ responses: ResponseWriter<WatchDeviceResponse>
  ) async throws {
    // Subscribes before the first reading, so that no commit in between is missed.
    var commits = parts.data.commits(context)
    var told = DeviceNews()
    var tasksAt: String?
    while true {
      tasksAt = try await noteTasks(since: tasksAt, context)
      let news = try await news(after: cursor, context)
      if let message = news.message(after: told) { try await responses.send(message) }
      told = news
      context.slot.waits()
      try? await Task.sleep(for: Self.pause)
      context.slot.resumes()
      try await commits.next(resume: "watch again")
    }
  }

  /// Notes what the person may sign, if ConsentService has had news since. Returns how far its log was known.
  private func noteTasks(since earlier: String?, _ context: CallContext) async throws -> String? {
    let caller = try Caller(context.identity)
    guard caller.isPerson else { return nil }
    let position = try await parts.data.database.scope(caller.tenant).read { try ChangeStore.position(.consent, $0) }
    guard position != earlier else { return earlier }
    let peers = PersonalPeers(peers: parts.peers, identity: context.identity)
    do {
      _ = try await TaskFollower(data: parts.data, peers: peers).catchUp(try caller.person(), caller.tenant)
      return position
    } catch let status as Status where status.code == .unavailable {
      // They are noted once the service can be reached.
      return earlier
    }
  }

  private func news(after cursor: String, _ context: CallContext) async throws -> DeviceNews {
    try await parts.data.read(context, of: AccountData.own) { snapshot, caller, _ in
      let device = try DeviceStore.inUse(caller.device, snapshot)
      var news = DeviceNews(
        people: try PlacementStore.all(on: device.id, snapshot).map(\.personID),
        revokedVerifiers: try OfflineVerifierStore.revoked(at: device.id, snapshot))
      guard caller.isPerson else { return news }
      let person = try caller.person()
      // With a cursor that cannot be read there is everything to fetch.
      let place = parts.cursors.place(cursor, person: person, tenant: caller.tenant)
      let seen = try place?.isKnown(of: person, in: snapshot) == true ? place?.sequence ?? 0 : 0
      if try ChangeStore.count(of: person, after: seen, snapshot) > 0 {
        news.newest = try ChangeStore.bounds(of: person, snapshot).last
      }
      return news
    }
  }
}

/// What there is to tell a device at one moment.
private struct DeviceNews: Sendable {
  /// The number of the newest change that the person has not got; 0: none.
  var newest: Int64 = 0
  /// Who is on the device's list; nil before the first look.
  var people: [String]?
  var revokedVerifiers: [String] = []

  /// What is new; nil if nothing is.
  func message(after told: DeviceNews) -> WatchDeviceResponse? {
    var message = WatchDeviceResponse(changes: newest > told.newest)
    if people != told.people { message.people = DevicePeople(personIDs: people ?? []) }
    if Set(revokedVerifiers) != Set(told.revokedVerifiers) { message.revokedVerifiers = revokedVerifiers }
    return message == WatchDeviceResponse() ? nil : message
  }
}
