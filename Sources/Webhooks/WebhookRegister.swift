public import Base
public import ServicePolicy
public import Storage

/// A service's webhooks, for the handlers that make, change and list them.
public struct WebhookRegister: Sendable {
  public let source: WebhookSource
  let policy: WebhookPolicy
  private let identifiers: IdentifierSource
  let randomness: Randomness

  public init(
    _ source: WebhookSource, _ policy: WebhookPolicy, identifiers: IdentifierSource, randomness: Randomness = .system
  ) {
    self.source = source
    self.policy = policy
    self.identifiers = identifiers
    self.randomness = randomness
  }

  /// How many events one call may name.
  private static let mostNamed = 1000

  // MARK: Changing

  /// Makes a webhook.
  ///
  /// - Returns: the webhook, and its secret, which is shown only this once.
  public func create(
    studyID: String, url: String, kinds: [String], isDisabled: Bool, by actor: String, _ transaction: Transaction
  ) throws -> (webhook: StoredWebhook, secret: String) {
    let webhook = StoredWebhook(
      id: identifiers.next(), studyID: studyID, url: url, kinds: try checked(url, kinds), isDisabled: isDisabled,
      createdBy: actor, createdAt: transaction.now)
    let count = try WebhookStore.all(transaction).count
    guard count < StoredWebhook.most else {
      throw Refusal(
        .precondition, "too_many_webhooks", field: "webhook",
        "the tenant has \(count) webhooks; at most \(StoredWebhook.most) are kept")
    }
    try WebhookStore.add(webhook, transaction)
    try ProgressStore.begin(webhook.id, at: try transaction.lastEvent(), transaction)
    let secret = WebhookSecret(key: randomness.bytes(WebhookSecret.byteCount))
    try WebhookSecrets.put(secret, for: webhook.id, keepingEarlier: false, transaction)
    try source.record("created", webhook, actor, transaction)
    return (webhook, secret.text)
  }

  public func update(
    _ id: String, url: String, kinds: [String], isDisabled: Bool, by actor: String, _ transaction: Transaction
  ) throws -> StoredWebhook {
    let known = try webhook(id, transaction)
    var webhook = known
    (webhook.url, webhook.kinds, webhook.isDisabled) = (url, try checked(url, kinds), isDisabled)
    // The receiver has a new address or may have been repaired, so everything scheduled is sent at once.
    try ProgressStore.pause(id, until: transaction.now, transaction)
    try DeliveryStore.hasten(for: id, transaction)
    guard webhook != known else { return known }
    try WebhookStore.save(webhook, transaction)
    try source.record("changed", webhook, actor, transaction)
    return webhook
  }

  /// Deletes a webhook, if it exists, and erases its secret.
  public func delete(_ id: String, by actor: String, _ transaction: Transaction) throws {
    guard try Self.forget(id, of: source, by: actor, transaction), let owner = StoredWebhook.owner(id) else { return }
    try transaction.vault.erase(owner, by: actor, reason: "webhook-deleted")
  }

  /// Deletes a webhook that had been deleted, and its secret erased, before a restored backup brought it back.
  ///
  /// - Parameter owner: the subject in the vault for which the secret was sealed.
  public static func deleteAgain(
    ownedBy owner: Subject, of source: WebhookSource, by actor: String, _ transaction: Transaction
  ) throws {
    try forget(StoredWebhook.id(ofOwner: owner), of: source, by: actor, transaction)
  }

  /// Deletes a webhook without its secret.
  ///
  /// - Returns: whether the webhook existed.
  @discardableResult
  private static func forget(
    _ id: String, of source: WebhookSource, by actor: String, _ transaction: Transaction
  ) throws -> Bool {
    guard let webhook = try WebhookStore.webhook(id, transaction) else { return false }
    try WebhookStore.remove(id, transaction)
    try ProgressStore.remove(id, transaction)
    try DeliveryStore.removeAll(of: id, transaction)
    try TrialStore.remove(id, transaction)
    try source.record("deleted", webhook, actor, transaction)
    return true
  }

  /// - Returns: the new secret, which is shown only this once.
  public func rotateSecret(
    of id: String, droppingEarlier: Bool, by actor: String, _ transaction: Transaction
  ) throws -> String {
    let webhook = try webhook(id, transaction)
    let secret = WebhookSecret(key: randomness.bytes(WebhookSecret.byteCount))
    try WebhookSecrets.put(secret, for: id, keepingEarlier: !droppingEarlier, transaction)
    try source.record("secret changed", webhook, actor, transaction)
    return secret.text
  }

  /// Makes parked events due again, or gives them up: those named, or all if none is.
  ///
  /// - Returns: how many events.
  public func resend(
    _ sequences: [Int64], to id: String, givingUp: Bool, by actor: String, _ transaction: Transaction
  ) throws -> Int {
    let webhook = try webhook(id, transaction)
    guard sequences.count <= Self.mostNamed else {
      throw Refusal(
        .invalid, "too_many_sequences", field: "sequences",
        "sequences names \(sequences.count) events; at most \(Self.mostNamed) are named at a time")
    }
    try ProgressStore.lock(id, transaction)
    if givingUp {
      let count = try DeliveryStore.giveUp(sequences, for: id, transaction)
      if count > 0 { try source.record("\(count) given up", webhook, actor, transaction) }
      return count
    }
    let count = try DeliveryStore.resend(sequences, for: id, transaction)
    guard count > 0 else { return 0 }
    try ProgressStore.pause(id, until: transaction.now, transaction)
    try source.record("\(count) sent again", webhook, actor, transaction)
    return count
  }

  /// Prepares a test message, and counts it. Refuses it if too many were sent lately: the address may be a server of
  /// somebody who did not ask for messages.
  public func trial(of id: String, _ transaction: Transaction) throws -> WebhookTrial {
    let trial = try WebhookTrial(of: id, self, transaction)
    let bounds = [(id, TrialBound.ofWebhook, "webhook"), (TrialStore.tenant, TrialBound.ofTenant, "tenant")]
    for (place, bound, whose) in bounds {
      guard let wait = try TrialStore.take(place, bound, transaction) else { continue }
      let seconds = (wait.milliseconds + 999) / 1000
      throw Refusal(
        .exhausted, "too_many_tests", field: "webhook_id",
        "the \(whose) was sent \(bound.count) test messages just now; the next may be sent in \(seconds) s",
        retryAfter: wait)
    }
    return trial
  }

  // MARK: Reading

  public func list(_ snapshot: Snapshot) throws -> [(webhook: StoredWebhook, status: SendingProgress)] {
    try WebhookStore.all(snapshot).map { ($0, try status(of: $0.id, snapshot)) }
  }

  /// A tenant's webhooks, as they are stored.
  public static func stored(_ snapshot: Snapshot) throws -> [StoredWebhook] { try WebhookStore.all(snapshot) }

  public func status(of id: String, _ snapshot: Snapshot) throws -> SendingProgress {
    try ProgressStore.status(of: id, snapshot)
  }

  public func deliveries(
    to id: String, parkedOnly: Bool, _ page: PageRequest, _ snapshot: Snapshot
  ) throws -> (deliveries: [Delivery], nextToken: String) {
    _ = try webhook(id, snapshot)
    let (listed, next) = try DeliveryStore.list(
      of: id, parkedOnly: parkedOnly, after: page.cursor, limit: page.limit, snapshot)
    let deliveries = try listed.map { listed in
      let event = try snapshot.events(after: listed.sequence.subtractingSaturating(1), limit: 1).first
      return Delivery(
        sequence: listed.sequence,
        messageID: event.map { WebhookMessage.id(of: $0, for: id, source.service, snapshot.tenant) } ?? "",
        notice: try event.flatMap(source.notice), state: listed.state, attempts: listed.attempts,
        nextTryAt: listed.nextTryAt, failure: listed.failure, parkedAt: listed.parkedAt)
    }
    return (deliveries, next?.text ?? "")
  }

  func webhook(_ id: String, _ snapshot: Snapshot) throws -> StoredWebhook {
    guard let webhook = try WebhookStore.webhook(id, snapshot) else {
      throw Refusal.notFound("webhook", id, field: "webhook_id")
    }
    return webhook
  }

  /// Checks a webhook's address and kinds. Returns the kinds sorted and without duplicates.
  private func checked(_ url: String, _ kinds: [String]) throws(Refusal) -> [String] {
    try WebhookAddress.check(url, policy.outgoing)
    guard kinds.count <= StoredWebhook.mostKinds else {
      throw Refusal(
        .invalid, "too_many_kinds", field: "webhook.kinds",
        "webhook.kinds has \(kinds.count) elements; it may have \(StoredWebhook.mostKinds)")
    }
    for kind in kinds where !source.kinds.contains(where: { WebhookNotice.does($0, belongTo: kind) }) {
      throw Refusal(
        .invalid, "unknown_kind", field: "webhook.kinds",
        "webhook.kinds names '\(kind.shortened)'; there is no such kind, and none begins so")
    }
    return Set(kinds).sorted()
  }
}
