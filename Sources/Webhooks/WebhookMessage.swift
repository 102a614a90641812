internal import Base
internal import Storage

/// What is sent: a webhook-id, the same whenever the event is sent to this webhook, and a body.
struct WebhookMessage: Hashable, Sendable {
  let id: String
  let body: [UInt8]

  /// A message's identifier follows from what it is about, so it needs no place of its own, and no crash changes it.
  /// What it is about is the event and all before it: a restored log gives the same number to another event.
  static func id(of event: Event, for webhookID: String, _ service: String, _ tenant: Tenant) -> String {
    let words = ["assent webhook message 2", service, tenant.id, webhookID, String(event.sequence), event.chain.hex]
    let digest = Digest(of: Array(words.joined(separator: "\n").utf8))
    return "msg_\(Hex.encode(Array(digest.bytes.prefix(16))))"
  }

  init(_ event: Event, _ notice: WebhookNotice, for webhookID: String, _ service: String, _ tenant: Tenant) {
    id = Self.id(of: event, for: webhookID, service, tenant)
    var fields: [WebhookNotice.Field] = [
      .init("service", .text(service)), .init("tenant", .text(tenant.id)), .init("sequence", .number(event.sequence)),
    ]
    if !notice.studyID.isEmpty { fields.append(.init("study_id", .text(notice.studyID))) }
    if !notice.subjectID.isEmpty { fields.append(.init("subject_id", .text(notice.subjectID))) }
    body = Self.body(notice.kind, at: event.at, fields + notice.fields)
  }

  /// A message that is about no event, for a tenant's administrator to try a receiver with.
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
