internal import Base
internal import Outgoing
internal import Storage

/// One process's turn at one webhook: until nothing is due, the receiver fails, or the lease is lost.
struct WebhookRun: Sendable {
  let place: ProgressStore.Place
  let scope: Scope
  let webhooks: WebhookRegister
  let clock: Clock
  let report: @Sendable (WebhookReport) -> Void
  /// Told each time that events were lined up, whether there was no room for any although some wait in the log.
  let noteFull: @Sendable (Bool) -> Void

  /// How many events are looked through at a time.
  private static let pageSize = 200
  /// After an error of the database, or of what is in it, and while too many events wait for something else.
  private static let pauseAfterFault = Duration.seconds(10)

  /// Whether there are events in the log that have no place yet.
  private enum Rest {
    case none, some
    /// There are, and no room for them.
    case unplaced
    /// The same, and there will be none before somebody has given up or sent again what waits.
    case full

    var hasRoom: Bool { self == .none || self == .some }
  }

  private var policy: WebhookPolicy { webhooks.policy }

  /// Another process sends by now.
  private struct LeaseLost: Error {}

  /// A message that is due, and where it stands.
  private struct Item: Sendable {
    let due: DeliveryStore.Due
    /// nil for an event that receivers are no longer told of.
    let message: WebhookMessage?
  }

  private struct Batch: Sendable {
    let webhook: StoredWebhook
    let secrets: WebhookSecrets
    let items: [Item]
    let failures: Int
    let failingSince: Instant?
  }

  func go() async {
    let token = Hex.encode(webhooks.randomness.bytes(16))
    let (id, time) = (place.id, policy.lease)
    guard (try? await scope.write { try ProgressStore.take(id, token, for: time, $0) }) == true else { return }
    let client = OutgoingClient(policy.outgoing, width: WebhookPolicy.width)
    do {
      try await Lease.keeping(
        for: time, renew: { [scope] in try await scope.write { try ProgressStore.renew(id, token, for: time, $0) } },
        orThrow: LeaseLost()
      ) {
        try await work(client, token)
      }
    } catch let error as DatabaseError where error.code == .erased {
      // Its secret was erased when it was deleted, and a restore has brought the rest back.
      _ = try? await scope.write { [webhooks] in
        try WebhookRegister.forget(id, of: webhooks.source, by: "system", $0)
      }
    } catch {
      // The next turn tries again, of this process or of another; the pause prevents a busy loop while the fault lasts.
      let pause = Self.pauseAfterFault
      if !(error is LeaseLost) {
        _ = try? await scope.write { try ProgressStore.pause(id, until: $0.now + pause, $0) }
      }
    }
    // The group above is cancelled with this task; the release has to happen all the same, for the next process.
    let release = Task { [scope] in try await scope.write { try ProgressStore.release(id, token, $0) } }
    _ = await release.result
  }

  private func work(_ client: OutgoingClient, _ token: String) async throws {
    var rest = Rest.some
    var sent = 0
    while !Task.isCancelled {
      // Counting what waits takes a while, so where there was no room it is looked for again when some have gone.
      if rest.hasRoom || sent >= Self.pageSize {
        rest = try await lineUp(token)
        sent = 0
      }
      guard let batch = try await nextBatch() else { return }
      if batch.items.isEmpty {
        switch rest {
        case .none: return
        case .some: continue
        case .unplaced, .full:
          guard sent > 0 else { return try await pause() }
          sent = Self.pageSize
        }
        continue
      }
      let outcomes = await send(batch, client)
      guard try await settle(batch, outcomes, token) else { return }
      sent += batch.items.count
    }
  }

  /// Ends the turn for a while although there is something in the log, since what waits leaves no room for it.
  private func pause() async throws {
    let id = place.id
    try await scope.write { try ProgressStore.pause(id, until: $0.now + Self.pauseAfterFault, $0) }
  }

  /// Gives events that happened since a place in their lanes.
  private func lineUp(_ token: String) async throws -> Rest {
    let (id, webhooks, policy) = (place.id, webhooks, policy)
    let rest: Rest = try await scope.write { transaction in
      let (status, failures) = try ProgressStore.progress(of: id, transaction)
      guard let webhook = try WebhookStore.webhook(id, transaction), status.position < status.lastEvent
      else { return .none }
      let counts = try DeliveryStore.counts(of: id, transaction)
      let room = policy.room(beside: counts, isFailing: failures > 0)
      guard room > 0 else { return policy.isFull(counts) ? .full : .unplaced }
      let limit = min(Self.pageSize, room)
      let events = try transaction.events(after: status.position, limit: limit)
      guard let last = events.last else { return .none }
      guard try ProgressStore.move(id, to: last.sequence, token, transaction) else { throw LeaseLost() }
      for event in events {
        guard let notice = try webhooks.source.notice(event), webhook.wants(notice) else { continue }
        try DeliveryStore.add(event, to: id, transaction)
      }
      return events.count == limit ? .some : .none
    }
    noteFull(rest == .full)
    return rest
  }

  /// nil when the webhook was deleted, disabled or paused meanwhile. Throws `.erased` when its secret was erased.
  private func nextBatch() async throws -> Batch? {
    let (id, webhooks) = (place.id, webhooks)
    return try await scope.read { snapshot in
      guard let webhook = try WebhookStore.webhook(id, snapshot), !webhook.isDisabled,
        let secrets = try WebhookSecrets(of: id, snapshot)
      else { return nil }
      let (status, failures) = try ProgressStore.progress(of: id, snapshot)
      let latest = webhooks.policy.latestTry(at: snapshot.now)
      if let next = status.nextTryAt, snapshot.now < next, next <= latest { return nil }
      // A receiver that failed is tried with one event, and not with all that wait.
      let limit = failures > 0 ? 1 : WebhookPolicy.width
      let items = try DeliveryStore.due(for: id, limit: limit, latest: latest, snapshot).map { due in
        let event = try snapshot.events(after: due.sequence.subtractingSaturating(1), limit: 1).first
        let message = try event.flatMap { event in
          try webhooks.source.notice(event).map {
            WebhookMessage(event, $0, for: id, webhooks.source.service, snapshot.tenant)
          }
        }
        return Item(due: due, message: message)
      }
      return Batch(
        webhook: webhook, secrets: secrets, items: items, failures: failures, failingSince: status.failingSince)
    }
  }

  private func send(_ batch: Batch, _ client: OutgoingClient) async -> [(Item, WebhookOutcome)] {
    let timeout = policy.timeout
    return await withTaskGroup(of: (Item, WebhookOutcome).self) { group in
      for item in batch.items {
        group.addTask {
          guard let message = item.message else { return (item, .accepted(status: 0)) }
          let outcome = await client.deliver(
            message, to: batch.webhook.url, batch.secrets, at: clock.now, within: timeout)
          return (item, outcome)
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
  }

  /// Writes down what came of a batch.
  ///
  /// - Returns: whether to go on.
  private func settle(_ batch: Batch, _ outcomes: [(Item, WebhookOutcome)], _ token: String) async throws -> Bool {
    let (webhooks, policy) = (webhooks, policy)
    let (mends, time) = (batch.failures > 0, policy.lease)
    let result = try await scope.write { transaction in
      let id = batch.webhook.id
      // Nothing is written down by a process whose turn has ended.
      guard try ProgressStore.renew(id, token, for: time, transaction) else { throw LeaseLost() }
      var result = Settlement()
      let limit = Instant(millisecondsSince1970: transaction.now.millisecondsSince1970 - policy.retriesFor.milliseconds)
      for (item, outcome) in outcomes {
        switch outcome {
        case .cancelled: result.goesOn = false
        case .accepted:
          try DeliveryStore.finish(item.due.sequence, of: item.due.lane, for: id, transaction)
          result.hasSucceeded = true
        case .failed(_, let failure, let isOfReceiver, let isGone, let wait):
          let isLate = item.due.attempts > 0 && item.due.since <= limit
          let pause = max(policy.pause(after: item.due.attempts &+ 1, webhooks.randomness), wait ?? .zero)
          try DeliveryStore.fail(
            item.due.sequence, for: id, failure, nextTry: isLate ? nil : transaction.now + pause, transaction)
          if isOfReceiver || isGone { result.failure = (failure, max(result.failure?.wait ?? .zero, wait ?? .zero)) }
          result.isGone = result.isGone || isGone
        }
      }
      // An administrator may have given it another address meanwhile, of which this says nothing.
      guard var webhook = try WebhookStore.webhook(id, transaction), webhook.url == batch.webhook.url else {
        result.isGone = false
        return result
      }
      if result.isGone {
        webhook.isDisabled = true
        try WebhookStore.save(webhook, transaction)
        try webhooks.source.record("disabled: the receiver is gone", webhook, "system", transaction)
      }
      if result.hasSucceeded {
        try ProgressStore.succeed(id, transaction)
      } else if let failure = result.failure {
        let pause = max(policy.pause(after: batch.failures &+ 1, webhooks.randomness), failure.wait)
        try ProgressStore.fail(id, failure.text, until: transaction.now + pause, transaction)
        // Nothing was tried while this service was down: only for as long as the receiver has failed is that its fault.
        if let since = batch.failingSince, since <= limit {
          try DeliveryStore.park(waitingSince: limit, for: id, failure.text, transaction)
        }
        result.goesOn = false
      }
      return result
    }
    if result.hasSucceeded == mends, mends || result.failure != nil {
      let failure = result.hasSucceeded ? nil : result.failure?.text
      report(WebhookReport(place, failure.map { .fails($0) } ?? .accepts))
    }
    return result.goesOn && !result.isGone
  }

  private struct Settlement: Sendable {
    var goesOn = true
    var hasSucceeded = false
    var isGone = false
    var failure: (text: String, wait: Duration)?
  }
}
