internal import Base
package import ConsentContract
internal import Wire

/// Composes the signature page: title, content, and one block per signature that the document asks for.
package struct SignaturePageComposer {
  private let settings: DocumentSettings
  private let text: DocumentText
  /// Our own texts, in the document's language.
  private let ownTexts: ScreenTexts

  package init(settings: DocumentSettings, text: DocumentText, texts: ScreenTexts) {
    self.settings = settings
    self.text = text
    ownTexts = texts.speaking(text.locale)
  }

  /// The times of device and server may differ by this much before both are printed.
  package static let toleratedDifference = Duration.seconds(5 * 60)

  package func page(signatures: [RecordSignature], typed: [String: String]) -> SignaturePage {
    let blocks = settings.signatures.sorted { $0.order < $1.order }.map { definition in
      block(definition, signatures.first { $0.signatureID == definition.id }, typed: typed[definition.id] ?? "")
    }
    let title = text.signaturePageTitle.isEmpty ? ownTexts[.consentTitle] : text.signaturePageTitle
    return SignaturePage(title: title, content: text.signaturePageContent, blocks: blocks)
  }

  /// The image cell if an image is required or present, the name cell if a name is required or present, the date cell
  /// if either is shown.
  private func block(_ definition: SignatureDefinition, _ given: RecordSignature?, typed: String) -> SignatureBlock {
    let words = text.signature(definition.id)
    let hasImage = given.map { !$0.strokesHash.isEmpty || !$0.fieldID.isEmpty } ?? false
    let hasName = given.map { !$0.printedName.isEmpty || !$0.nameCommitment.isEmpty } ?? false
    let showsImage = definition.requiresImage || hasImage
    let showsName = definition.requiresName || hasName
    return SignatureBlock(
      signatureID: definition.id, role: definition.role, title: words.title, meaning: words.meaning,
      showsImage: showsImage, showsName: showsName, showsDate: showsImage || showsName,
      printedName: given?.nameNow ?? "", typed: typed, imageHash: given?.imageHash ?? "",
      signedAt: given?.signedAt, printedTime: given.map { Self.printedTime($0, in: ownTexts) } ?? "")
  }

  /// Whether the device's time and the server's differ by so much that both are printed.
  package static func printsBothTimes(of signature: RecordSignature) -> Bool {
    guard let device = signature.deviceTime?.at?.clamped else { return false }
    let signed = signature.signedAt.orEpoch
    return max(signed, device) - min(signed, device) > toleratedDifference
  }

  /// The signer's local time with its zone; the server's as well when they differ by more than five minutes.
  ///
  /// - Parameter texts: the words that say whose time it is; nil for English ones, for programs.
  package static func printedTime(_ signature: RecordSignature, in texts: ScreenTexts? = nil) -> String {
    let offset = Int(signature.deviceTime?.utcOffsetMinutes ?? 0)
    let printed = TimeText.printed(signature.signedAt.orEpoch, offsetMinutes: offset)
    guard printsBothTimes(of: signature), let device = signature.deviceTime?.at?.clamped else { return printed }
    func said(_ key: TextKey, _ time: String) -> String {
      fill(texts?[key] ?? Catalog.english(key), ["time": time])
    }
    let devices = TimeText.printed(device, offsetMinutes: offset)
    return "\(said(.timeOfDevice, devices)), \(said(.timeOfServer, printed))"
  }
}

extension RecordSignature {
  /// The printed name as it stands by now: as staff has corrected it, or as it was signed.
  var nameNow: String { corrections.last?.printedName ?? printedName }
}
