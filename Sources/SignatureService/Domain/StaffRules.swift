package import ServicePolicy
package import SignatureContract

/// Why a saved signature is read.
package enum ReadingPurpose: String, Sendable {
  /// Its picture is shown, to a caller who may see the field.
  case picture = "signature picture"
  /// The strokes or the name themselves.
  case strokes = "signature strokes"
}

/// Who may read signatures.
package enum StaffRules {
  package static func check(
    _ reader: Caller, may purpose: ReadingPurpose, _ reference: FieldReference
  ) throws(Refusal) {
    if purpose == .strokes { try reader.require(Role.readers, study: reference.studyID, site: reference.siteID) }
  }
}
