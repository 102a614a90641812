package import ConsentContract

/// Composes the signature page: title, content, and one block per signature that the document asks for.
package struct SignaturePageComposer {
  private let settings: DocumentSettings
  private let text: DocumentText
  private let texts: ScreenTexts

  package init(settings: DocumentSettings, text: DocumentText, texts: ScreenTexts) {
    self.settings = settings
    self.text = text
    self.texts = texts
  }

  /// Device and server may differ by this much before both times are printed.
  package static let toleratedDifferenceMilliseconds: Int64 = 5 * 60_000

  package func page(signatures: [RecordSignature], typed: [String: String]) -> SignaturePage {
    let blocks = settings.signatures.sorted { $0.order < $1.order }.map { definition in
      block(definition, signatures.first { $0.signatureID == definition.id }, typed: typed[definition.id] ?? "")
    }
    let title = text.signaturePageTitle.isEmpty ? texts[.consentTitle] : text.signaturePageTitle
    return SignaturePage(title: title, content: text.signaturePageContent, blocks: blocks)
  }

  /// The image cell if an image is required or present, the name cell if a name is required or present, the date cell if
  /// either is shown.
  private func block(_ definition: SignatureDefinition, _ given: RecordSignature?, typed: String) -> SignatureBlock {
    let words = text.signature(definition.id)
    let hasImage = given.map { !$0.strokesHash.isEmpty || !$0.fieldID.isEmpty } ?? false
    let hasName = given.map { !$0.printedName.isEmpty || !$0.nameCommitment.isEmpty } ?? false
    let showsImage = definition.requiresImage || hasImage
    let showsName = definition.requiresName || hasName
    return SignatureBlock(
      signatureID: definition.id, role: definition.role, title: words.title, meaning: words.meaning,
      showsImage: showsImage, showsName: showsName, showsDate: showsImage || showsName,
      printedName: given?.printedName ?? "", typed: typed, imageHash: given?.imageHash ?? "",
      signedAtMs: given?.signedAtMs ?? 0, printedTime: given.map(Self.printedTime) ?? "")
  }

  /// The signer's local time with its zone; the server's as well when they differ by more than five minutes.
  package static func printedTime(_ signature: RecordSignature) -> String {
    let offset = Int(signature.deviceTime?.utcOffsetMinutes ?? 0)
    guard let device = signature.deviceTime, device.atMs != 0 else {
      return TimeText.printed(signature.signedAtMs, offsetMinutes: offset)
    }
    let difference = signature.signedAtMs - device.atMs
    guard abs(difference) > toleratedDifferenceMilliseconds else {
      return TimeText.printed(signature.signedAtMs, offsetMinutes: offset)
    }
    let local = TimeText.printed(device.atMs, offsetMinutes: offset)
    return "\(local) (device), \(TimeText.printed(signature.signedAtMs, offsetMinutes: offset)) (server)"
  }
}
