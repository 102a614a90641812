public import Base
internal import ServicePolicy
internal import Storage

/// An address of a tenant's own server, and which events are sent there.
public struct StoredWebhook: Hashable, Sendable {
  public let id: String
  /// Empty: the whole tenant's events.
  public let studyID: String
  public var url: String
  /// The kinds of events that are sent. A name also stands for all kinds that continue it after a full stop: `consent`
  /// includes `consent.session_ended`. Empty for all kinds.
  public var kinds: [String]
  public var isDisabled: Bool
  public let createdBy: String
  public let createdAt: Instant

  /// How many webhooks a tenant may have. Bounded because sending to each may occupy threads of a process.
  public static let most = 32
  public static let mostKinds = 64

  public func wants(_ notice: WebhookNotice) -> Bool {
    (studyID.isEmpty || studyID == notice.studyID)
      && (kinds.isEmpty || kinds.contains { WebhookNotice.does(notice.kind, belongTo: $0) })
  }

  /// Whether it gets events of any of these kinds.
  public func wants(anyOf all: [String]) -> Bool {
    kinds.isEmpty || all.contains { kind in kinds.contains { WebhookNotice.does(kind, belongTo: $0) } }
  }

  /// The subject in the vault for which a webhook's secret is sealed. Deleting the webhook erases the secret as a
  /// person's data are erased.
  static func owner(_ id: String) -> Subject? { Subject(ReservedPrefix.webhook.rawValue + id) }

  /// The webhook whose secret is sealed for a subject.
  static func id(ofOwner subject: Subject) -> String {
    String(subject.id.dropFirst(ReservedPrefix.webhook.rawValue.count))
  }
}

/// The state of sending to a webhook.
public struct SendingProgress: Hashable, Sendable {
  public var position: Int64 = 0
  public var lastEvent: Int64 = 0
  public var waiting = 0
  public var parked = 0
  public var deliveredAt: Instant?
  public var failingSince: Instant?
  public var failure = ""
  public var nextTryAt: Instant?
}

/// An event that is queued for a webhook.
public struct Delivery: Hashable, Sendable {
  public enum State: Hashable, Sendable {
    case waiting
    /// Not sent before an earlier event of the same lane is done.
    case behind
    case parked
  }

  public let sequence: Int64
  public let messageID: String
  public let notice: WebhookNotice?
  public let state: State
  public let attempts: Int
  public let nextTryAt: Instant?
  public let failure: String
  public let parkedAt: Instant?
}
