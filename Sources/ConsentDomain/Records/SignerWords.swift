package import ConsentContract

/// The statements that signers of a document make with their signatures, in one language.
package struct SignerWords: Sendable {
  private let text: DocumentText
  private let texts: ScreenTexts

  package init(_ text: DocumentText, _ texts: ScreenTexts) {
    self.text = text
    self.texts = texts
  }

  package func meaning(of signature: SignatureDefinition) -> String { text.signature(signature.id).meaning }

  /// The statement of authority; empty for all roles but guardians.
  package func authority(of signature: SignatureDefinition) -> String {
    text.authority(of: signature.role, texts)
  }
}
