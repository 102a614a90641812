package import ConsentContract

/// What an export says besides the record: the document's words in the record's language, who asks for the consent, and
/// the pictures of the signatures.
package struct ExportFacts: Sendable {
  package var tenant = ""
  package var text = DocumentText()
  package var controller = ConsentParty()
  package var withdrawalURL = ""
  /// By signature, as far as they are rendered.
  package var images: [String: [UInt8]] = [:]

  package init() {}

  package var title: String { text.title }

  func words(of purpose: String) -> PurposeText? { text.purposes.first { $0.purposeCode == purpose } }
}
