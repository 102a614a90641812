internal import Base
internal import Outgoing
internal import Storage

/// One process's turn at sending to one webhook. It ends when nothing is due, the receiver fails or the lease is lost.
struct WebhookRun: Sendable {
  let place: ProgressStore.Place
  let scope: Scope
  let webhooks: WebhookRegister
  let clock: Clock
  let report: @Sendable (WebhookReport) -> Void
  /// Called each time that events should be queued. True if the queue is full, so that events have to stay in the log
  /// until somebody gives parked ones up or sends them again.
  let noteFull: @Sendable (Bool) -> Void

  /// How many events of the log are queued at a time.
  private static let pageSize = 200
  /// The pause after a fault of the database or of its contents, and while the queue has no room for events of the log.
  private static let pauseAfterFault = Duration.seconds(10)

  /// Whether the log has events that are not queued yet.
  private enum Rest {
    case none, some
    /// It has some, and the queue has no room for them at present.
    case unplaced
    /// It has some, and the queue has reached its greatest length.
    case full

    var hasRoom: Bool { self == .none || self == .some }
  }

  private var policy: WebhookPolicy { webhooks.policy }

  /// Thrown when this process no longer holds the webhook's lease, so that another one may be sending.
  private struct LeaseLost: Error {}

  /// A delivery that is due, with its message.
  private struct Item: Sendable {
    let due: DeliveryStore.Due
    /// nil if the event is of a kind that is no longer sent to receivers.
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
    } catch {
      // This or another process tries again in its next turn; the pause prevents a busy loop while the fault lasts.
      let pause = Self.pauseAfterFault
      if !(error is LeaseLost) {
        _ = try? await scope.write { try ProgressStore.pause(id, until: $0.now + pause, $0) }
      }
    }
    // Released in a task of its own, which is not cancelled with this one, so that the next process need not wait until
    // the lease expires.
    let release = Task { [scope] in try await scope.write { try ProgressStore.release(id, token, $0) } }
    _ = await release.result
  }

  private func work(_ client: OutgoingClient, _ token: String) async throws {
    var rest = Rest.some
    var sent = 0
    while !Task.isCancelled {
      // Counting the queue takes a while, so after it had no room it is counted again only when some events were sent.
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

  /// Pauses the webhook: the log has events, but the queue has no room for them and nothing that is due.
  private func pause() async throws {
    let id = place.id
    try await scope.write { try ProgressStore.pause(id, until: $0.now + Self.pauseAfterFault, $0) }
  }

  /// Queues the events that the log has got since the last time, each in its lane.
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

  /// The deliveries to send now. nil if the webhook was deleted, disabled or paused meanwhile.
  private func nextBatch() async throws -> Batch? {
    let (id, webhooks) = (place.id, webhooks)
    return try await scope.read { snapshot in
      guard let webhook = try WebhookStore.webhook(id, snapshot), !webhook.isDisabled,
        let secrets = try WebhookSecrets(of: id, snapshot)
      else { return nil }
      let (status, failures) = try ProgressStore.progress(of: id, snapshot)
      let latest = webhooks.policy.latestTry(at: snapshot.now)
      if let next = status.nextTryAt, snapshot.now < next, next <= latest { return nil }
      // A receiver that failed last time is tried with a single event.
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

  /// Stores the outcomes of a batch.
  ///
  /// - Returns: whether the turn continues.
  private func settle(_ batch: Batch, _ outcomes: [(Item, WebhookOutcome)], _ token: String) async throws -> Bool {
    let (webhooks, policy) = (webhooks, policy)
    let (mends, time) = (batch.failures > 0, policy.lease)
    let result = try await scope.write { transaction in
      let id = batch.webhook.id
      // A process that has lost the lease must store nothing.
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
      // If an administrator has changed the address meanwhile, the outcomes say nothing about the new receiver.
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
        // Events are parked only once the receiver has failed for the whole period. Their age alone is not enough: they
        // may have waited because this service was down.
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
