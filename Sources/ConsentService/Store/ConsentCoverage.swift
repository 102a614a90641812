internal import ServicePolicy
package import Storage
internal import Webhooks

extension ConsentSchema {
  /// Which columns events commit to, and why the others are exempt. Personal data are not in these tables but in the
  /// vault, whose sealed bytes Storage commits to by itself: names, reasons, birth dates, the states of sessions,
  /// attempts at questions, images of signatures.
  package static let coverage =
    authored + people + decided + derived + WebhookSchema.coverage
    + [FollowedStore.coverage]

  /// Tables of content that people are shown, and of the studies and sites that it belongs to.
  private static let authored = [
    TableCoverage("studies", key: ["id"], committed: ["body"]),
    TableCoverage("sites", key: ["study_id", "id"], committed: ["body"]),
    TableCoverage("text_versions", key: ["version"], by: "consent", committed: ["body"]),
    TableCoverage("pending_texts", key: ["version"], committed: ["body"]),
    TableCoverage("documents", key: ["id"], committed: ["study_id", "body"]),
    TableCoverage(
      "document_versions", key: ["document_id", "version"], by: "consent",
      committed: ["state", "reconsent", "reconsent_by_ms", "texts", "purposes", "pending", "version_hash", "body"]),
    TableCoverage("assets", key: ["hash"], committed: ["kind", "data"]),
    TableCoverage("drawn_files", key: ["hash"], committed: ["body"]),
    TableCoverage("flows", key: ["id"], committed: ["study_id", "body"]),
    TableCoverage(
      "flow_versions", key: ["flow_id", "version"], by: "consent",
      committed: ["state", "purposes", "version_hash", "body"]),
  ]

  /// Tables about people: invitations, merged accounts, requested erasures, guardians, and the sessions in which people
  /// act.
  private static let people = [
    TableCoverage("invitations", key: ["code"], committed: ["body", "revoked", "session_id"]),
    TableCoverage(
      "study_invitations", exempt: "finds the invitations of a study; what one is, its own row says"),
    MergedAccounts.coverage,
    GuessStore.coverage,
    TableCoverage("asked_erasures", key: ["subject"], committed: ["asked_ms"]),
    TableCoverage("guardians", key: ["study_id", "subject_id", "guardian_id"], committed: ["body"]),
    TableCoverage(
      "sessions", key: ["id"],
      committed: [
        "study_id", "site_id", "subject_id", "flow_id", "flow_version", "documents", "locale", "device_id", "test",
        "version", "outcome", "started_ms", "expires_ms", "holder", "assistant", "assistance",
        "invitation",
      ], exempt: ["step_id": "counts where people stop; the sealed state says where the session is"]),
  ]

  /// Tables of decisions: records, the content that they are about, their signed copies, and the fields that were
  /// signed with.
  private static let decided = [
    TableCoverage("decisions", key: ["subject_id", "number"], by: "consent", committed: ["study_id", "body"]),
    TableCoverage(
      "records", key: ["id"], by: "consent",
      committed: [
        "study_id", "site_id", "subject_id", "session_id", "document_id", "document_version", "version_hash", "state",
        "decided_ms", "test", "body",
      ]),
    TableCoverage("record_entries", key: ["record_id", "sequence"], by: "consent", committed: ["body"]),
    TableCoverage("shown", key: ["hash"], by: "consent", committed: ["content"]),
    TableCoverage("signed_copies", key: ["record_id"], by: "consent", committed: ["code", "state", "body"]),
    TableCoverage("participant_copies", key: ["record_id"], by: "consent", committed: ["code", "state", "body"]),
    TableCoverage("field_pins", key: ["field_id"], committed: ["revision", "place", "pinned_ms"]),
  ]

  private static let derived = [
    TableCoverage(
      "signing_tasks", key: ["record_id", "signature_id"], committed: ["study_id", "since_ms", "body"]),
    TableCoverage(
      "deadlines",
      exempt: "reminders: what has fallen due is decided from the record or session, by answers and by the task alike"),
    TableCoverage(
      "concerns", exempt: "finds records that somebody should look at; what is so, the records and their copies say"),
    TableCoverage("version_counts", exempt: "counts for overviews; the records say what they count, and decide"),
  ]
}
