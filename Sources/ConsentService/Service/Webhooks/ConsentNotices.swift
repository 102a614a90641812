internal import ConsentContract
internal import ConsentDomain
internal import ServicePolicy
internal import Storage
internal import Webhooks
internal import Wire

/// Consent's events in the form in which webhooks get them: references, nothing else. Readings and denied attempts are
/// only in the trail, and are not sent. Events of the other services are those that this service has copied.
enum ConsentNotices {
  static let source = WebhookSource(
    service: "consent", kinds: (kinds + FollowedService.allCases.flatMap(\.kinds)).sorted(),
    notice: { try notice(of: $0) ?? FollowedEvent(copied: $0)?.notice },
    record: { change, webhook, actor, transaction in
      try transaction.note(
        ConsentEvent(kind: .webhookChanged, studyID: webhook.studyID, note: change, webhookID: webhook.id), by: actor)
      try FollowedStore.followWhatIsWanted(transaction)
    })

  private static let unsent: [ConsentEventKind] = [.unspecified, .personalDataRead, .accessDenied, .recordEntry]

  private static let kinds: [String] =
    [findings] + ConsentEventKind.allCases.filter { !unsent.contains($0) }.map { "consent.\($0.word)" }
    + EntryKind.allCases.filter { $0 != .unspecified }.map { "consent.record_entry.\($0.word)" }

  /// What the check of the service's data found, or that all is well again. It concerns the whole tenant.
  private static let findings = "consent.data_findings"

  static func notice(of stored: Event) throws -> WebhookNotice? {
    if let problems = FindingEvent.problems(in: stored) {
      return WebhookNotice(
        kind: findings, studyID: "", subjectID: "", fields: [.init("problems", .number(Int64(problems)))])
    }
    guard let event = try stored.decode(.consent) else { return nil }
    let isEntry = event.kind == .recordEntry
    let kind = "consent.\(event.kind.word)" + (isEntry ? ".\(event.entry.word)" : "")
    guard kinds.contains(kind) else { return nil }
    let references = [
      ("site_id", event.siteID), ("document_id", event.documentID), ("flow_id", event.flowID),
      ("session_id", event.sessionID), ("record_id", event.recordID), ("guardian_id", event.guardianID),
      ("webhook_id", event.webhookID), ("state", event.state == .unspecified ? "" : event.state.word),
      ("outcome", event.outcome == .unspecified ? "" : event.outcome.word),
      ("due", event.due == .unspecified ? "" : event.due.word),
      ("signed_copy", event.signedCopy == .unspecified ? "" : event.signedCopy.word),
      ("merged", event.kind == .subjectsMerged ? event.note : ""),
    ]
    var fields = references.filter { !$0.1.isEmpty }.map { WebhookNotice.Field($0.0, .text($0.1)) }
    if event.version > 0 { fields.append(.init("version", .number(Int64(event.version)))) }
    if event.days > 0 { fields.append(.init("days", .number(Int64(event.days)))) }
    if !event.purposes.isEmpty { fields.append(.init("purposes", .texts(event.purposes))) }
    if event.participantCopy { fields.append(.init("participant_copy", .flag(true))) }
    if event.test { fields.append(.init("test", .flag(true))) }
    return WebhookNotice(kind: kind, studyID: event.studyID, subjectID: event.subjectID, fields: fields)
  }
}
