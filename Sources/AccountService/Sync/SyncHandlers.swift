internal import AccountContract
internal import Bus
internal import ServicePolicy
internal import Storage
internal import Wire

/// The handlers of SyncService: one machine behind its unary, its streaming and its bidirectional form.
struct SyncHandlers: SyncServiceProtocol {
  let parts: AccountParts
  private var uploader: Uploader { Uploader(parts: parts) }
  private var downloader: Downloader { Downloader(parts: parts) }

  func pushQueue(_ request: PushQueueRequest, context: CallContext) async throws -> PushQueueResponse {
    try await uploader.upload(request, context)
  }

  func pullChanges(
    _ request: PullChangesRequest, context: CallContext, responses: ResponseWriter<PullChangesResponse>
  ) async throws {
    var meter = ProgressMeter(uploads: 0)
    try await pull(request, &meter, context) { try await responses.send($0) }
  }

  func sync(
    _ requests: RequestStream<SyncRequest>, context: CallContext, responses: ResponseWriter<SyncResponse>
  ) async throws {
    var meter: ProgressMeter?
    for try await request in requests {
      var current = meter ?? ProgressMeter(uploads: request.queueLength)
      switch request.step {
      case .push(let push):
        let answer = try await uploader.upload(push, context)
        let progress = current.uploaded(push.items.count)
        try await responses.send(SyncResponse(step: .pushed(answer), progress: progress))
      case .pull(let pull):
        try await self.pull(pull, &current, context) {
          try await responses.send(SyncResponse(step: .pulled($0), progress: $0.progress))
        }
        return
      case nil: throw Refusal(.invalid, "missing", field: "step", "step is missing: push or pull")
      }
      meter = current
    }
  }

  private func pull(
    _ request: PullChangesRequest, _ meter: inout ProgressMeter, _ context: CallContext,
    _ send: (PullChangesResponse) async throws -> Void
  ) async throws {
    var place = try await downloader.begin(request, context)
    while true {
      let (answer, isLast) = try await downloader.next(&place, &meter, context)
      try await send(answer)
      if isLast { return }
    }
  }

  // MARK: What failed

  func listFailedItems(_ request: ListFailedItemsRequest, context: CallContext) async throws -> ListFailedItemsResponse
  {
    try await parts.data.read(context, of: AccountData.own) { snapshot, caller, _ in
      let page = try PageRequest(size: request.pageSize, token: request.pageToken)
      let (items, next) = try ItemStore.failed(of: try caller.person(), page, snapshot)
      return ListFailedItemsResponse(items: items.compactMap(\.outcome), nextPageToken: next)
    }
  }

  func retryItem(_ request: RetryItemRequest, context: CallContext) async throws -> RetryItemResponse {
    let (kept, roles) = try await parts.data.read(context, of: AccountData.own) { snapshot, caller, _ in
      let person = try caller.person()
      let kept = try Self.failed(request.itemID, request.deviceID, person, snapshot)
      return (kept, RoleText.union(try RoleStore.roles(of: person, snapshot), context.identity.grants))
    }
    guard let item = kept.item, let known = kept.outcome, let method = UploadableMethod.named(item.method) else {
      let message = "item_id: no method may be recorded without a connection that could carry this item out"
      throw Refusal(.precondition, "unknown_method", field: "item_id", message)
    }
    // The person has seen what happened meanwhile, and wants it all the same.
    let outcome = try await uploader.perform(item, method, roles, known, context)
    guard outcome.state != .waiting else { return RetryItemResponse(outcome: outcome) }
    let retried = KeptItem(item: item, digest: kept.digest, outcome: outcome)
    return RetryItemResponse(outcome: try await uploader.keep([retried], context, isRetry: true).first)
  }

  func discardItem(_ request: DiscardItemRequest, context: CallContext) async throws -> DiscardItemResponse {
    let find: ServiceDatabase.Finding<Touched> = { _, gate in
      AccountData.account(of: request.personID.isEmpty ? gate.callerName : request.personID)
    }
    return try await parts.data.once(request, context, of: find) { transaction, caller, _ in
      let person = request.personID.isEmpty ? try caller.person() : request.personID
      if !caller.isPerson || person != caller.actor {
        if request.reason.allSatisfy(\.isWhitespace) {
          throw Refusal(
            .invalid, "reason_missing", field: "reason", "reason is empty; discarding others' work says why")
        }
      }
      var kept = try Self.failed(request.itemID, request.deviceID, person, transaction)
      kept.item?.request = []
      kept.outcome?.state = .discarded
      try ItemStore.save(kept, transaction)
      try ChangeStore.note(
        .item, "\(request.deviceID)/\(request.itemID)", of: person, isRemoved: true, transaction)
      try transaction.note(
        .itemDiscarded, by: caller.actor, person: person, device: request.deviceID, note: request.itemID)
      return DiscardItemResponse(outcome: kept.outcome)
    }
  }

  private static func failed(
    _ id: String, _ deviceID: String, _ person: String, _ snapshot: Snapshot
  ) throws -> KeptItem {
    guard let kept = try ItemStore.item(id, from: deviceID, of: person, snapshot) else {
      throw Refusal.notFound("item", id)
    }
    guard kept.outcome?.state == .failed || kept.outcome?.state == .conflict else {
      throw Refusal(.precondition, "not_failed", field: "item_id", "item_id: item '\(id)' has not failed")
    }
    return kept
  }
}
