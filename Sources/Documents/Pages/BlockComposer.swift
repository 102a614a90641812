internal import PDF

/// Lays blocks out as rows, and adds the elements that they belong to, in reading order.
final class BlockComposer {
  let setter: TextSetter
  let isRightToLeft: Bool
  private let pictures: [String: PDFImage]
  private let drawings: [String: VectorPicture]
  /// Bounds the height of pictures.
  let bodyHeight: Double
  var document: PDFDocument
  private var lastHeading = 0
  private var images: [String: PDFDocument.ImageNumber] = [:]

  static let bodySize = 10.5

  init(
    _ document: PDFDocument, setter: TextSetter, isRightToLeft: Bool, paper: ConsentPaper, bodyHeight: Double
  ) {
    self.document = document
    self.setter = setter
    self.isRightToLeft = isRightToLeft
    pictures = paper.pictures
    drawings = paper.drawings
    self.bodyHeight = bodyHeight
  }

  /// A part of the page's width.
  struct Column {
    var left: Double
    var width: Double
    /// Whether it is a table's cell, or a part of one.
    var isInCell = false

    /// The column without `distance` at the side where lines begin.
    func indented(_ distance: Double, isRightToLeft: Bool) -> Column {
      Column(
        left: isRightToLeft ? left : left + distance, width: max(width - distance, 0), isInCell: isInCell)
    }
  }

  // MARK: - Blocks

  /// - Parameter headings: the level in the document of the markup's highest headings, and their level in the markup.
  func rows(
    _ blocks: [Block], in parent: StructureTree.ID, _ column: Column, headings: (document: Int, markup: Int) = (3, 1)
  ) throws(DocumentError) -> [Row] {
    var rows: [Row] = []
    for block in blocks {
      switch block {
      case .heading(let level, let paragraph):
        rows += try heading(paragraph, level: headings.document + level - headings.markup, in: parent, column)
      case .paragraph(let paragraph):
        let element = paragraph.isCaption ? document.tree.add("Caption", in: parent) : parent
        rows += try self.paragraph(paragraph, role: "P", in: element, column)
      case .list(let list): rows += try self.list(list, in: parent, column)
      case .table(let table): rows += try self.table(table, in: parent, column)
      case .quote(let blocks):
        let quote = document.tree.add("BlockQuote", in: parent)
        rows += try self.rows(
          blocks, in: quote, column.indented(18, isRightToLeft: isRightToLeft), headings: headings)
      case .rule:
        rows.append(
          Row(
            height: 1, gap: 8,
            drawn: [
              Row.Drawn(
                x: column.left, y: 0, kind: .fill(width: column.width, height: 0.5, RGB(150, 150, 150)))
            ]))
      case .picture(let name, let alternative, let width, let height):
        rows.append(try picture(name, alternative, width, height, in: parent, column))
      }
    }
    return rows
  }

  /// Adds a heading. Levels are never skipped, since screen readers navigate by them.
  func heading(
    _ paragraph: Paragraph, level wanted: Int, in parent: StructureTree.ID, _ column: Column, isBookmarked: Bool = false
  ) throws(DocumentError) -> [Row] {
    let level = min(max(wanted, 1), lastHeading + 1, 6)
    lastHeading = level
    var bold = paragraph
    for index in bold.spans.indices { bold.spans[index].style.isBold = true }
    let size = [20, 14, 12, 11, 11, 11][level - 1]
    var rows = try self.paragraph(
      bold, role: "H\(level)", in: parent, column, size: Double(size), gap: Double(size) * 0.9)
    for index in rows.indices { rows[index].keepsWithNext = true }
    if isBookmarked, !rows.isEmpty { rows[0].bookmark = paragraph.spans.map(\.text).joined() }
    return rows
  }

  func paragraph(
    _ paragraph: Paragraph, role: String, in parent: StructureTree.ID, _ column: Column,
    size: Double = BlockComposer.bodySize, gap: Double = 6
  ) throws(DocumentError) -> [Row] {
    let element = document.tree.add(role, in: parent)
    let set = try setter.set(paragraph, size: size, isRightToLeft: paragraph.isRightToLeft ?? isRightToLeft)
    return try rows(set, element, column, gap: gap)
  }

  func rows(
    _ set: SetParagraph, _ element: StructureTree.ID, _ column: Column, gap: Double
  ) throws(DocumentError) -> [Row] {
    let lines = set.lines(width: column.width)
    // Lines are broken between letters if necessary. If the column is narrower than a letter, it would overlap the next
    // column.
    if let wide = lines.first(where: { $0.width > column.width + 0.5 }) { throw .tooNarrow(text: wide.text) }
    var inner: [InlineKey: StructureTree.ID] = [:]
    return lines.enumerated().map { index, line in
      let elements = line.parts.map { self.element($0.item.style, in: element, &inner) }
      // The first and the last line of a paragraph are never alone on a page.
      let isKept = lines.count > 1 && (index == 0 || index == lines.count - 2)
      return Row(
        height: line.height, gap: index == 0 ? gap : 1, keepsWithNext: isKept,
        drawn: [Row.Drawn(x: column.left, y: line.ascent, kind: .line(line, elements: elements))])
    }
  }

  private struct InlineKey: Hashable {
    let link: InlineStyle.Link?
    let language: String?
    let expansion: String?
  }

  /// Links and words in another language get elements of their own inside the paragraph's.
  private func element(
    _ style: InlineStyle, in parent: StructureTree.ID, _ inner: inout [InlineKey: StructureTree.ID]
  ) -> StructureTree.ID {
    if style.link == nil, style.language == nil, style.expansion == nil { return parent }
    let key = InlineKey(link: style.link, language: style.language, expansion: style.expansion)
    if let known = inner[key] { return known }
    var attributes = StructureTree.Attributes()
    attributes.language = style.language
    attributes.expansion = style.expansion
    let element = document.tree.add(style.link == nil ? "Span" : "Link", in: parent, attributes)
    inner[key] = element
    return element
  }

  // MARK: - Pictures

  private func picture(
    _ name: String, _ alternative: String?, _ wantedWidth: Double?, _ wantedHeight: Double?,
    in parent: StructureTree.ID, _ column: Column
  ) throws(DocumentError) -> Row {
    let (drawing, image) = (drawings[name], pictures[name])
    guard let natural = drawing.map({ ($0.width, $0.height) }) ?? image.map({ (Double($0.width), Double($0.height)) })
    else { throw .pictureMissing(name: name) }
    // A CSS pixel is three quarters of a point.
    var width = (wantedWidth ?? natural.0) * 0.75
    var height = (wantedHeight ?? (width / 0.75) * natural.1 / natural.0) * 0.75
    guard width > 0, height > 0, width.isFinite, height.isFinite else { throw .pictureBroken(name: name) }
    guard column.width > 4 else { throw .tooNarrow(text: alternative.map { $0.isEmpty ? name : $0 } ?? name) }
    // A picture with a stated height may take nearly a whole page, since it may show a page of another document. In a
    // cell it gets less, since the table's head may be repeated above it.
    let share = wantedHeight == nil || column.isInCell ? 0.6 : 0.9
    let scale = min(1, column.width / width, bodyHeight * share / height)
    (width, height) = (width * scale, height * scale)
    var attributes = StructureTree.Attributes()
    attributes.alternative = alternative ?? name
    // An empty text says that there is nothing to say of the picture.
    let element = alternative == "" ? nil : document.tree.add("Figure", in: parent, attributes)
    let x = isRightToLeft ? column.left + column.width - width : column.left
    let kind: Row.Kind
    if let drawing {
      kind = .paths(drawing, width: width, height: height, element)
    } else if let image {
      let number = images[name] ?? document.add(image)
      images[name] = number
      kind = .image(number, width: width, height: height, element)
    } else {
      throw .pictureMissing(name: name)
    }
    return Row(height: height, gap: 8, drawn: [Row.Drawn(x: x, y: 0, kind: kind)])
  }

  // MARK: - Lists

  private func list(
    _ list: ListBlock, in parent: StructureTree.ID, _ column: Column
  ) throws(DocumentError) -> [Row] {
    var attributes = StructureTree.Attributes()
    attributes.numbering = list.numbering.attribute
    let element = document.tree.add("L", in: parent, attributes)
    var rows: [Row] = []
    for item in list.items {
      let itemElement = document.tree.add("LI", in: element)
      guard !item.label.isEmpty else {
        let body = document.tree.add("LBody", in: itemElement)
        rows += try self.rows(item.blocks, in: body, column.indented(16, isRightToLeft: isRightToLeft))
        continue
      }
      let label = document.tree.add("Lbl", in: itemElement)
      let set = try setter.set(Paragraph(item.label), size: Self.bodySize, isRightToLeft: isRightToLeft)
      let indent = max(16, set.naturalWidth + 6)
      let body = document.tree.add("LBody", in: itemElement)
      let inner = column.indented(indent, isRightToLeft: isRightToLeft)
      var itemRows = try self.rows(item.blocks, in: body, inner)
      if itemRows.isEmpty { itemRows = [Row(height: Self.bodySize * 1.4)] }
      itemRows[0].gap = 3
      let line = set.lines(width: indent - 4)[0]
      guard line.width <= column.width + 0.5 else { throw .tooNarrow(text: item.label) }
      // If the item is lower than its label, as a rule is, it leaves room for the label above the next item.
      let height = itemRows.reduce(0) { $0 + $1.height } + itemRows.dropFirst().reduce(0) { $0 + $1.gap }
      itemRows[itemRows.count - 1].height += max(line.height - height, 0)
      let baseline = itemRows[0].drawn.first.map(\.y) ?? line.ascent
      let x = isRightToLeft ? column.left + column.width - indent + 4 : column.left
      itemRows[0].drawn.insert(
        Row.Drawn(
          x: x, y: itemRows[0].hasLine ? baseline : line.ascent,
          kind: .line(line, elements: line.parts.map { _ in label })), at: 0)
      rows += itemRows
    }
    if !rows.isEmpty { rows[0].gap = 5 }
    return rows
  }
}

extension Row {
  fileprivate var hasLine: Bool {
    if case .line? = drawn.first?.kind { true } else { false }
  }
}

extension ListBlock.Numbering {
  fileprivate var attribute: StructureTree.Numbering {
    switch self {
    case .disc: .disc
    case .decimal: .decimal
    case .lowerAlpha: .lowerAlpha
    case .upperAlpha: .upperAlpha
    case .lowerRoman: .lowerRoman
    case .upperRoman: .upperRoman
    case .none: .none
    }
  }
}
