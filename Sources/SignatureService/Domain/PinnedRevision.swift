package import Refusals
package import SignatureContract

/// The revision that somebody signed with, and the reference that its field must have.
package struct PinnedRevision: Equatable, Sendable {
  package let revision: Int
  private let reference: FieldReference

  /// nil for revision 0: nobody has signed with the field.
  package init?(_ revision: Int32, _ reference: FieldReference?) throws(Refusal) {
    guard revision >= 0 else {
      throw FieldChecks.refusal("revision", "is \(revision)", "state the revision that was signed with, or 0")
    }
    guard revision > 0 else { return nil }
    guard let reference else { throw FieldChecks.missing("reference") }
    self.revision = Int(revision)
    self.reference = reference
  }

  /// Refuses a field that has another reference, has no such revision, or was closed with another one.
  package func check(_ field: SignatureField) throws(Refusal) {
    if let part = Self.parts.first(where: { !$0.isEqual(field.reference, reference) }) {
      throw Self.refusal(
        "other_reference", "reference.\(part.name)", "field '\(field.id)' was made for another \(part.name)")
    }
    guard revision <= field.cell.revisions else {
      throw Self.refusal(
        "revision_missing", "revision", "revision is \(revision); field '\(field.id)' has \(field.cell.revisions)")
    }
    let closed = field.cell.pinned == 0 ? field.saved.map { Int($0.revision) } ?? 0 : field.cell.pinned
    guard !field.cell.isClosed || closed == revision else {
      throw Self.refusal(
        "revision_pinned", "revision",
        "revision is \(revision); field '\(field.id)' is closed with \(closed == 0 ? "none" : "revision \(closed)")")
    }
  }

  private struct Part {
    let name: String
    let isEqual: @Sendable (FieldReference, FieldReference) -> Bool
  }

  private static let parts = [
    Part(name: "subject_id") { $0.subjectID == $1.subjectID },
    Part(name: "study_id") { $0.studyID == $1.studyID },
    Part(name: "site_id") { $0.siteID == $1.siteID },
    Part(name: "session_id") { $0.sessionID == $1.sessionID },
    Part(name: "record_id") { $0.recordID == $1.recordID },
    Part(name: "document_id") { $0.documentID == $1.documentID },
    Part(name: "document_version") { $0.documentVersion == $1.documentVersion },
    Part(name: "signature_id") { $0.signatureID == $1.signatureID },
  ]

  private static func refusal(_ rule: String, _ field: String, _ message: String) -> Refusal {
    Refusal(.precondition, rule, field: field, message)
  }
}
