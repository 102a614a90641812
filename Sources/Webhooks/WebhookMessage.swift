internal import Base
internal import Storage

/// The message that is sent to a receiver: a body, and a webhook-id that is the same each time that the event is sent
/// to this webhook.
struct WebhookMessage: Hashable, Sendable {
  let id: String
  let body: [UInt8]

  /// Derives a message's identifier from its event, so that it need not be stored and a retry after a crash has the
  /// same one. The event's chain hash is part of it, since a restored log gives the same number to another event.
  static func id(of event: Event, for webhookID: String, _ service: String, _ tenant: Tenant) -> String {
    let words = ["assent webhook message 2", service, tenant.id, webhookID, String(event.sequence), event.chain.hex]
    let digest = Digest(of: Array(words.joined(separator: "\n").utf8))
    return "msg_\(Hex.encode(Array(digest.bytes.prefix(16))))"
  }

  init(_ event: Event, _ notice: WebhookNotice, for webhookID: String, _ service: String, _ tenant: Tenant) {
    id = Self.id(of: event, for: webhookID, service, tenant)
    var fields: [WebhookNotice.Field] = [
      .init("service", .text(notice.origin?.service ?? service)), .init("tenant", .text(tenant.id)),
      .init("sequence", .number(event.sequence)),
    ]
    if let origin = notice.origin { fields.append(.init("service_sequence", .number(origin.sequence))) }
    if !notice.studyID.isEmpty { fields.append(.init("study_id", .text(notice.studyID))) }
    if !notice.subjectID.isEmpty { fields.append(.init("subject_id", .text(notice.subjectID))) }
    body = Self.body(notice.kind, at: notice.origin?.at ?? event.at, fields + notice.fields)
  }

  /// A test message, by which a tenant's administrator tries a receiver. It reports no event.
  init(testOf webhookID: String, named name: String, at now: Instant, _ service: String, _ tenant: Tenant) {
    id = "msg_test_\(name)"
    body = Self.body(
      "webhook.test", at: now,
      [
        .init("service", .text(service)), .init("tenant", .text(tenant.id)), .init("webhook_id", .text(webhookID)),
      ])
  }

  private static func body(_ kind: String, at time: Instant, _ fields: [WebhookNotice.Field]) -> [UInt8] {
    let data = fields.map { "\(JSONText.quoted($0.name)):\($0.value.json)" }.joined(separator: ",")
    return Array(
      "{\"type\":\(JSONText.quoted(kind)),\"timestamp\":\"\(TimeText.rfc3339(time))\",\"data\":{\(data)}}".utf8)
  }
}
