internal import ServicePolicy
package import Storage

extension SignatureSchema {
  /// To which columns the log of events commits, so that changes by hand are found, and why to others it does not.
  /// Strokes and typed names are in the vault, whose sealed bytes Storage commits to by itself.
  package static let coverage = [
    TableCoverage(
      "fields", key: ["id"],
      committed: [
        "subject", "study", "site", "session", "record", "document", "document_version", "signature", "state", "closed",
        "pinned", "woken", "revisions", "current", "blocks", "created_ms", "holder",
      ],
      exempt: [
        "version": "numbers the views of the field, so that two hands do not draw at once",
        "begun_strokes": drawing, "kept_strokes": drawing, "points": drawing, "dropped": drawing,
        "dropped_before": drawing, "sight": drawing,
        "last_points": drawing, "last_kept": drawing, "outside": drawing, "last_time": drawing,
        "emptied_version": "tells watchers that they have to draw anew",
        "lent_to": "who else may draw, for minutes; the events tell each time, and the signature who drew it",
        "drawn_on": drawing,
        "changed_ms": "tells when the field was last touched; nothing is decided by it",
      ]),
    TableCoverage(
      "signatures", key: ["id"],
      committed: [
        "field", "revision", "kind", "hash", "commitment", "strokes", "points", "dropped", "saved_ms", "device_ms",
        "utc_offset", "device", "saved_by", "replaced_ms", "mark", "source", "source_field", "source_revision",
        "drawn_on",
      ]),
    MergedAccounts.coverage,
  ]

  private static let drawing = "how far a drawing has come that is not saved yet; the signature has its own numbers"
}
