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
  private static let peopleAtATime = 64
  /// How many outcomes of one person are stored in one transaction.
  private static let mostUnsaved = 32
  /// How long what was read of a person counts, while the items go up: a right that is taken takes effect within it.
  private static let freshness = Duration.milliseconds(500)
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
    let now = parts.clock.now
    let grants = UploadGrants(
      request.grants, TokenVerifier(parts.tokens.keys.published(at: now, back: 14)), tenant: context.identity.tenant,
      device: device.id, at: now)
    try await noteOfflineSignIns(request.offlineSignIns, device, context)
    // Each person's items by their places in the request, in their order.
    let queues = Dictionary(grouping: request.items.indices) { request.items[$0].personID }
    var outcomes = [ItemOutcome?](repeating: nil, count: request.items.count)
    var obstacles: [String: String] = [:]
    try await withThrowingTaskGroup(of: [(Int, ItemOutcome)].self) { group in
      var waiting = queues.keys.sorted()[...]
      func startNext() {
        guard let id = waiting.popFirst(), let places = queues[id] else { return }
        group.addTask {
          let items = places.map { ($0, request.items[$0]) }
          return try await self.run(items, of: id, grants, device.id, context)
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
    return PushQueueResponse(outcomes: outcomes.compactMap { $0?.shown(to: caller) }, blockedBy: blocked)
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
    _ id: String, _ grants: UploadGrants, _ deviceID: String, _ context: CallContext
  ) async throws -> Person {
    let grant = grants.newest(of: id, at: parts.clock.now)
    let missing = grants.missing(of: id)
    return try await parts.data.read(context, of: AccountData.own) { snapshot, _, _ in
      let device = try DeviceStore.inUse(deviceID, snapshot)
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
      // What an outside identity may do lasts as long as its session: nothing is tried with less, and nothing later.
      guard try grant.grants.isEmpty || SessionStore.isRunning(grant.session, snapshot) else {
        let message = "the person has to sign in: roles by an outside identity end with its session"
        return held("grant_roles_ended", message)
      }
      return Person(id: id, obstacle: nil, roles: RoleText.union(roles, grant.grants), isKnown: true)
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

  /// An outcome that has to be stored, and where it stands among the answers.
  private struct Unsaved: Sendable {
    let place: Int
    let kept: KeptItem
  }

  private func run(
    _ items: [(Int, QueueItem)], of id: String, _ grants: UploadGrants, _ device: String,
    _ context: CallContext
  ) async throws -> [(Int, ItemOutcome)] {
    var person = try await person(id, grants, device, context)
    var readAt = parts.clock.monotonic
    var known = try await known(items.map(\.1), of: person, device, context)
    var outcomes: [ItemOutcome] = []
    var unsaved: [Unsaved] = []
    // Once one waits, those behind it wait as well: they may build on it.
    var obstacle = person.obstacle
    for (_, item) in items {
      let digest = Digest(of: Array("\(item.method)\n".utf8) + item.request).bytes
      var outcome = ItemOutcome(
        itemID: item.itemID, personID: item.personID, deviceID: device, method: item.method)
      if let earlier = known[item.itemID] {
        // An item keeps its outcome. A failed item is retried by its person, not by being sent again.
        if earlier.digest == digest, let told = earlier.outcome {
          outcome = told
        } else {
          outcome.state = .refused
          outcome.rule = "item_reused"
          outcome.message = "item_id '\(item.itemID)' was used before, for another item"
        }
      } else {
        if parts.clock.monotonic - readAt > Self.freshness {
          (person, readAt) = (try await self.person(id, grants, device, context), parts.clock.monotonic)
          obstacle = obstacle ?? person.obstacle
        }
        // A withdrawal that was acknowledged, on whatever device, beats what agrees and comes after it.
        let agrees = UploadableMethod.named(item.method)?.manner == .agrees
        if agrees, obstacle == nil { try await parts.followers.catchUpWithConsent(Caller(context.identity).tenant) }
        outcome = try await settle(item, outcome, person, obstacle, context)
        if Self.isStored(outcome.state) {
          let kept = KeptItem(item: item, digest: digest, outcome: outcome)
          known[item.itemID] = kept
          unsaved.append(Unsaved(place: outcomes.count, kept: kept))
        }
      }
      if outcome.state == .waiting, obstacle == nil {
        obstacle = ("waits_in_order", "an earlier item of this person waits")
      }
      outcomes.append(outcome)
      // What agrees is stored at once: after a crash it must not be asked again whether a withdrawal came in between.
      let agrees = UploadableMethod.named(item.method)?.manner == .agrees
      if agrees || unsaved.count == Self.mostUnsaved { try await save(&unsaved, into: &outcomes, context) }
    }
    try await save(&unsaved, into: &outcomes, context)
    return Array(zip(items.map(\.0), outcomes))
  }

  private static func isStored(_ state: ItemState) -> Bool { [.done, .failed, .conflict].contains(state) }

  /// What was stored of these items before.
  private func known(
    _ items: [QueueItem], of person: Person, _ device: String, _ context: CallContext
  ) async throws -> [String: KeptItem] {
    guard person.isKnown else { return [:] }
    let names = items.map(\.itemID).filter { (try? Names.check($0, "item_id")) != nil }
    return try await parts.data.read(context, of: AccountData.own) { snapshot, _, _ in
      var known: [String: KeptItem] = [:]
      for name in names { known[name] = try ItemStore.item(name, from: device, of: person.id, snapshot) }
      return known
    }
  }

  /// Stores outcomes of one person's items together. Until then a crash loses nothing: an item that is sent again has
  /// the effect and the answer that it had, because its call's key follows from it.
  private func save(
    _ unsaved: inout [Unsaved], into outcomes: inout [ItemOutcome], _ context: CallContext
  ) async throws {
    guard !unsaved.isEmpty else { return }
    let stored = try await keep(unsaved.map(\.kept), context)
    for (one, outcome) in zip(unsaved, stored) { outcomes[one.place] = outcome }
    unsaved = []
  }

  /// What becomes of an item that was not settled before.
  private func settle(
    _ item: QueueItem, _ outcome: ItemOutcome, _ person: Person, _ obstacle: (rule: String, message: String)?,
    _ context: CallContext
  ) async throws -> ItemOutcome {
    func answered(_ state: ItemState, _ rule: String, _ message: String) -> ItemOutcome {
      var answer = outcome
      (answer.state, answer.rule, answer.message) = (state, rule, message)
      return answer
    }
    guard person.isKnown else { return answered(.refused, "unknown_person", "there is no such person") }
    do throws(Refusal) {
      try Names.check(item.itemID, "item_id")
    } catch {
      return answered(.refused, error.rule, error.message)
    }
    if let obstacle { return answered(.waiting, obstacle.rule, obstacle.message) }
    guard let method = UploadableMethod.named(item.method) else {
      let message = "'\(item.method.prefix(120))' is no method that may be recorded without a connection"
      return answered(.failed, "unknown_method", message)
    }
    if let time = item.deviceTime?.clamped, time > parts.clock.now + Self.toleratedSkew {
      let message = "device_time is \(TimeText.rfc3339(time)), which is in the future"
      return answered(.failed, "device_time_in_the_future", message)
    }
    let seen: Int64
    do throws(Refusal) {
      let tenant = try Caller(context.identity).tenant
      seen = try parts.cursors.place(item.seen, person: person.id, tenant: tenant, field: "seen").sequence
    } catch {
      return answered(.failed, error.rule, error.message)
    }
    let facts = try await facts(of: item, method, seen, context)
    if let rule = UploadRules.conflict(method, facts) {
      return answered(.conflict, rule, "consent was withdrawn after this was done on the device; decide again")
    }
    return try await perform(item, method, person.roles, outcome, context)
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

  /// Stores outcomes of items, each with an event; where there is an outcome already, that one counts.
  func keep(_ items: [KeptItem], _ context: CallContext, isRetry: Bool = false) async throws -> [ItemOutcome] {
    try await parts.data.change(context, of: AccountData.own) { transaction, caller, _ in
      try items.map { kept in
        var kept = kept
        guard let outcome = kept.outcome else { return ItemOutcome() }
        if !isRetry,
          let known = try ItemStore.item(outcome.itemID, from: outcome.deviceID, of: outcome.personID, transaction)
        {
          return known.outcome ?? outcome
        }
        if [.done, .discarded].contains(outcome.state) { kept.item?.request = [] }
        try ItemStore.save(kept, transaction)
        if outcome.state != .done || isRetry {
          try ChangeStore.note(
            .item, "\(outcome.deviceID)/\(outcome.itemID)", of: outcome.personID, isRemoved: outcome.state == .done,
            transaction)
        }
        try transaction.note(
          .itemSettled, by: caller.actor, person: outcome.personID, device: outcome.deviceID,
          note: "\(outcome.itemID): \(outcome.state == .done ? "done" : outcome.rule)")
        return outcome
      }
    }
  }
}

extension ItemOutcome {
  /// What the caller may know of it. What services have answered to somebody is for that person, and for a device on
  /// which nobody is signed in; the person gets it with the changes too.
  fileprivate func shown(to caller: Caller) -> ItemOutcome {
    guard caller.isPerson, caller.actor != personID else { return self }
    var shown = self
    (shown.response, shown.message) = ([], "")
    return shown
  }
}
