internal import Base
internal import Storage

/// A key with which a webhook's messages are signed.
struct WebhookSecret: Hashable, Sendable {
  let key: [UInt8]

  static let byteCount = 32
  private static let prefix = "whsec_"

  /// The secret in the text form in which it is shown once.
  var text: String { Self.prefix + Base64.encode(key) }

  /// One of a message's signatures: version 1 of Standard Webhooks.
  func signature(of message: WebhookMessage, at seconds: Int64) -> String {
    let signed = Array("\(message.id).\(seconds).".utf8) + message.body
    return "v1,\(Base64.encode(MessageCode.make(signed, key: key)))"
  }
}

/// The secrets with which a webhook's messages are signed now: the current one and, for a time, replaced ones. So an
/// administrator who lost the answer with a new secret can replace it again, while the receiver still verifies messages
/// with the secret that it has.
struct WebhookSecrets: Sendable {
  private static let current = "secret"
  private static let earlier = "earlier"
  /// How long messages are also signed with a secret that was replaced.
  static let overlap = Duration.seconds(24 * 3600)
  /// How many replaced secrets are kept. Each adds a signature to every message.
  private static let mostEarlier = 3

  let all: [WebhookSecret]

  /// nil if the webhook has no secret. Throws `.erased` if its secrets were erased when it was deleted.
  init?(of id: String, _ snapshot: Snapshot) throws {
    guard let owner = StoredWebhook.owner(id), let key = try snapshot.vault.get(Self.current, of: owner) else {
      return nil
    }
    all = try [WebhookSecret(key: key)] + Self.replaced(of: owner, snapshot).map(\.secret)
  }

  /// The replaced secrets that are still used, the newest first.
  private static func replaced(of owner: Subject, _ snapshot: Snapshot) throws -> [Earlier] {
    guard let stored = try snapshot.vault.get(earlier, of: owner) else { return [] }
    return Earlier.list(stored).filter { snapshot.now < $0.until }
  }

  static func put(_ secret: WebhookSecret, for id: String, keepingEarlier: Bool, _ transaction: Transaction) throws {
    guard let owner = StoredWebhook.owner(id) else { return }
    let known = try transaction.vault.get(current, of: owner)
    if let known, keepingEarlier {
      let newest = Earlier(secret: WebhookSecret(key: known), until: transaction.now + overlap)
      let kept = try ([newest] + replaced(of: owner, transaction)).prefix(mostEarlier)
      try transaction.vault.put(kept.flatMap(\.stored), as: earlier, of: owner)
    } else if known != nil {
      try transaction.vault.remove(earlier, of: owner)
    }
    try transaction.vault.put(secret.key, as: current, of: owner)
  }

  func headers(of message: WebhookMessage, at now: Instant) -> [(name: String, value: String)] {
    let seconds = now.millisecondsSince1970 / 1000
    return [
      ("content-type", "application/json"), ("webhook-id", message.id), ("webhook-timestamp", String(seconds)),
      ("webhook-signature", all.map { $0.signature(of: message, at: seconds) }.joined(separator: " ")),
    ]
  }

  /// A replaced secret. It is stored as the time at which it ends, in eight bytes, and its key.
  private struct Earlier {
    static let byteCount = 8 + WebhookSecret.byteCount

    let secret: WebhookSecret
    let until: Instant

    static func list(_ stored: [UInt8]) -> [Earlier] {
      stride(from: 0, through: stored.count - byteCount, by: byteCount).map { start in
        let end = stored[start..<start + 8].reduce(Int64(0)) { $0 << 8 | Int64($1) }
        let key = Array(stored[start + 8..<start + byteCount])
        return Earlier(secret: WebhookSecret(key: key), until: Instant(millisecondsSince1970: end))
      }
    }

    var stored: [UInt8] {
      let end = until.millisecondsSince1970
      return (0..<8).map { UInt8(truncatingIfNeeded: end >> Int64(56 - 8 * $0)) } + secret.key
    }
  }
}
