package import ConsentContract
package import Wire

/// What an export says besides the record: the document's words in the record's language, who asks for the consent, and
/// the pictures of the signatures.
package struct ExportFacts: Sendable {
  package var tenant = ""
  package var text = DocumentText()
  package var controller = ConsentParty()
  package var withdrawalURL = ""
  /// Until when the consent is valid because a later version asks for another one; nil while none does.
  package var reconsentBy: Timestamp?
  /// The images of signatures that are rendered, by the signatures' identifiers.
  package var images: [String: [UInt8]] = [:]
  /// The identifiers of the signatures that are initials. Whoever gave initials has given a full signature as well.
  package var initials: Set<String> = []

  package init() {}

  package var title: String { text.title }

  /// Until when a record is valid, as far as it is known by now; a later version's demand ends only what is in force.
  func validUntil(_ record: ConsentRecord) -> Timestamp? {
    guard record.state == .inForce else { return record.expiresAt }
    return [record.expiresAt, reconsentBy].compactMap(\.self).min { $0.clamped < $1.clamped }
  }

  func words(of purpose: String) -> PurposeText? { text.purposes.first { $0.purposeCode == purpose } }
}
