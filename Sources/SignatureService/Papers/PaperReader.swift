internal import Base
internal import Documents
internal import PDF
internal import Pictures
internal import ServicePolicy
internal import SignatureContract
internal import Wire

/// Reads a request's paper, within bounds.
struct PaperReader {
  let isOver: @Sendable () -> Bool
  let draw: (PaperSignature.Image) throws -> VectorPicture

  func paper(_ given: Paper) throws -> ConsentPaper {
    try Self.check(given)
    var paper = ConsentPaper(
      title: given.title, language: given.language, size: try Self.size(given.sheet),
      sections: given.sections.map {
        ConsentPaper.Section(
          heading: $0.heading, headingLanguage: Self.language($0.headingLanguage, in: given), markup: $0.html)
      },
      signaturePage: SignaturePage(
        title: given.signatureTitle, content: given.signatureContent,
        blocks: try given.signatures.map { try block($0, of: given) }),
      created: given.createdAt?.clamped ?? Instant(millisecondsSince1970: 0))
    paper.signaturePage.titleLanguage = Self.language(given.signatureTitleLanguage, in: given)
    paper.separateMarkup = given.separateHTML
    if given.marginPt != 0 { paper.margin = Double(given.marginPt) }
    (paper.header, paper.watermark, paper.author) = (given.header, given.watermark, given.author)
    if !given.footer.isEmpty { paper.footer = given.footer }
    paper.signaturePage.hasSealField = given.sealable
    if !given.verificationAddress.isEmpty {
      paper.signaturePage.verification = .init(address: given.verificationAddress)
    }
    try readPictures(given, into: &paper)
    paper.attachments = given.attachments.map {
      Attachment(name: $0.name, mediaType: $0.mediaType, description: $0.description, bytes: $0.data)
    }
    return paper
  }

  private func readPictures(_ given: Paper, into paper: inout ConsentPaper) throws {
    var allowance = DrawingAllowance(isOver: isOver)
    var pixels = 0
    for (index, picture) in given.pictures.enumerated() {
      if isOver() { throw DocumentError.stopped }
      let field = "paper.pictures[\(index)].data"
      // Checked before anything is unpacked: a few kilobytes of a PNG may be a hundred megabytes of pixels.
      pixels += PDFImage.pixels(ofPNG: picture.data)
      guard pixels <= PaperBounds.pixels else {
        throw Refusal(
          .invalid, "too_much_to_draw", field: field,
          "\(field), with the pictures before it, has \(pixels) pixels; a paper's must be at most \(PaperBounds.pixels)"
        )
      }
      if let image = PDFImage(png: picture.data) {
        paper.pictures[picture.name] = image
      } else if let image = PDFImage(jpeg: picture.data) {
        // A JPEG goes into the file unchanged, so it is decoded to make sure that viewers can show it before it is
        // sealed.
        do throws(BitmapFault) {
          _ = try JPEG.decode(picture.data, limit: PDFImage.mostPixels)
        } catch {
          throw Self.broken(picture, field, "is a JPEG that \(error)")
        }
        paper.pictures[picture.name] = image
      } else {
        paper.drawings[picture.name] = try Self.drawing(picture, field, &allowance)
      }
    }
  }

  private static func broken(_ picture: PaperPicture, _ field: String, _ finding: String) -> Refusal {
    Refusal(.invalid, "broken_picture", field: field, "\(field) \(finding): '\(picture.name.shortened)'")
  }

  private static func drawing(
    _ picture: PaperPicture, _ field: String, _ allowance: inout DrawingAllowance
  ) throws -> VectorPicture {
    func refusal(_ finding: String) -> Refusal { broken(picture, field, finding) }
    // Raster pictures do not begin like markup.
    let start = picture.data.first { !" \t\r\n".utf8.contains($0) }
    guard start == UInt8(ascii: "<") || picture.data.starts(with: [0xEF, 0xBB, 0xBF]) else {
      throw refusal("is no PNG, JPEG or SVG that can be shown")
    }
    guard picture.data.count <= PaperBounds.drawing else {
      throw refusal("is a drawing of \(picture.data.count) bytes; it must be at most \(PaperBounds.drawing)")
    }
    do throws(DocumentError) {
      return try VectorPicture(svg: picture.data, named: picture.name, within: &allowance)
    } catch {
      switch error {
      case .stopped: throw error
      case .drawingTooLarge:
        throw Refusal(.invalid, "too_much_to_draw", field: field, "\(field): \(error)")
      default: throw refusal("cannot be shown: \(error)")
      }
    }
  }

  private func block(_ given: PaperSignature, of paper: Paper) throws -> SignatureBlock {
    var block = SignatureBlock(
      title: given.title, role: given.role, meaning: given.meaning, printedName: given.printedName,
      printedTime: given.printedTime, picture: try given.image.map(draw), showsPicture: given.showsImage,
      showsName: given.showsName)
    block.roleLanguage = Self.language(given.roleLanguage, in: paper)
    block.timeLanguage = Self.language(given.timeLanguage, in: paper)
    return block
  }

  /// The language of a text; nil if it is that of the paper, as "de" is in a paper in "de-AT".
  private static func language(_ tag: String, in paper: Paper) -> String? {
    let isSame = tag == paper.language || paper.language.hasPrefix("\(tag)-") || tag.hasPrefix("\(paper.language)-")
    return tag.isEmpty || isSame ? nil : tag
  }

  private static func size(_ sheet: PaperSheet) throws(Refusal) -> ConsentPaper.Size {
    switch sheet {
    case .unspecified, .a4: return .a4
    case .letter: return .letter
    case .unrecognized(let number):
      throw FieldChecks.refusal(
        "paper.sheet", "is \(number)", "sheets are A4 and LETTER", rule: "unknown_value")
    }
  }

  private static func check(_ given: Paper) throws(Refusal) {
    try FieldChecks.text(given.title, "paper.title", 1...1000)
    try FieldChecks.text(given.language, "paper.language", 1...64)
    for (name, count, bound) in [
      ("sections", given.sections.count, PaperBounds.sections),
      ("signatures", given.signatures.count, PaperBounds.signatures),
      ("pictures", given.pictures.count, PaperBounds.pictures),
      ("attachments", given.attachments.count, PaperBounds.attachments),
    ] where count > bound {
      throw FieldChecks.refusal("paper.\(name)", "has \(count) entries", "at most \(bound)", rule: "too_many")
    }
    guard given.textSize <= PaperBounds.text else {
      throw FieldChecks.refusal(
        "paper", "has \(given.textSize) bytes of text", "at most \(PaperBounds.text)", rule: "document_too_large")
    }
    guard given.marginPt == 0 || PaperBounds.margin.contains(given.marginPt) else {
      throw FieldChecks.refusal(
        "paper.margin_pt", "is \(given.marginPt)",
        "\(PaperBounds.margin.lowerBound) to \(PaperBounds.margin.upperBound)", rule: "out_of_bounds")
    }
    if let time = given.createdAt, time.instant == nil {
      throw FieldChecks.refusal(
        "paper.created_at", "is \(time.seconds) seconds since 1970", "it must lie in the years 1 to 9999")
    }
    try FieldChecks.text(given.signatureTitleLanguage, "paper.signature_title_language", 0...64)
    for (index, section) in given.sections.enumerated() {
      try FieldChecks.text(section.headingLanguage, "paper.sections[\(index)].heading_language", 0...64)
    }
    for (index, signature) in given.signatures.enumerated() {
      try FieldChecks.text(signature.roleLanguage, "paper.signatures[\(index)].role_language", 0...64)
      try FieldChecks.text(signature.timeLanguage, "paper.signatures[\(index)].time_language", 0...64)
    }
    for (index, attachment) in given.attachments.enumerated() {
      try FieldChecks.text(attachment.name, "paper.attachments[\(index)].name", 1...128)
    }
  }
}

extension Paper {
  /// How many bytes of text there are to lay out.
  package var textSize: Int {
    let around = [
      title, separateHTML, signatureTitle, signatureContent, header, footer, watermark, author, verificationAddress,
    ]
    let blocks = signatures.flatMap { [$0.title, $0.role, $0.meaning, $0.printedName, $0.printedTime] }
    return (around + blocks + sections.flatMap { [$0.heading, $0.html] }).reduce(0) { $0 + $1.utf8.count }
  }
}
