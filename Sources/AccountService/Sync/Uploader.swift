internal import AccountContract
internal import Base
internal import Bus
internal import ConsentContract
internal import ServicePolicy
internal import Storage
internal import Tokens
internal import Wire

/// Carries out the items of a queue: each as its person, each person's in order, several people at once.
struct Uploader: Sendable {
  let parts: AccountParts
  private static let peopleAtATime = 8
  /// How far a device's clock may be ahead.
  private static let toleratedSkew = Duration.seconds(300)

  /// What all items of one person have in common.
  private struct Person: Sendable {
    let id: String
    /// nil when the person's items may go up now; otherwise the rule and what is missing.
    let obstacle: (rule: String, message: String)?
    let roles: [String]
    /// Whether the person has an account that items could be kept for.
    let isKnown: Bool
  }

  func upload(_ request: PushQueueRequest, _ context: CallContext) async throws -> PushQueueResponse {
    let caller = try Caller(context.identity)
    try Self.checkBounds(request)
    let device = try await parts.data.read(context, of: AccountData.own) { snapshot, caller, _ in
      try DeviceStore.inUse(caller.device, snapshot)
    }
    try await noteOfflineSignIns(request.offlineSignIns, device, context)
    let follower = ConsentFollower(data: parts.data, peers: parts.peers)
    if !request.items.isEmpty { try await follower.catchUp(caller.tenant) }
    // Each person's items by their places in the request, in their order.
    let queues = Dictionary(grouping: request.items.indices) { request.items[$0].personID }
    var outcomes = [ItemOutcome?](repeating: nil, count: request.items.count)
    var obstacles: [String: String] = [:]
    try await withThrowingTaskGroup(of: [(Int, ItemOutcome)].self) { group in
      var waiting = queues.keys.sorted()[...]
      func startNext() {
        guard let id = waiting.popFirst(), let places = queues[id] else { return }
        group.addTask {
          let person = try await self.person(id, request.grants, device, context)
          return try await self.run(places.map { ($0, request.items[$0]) }, of: person, device.id, context)
        }
      }
      for _ in 0..<Self.peopleAtATime { startNext() }
      for try await done in group {
        for (place, outcome) in done {
          outcomes[place] = outcome
          if Self.needsPerson(outcome) { obstacles[outcome.personID] = outcome.rule }
        }
        startNext()
      }
    }
    let affected = obstacles
    let blocked = try await parts.data.read(context, of: AccountData.own) { snapshot, _, _ in
      let fields = try SettingsStore.settings(snapshot).visibleFields
      return try affected.keys.sorted().compactMap { id -> AffectedPerson? in
        let placement = try PlacementStore.placement(of: id, on: device.id, snapshot)
        return try placement.map { AffectedPerson(person: try $0.listed(fields, snapshot), rule: affected[id] ?? "") }
      }
    }
    return PushQueueResponse(outcomes: outcomes.compactMap(\.self), blockedBy: blocked)
  }

  /// Nobody but the person can help: a grant is missing, or something has to be decided.
  private static func needsPerson(_ outcome: ItemOutcome) -> Bool {
    outcome.state == .conflict || outcome.state == .waiting && outcome.rule.hasPrefix("grant_")
  }

  private static func checkBounds(_ request: PushQueueRequest) throws(Refusal) {
    let bytes = request.items.reduce(0) { $0 + $1.request.count }
    for (isWithin, field, bound) in [
      (request.items.count <= 1000, "items", "1000 items"), (bytes <= 8 << 20, "items", "8 MiB of requests"),
      (request.grants.count <= 1000, "grants", "1000 grants"),
      (request.offlineSignIns.count <= 1000, "offline_sign_ins", "1000 sign-ins"),
    ] where !isWithin {
      throw Refusal(.invalid, "too_many", field: field, "\(field) is more than \(bound); send it in parts")
    }
  }

  // MARK: People

  private func person(
    _ id: String, _ grants: [String], _ device: StoredDevice, _ context: CallContext
  ) async throws -> Person {
    let now = parts.clock.now
    let verifier = TokenVerifier(parts.tokens.keys.published(at: now, back: 14))
    var fault: (rule: String, message: String) = (
      "grant_missing", "the person has to sign in: there is no upload grant"
    )
    var claims: TokenClaims?
    for grant in grants {
      do throws(TokenFault) {
        let found = try verifier.claims(of: grant, at: now)
        if found.use == .upload, found.tenant == context.identity.tenant, found.device == device.id, found.subject == id
        {
          claims = found
        }
      } catch {
        if error == .expired { fault = ("grant_expired", "the person has to sign in: an upload grant has expired") }
      }
    }
    let (grant, missing) = (claims, fault)
    return try await parts.data.read(context, of: AccountData.own) { snapshot, _, _ in
      guard let person = try PersonStore.person(id, snapshot), person.erasedAt == nil else {
        return Person(id: id, obstacle: ("unknown_person", "there is no such person"), roles: [], isKnown: false)
      }
      let roles = try RoleStore.roles(of: id, snapshot)
      func held(_ rule: String, _ message: String) -> Person {
        Person(id: id, obstacle: (rule, message), roles: roles, isKnown: true)
      }
      guard let grant else { return held(missing.rule, missing.message) }
      guard grant.issuedAt > person.voidBefore, person.isActive,
        try PlacementStore.placement(of: id, on: device.id, snapshot) != nil
      else { return held("grant_revoked", "the person has to sign in: the upload grant was revoked") }
      if device.current != id, try !SettingsStore.settings(snapshot).uploadAtSwitch {
        return held("waits_for_person", "the tenant has each person's work uploaded while that person is signed in")
      }
      return Person(id: id, obstacle: nil, roles: roles, isKnown: true)
    }
  }

  private func noteOfflineSignIns(
    _ signIns: [OfflineSignIn], _ device: StoredDevice, _ context: CallContext
  ) async throws {
    guard !signIns.isEmpty else { return }
    try await parts.data.change(context, of: AccountData.own) { transaction, caller, _ in
      for signIn in signIns {
        guard try PlacementStore.placement(of: signIn.personID, on: device.id, transaction) != nil else { continue }
        let at = TimeText.rfc3339(signIn.at.map(\.clamped) ?? transaction.now)
        try transaction.note(
          .signedInOffline, by: caller.actor, person: signIn.personID, device: device.id,
          note: "at \(at) by the device, after \(signIn.failures) wrong passcodes")
      }
    }
  }

  // MARK: Items

  private func run(
    _ items: [(Int, QueueItem)], of person: Person, _ device: String, _ context: CallContext
  ) async throws -> [(Int, ItemOutcome)] {
    var done: [(Int, ItemOutcome)] = []
    // Once one waits, those behind it wait as well: they may build on it.
    var obstacle = person.obstacle
    for (place, item) in items {
      let outcome = try await self.outcome(of: item, person, device, obstacle, context)
      if outcome.state == .waiting, obstacle == nil {
        obstacle = ("waits_in_order", "an earlier item of this person waits")
      }
      done.append((place, outcome))
    }
    return done
  }

  private func outcome(
    of item: QueueItem, _ person: Person, _ device: String, _ obstacle: (rule: String, message: String)?,
    _ context: CallContext
  ) async throws -> ItemOutcome {
    var answer = ItemOutcome(itemID: item.itemID, personID: item.personID, deviceID: device, method: item.method)
    func answered(_ state: ItemState, _ rule: String, _ message: String, _ code: StatusCode = .ok) -> ItemOutcome {
      answer.state = state
      (answer.rule, answer.message, answer.code) = (rule, message, Int32(code.rawValue))
      return answer
    }
    guard person.isKnown else { return answered(.refused, "unknown_person", "there is no such person") }
    do throws(Refusal) {
      try Names.check(item.itemID, "item_id")
    } catch {
      return answered(.refused, error.rule, error.message)
    }
    let digest = Digest(of: Array("\(item.method)\n".utf8) + item.request).bytes
    let kept = try await parts.data.read(context, of: AccountData.own) { snapshot, _, _ in
      try ItemStore.item(item.itemID, from: device, of: item.personID, snapshot)
    }
    if let kept {
      guard kept.digest == digest, let known = kept.outcome else {
        return answered(.refused, "item_reused", "item_id '\(item.itemID)' was used before, for another item")
      }
      // An item keeps its outcome. A failed item is retried by its person, not by being sent again.
      return known
    }
    if let obstacle { return answered(.waiting, obstacle.rule, obstacle.message) }
    guard let method = UploadableMethod.named(item.method) else {
      let message = "'\(item.method.prefix(120))' is no method that may be recorded without a connection"
      return try await keep(answered(.failed, "unknown_method", message), item, digest, context)
    }
    if let time = item.deviceTime?.clamped, time > parts.clock.now + Self.toleratedSkew {
      let message = "device_time is \(TimeText.rfc3339(time)), which is in the future"
      return try await keep(answered(.failed, "device_time_in_the_future", message), item, digest, context)
    }
    let seen: Int64
    do throws(Refusal) {
      seen = try parts.cursors.sequence(
        item.seen, person: person.id, tenant: try Caller(context.identity).tenant, field: "seen")
    } catch {
      return try await keep(answered(.failed, error.rule, error.message), item, digest, context)
    }
    let facts = try await facts(of: item, method, seen, context)
    if let rule = UploadRules.conflict(method, facts) {
      let message = "consent was withdrawn after this was done on the device; decide again"
      return try await keep(answered(.conflict, rule, message), item, digest, context)
    }
    answer = try await perform(item, method, person.roles, answer, context)
    return answer.state == .waiting ? answer : try await keep(answer, item, digest, context)
  }

  /// Makes the item's call as its person, under a key that follows from the item.
  func perform(
    _ item: QueueItem, _ method: UploadableMethod, _ roles: [String], _ outcome: ItemOutcome, _ context: CallContext
  ) async throws -> ItemOutcome {
    var answer = outcome
    let identity = CallerIdentity(
      kind: .person, tenant: context.identity.tenant, subject: item.personID, device: outcome.deviceID, grants: roles)
    let key = "sync/\(outcome.deviceID)/\(item.itemID)"
    do throws(Status) {
      answer.response = try await parts.peers.perform(method.descriptor, item.request, as: identity, key: key)
      (answer.state, answer.code, answer.rule, answer.message) = (.done, 0, "", "")
    } catch {
      answer.state = UploadRules.state(after: error.code)
      answer.code = Int32(error.code.rawValue)
      answer.rule = error.message.split(separator: ":").first.map(String.init) ?? error.code.name
      answer.message = error.message
    }
    return answer
  }

  private func facts(
    of item: QueueItem, _ method: UploadableMethod, _ seen: Int64, _ context: CallContext
  ) async throws -> UploadFacts {
    guard method.manner == .agrees else { return UploadFacts() }
    let session = Self.session(of: item, method)
    return try await parts.data.read(context, of: AccountData.own) { snapshot, _, _ in
      UploadFacts(
        withdrawal: try ChangeStore.newestWithdrawal(of: item.personID, snapshot), seen: seen,
        sessionStart: try ChangeStore.first(.session, session, of: item.personID, snapshot))
    }
  }

  /// The session that an item belongs to; empty when there is none, or the request cannot be read: its service says so.
  private static func session(of item: QueueItem, _ method: UploadableMethod) -> String {
    switch method.descriptor.name {
    case "SubmitOfflineWalk": (try? SubmitOfflineWalkRequest(decoding: item.request))?.sessionID ?? ""
    case "ActOnSession": (try? ActOnSessionRequest(decoding: item.request))?.sessionID ?? ""
    default: ""
    }
  }

  /// Stores the outcome of an item, with an event; if there is an outcome already, that one counts.
  func keep(
    _ outcome: ItemOutcome, _ item: QueueItem, _ digest: [UInt8], _ context: CallContext, isRetry: Bool = false
  ) async throws -> ItemOutcome {
    try await parts.data.change(context, of: AccountData.own) { transaction, caller, _ in
      if !isRetry, let known = try ItemStore.item(item.itemID, from: outcome.deviceID, of: item.personID, transaction) {
        return known.outcome ?? outcome
      }
      var item = item
      if [.done, .discarded].contains(outcome.state) { item.request = [] }
      try ItemStore.save(KeptItem(item: item, digest: digest, outcome: outcome), transaction)
      if outcome.state != .done || isRetry {
        try ChangeStore.note(
          .item, "\(outcome.deviceID)/\(outcome.itemID)", of: item.personID, isRemoved: outcome.state == .done,
          transaction)
      }
      try transaction.note(
        .itemSettled, by: caller.actor, person: item.personID, device: outcome.deviceID,
        note: "\(outcome.itemID): \(outcome.state == .done ? "done" : outcome.rule)")
      return outcome
    }
  }
}
