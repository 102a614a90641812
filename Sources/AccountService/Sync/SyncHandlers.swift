internal import AccountContract
internal import RPC
internal import ServicePolicy
internal import Storage
internal import Wire

/// The handlers of SyncService: one machine behind its unary, its streaming and its bidirectional form.
struct SyncHandlers: SyncServiceProtocol {
  let parts: AccountParts
  /// How long a caller may take to send the first step.
  var patience: Duration = .seconds(30)
  private var uploader: Uploader { Uploader(parts: parts) }
  private var downloader: Downloader { Downloader(parts: parts) }

  func pushQueue(_ request: PushQueueRequest, context: CallContext) async throws -> PushQueueResponse {
    try await uploader.upload(request, context)
  }

  func pullChanges(
    _ request: PullChangesRequest, context: CallContext, responses: ResponseWriter<PullChangesResponse>
  ) async throws {
    let place = try await downloader.begin(request, context)
    var next = try await downloader.next(place, ProgressMeter(uploads: 0), context)
    while true {
      let page = next
      // Read while the page before is on its way.
      async let following = page.isLast ? nil : downloader.next(page.place, page.meter, context)
      try await responses.send(page.answer)
      guard let read = try await following else { return }
      next = read
    }
  }

  func sync(
    _ requests: RequestStream<SyncRequest>, context: CallContext, responses: ResponseWriter<SyncResponse>
  ) async throws {
    var meter: ProgressMeter?
    var held = HeldPeople()
    var next = try await first(of: requests)
    var rest = requests.makeAsyncIterator()
    while let request = next {
      let current = meter ?? ProgressMeter(uploads: request.queueLength)
      switch request.step {
      case .push(let push): meter = try await self.push(push, current, &held, context, responses)
      case .pull(let pull): return try await self.pull(pull, current, context, responses)
      case nil: throw Refusal(.invalid, "missing", field: "step", "step is missing: push or pull")
      }
      next = try await rest.next()
    }
  }

  /// The first step. Throws if none comes in time: a call without one would last as long as its caller likes, without
  /// anything to answer or refuse.
  private func first(of requests: RequestStream<SyncRequest>) async throws -> SyncRequest? {
    try await withThrowingTaskGroup(of: SyncRequest?.self) { group in
      defer { group.cancelAll() }
      group.addTask {
        var requests = requests.makeAsyncIterator()
        return try await requests.next()
      }
      group.addTask {
        try await Task.sleep(for: patience)
        let message = "step is missing: no push or pull came for \(patience.components.seconds) s"
        throw Refusal(.invalid, "missing", field: "step", message)
      }
      return try await group.next() ?? nil
    }
  }

  private func push(
    _ request: PushQueueRequest, _ meter: ProgressMeter, _ held: inout HeldPeople, _ context: CallContext,
    _ responses: ResponseWriter<SyncResponse>
  ) async throws -> ProgressMeter {
    let answered = UploadCount()
    let before = held
    let answer = try await repeating({
      var now = meter
      try await responses.send(SyncResponse(progress: now.uploaded(answered.value)))
    }) { try await uploader.upload(request, context, behind: before, counting: answered) }
    try held.note(answer.outcomes)
    var meter = meter
    try await responses.send(SyncResponse(step: .pushed(answer), progress: meter.uploaded(request.items.count)))
    return meter
  }

  private func pull(
    _ request: PullChangesRequest, _ meter: ProgressMeter, _ context: CallContext,
    _ responses: ResponseWriter<SyncResponse>
  ) async throws {
    var meter = meter
    func repeating<Result: Sendable>(
      _ work: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
      let latest = meter.latest
      return try await self.repeating({ try await responses.send(SyncResponse(progress: latest)) }, during: work)
    }
    var place = try await repeating { try await downloader.begin(request, context) }
    while true {
      let (from, reached) = (place, meter)
      let page = try await repeating { try await downloader.next(from, reached, context) }
      try await responses.send(SyncResponse(step: .pulled(page.answer), progress: page.answer.progress))
      if page.isLast { return }
      (place, meter) = (page.place, page.meter)
    }
  }

  /// How often a caller gets the progress of a sync, however long a step takes.
  private static let interval = Duration.milliseconds(100)

  /// Does `work`, and `report` each interval until it ends.
  private func repeating<Result: Sendable>(
    _ report: @escaping @Sendable () async throws -> Void, during work: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        while true {
          try await Task.sleep(for: Self.interval)
          try await report()
        }
      }
      defer { group.cancelAll() }
      return try await work()
    }
  }

  // MARK: What failed

  func listFailedItems(_ request: ListFailedItemsRequest, context: CallContext) async throws -> ListFailedItemsResponse
  {
    try LocaleRules.check(request.locale)
    return try await parts.data.read(context, of: AccountData.own) { snapshot, caller, _ in
      let person = try caller.person()
      let words = ItemWords(AccountTexts(locale: request.locale, own: try SettingsStore.settings(snapshot).viewTexts))
      var (items, next) = try OwnItems(of: person, snapshot).failed(request.pageSize, request.pageToken, words)
      if request.asJSON { items = items.map(\.inJSON) }
      return ListFailedItemsResponse(items: items, nextPageToken: next)
    }
  }

  func retryItem(_ request: RetryItemRequest, context: CallContext) async throws -> RetryItemResponse {
    let (kept, call) = try await parts.data.read(context, of: AccountData.own) { snapshot, caller, _ in
      let items = try OwnItems(of: try caller.person(), snapshot)
      let kept = try Self.failed(request.itemID, request.deviceID, items)
      return (kept, try Self.retry(of: kept, caller, context, snapshot))
    }
    // The call does not say what the person had seen: the person knows what happened meanwhile, and wants it all the
    // same.
    let outcome = await uploader.perform(call, kept.outcome ?? ItemOutcome(), context)
    guard outcome.state != .waiting else { return RetryItemResponse(outcome: outcome) }
    var retried = kept
    retried.outcome = outcome
    let stored = try await uploader.keep([retried], context, isRetry: true).first
    retried.outcome = stored
    return RetryItemResponse(outcome: UploadRules.told(retried))
  }

  private static func retry(
    of kept: KeptItem, _ caller: Caller, _ context: CallContext, _ snapshot: Snapshot
  ) throws -> Uploader.ItemCall {
    guard let item = kept.item, let outcome = kept.outcome, let method = UploadableMethod.named(item.method) else {
      let message = "item_id: no method may be recorded without a connection that could carry this item out"
      throw Refusal(.precondition, "unknown_method", field: "item_id", message)
    }
    guard UploadRules.isRetryable(outcome) else {
      let message =
        "item_id: item '\(item.itemID)' was made for something as it was before (\(outcome.rule)); "
        + "do it again as it is now, and discard the item"
      throw Refusal(.precondition, "not_retryable", field: "item_id", message)
    }
    let person = try caller.person()
    let roles = RoleText.union(try RoleStore.roles(of: person, snapshot), context.identity.grants)
    var call = Uploader.ItemCall(method: method, request: item.request, person: person, roles: roles)
    if outcome.state == .conflict, method.name == UploadRules.profileMethod {
      // The person has decided that this profile replaces the present one, so it gets the present revision.
      var update = try UpdateProfileRequest(decoding: item.request)
      let revision = try PersonStore.profile(of: try Subject.named(person, field: "person_id"), snapshot).revision
      update.profile?.revision = revision
      (call.request, call.mark) = (try update.encoded(), "/\(revision)")
    }
    return call
  }

  func discardItem(_ request: DiscardItemRequest, context: CallContext) async throws -> DiscardItemResponse {
    let find: ServiceDatabase.Lookup<AccessTarget> = { _, gate in
      AccountData.account(of: request.personID.isEmpty ? gate.callerName : request.personID)
    }
    try ProfileRules.checkText(request.reason, atMost: 500, "reason")
    return try await parts.data.once(request, context, of: find) { transaction, caller, _ in
      let person = request.personID.isEmpty ? try caller.person() : request.personID
      let isOwn = caller.isPerson && caller.stands(for: person)
      if !isOwn, request.reason.allSatisfy(\.isWhitespace) {
        throw Refusal(
          .invalid, "reason_missing", field: "reason", "reason is empty; discarding others' work says why")
      }
      // A retry may settle the item at the same moment.
      let items = try OwnItems(of: person, transaction)
      try items.lock(request.itemID, from: request.deviceID, transaction)
      var kept = try Self.failed(request.itemID, request.deviceID, items)
      kept.forgetRequest()
      kept.outcome?.state = .discarded
      // The reason is stored in the item, which is in the vault, encrypted with the person's key.
      kept.outcome?.reason = request.reason
      try ItemStore.save(kept, transaction)
      let owner = try PersonStore.owner(of: person, transaction)
      // A person hears why somebody else has discarded their work.
      try ChangeStore.note(
        .item, "\(request.deviceID)/\(request.itemID)", of: owner, isRemoved: isOwn, transaction)
      try transaction.note(
        .itemDiscarded, by: caller.actor, person: person, device: request.deviceID, item: request.itemID)
      var told = kept.outcome?.shown(to: caller, ofOwner: owner)
      told?.reason = request.reason
      return DiscardItemResponse(outcome: told)
    }
  }

  private static func failed(_ id: String, _ deviceID: String, _ items: OwnItems) throws -> KeptItem {
    guard let kept = try items.item(id, from: deviceID) else {
      throw Refusal.notFound("item", id)
    }
    guard OwnItems.isKept(kept) else {
      throw Refusal(.precondition, "not_failed", field: "item_id", "item_id: item '\(id)' has not failed")
    }
    return kept
  }
}
