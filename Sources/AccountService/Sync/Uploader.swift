internal import AccountContract
internal import Base
internal import RPC
internal import ServicePolicy
internal import Storage
internal import Wire

/// Carries out the items of a queue: each as its person, each person's in order, several people at once.
struct Uploader: Sendable {
  let parts: AccountParts
  private static let peopleAtATime = 64
  /// How many outcomes of one person are stored in one transaction.
  private static let mostUnsaved = 32
  /// How long a person's rights count as read, during an upload, before they are read again: within this time a
  /// revocation takes effect.
  private static let freshness = Duration.milliseconds(500)
  /// For how long a service surely still has its stored response to a call. It keeps them longer, which leaves time for
  /// a slow call.
  private static let answersLast = Duration.seconds(6 * 86_400)

  func upload(
    _ request: PushQueueRequest, _ context: CallContext, behind held: HeldPeople = HeldPeople(),
    counting answered: UploadCount = UploadCount()
  ) async throws -> PushQueueResponse {
    let caller = try Caller(context.identity)
    try Self.checkBounds(request)
    let items = request.items.map(\.inBinary)
    // Each person's items by their places in the request, in their order.
    let queues = Dictionary(grouping: items.indices) { items[$0].personID }
    let (device, owners) = try await parts.data.read(context, of: AccountData.own) { snapshot, caller, _ in
      let device = try DeviceStore.inUse(caller.device, snapshot)
      var owners: [String: String] = [:]
      // Where this fails, the person's own items wait, once their turn has come.
      for id in queues.keys { owners[id] = try? PersonStore.owner(of: id, snapshot) }
      return (device, owners)
    }
    try await noteOfflineSignIns(request.offlineSignIns, device, context)
    let grants = UploadGrants(request.grants, for: device.id, context.identity.tenant, parts)
    let room = ResponseRoom()
    var outcomes = [ItemOutcome?](repeating: nil, count: items.count)
    var (open, answered, held) = (queues, answered, held)
    var ended: [MessageKey<ItemName>: ItemStore.End] = [:]
    while !open.isEmpty {
      try await withThrowingTaskGroup(of: [(Int, ItemOutcome)].self) { group in
        var waiting = open.keys.sorted()[...]
        func startNext() {
          guard let id = waiting.popFirst(), let places = open[id] else { return }
          let queue = Queue(
            person: id, owner: owners[id] ?? id, device: device.id, grants: grants, answered: answered,
            caller: caller, room: room, behind: held[id], ended: ended)
          group.addTask {
            try await self.answers(to: places.map { ($0, items[$0]) }, in: queue, context)
          }
        }
        for _ in 0..<Self.peopleAtATime { startNext() }
        for try await done in group {
          for (place, outcome) in done { outcomes[place] = outcome }
          startNext()
        }
      }
      ended = Self.ends(of: outcomes)
      // What waited for an item of somebody else that has ended by now is tried again, in this upload.
      let late = items.indices.filter { place in
        guard let name = items[place].after, ended[MessageKey(name)] != nil else { return false }
        return outcomes[place].map(UploadRules.waitsAlone) ?? false
      }
      open = Dictionary(grouping: late) { items[$0].personID }
      (answered, held) = (UploadCount(), HeldPeople())
    }
    let all = outcomes.compactMap(\.self)
    let affected = all.filter(UploadRules.needsSomebody).reduce(
      into: [String: ItemOutcome]()
    ) { affected, outcome in
      let owner = owners[outcome.personID] ?? outcome.personID
      affected[owner] = affected[owner] ?? outcome
    }
    let (blocked, revoked, news) = try await parts.data.disclose(context, of: AccountData.own) {
      snapshot, _, disclosure in
      // This throws if the device was wiped meanwhile, whatever the outcomes of its items.
      let device = try DeviceStore.inUse(device.id, snapshot)
      let fields = try SettingsStore.settings(snapshot).visibleFields
      var room = PictureRoom()
      let blocked = affected.sorted { $0.key < $1.key }.map { owner, outcome in
        var named = Self.affected(owner, by: outcome, grants, device, fields, snapshot)
        named.person = named.person.map { room.fitted($0) }
        return named
      }
      // The response has names and pictures of people, so it is on record like the device's list of people.
      if blocked.contains(where: { disclosure.caller.isOnRecord(reading: $0.person?.personID ?? "") }) {
        disclosure.noteLook(at: "device/\(device.id)", of: .tenant, for: "people whom a queue waits for")
      }
      let news = try Self.waitingNews(of: all, owners, on: device.id, snapshot)
      return (blocked, try OfflineVerifierStore.revoked(at: device.id, snapshot), news)
    }
    try await store(news, on: device.id, context)
    let answers = zip(request.items, outcomes).compactMap { item, outcome in
      item.requestJSON.isEmpty ? outcome : outcome?.inJSON
    }
    return PushQueueResponse(outcomes: answers, blockedBy: blocked, revokedVerifiers: revoked)
  }

  /// The items of this upload that others may wait for no longer.
  private static func ends(of outcomes: [ItemOutcome?]) -> [MessageKey<ItemName>: ItemStore.End] {
    var ends: [MessageKey<ItemName>: ItemStore.End] = [:]
    for outcome in outcomes.compactMap(\.self) {
      let name = ItemName(personID: outcome.personID, itemID: outcome.itemID)
      if let end = end(of: outcome) { ends[MessageKey(name)] = end }
    }
    return ends
  }

  /// What an item has come to for those that name it; nil while it waits.
  private static func end(of outcome: ItemOutcome) -> ItemStore.End? {
    switch outcome.state {
    case .waiting: nil
    case .done: .done
    default: .notDone
    }
  }

  private static func checkBounds(_ request: PushQueueRequest) throws(Refusal) {
    let bytes = request.items.reduce(0) { $0 + $1.request.count + $1.requestJSON.utf8.count }
    let names = request.items.reduce(0) {
      $0 + $1.itemID.utf8.count + $1.personID.utf8.count + $1.method.utf8.count + $1.seen.utf8.count
        + ($1.after.map { $0.personID.utf8.count + $0.itemID.utf8.count } ?? 0)
    }
    for (isWithin, field, bound) in [
      (request.items.count <= 1000, "items", "1000 items"), (bytes <= 8 << 20, "items", "8 MiB of requests"),
      (names <= 1 << 20, "items", "1 MiB of identifiers, methods and cursors"),
      (request.grants.count <= 1000, "grants", "1000 grants"),
      (request.offlineSignIns.count <= 1000, "offline_sign_ins", "1000 sign-ins"),
    ] where !isWithin {
      throw Refusal(.invalid, "too_many", field: field, "\(field) is more than \(bound); send it in parts")
    }
  }

  private func noteOfflineSignIns(
    _ signIns: [OfflineSignIn], _ device: StoredDevice, _ context: CallContext
  ) async throws {
    guard !signIns.isEmpty else { return }
    try await parts.data.change(context, of: AccountData.own) { transaction, caller, _ in
      for signIn in signIns {
        // A sign-in counts also for somebody who is no longer listed here, if the device was given the verifier that it
        // names. One that was reported before (the answer was lost) is on record already.
        let (person, verifier) = (signIn.personID, signIn.verifierID)
        guard verifier.utf8.count <= 64,
          try OfflineVerifierStore.isKnown(verifier, of: person, at: device.id, transaction)
            || PlacementStore.placement(of: person, on: device.id, transaction) != nil,
          try OfflineVerifierStore.report(signIn, by: device.id, transaction)
        else { continue }
        let at = TimeText.rfc3339(signIn.at.map(\.clamped) ?? transaction.now)
        try transaction.note(
          .signedInOffline, by: caller.actor, person: signIn.personID, device: device.id,
          note: "at \(at) by the device, after \(signIn.failures) wrong passcodes")
      }
    }
  }

  // MARK: Items

  /// An outcome that has to be stored, and its index among the outcomes.
  private struct Unsaved: Sendable {
    let place: Int
    let kept: KeptItem
  }

  /// The outcomes of one person's items. If something goes wrong with this person's data, these items wait for another
  /// try, and the items of other people are not affected.
  private func answers(
    to items: [(Int, QueueItem)], in queue: Queue, _ context: CallContext
  ) async throws -> [(Int, ItemOutcome)] {
    do {
      return try await run(items, in: queue, context)
    } catch let error as any StatusConvertible {
      let status = error.status
      return items.map { place, item in
        let outcome = ItemOutcome(
          itemID: item.itemID, personID: item.personID, deviceID: queue.device, state: .waiting,
          code: Int32(status.code.rawValue), rule: status.rule, message: status.message, method: item.method)
        return (place, queue.told(outcome))
      }
    }
  }

  private func run(
    _ items: [(Int, QueueItem)], in queue: Queue, _ context: CallContext
  ) async throws -> [(Int, ItemOutcome)] {
    var person = try await person(of: queue, context)
    var readAt = parts.clock.monotonic
    var known = try await known(items.map(\.1), of: person, in: queue, context)
    var outcomes: [ItemOutcome] = []
    var unsaved: [Unsaved] = []
    // Once one waits, those behind it wait as well: they may build on it.
    var obstacle = person.obstacle
    if let behind = queue.behind, items.first?.1.itemID != behind { obstacle = obstacle ?? Self.waitsInOrder }
    for (index, (place, item)) in items.enumerated() {
      var outcome = ItemOutcome(
        itemID: item.itemID, personID: item.personID, deviceID: queue.device, method: item.method)
      if let earlier = known.settled[item.itemID] {
        // An item keeps its outcome. A failed item is retried by its person, not by being sent again.
        outcome = Self.repeated(item, outcome, earlier)
      } else {
        if parts.clock.monotonic - readAt > Self.freshness {
          (person, readAt) = (try await self.person(of: queue, context), parts.clock.monotonic)
          obstacle = obstacle ?? person.obstacle
        }
        if let answer = unable(item, outcome, person, obstacle) ?? behind(item, outcome, known) {
          outcome = answer
        } else if let begun = known.begun[item.itemID], !known.isNew.contains(item.itemID), isForgotten(begun, person),
          !Self.isRepeatable(item)
        {
          outcome = Self.unknownEnd(outcome)
        } else {
          if known.begun[item.itemID] == nil {
            try await begin(items[index...].prefix(Self.mostUnsaved), of: person, &known, context)
          }
          outcome = try await perform(item, outcome, person, context)
        }
        if Self.isStored(outcome.state) {
          let kept = KeptItem(
            item: Self.kept(item), digest: Self.digest(of: item), outcome: outcome, place: Int64(place))
          known.settled[item.itemID] = SettledItem(digest: kept.digest, outcome: outcome)
          unsaved.append(Unsaved(place: outcomes.count, kept: kept))
        }
      }
      if let end = Self.end(of: outcome) {
        known.before[MessageKey(ItemName(personID: item.personID, itemID: item.itemID))] = end
      }
      if outcome.state == .waiting, !UploadRules.waitsAlone(outcome) { obstacle = obstacle ?? Self.waitsInOrder }
      // An outcome that has to be stored is shown to the caller only after that, by `save`.
      outcomes.append(unsaved.last?.place == outcomes.count ? outcome : queue.told(outcome))
      queue.answered.add()
      if unsaved.count == Self.mostUnsaved { try await save(&unsaved, of: queue, into: &outcomes, &known, context) }
    }
    try await save(&unsaved, of: queue, into: &outcomes, &known, context)
    try await forgetUnbegun(outcomes, known, person, context)
    return Array(zip(items.map(\.0), outcomes))
  }

  private static let waitsInOrder = (rule: "waits_in_order", message: "an earlier item of this person waits")

  /// Whether a repeat of what an earlier call has begun would be another call to its service, with an effect of its
  /// own: the service has forgotten its answer, or gave it to an account that has ended since.
  private func isForgotten(_ begun: Instant, _ person: Person) -> Bool {
    if parts.clock.now - begun > Self.answersLast { return true }
    // For a moment items may still have gone up as that account.
    return person.ownedSince.map { begun <= $0 + Self.freshness } ?? false
  }

  /// Whether it does no harm to carry the item out twice: a second withdrawal withdraws only what is still agreed to.
  private static func isRepeatable(_ item: QueueItem) -> Bool {
    UploadableMethod.named(item.method)?.manner == .withdraws
  }

  private static func digest(of item: QueueItem) -> [UInt8] {
    Digest(of: Array("\(item.method)\n".utf8) + item.request + item.requestJSON.utf8).bytes
  }

  private static func repeated(_ item: QueueItem, _ outcome: ItemOutcome, _ earlier: SettledItem) -> ItemOutcome {
    if earlier.digest == digest(of: item) { return earlier.outcome }
    return outcome.answered(
      .refused, "item_reused", "item_id '\(item.itemID)' was used before, for another item")
  }

  private static func isStored(_ state: ItemState) -> Bool { [.done, .failed, .conflict].contains(state) }

  /// Stores outcomes of one person's items together. Until then a crash loses nothing: an item that is sent again has
  /// the effect and the answer that it had, because its call's key follows from it.
  private func save(
    _ unsaved: inout [Unsaved], of queue: Queue, into outcomes: inout [ItemOutcome], _ known: inout KnownItems,
    _ context: CallContext
  ) async throws {
    guard !unsaved.isEmpty else { return }
    let stored = try await keep(unsaved.map(\.kept), context)
    for (one, outcome) in zip(unsaved, stored) {
      let told = queue.told(outcome)
      outcomes[one.place] = told
      known.settled[told.itemID]?.outcome = told
    }
    unsaved = []
  }
}

extension ItemOutcome {
  func answered(_ state: ItemState, _ rule: String, _ message: String) -> ItemOutcome {
    var answer = self
    (answer.state, answer.rule, answer.message) = (state, rule, message)
    return answer
  }

  /// The outcome without what the caller may not know of the item. Answers of services to a person are for that person,
  /// and for a device on which nobody is signed in; the person gets them with the changes too. Everybody may know what
  /// an item waits for.
  func shown(to caller: Caller, ofOwner owner: String) -> ItemOutcome {
    guard caller.isPerson, caller.actor != owner else { return self }
    var shown = self
    (shown.response, shown.message, shown.reason) = ([], "", "")
    if [.failed, .conflict, .discarded].contains(state) { (shown.rule, shown.code) = ("", 0) }
    return shown
  }
}
