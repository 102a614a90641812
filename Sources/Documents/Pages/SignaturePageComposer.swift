internal import PDF

/// The last page of every document: who signed, in which role, with which meaning, and when.
extension BlockComposer {
  private static let pictureHeight = 54.0
  private static let pictureWidth = 220.0
  /// For addresses of usual length, modules have two thirds of a millimetre, which any telephone reads from paper.
  private static let codeSide = 76.0

  func signaturePage(
    _ paper: ConsentPaper, in root: StructureTree.ID, _ column: Column
  ) throws(DocumentError) -> [Row] {
    let page = paper.signaturePage
    let words = DocumentWords.of(paper.language)
    let part = document.tree.add("Sect", in: root)
    let title =
      page.title.isEmpty ? words.paragraph(words.signature) : Paragraph(page.title, in: page.titleLanguage)
    var rows = try heading(title, level: 2, in: part, column, isBookmarked: true)
    rows[0].startsPage = true
    if !page.content.isEmpty {
      let blocks = try BlockBuilder.blocks(page.content, place: "the signature page", setter.patience)
      rows += try self.rows(blocks, in: part, column)
    }
    for block in page.blocks { rows += try self.block(block, words, in: part, column) }
    if page.hasSealField || page.verification != nil {
      rows += try seal(page, words, in: part, column)
    }
    return rows
  }

  /// Composes a signature's block, which stays on one page.
  private func block(
    _ block: SignatureBlock, _ words: DocumentWords, in parent: StructureTree.ID, _ column: Column
  ) throws(DocumentError) -> [Row] {
    let part = document.tree.add("Sect", in: parent)
    let role = block.role.isEmpty ? words.paragraph(words.signature) : Paragraph(block.role, in: block.roleLanguage)
    let title = block.title.isEmpty ? role : Paragraph(block.title)
    var rows = try heading(title, level: 3, in: part, column)
    rows[0].gap = 20
    if !block.role.isEmpty {
      rows += try fact(words.role, words, block.role, in: part, column, language: block.roleLanguage)
    }
    if !block.meaning.isEmpty { rows += try fact(words.meaning, words, block.meaning, in: part, column) }
    if block.showsPicture { rows += try picture(block, words, in: part, column) }
    if block.showsName { rows += try fact(words.name, words, block.printedName, in: part, column) }
    if block.showsTime {
      rows += try fact(words.time, words, block.printedTime, in: part, column, language: block.timeLanguage)
    }
    for index in rows.indices.dropLast() { rows[index].keepsWithNext = true }
    return rows
  }

  /// A fact, after its name.
  ///
  /// - Parameter language: the fact's language; nil for the document's.
  private func fact(
    _ name: String, _ words: DocumentWords, _ value: String, in parent: StructureTree.ID, _ column: Column,
    language: String? = nil
  ) throws(DocumentError) -> [Row] {
    var paragraph = words.paragraph("\(name): ")
    var bold = InlineStyle()
    bold.isBold = true
    if !value.isEmpty { bold.language = language }
    // Dots to write on if the fact is not known yet.
    var text = value.isEmpty ? "…………………………………………" : value
    // Isolated, since a date's numbers would change places among right-to-left letters.
    if isRightToLeft { text = "\u{2068}\(text)\u{2069}" }
    paragraph.spans.append(Paragraph.Span(text: text, style: bold))
    return try self.paragraph(paragraph, role: "P", in: parent, column, gap: 4)
  }

  /// The drawn signature above its line.
  private func picture(
    _ block: SignatureBlock, _ words: DocumentWords, in parent: StructureTree.ID, _ column: Column
  ) throws(DocumentError) -> [Row] {
    var row = Row(height: Self.pictureHeight + 2, gap: 8)
    let x = isRightToLeft ? column.left + column.width - Self.pictureWidth : column.left
    row.drawn.append(
      Row.Drawn(
        x: x, y: Self.pictureHeight, kind: .fill(width: Self.pictureWidth, height: 0.75, RGB(110, 110, 110))))
    guard let picture = block.picture, picture.width > 0, picture.height > 0 else {
      return [row]
        + (try paragraph(
          words.small("\(words.signature): \(words.notSigned)"), role: "P", in: parent, column, gap: 1))
    }
    let scale = min(Self.pictureWidth / picture.width, (Self.pictureHeight - 4) / picture.height)
    let (width, height) = (picture.width * scale, picture.height * scale)
    var attributes = StructureTree.Attributes()
    let name = block.printedName.isEmpty ? block.title : block.printedName
    (attributes.alternative, attributes.language) = (Self.filled(words.signatureOf, name: name), words.language)
    let figure = document.tree.add("Figure", in: parent, attributes)
    row.drawn.append(
      Row.Drawn(
        x: isRightToLeft ? x + Self.pictureWidth - width : x, y: Self.pictureHeight - 2 - height,
        kind: .paths(picture, width: width, height: height, figure)))
    return [row] + (try paragraph(words.small(words.signature), role: "P", in: parent, column, gap: 1))
  }

  private static func filled(_ pattern: String, name: String) -> String {
    guard let start = pattern.firstIndex(of: "{"), let end = pattern.firstIndex(of: "}") else { return pattern }
    return pattern[..<start] + name + pattern[pattern.index(after: end)...]
  }

  /// The field for the seal, its explanation, and the address for checking the document.
  private func seal(
    _ page: SignaturePage, _ words: DocumentWords, in parent: StructureTree.ID, _ column: Column
  ) throws(DocumentError) -> [Row] {
    let part = document.tree.add("Sect", in: parent)
    var rows: [Row] = []
    var inner = column
    let fieldWidth = 120.0
    var field: Row.Drawn?
    if page.hasSealField {
      inner = column.indented(fieldWidth + 12, isRightToLeft: isRightToLeft)
      let x = isRightToLeft ? column.left + column.width - fieldWidth : column.left
      field = Row.Drawn(
        x: x, y: 0,
        kind: .signatureField(
          width: fieldWidth, height: 44, name: PaperComposer.sealField, title: words.seal,
          form(words, in: part)))
    }
    if page.verification != nil {
      inner = Column(left: inner.left + (isRightToLeft ? Self.codeSide + 8 : 0), width: inner.width - Self.codeSide - 8)
    }
    rows += try paragraph(words.paragraph(words.seal, isBold: true), role: "P", in: part, inner, gap: 28)
    rows += try paragraph(words.small(words.sealExplained), role: "P", in: part, inner, gap: 2)
    if let verification = page.verification {
      var text = words.small("\(words.verify) ")
      var link = InlineStyle.small
      link.link = InlineStyle.Link(address: verification.address, number: 0)
      text.spans.append(Paragraph.Span(text: verification.address, style: link))
      rows += try paragraph(text, role: "P", in: part, inner, gap: 2)
    }
    // The code is read after the words that explain it.
    var code: Row.Drawn?
    if let address = page.verification?.address { code = try self.code(address, words, in: part, column) }
    if let code {
      rows[rows.count - 1].drawn.append(code.moved(up: Self.height(of: rows.dropLast()) + rows[rows.count - 1].gap))
    }
    if let field {
      rows[0].drawn.insert(field, at: 0)
      rows[rows.count - 1].drawn += spares(words, in: part, column)
    }
    let least = max(field == nil ? 0 : 46, code == nil ? 0 : Self.codeSide)
    let height = Self.height(of: rows[...])
    if height < least { rows.append(Row(height: least - height)) }
    for index in rows.indices.dropLast() { rows[index].keepsWithNext = true }
    return rows
  }

  /// Invisible fields for signatures and attested times after the seal.
  private func spares(_ words: DocumentWords, in parent: StructureTree.ID, _ column: Column) -> [Row.Drawn] {
    SpareFields.names.map { name in
      Row.Drawn(
        x: column.left, y: 0,
        kind: .signatureField(width: 0, height: 0, name: name, title: words.further, form(words, in: parent)))
    }
  }

  private func form(_ words: DocumentWords, in parent: StructureTree.ID) -> StructureTree.ID {
    var attributes = StructureTree.Attributes()
    attributes.language = words.language
    return document.tree.add("Form", in: parent, attributes)
  }
}

extension BlockComposer {
  /// The address as a QR code, at the side where lines end.
  private func code(
    _ address: String, _ words: DocumentWords, in parent: StructureTree.ID, _ column: Column
  ) throws(DocumentError) -> Row.Drawn {
    guard let code = QRCode(Array(address.utf8)) else {
      throw .malformed(place: "the address for verification", finding: "has more than \(QRCode.mostBytes) bytes")
    }
    var attributes = StructureTree.Attributes()
    (attributes.alternative, attributes.language) = (Self.filled(words.code, name: address), words.language)
    let figure = document.tree.add("Figure", in: parent, attributes)
    return Row.Drawn(
      x: isRightToLeft ? column.left : column.left + column.width - Self.codeSide, y: 0,
      kind: .paths(code.picture, width: Self.codeSide, height: Self.codeSide, figure))
  }

  private static func height(of rows: ArraySlice<Row>) -> Double {
    rows.enumerated().reduce(0) { $0 + $1.element.height + ($1.offset == 0 ? 0 : $1.element.gap) }
  }
}

extension Row.Drawn {
  fileprivate func moved(up distance: Double) -> Row.Drawn { Row.Drawn(x: x, y: y - distance, kind: kind) }
}

extension DocumentWords {
  fileprivate func paragraph(_ text: String, isBold: Bool = false) -> Paragraph {
    var style = InlineStyle()
    (style.isBold, style.language) = (isBold, language)
    return Paragraph(text, style)
  }

  fileprivate func small(_ text: String) -> Paragraph {
    var style = InlineStyle.small
    style.language = language
    return Paragraph(text, style)
  }
}

extension InlineStyle {
  fileprivate static var small: InlineStyle {
    var style = InlineStyle()
    style.isSmall = true
    return style
  }
}
