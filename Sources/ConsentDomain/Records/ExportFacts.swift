package import Base
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
  /// When the subject was erased; nil if that has not happened.
  package var erasedAt: Instant?
  /// The images of signatures that are rendered, by the signatures' identifiers.
  package var images: [String: [UInt8]] = [:]
  /// The identifiers of the signatures that are initials. Whoever gave initials has given a full signature as well.
  package var initials: Set<String> = []

  package init() {}

  package var title: String { text.title }

  /// Until when a record is valid, as far as it is known by now; a later version's demand ends only what is in force.
  func validUntil(_ record: ConsentRecord) -> Timestamp? {
    record.state == .inForce ? lapse(of: record).map { Timestamp($0) } : record.expiresAt
  }

  /// When a record ends, or has ended, without a decision about it; nil if never.
  func lapse(of record: ConsentRecord) -> Instant? {
    [record.expiresAt?.clamped, reconsentBy?.clamped, erasedAt].compactMap(\.self).min()
  }

  func words(of purpose: String) -> PurposeText? { text.purposes.first { $0.purposeCode == purpose } }
}
