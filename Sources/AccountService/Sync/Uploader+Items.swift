internal import AccountContract
internal import Base
internal import RPC
internal import ServicePolicy
internal import Storage
internal import Wire

/// Single items: whether they can be carried out, carrying them out, and storing the outcome.
extension Uploader {
  /// The longest name of a method that an item may have: longer than any.
  private static let longestMethod = 120

  /// The digest by which an item is recognised when it is sent again, and the outcome that is returned then.
  struct SettledItem: Sendable {
    let digest: [UInt8]
    var outcome: ItemOutcome
  }

  /// What is stored of a queue's items.
  struct KnownItems: Sendable {
    var settled: [String: SettledItem] = [:]
    /// Items that were begun, and when: they may have been carried out, with an answer that nobody has stored.
    var begun: [String: Instant] = [:]
    /// The items that this call has begun.
    var isNew: Set<String> = []
    /// What has become of the items that others name as those before them; absent: nothing yet.
    var before: [MessageKey<ItemName>: ItemStore.End] = [:]
  }

  func known(
    _ items: [QueueItem], of person: Person, in queue: Queue, _ context: CallContext
  ) async throws -> KnownItems {
    guard person.isKnown else { return KnownItems() }
    let names = items.map(\.itemID).filter { (try? Names.check($0, "item_id")) != nil }
    return try await parts.data.read(context, of: AccountData.own) { snapshot, _, _ in
      var known = KnownItems()
      let room = ResponseRoom()
      let settled = try ItemStore.parts(
        of: names.map { ItemStore.Name(id: $0, deviceID: person.device, personID: person.id) }, snapshot
      ) { kept in
        kept.outcome.map { SettledItem(digest: kept.digest, outcome: room.fitted($0)) }
      }
      for (name, item) in settled { known.settled[name.id] = item }
      for name in names where known.settled[name] == nil {
        if let begun = try ItemStore.begun(name, from: person.device, of: person.id, snapshot) {
          known.begun[name] = begun
        }
      }
      for name in items.compactMap(\.after) {
        let end = try ItemStore.end(of: name, from: person.device, snapshot)
        known.before[MessageKey(name)] = end ?? queue.ended[MessageKey(name)]
      }
      return known
    }
  }

  /// Puts items on record before the first of them is carried out. A service forgets its answers after some days; an
  /// item that was begun, and is sent again after that, is not carried out a second time without its person's will.
  func begin(
    _ items: ArraySlice<(Int, QueueItem)>, of person: Person, _ known: inout KnownItems,
    _ context: CallContext
  ) async throws {
    let new = items.map { place, item in (name: item.itemID, place: place) }.filter { new in
      (try? Names.check(new.name, "item_id")) != nil && known.settled[new.name] == nil && known.begun[new.name] == nil
    }
    let begun = try await parts.data.change(context, of: AccountData.own) { transaction, _, _ in
      for (name, place) in new {
        try ItemStore.begin(name, from: person.device, of: person.id, at: place, transaction)
      }
      return transaction.now
    }
    for (name, _) in new { known.begun[name] = begun }
    known.isNew.formUnion(new.map(\.name))
  }

  /// Deletes the records of items that this call has begun but not tried, because a service was busy or an earlier item
  /// waits.
  func forgetUnbegun(
    _ outcomes: [ItemOutcome], _ known: KnownItems, _ person: Person, _ context: CallContext
  ) async throws {
    let untried = Set(outcomes.filter { $0.state == .waiting && UploadRules.isUntried($0) }.map(\.itemID))
      .intersection(known.isNew)
    guard !untried.isEmpty else { return }
    try await parts.data.change(context, of: AccountData.own) { transaction, _, _ in
      for name in untried { try ItemStore.unbegin(name, from: person.device, of: person.id, transaction) }
    }
  }

  static func unknownEnd(_ outcome: ItemOutcome) -> ItemOutcome {
    outcome.answered(
      .conflict, "outcome_unknown",
      "this was begun before, and it is not known whether it was done; look, and do it again or discard it")
  }

  /// The answer to an item that is not carried out now; nil when it is.
  func unable(
    _ item: QueueItem, _ outcome: ItemOutcome, _ person: Person, _ obstacle: (rule: String, message: String)?
  ) -> ItemOutcome? {
    do throws(Refusal) {
      try Names.check(item.itemID, "item_id")
    } catch {
      return outcome.answered(.refused, error.rule, error.message)
    }
    guard item.method.utf8.count <= Self.longestMethod else {
      let message = "method is \(item.method.utf8.count) bytes long; at most \(Self.longestMethod) are allowed"
      return outcome.answered(.refused, "too_long", message)
    }
    if let obstacle {
      let state = obstacle.rule == "unknown_person" ? ItemState.refused : .waiting
      return outcome.answered(state, obstacle.rule, obstacle.message)
    }
    guard let method = UploadableMethod.named(item.method) else {
      let message = "'\(item.method.shortened(to: 120))' is no method that may be recorded without a connection"
      return outcome.answered(.failed, "unknown_method", message)
    }
    if let fault = item.faultOfJSON { return outcome.answered(.refused, "bad_json", fault) }
    // Each account counts the revisions of its own profile, so equal numbers of two accounts mean nothing.
    if method.name == UploadRules.profileMethod, person.owner != person.id {
      let message = "this profile was made for an account that was merged into another one, which has a profile"
      return outcome.answered(.conflict, "stale_revision", message)
    }
    if person.unheard.contains(where: { method.descriptor.service.hasPrefix("assent.\($0.rawValue).") }) {
      let message = "\(method.descriptor.service) has not heard yet that the account was merged"
      return outcome.answered(.waiting, "merge_unheard", message)
    }
    return nil
  }

  /// The answer to an item that names another one before it, which was not done; nil if it was. An item that failed
  /// keeps nobody else's waiting: its person may never come back.
  func behind(_ item: QueueItem, _ outcome: ItemOutcome, _ known: KnownItems) -> ItemOutcome? {
    guard let name = item.after else { return nil }
    switch known.before[MessageKey(name)] {
    case .done: return nil
    case .notDone:
      let message = "an item that this builds on was not done; once it is, this can be tried again"
      return outcome.answered(.failed, "item_before_failed", message)
    case nil:
      return outcome.answered(.waiting, UploadRules.waitsForItem, "an item that this builds on was not done yet")
    }
  }

  /// An item as it is stored, without a `seen` that is longer than any cursor and so cannot be one.
  static func kept(_ item: QueueItem) -> QueueItem {
    var kept = item
    if kept.seen.utf8.count > SyncCursor.longest { kept.seen = "" }
    return kept
  }

  /// Carries an item out that was recorded without a connection. The call of an item that agrees to something states
  /// which withdrawals and denials the person had seen, so that ConsentService can decide whether another came in
  /// between.
  func perform(
    _ item: QueueItem, _ outcome: ItemOutcome, _ person: Person, _ context: CallContext
  ) async throws -> ItemOutcome {
    guard let method = UploadableMethod.named(item.method) else { return outcome }
    var metadata = Metadata()
    if method.statesSeen {
      let tenant = try Caller(context.identity).tenant
      // With a cursor that cannot be read, nothing counts as seen, which only makes ConsentService stricter.
      let seen = parts.cursors.place(item.seen, person: person.id, tenant: tenant)
      let (newest, known) = try await parts.data.read(context, of: AccountData.own) { snapshot, _, _ in
        (
          try seen?.newestWithdrawal(of: person.id, in: snapshot) ?? 0,
          try ChangeStore.position(.consent, snapshot)
        )
      }
      try metadata.add(QueuedCall.seenWithdrawal, String(newest))
      if !known.isEmpty { try metadata.add(QueuedCall.knownPosition, known) }
    }
    let call = ItemCall(
      method: method, request: item.request, person: person.owner, roles: person.roles, metadata: metadata)
    return await perform(call, outcome, context)
  }

  /// An item's call, as it is made.
  struct ItemCall: Sendable {
    let method: UploadableMethod
    var request: [UInt8]
    let person: String
    let roles: [String]
    var metadata = Metadata()
    /// The part of the idempotency key after device and item.
    var mark = ""
  }

  /// Makes an item's call as its person, under a key that follows from the item.
  func perform(_ call: ItemCall, _ outcome: ItemOutcome, _ context: CallContext) async -> ItemOutcome {
    var answer = outcome
    let identity = CallerIdentity(
      kind: .person, tenant: context.identity.tenant, subject: call.person, device: outcome.deviceID,
      grants: call.roles)
    // Items of two accounts may have the same identifier, so those of a merged account get its identifier as well.
    let name = call.person == outcome.personID ? outcome.itemID : "\(outcome.personID)/\(outcome.itemID)"
    let names = "sync/\(outcome.deviceID)/\(name)\(call.mark)"
    // A digest stands for names that are longer than a key may be.
    let key = names.utf8.count <= CallContext.longestKey ? names : "sync/\(Digest(of: Array(names.utf8)).hex)"
    do throws(Status) {
      answer.response = try await parts.peers.perform(
        call.method.descriptor, call.request, as: identity, key: key, call.metadata)
      (answer.state, answer.code, answer.rule, answer.message) = (.done, 0, "", "")
    } catch {
      answer.state = UploadRules.state(after: error)
      answer.code = Int32(error.code.rawValue)
      answer.rule = UploadRules.rule(of: error)
      answer.message = error.message
    }
    return answer
  }

  /// Stores outcomes of items, each with an event; where there is an outcome already, that one counts.
  ///
  /// - Parameter isRetry: whether the items had failed, or waited for a decision, before their calls.
  func keep(_ items: [KeptItem], _ context: CallContext, isRetry: Bool = false) async throws -> [ItemOutcome] {
    try await parts.data.change(context, of: AccountData.own) { transaction, caller, _ in
      let names = items.compactMap(\.name)
      // Waits for a decision that somebody is making at the same moment.
      try ItemStore.lock(names, transaction)
      let earlier = try ItemStore.parts(of: names, transaction) { $0.outcome }
      return try items.map { kept in
        var kept = kept
        guard let outcome = kept.outcome, let name = kept.name else { return ItemOutcome() }
        if let known = earlier[name], !(isRetry && Self.isReplaced(known, by: outcome)) { return known }
        if [.done, .discarded].contains(outcome.state) { kept.forgetRequest() }
        try ItemStore.save(kept, transaction)
        if outcome.state != .done || isRetry {
          let owner = try PersonStore.owner(of: outcome.personID, transaction)
          try ChangeStore.note(
            .item, "\(outcome.deviceID)/\(outcome.itemID)", of: owner, isRemoved: outcome.state == .done, transaction)
        }
        let kind: AccountEventKind =
          switch outcome.state {
          case .done: .itemDone
          case .conflict: .itemConflicted
          default: .itemFailed
          }
        try transaction.note(
          kind, by: caller.actor, person: outcome.personID, device: outcome.deviceID, item: outcome.itemID,
          note: outcome.rule)
        return outcome
      }
    }
  }

  /// Whether a retry's outcome replaces the one that the item has when the retry ends. What somebody decided during the
  /// retry stands, except that an item which was discarded meanwhile and then carried out counts as carried out.
  private static func isReplaced(_ known: ItemOutcome, by retried: ItemOutcome) -> Bool {
    OwnItems.isOpen(known) || known.state == .discarded && retried.state == .done
  }
}

extension KeptItem {
  /// An item that is settled is kept without its request.
  mutating func forgetRequest() {
    item?.request = []
    item?.requestJSON = ""
  }

  fileprivate var name: ItemStore.Name? {
    outcome.map { ItemStore.Name(id: $0.itemID, deviceID: $0.deviceID, personID: $0.personID) }
  }
}
