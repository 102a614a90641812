internal import Base
internal import Storage

/// What a webhook's messages are signed with.
struct WebhookSecret: Hashable, Sendable {
  let key: [UInt8]

  static let byteCount = 32
  private static let prefix = "whsec_"

  /// As it is shown, once.
  var text: String { Self.prefix + Base64.encode(key) }

  /// One of a message's signatures: version 1 of Standard Webhooks.
  func signature(of message: WebhookMessage, at seconds: Int64) -> String {
    let signed = Array("\(message.id).\(seconds).".utf8) + message.body
    return "v1,\(Base64.encode(MessageCode.make(signed, key: key)))"
  }
}

/// The secrets by which a webhook's messages are signed now: the current one and, for a time, the earlier one.
struct WebhookSecrets: Sendable {
  private static let current = "secret"
  private static let earlier = "earlier"
  /// How long messages are also signed with the secret that was replaced.
  static let overlap = Duration.seconds(24 * 3600)

  let all: [WebhookSecret]

  /// nil when there are none. Throws `.erased` when they were erased with the webhook.
  init?(of id: String, _ snapshot: Snapshot) throws {
    guard let owner = StoredWebhook.owner(id), let key = try snapshot.vault.get(Self.current, of: owner) else {
      return nil
    }
    var secrets = [WebhookSecret(key: key)]
    if let stored = try snapshot.vault.get(Self.earlier, of: owner), let earlier = Earlier(stored: stored),
      snapshot.now < earlier.until
    {
      secrets.append(earlier.secret)
    }
    all = secrets
  }

  static func put(_ secret: WebhookSecret, for id: String, keepingEarlier: Bool, _ transaction: Transaction) throws {
    guard let owner = StoredWebhook.owner(id) else { return }
    let known = try transaction.vault.get(Self.current, of: owner)
    if let known, keepingEarlier {
      let earlier = Earlier(secret: WebhookSecret(key: known), until: transaction.now + overlap)
      try transaction.vault.put(earlier.stored, as: Self.earlier, of: owner)
    } else if known != nil {
      try transaction.vault.remove(Self.earlier, of: owner)
    }
    try transaction.vault.put(secret.key, as: Self.current, of: owner)
  }

  func headers(of message: WebhookMessage, at now: Instant) -> [(name: String, value: String)] {
    let seconds = now.millisecondsSince1970 / 1000
    return [
      ("content-type", "application/json"), ("webhook-id", message.id), ("webhook-timestamp", String(seconds)),
      ("webhook-signature", all.map { $0.signature(of: message, at: seconds) }.joined(separator: " ")),
    ]
  }

  /// A secret that was replaced: eight bytes of when it ends, then the key.
  private struct Earlier {
    let secret: WebhookSecret
    let until: Instant

    init(secret: WebhookSecret, until: Instant) {
      self.secret = secret
      self.until = until
    }

    init?(stored: [UInt8]) {
      guard stored.count == 8 + WebhookSecret.byteCount else { return nil }
      let end = stored.prefix(8).reduce(Int64(0)) { $0 << 8 | Int64($1) }
      self.init(
        secret: WebhookSecret(key: Array(stored.dropFirst(8))), until: Instant(millisecondsSince1970: end))
    }

    var stored: [UInt8] {
      let end = until.millisecondsSince1970
      return (0..<8).map { UInt8(truncatingIfNeeded: end >> Int64(56 - 8 * $0)) } + secret.key
    }
  }
}
