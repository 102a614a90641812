internal import PDF

/// Lays a consent document out and writes it as a tagged file: PDF/A and PDF/UA.
public struct PaperComposer: Sendable {
  private let fonts: FontFolder

  public init(fonts: FontFolder = FontFolder()) {
    self.fonts = fonts
  }

  /// The name of the field that a seal goes into.
  public static let sealField = "seal"

  /// The same paper gives the same bytes as long as fonts and libraries are the same.
  ///
  /// - Parameter isOver: called every few milliseconds to ask whether to give up.
  public func compose(
    _ paper: ConsentPaper, isOver: @escaping @Sendable () -> Bool = { false }
  ) throws(DocumentError) -> [UInt8] {
    let patience = Patience(isOver: isOver)
    let isRightToLeft = paper.isRightToLeft ?? Self.isRightToLeft(paper.language)
    let setter = TextSetter(fonts: fonts, language: paper.language, patience)
    let (width, height) = paper.size.points
    let frame = PageFrame(width: width, height: height, margin: paper.margin, hasHeader: !paper.header.isEmpty)
    var document = PDFDocument(
      DocumentFacts(
        title: paper.title, language: paper.language, author: paper.author, created: paper.created,
        isRightToLeft: isRightToLeft))
    for attachment in paper.attachments { document.attach(attachment) }
    let composer = BlockComposer(
      document, setter: setter, isRightToLeft: isRightToLeft, paper: paper, bodyHeight: frame.bodyHeight)
    let root = composer.document.tree.add("Document", in: nil)
    let column = BlockComposer.Column(left: frame.left, width: frame.textWidth)
    var rows = try composer.body(paper, in: root, column)
    rows += try composer.signaturePage(paper, in: root, column)
    var pages = try Paginator.draw(rows, composer.document, frame: frame, patience)
    try PageEdges(paper, frame, setter, isRightToLeft: isRightToLeft).draw(on: &pages)
    guard setter.unknown.isEmpty else { throw .unknownCharacters(setter.unknown) }
    return pages.finish()
  }

  private static func isRightToLeft(_ language: String) -> Bool {
    let parts = language.lowercased().split(separator: "-").map(String.init)
    if let script = parts.dropFirst().first(where: { $0.count == 4 }) {
      return ["arab", "hebr", "thaa", "syrc", "nkoo", "adlm"].contains(script)
    }
    return ["ar", "he", "iw", "fa", "ur", "ps", "sd", "ug", "yi", "dv", "ckb"].contains(parts.first ?? "")
  }
}

extension BlockComposer {
  /// The rows of the separate markup if there is any, otherwise of the title and every section.
  fileprivate func body(
    _ paper: ConsentPaper, in root: StructureTree.ID, _ column: Column
  ) throws(DocumentError) -> [Row] {
    guard paper.separateMarkup.isEmpty else {
      let part = document.tree.add("Sect", in: root)
      let blocks = try BlockBuilder.blocks(paper.separateMarkup, place: "the review content", setter.patience)
      return try rows(blocks, in: part, column, headings: (1, Self.highestHeading(blocks)))
    }
    var rows = try heading(Paragraph(paper.title), level: 1, in: root, column, isBookmarked: true)
    for (index, section) in paper.sections.enumerated() {
      let part = document.tree.add("Sect", in: root)
      if !section.heading.isEmpty {
        rows += try heading(
          Paragraph(section.heading, in: section.headingLanguage), level: 2, in: part, column, isBookmarked: true)
      }
      let blocks = try BlockBuilder.blocks(section.markup, place: "section \(index + 1)", setter.patience)
      rows += try self.rows(
        blocks, in: part, column, headings: (section.heading.isEmpty ? 2 : 3, Self.highestHeading(blocks)))
    }
    return rows
  }

  private static func highestHeading(_ blocks: [Block]) -> Int {
    blocks.compactMap { block in
      if case .heading(let level, _) = block { level } else { nil }
    }.min() ?? 1
  }
}
