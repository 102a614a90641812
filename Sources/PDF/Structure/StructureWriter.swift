/// Writes the tree of elements, and the parent tree that leads from each page's pieces and each annotation back to it.
struct StructureWriter {
  let tree: StructureTree
  /// The numbers of the pages' objects.
  let pages: [Int]

  /// - Parameters:
  ///   - annotations: the elements of links and fields, in the order of their keys in the parent tree. These keys
  ///     follow those of the pages.
  /// - Returns: the number of the root.
  func write(into writer: inout FileWriter, pieces: [[StructureTree.ID]], annotations: [StructureTree.ID]) -> Int {
    let root = writer.reserve()
    let numbers = tree.elements.map { _ in writer.reserve() }
    for (place, element) in tree.elements.enumerated() {
      writer.write(.dictionary(dictionary(element, root: root, numbers)), as: numbers[place])
    }
    var nums: [PDFObject] = []
    for (page, elements) in pieces.enumerated() {
      let list = writer.add(.array(elements.map { .to(numbers[$0.place]) }))
      nums += [.integer(page), .to(list)]
    }
    for (index, id) in annotations.enumerated() {
      nums += [.integer(pages.count + index), .to(numbers[id.place])]
    }
    let parents = writer.add(.dictionary(["Nums": .array(nums)]))
    writer.write(
      .dictionary([
        "Type": .name("StructTreeRoot"), "K": .to(numbers[0]), "ParentTree": .to(parents),
        "ParentTreeNextKey": .integer(pages.count + annotations.count),
      ]), as: root)
    return root
  }

  private func dictionary(_ element: StructureTree.Element, root: Int, _ numbers: [Int]) -> PDFDictionary {
    var dictionary: PDFDictionary = [
      "Type": .name("StructElem"), "S": .name(element.role), "P": .to(element.parent.map { numbers[$0.place] } ?? root),
    ]
    let attributes = element.attributes
    if let text = attributes.alternative { dictionary["Alt"] = .text(text) }
    if let text = attributes.expansion { dictionary["E"] = .text(text) }
    if let tag = attributes.language { dictionary["Lang"] = .text(tag) }
    let own = Self.attributes(attributes)
    if !own.isEmpty { dictionary["A"] = own.count == 1 ? own[0] : .array(own) }
    // Pieces on the same page as the first one need not name their page.
    let home = element.children.lazy.compactMap { child in
      if case .content(let page, _) = child { page } else { nil }
    }.first
    if let home { dictionary["Pg"] = .to(pages[home]) }
    let children = element.children.map { kid($0, home: home, numbers) }
    if !children.isEmpty { dictionary["K"] = children.count == 1 ? children[0] : .array(children) }
    return dictionary
  }

  private func kid(_ child: StructureTree.Child, home: Int?, _ numbers: [Int]) -> PDFObject {
    switch child {
    case .element(let id): return .to(numbers[id.place])
    case .content(let page, let piece):
      if page == home { return .integer(piece) }
      return .dictionary(["Type": .name("MCR"), "Pg": .to(pages[page]), "MCID": .integer(piece)])
    case .object(let page, let number):
      return .dictionary(["Type": .name("OBJR"), "Pg": .to(pages[page]), "Obj": .to(number)])
    }
  }

  private static func attributes(_ attributes: StructureTree.Attributes) -> [PDFObject] {
    var all: [PDFObject] = []
    if let box = attributes.box {
      all.append(
        .dictionary([
          "O": .name("Layout"), "Placement": .name("Block"), "BBox": .rectangle(box),
          "Width": .real(box.width), "Height": .real(box.height),
        ]))
    }
    if let numbering = attributes.numbering {
      all.append(.dictionary(["O": .name("List"), "ListNumbering": .name(numbering.rawValue)]))
    }
    var table: PDFDictionary = ["O": .name("Table")]
    if let scope = attributes.scope { table["Scope"] = .name(scope.rawValue) }
    if attributes.rowSpan > 1 { table["RowSpan"] = .integer(attributes.rowSpan) }
    if attributes.columnSpan > 1 { table["ColSpan"] = .integer(attributes.columnSpan) }
    if table.entries.count > 1 { all.append(.dictionary(table)) }
    return all
  }
}
