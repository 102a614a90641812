internal import PDF

/// What repeats on each page: header, footer, watermark.
struct PageEdges {
  private let paper: ConsentPaper
  private let frame: PageFrame
  private let setter: TextSetter
  private let isRightToLeft: Bool

  private static let size = 8.5

  init(_ paper: ConsentPaper, _ frame: PageFrame, _ setter: TextSetter, isRightToLeft: Bool) {
    self.paper = paper
    self.frame = frame
    self.setter = setter
    self.isRightToLeft = isRightToLeft
  }

  func draw(on document: inout PDFDocument) throws(DocumentError) {
    let footer = paper.footer ?? DocumentWords.of(paper.language).footer
    let count = document.pageCount
    for page in 0..<count {
      let text = Self.filled(footer, page: page + 1, pages: count, paper.language)
      try draw(text, .footer, y: frame.margin + 4, on: page, &document)
      if !paper.header.isEmpty {
        try draw(paper.header, .header, y: frame.height - frame.margin - Self.size, on: page, &document)
      }
      if !paper.watermark.isEmpty { try drawWatermark(on: page, &document) }
    }
  }

  private static func filled(_ pattern: String, page: Int, pages: Int, _ language: String) -> String {
    var text = ""
    var rest = Substring(pattern)
    while let start = rest.firstIndex(of: "{"), let end = rest[start...].firstIndex(of: "}") {
      text += rest[..<start]
      switch rest[rest.index(after: start)..<end] {
      case "page": text += LocalDigits.text(page, language)
      case "pages": text += LocalDigits.text(pages, language)
      default: text += rest[start...end]
      }
      rest = rest[rest.index(after: end)...]
    }
    return text + rest
  }

  private static let separator = " · "

  /// The text, in which the first part is shortened until the line has room for all others.
  private func fitting(_ text: String) throws(DocumentError) -> SetParagraph {
    var set = try setter.set(Paragraph(text), size: Self.size, isRightToLeft: isRightToLeft)
    var parts = text.split(separator: Self.separator).map(String.init)
    while set.naturalWidth > frame.textWidth, parts.count > 1, parts[0].count > 1 {
      parts[0] = String(parts[0].dropLast(1 + parts[0].count / 8)) + "…"
      set = try setter.set(
        Paragraph(parts.joined(separator: Self.separator)), size: Self.size, isRightToLeft: isRightToLeft)
    }
    return set
  }

  /// Draws a centred line, with as much of the text as fits.
  private func draw(
    _ text: String, _ kind: PageContent.Artifact, y: Double, on page: Int, _ document: inout PDFDocument
  ) throws(DocumentError) {
    guard let line = try fitting(text).lines(width: frame.textWidth).first else { return }
    // A line from right to left is set at the right edge already.
    let x = frame.left + (frame.textWidth - line.width) / 2 * (isRightToLeft ? -1 : 1)
    document.beginArtifact(kind, on: page)
    draw(line, x: x, y: y, on: page, &document)
    document.endArtifact(on: page)
  }

  /// Drawn over everything, since pictures may be whole pages, but so pale that all below it can be read.
  private func drawWatermark(on page: Int, _ document: inout PDFDocument) throws(DocumentError) {
    let base = try setter.set(Paragraph(paper.watermark), size: 10, isRightToLeft: false)
    let size = min(72, 10 * frame.textWidth * 0.9 / max(base.naturalWidth, 1))
    let set = try setter.set(Paragraph(paper.watermark), size: size, isRightToLeft: false)
    guard let line = set.lines(width: frame.width).first else { return }
    document.beginArtifact(.watermark, on: page)
    document.draw(on: page) { $0.beginTranslucent(thousandths: 180) }
    draw(line, x: (frame.width - line.width) / 2, y: frame.height / 2, on: page, &document)
    document.draw(on: page) { $0.endTranslucent() }
    document.endArtifact(on: page)
  }

  private func draw(_ line: SetLine, x: Double, y: Double, on page: Int, _ document: inout PDFDocument) {
    for part in line.parts {
      document.draw(
        PDFDocument.GlyphRun(
          font: part.item.font, size: part.item.size, clusters: part.clusters, color: RGB(90, 90, 90),
          isEmboldened: part.item.isEmboldened), atX: x + part.x, y: y + part.item.rise, on: page)
    }
  }
}
