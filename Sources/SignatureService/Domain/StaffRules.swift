package import Bus
package import SignatureContract

/// Why a saved signature is read.
package enum ReadingPurpose: String, Sendable {
  /// Its picture is shown: by whoever may see the field.
  case picture = "signature picture"
  /// The strokes or the name themselves.
  case strokes = "signature strokes"
}

/// Who may read what people signed, and whose reading is put on record.
package enum StaffRules {
  private static let readers: Set<String> = ["investigator", "coordinator", "inspector", "admin"]

  /// People are on record; a device at which somebody signs and services that do their work are not.
  package static func isPerson(_ reader: CallerIdentity) -> Bool {
    !reader.grants.isEmpty || reader.access == .user || reader.access == .admin
  }

  package static func check(
    _ reader: CallerIdentity, may purpose: ReadingPurpose, _ reference: FieldReference
  ) throws(Status) {
    if purpose == .picture || reader.access >= .admin { return }
    guard !reader.grants.contains(where: { grants($0, reference) }) else { return }
    let place = reference.studyID.isEmpty ? "a field without a study" : "study '\(reference.studyID)'"
    throw Status(
      .permissionDenied,
      "strokes of \(place) are for its investigators, coordinators, inspectors and admins, for administrators and services"
    )
  }

  /// Whether a grant (`role@study`, `role@study/site`, `role@*`) is one of a reader's at the field's study and site.
  private static func grants(_ grant: String, _ reference: FieldReference) -> Bool {
    let parts = grant.split(separator: "@", maxSplits: 1)
    guard parts.count == 2, readers.contains(String(parts[0])) else { return false }
    if parts[1] == "*" { return true }
    guard !reference.studyID.isEmpty else { return false }
    return parts[1] == reference.studyID
      || (!reference.siteID.isEmpty && parts[1] == "\(reference.studyID)/\(reference.siteID)")
  }
}
