package import AccountContract
internal import Base
package import CommonContract
internal import ConsentDomain
internal import ServicePolicy
internal import Storage
internal import Webhooks
internal import Wire

/// A change in another service, as that service tells of it: identifiers and states, without personal data.
package enum FollowedEvent: Sendable {
  case account(AccountEvent)
  case signature(TrailEntry)

  private static let account = EventType<AccountEvent>(
    "followed.account", encode: { try $0.encoded() }, decode: { try AccountEvent(decoding: $0) })
  private static let signature = EventType<TrailEntry>(
    "followed.signature", encode: { try $0.encoded() }, decode: { try TrailEntry(decoding: $0) })

  /// When it happened, by the service where it did.
  var at: Instant {
    switch self {
    case .account(let event): event.at.orEpoch
    case .signature(let entry): entry.at.orEpoch
    }
  }

  /// Appends the event to this service's log, in the stream of the person whom it concerns, so that it stays in order
  /// with what this service has to tell about the person.
  func copy(_ transaction: Transaction) throws {
    switch self {
    case .account(let event): try transaction.append(Self.account, event, to: Self.stream(of: event))
    case .signature(let entry):
      let stream = entry.subjectID.isEmpty ? EventStream.study(entry.studyID) : EventStream.subject(entry.subjectID)
      try transaction.append(Self.signature, entry, to: stream)
    }
  }

  private static func stream(of event: AccountEvent) -> String {
    if !event.personID.isEmpty { return EventStream.subject(event.personID) }
    return event.deviceID.isEmpty ? EventStream.study("") : "device:\(event.deviceID)"
  }

  /// The event that was copied; nil for any other event of this service's log.
  init?(copied event: Event) throws {
    if let account = try event.decode(Self.account) {
      self = .account(account)
    } else if let entry = try event.decode(Self.signature) {
      self = .signature(entry)
    } else {
      return nil
    }
  }

  /// What a receiver is told; nil for an event that is not sent.
  var notice: WebhookNotice? {
    switch self {
    case .account(let event): Self.notice(of: event, at: at)
    case .signature(let entry): Self.notice(of: entry, at: at)
    }
  }

  private static func notice(of event: AccountEvent, at time: Instant) -> WebhookNotice? {
    let (isRole, isRefused) = (
      [.roleGranted, .roleRevoked].contains(event.kind), [.itemFailed, .itemConflicted].contains(event.kind)
    )
    let references = [
      ("device_id", event.deviceID), ("session_id", event.sessionID), ("api_key_id", event.apiKeyID),
      ("item_id", event.itemID), ("role", isRole ? event.note : ""), ("rule", isRefused ? event.note : ""),
    ]
    return notice(
      "account.\(event.kind.word)", event.personID, "", references,
      from: .init(FollowedService.account.rawValue, event.sequence, at: time))
  }

  /// The entry names its kind as `field.saved drawn`.
  private static func notice(of entry: TrailEntry, at time: Instant) -> WebhookNotice? {
    let word = String(entry.purpose.map { $0 == "-" ? "_" : $0 == " " ? "." : $0 }.drop { $0 != "." }.dropFirst())
    let item = entry.item.split(separator: "/", maxSplits: 1).map(String.init)
    let references = [
      ("site_id", entry.siteID), ("device_id", entry.deviceID), ("field_id", item.count == 2 ? item[1] : ""),
    ]
    return notice(
      "signature.field_\(word)", entry.subjectID, entry.studyID, references,
      from: .init(FollowedService.signature.rawValue, entry.sequence, at: time))
  }

  private static func notice(
    _ kind: String, _ subjectID: String, _ studyID: String, _ references: [(String, String)],
    from origin: WebhookNotice.Origin
  ) -> WebhookNotice? {
    guard FollowedService(rawValue: origin.service)?.kinds.contains(kind) == true else { return nil }
    let fields = references.filter { !$0.1.isEmpty }.map { WebhookNotice.Field($0.0, .text($0.1)) }
    return WebhookNotice(kind: kind, studyID: studyID, subjectID: subjectID, fields: fields, from: origin)
  }
}

/// Some events of another service, in its order.
package struct FollowedPage: Sendable {
  let events: [FollowedEvent]
  /// The token to read the events after these. The token that was asked with means that there are no more.
  let next: String

  package init(_ events: [FollowedEvent], next: String) { (self.events, self.next) = (events, next) }
}
