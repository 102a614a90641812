internal import PDF

/// Puts rows on pages and draws them.
struct Paginator {
  private var document: PDFDocument
  private let frame: PageFrame
  private let patience: Patience
  /// The present position, from the page's lower edge.
  private var y = 0.0
  private var isFresh = true
  private var open: StructureTree.ID?

  /// How many bytes all drawings have on all pages; one in a table's head counts for each page that repeats it.
  private var drawnBytes = 0

  static let mostPages = 2000
  private static let mostDrawnBytes = 32 << 20

  init(_ document: PDFDocument, frame: PageFrame, _ patience: Patience) {
    self.document = document
    self.frame = frame
    self.patience = patience
  }

  static func draw(
    _ rows: [Row], _ document: PDFDocument, frame: PageFrame, _ patience: Patience
  ) throws(DocumentError) -> PDFDocument {
    var paginator = Paginator(document, frame: frame, patience)
    try paginator.draw(rows)
    return paginator.document
  }

  private mutating func draw(_ rows: [Row]) throws(DocumentError) {
    try startPage()
    var start = 0
    while start < rows.count {
      var end = start + 1
      while end < rows.count, rows[end - 1].keepsWithNext, !rows[end].startsPage { end += 1 }
      let group = rows[start..<end]
      let height = group.reduce(0) { $0 + $1.gap + $1.height } - (isFresh ? rows[start].gap : 0)
      let isTooLong = y - height < frame.bottom
      let room = frame.bodyHeight - (rows[start].head?.height ?? 0)
      if !isFresh, rows[start].startsPage || (isTooLong && height <= room) { try startPage(before: rows[start]) }
      for row in group {
        if !isFresh, y - row.gap - row.extent < frame.bottom { try startPage(before: row) }
        try place(row)
      }
      start = end
    }
    endPiece()
  }

  private mutating func startPage(before row: Row? = nil) throws(DocumentError) {
    try patience.check()
    guard document.pageCount < Self.mostPages else { throw .tooManyPages(bound: Self.mostPages) }
    if document.pageCount > 0 { endPiece() }
    document.addPage(width: frame.width, height: frame.height)
    y = frame.top
    isFresh = true
    for head in row?.head?.rows ?? [] {
      if !isFresh { y -= head.gap }
      isFresh = false
      for drawn in head.drawn { try repeated(drawn, top: y) }
      y -= head.height
    }
  }

  /// Draws what an earlier page shows already, as an artifact, so that it is not read twice.
  private mutating func repeated(_ drawn: Row.Drawn, top: Double) throws(DocumentError) {
    let place = (x: drawn.x, y: top - drawn.y)
    func box(_ width: Double, _ height: Double) -> PDFBox {
      PDFBox(left: place.x, bottom: place.y - height, right: place.x + width, top: place.y)
    }
    document.beginArtifact(.repeated)
    switch drawn.kind {
    case .line(let line, _):
      for part in line.parts {
        document.draw(
          PDFDocument.GlyphRun(
            font: part.item.font, size: part.item.size, clusters: part.clusters,
            isEmboldened: part.item.isEmboldened), atX: place.x + part.x, y: place.y + part.item.rise)
      }
    case .fill(let width, let height, let color): document.draw { $0.fill(box(width, height), color) }
    case .image(let number, let width, let height, _): document.draw(image: number, in: box(width, height))
    case .paths(let picture, let width, let height, _):
      try draw(picture, in: box(width, height))
    case .signatureField: break
    }
    document.endArtifact()
  }

  private mutating func place(_ row: Row) throws(DocumentError) {
    if !isFresh { y -= row.gap }
    isFresh = false
    if let title = row.bookmark { document.bookmark(title, top: y) }
    for drawn in row.drawn { try draw(drawn, top: y) }
    y -= row.height
  }

  private mutating func draw(_ drawn: Row.Drawn, top: Double) throws(DocumentError) {
    let place = (x: drawn.x, y: top - drawn.y)
    switch drawn.kind {
    case .line(let line, let elements):
      for (part, element) in zip(line.parts, elements) { draw(part, element, atX: place.x, y: place.y) }
    case .fill(let width, let height, let color):
      endPiece()
      document.beginArtifact()
      document.draw {
        $0.fill(PDFBox(left: place.x, bottom: place.y - height, right: place.x + width, top: place.y), color)
      }
      document.endArtifact()
    case .image(let number, let width, let height, let element):
      let box = PDFBox(left: place.x, bottom: place.y - height, right: place.x + width, top: place.y)
      begin(element, in: box)
      document.draw(image: number, in: box)
      if element == nil { document.endArtifact() }
    case .paths(let picture, let width, let height, let element):
      let box = PDFBox(left: place.x, bottom: place.y - height, right: place.x + width, top: place.y)
      begin(element, in: box)
      try draw(picture, in: box)
      if element == nil { document.endArtifact() }
    case .signatureField(let width, let height, let name, let title, let element):
      endPiece()
      document.signatureField(
        PDFBox(left: place.x, bottom: place.y - height, right: place.x + width, top: place.y), name: name,
        title: title, element)
    }
  }

  /// Begins a picture that shows an element, or one that only decorates the page.
  private mutating func begin(_ element: StructureTree.ID?, in box: PDFBox) {
    guard let element else {
      endPiece()
      return document.beginArtifact()
    }
    piece(of: element)
    document.tree.change(element) { $0.box = box }
  }

  private mutating func draw(_ picture: VectorPicture, in box: PDFBox) throws(DocumentError) {
    drawnBytes += picture.operators.count
    guard drawnBytes <= Self.mostDrawnBytes else { throw .tooMuchToDraw(bound: Self.mostDrawnBytes >> 20) }
    try patience.check()
    document.draw {
      $0.paths(
        picture.operators, in: box, width: picture.width, height: picture.height, .black, picture.opacities)
    }
  }

  private mutating func draw(_ part: SetLine.Part, _ element: StructureTree.ID, atX x: Double, y: Double) {
    let style = part.item.style
    let (left, width, size) = (x + part.x, part.width, part.item.size)
    piece(of: element)
    if style.isMarked, width > 0 {
      document.draw {
        $0.fill(
          PDFBox(left: left, bottom: y - size * 0.25, right: left + width, top: y + size * 0.85), RGB(255, 243, 176))
      }
    }
    let color = style.link == nil ? RGB.black : RGB(0, 70, 150)
    document.draw(
      PDFDocument.GlyphRun(
        font: part.item.font, size: size, clusters: part.clusters, color: color, isEmboldened: part.item.isEmboldened),
      atX: left, y: y + part.item.rise)
    for (isDrawn, height) in [(style.isUnderlined || style.link != nil, -0.12), (style.isStruck, 0.3)]
    where isDrawn && width > 0 {
      document.draw {
        $0.fill(
          PDFBox(left: left, bottom: y + (height - 0.05) * size, right: left + width, top: y + height * size), color)
      }
    }
    if let link = style.link, width > 0 {
      let text = part.clusters.map(\.text).joined()
      document.link(
        PDFBox(left: left, bottom: y - size * 0.3, right: left + width, top: y + size), to: link.address,
        described: text.isEmpty ? link.address : "\(text): \(link.address)", element)
    }
  }

  /// Begins a piece of the element, unless the open piece belongs to it already.
  private mutating func piece(of element: StructureTree.ID) {
    guard open != element else { return }
    endPiece()
    document.beginPiece(of: element)
    open = element
  }

  private mutating func endPiece() {
    if open != nil { document.endPiece() }
    open = nil
  }
}

/// The area of the text on a page.
struct PageFrame {
  let width: Double
  let height: Double
  let margin: Double
  let hasHeader: Bool

  /// The height of a header's or footer's line.
  static let edgeHeight = 18.0

  var left: Double { margin }
  var textWidth: Double { width - margin * 2 }
  var top: Double { height - margin - (hasHeader ? Self.edgeHeight : 0) }
  var bottom: Double { margin + Self.edgeHeight }
  var bodyHeight: Double { top - bottom }
}
