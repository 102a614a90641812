/// A tagged document that is built page by page and finally becomes a file, which conforms to PDF/A-2a and PDF/UA-1,
/// and to PDF/A-3a when files are attached.
///
/// Everything that is drawn either belongs to an element of `tree` or is an artifact. Fonts are embedded with the
/// glyphs that were used. The same calls give the same bytes.
public struct PDFDocument {
  public let facts: DocumentFacts
  public var tree = StructureTree()
  private var pages: [Page] = []
  private var fonts: [FontUse] = []
  private var fontNumbers: [ObjectIdentifier: Int] = [:]
  private var images: [PDFImage] = []
  private var attachments: [Attachment] = []
  private var outline: [(title: String, page: Int, top: Double)] = []

  private struct Page {
    var content: PageContent
    var annotations: [Annotation] = []
  }

  private struct Annotation {
    enum Kind {
      case link(uri: String)
      case signature(name: String, title: String)
    }

    let kind: Kind
    let box: PDFBox
    /// A description for people who cannot see it.
    let contents: String
    let element: StructureTree.ID
  }

  public init(_ facts: DocumentFacts) {
    self.facts = facts
  }

  public var pageCount: Int { pages.count }

  // MARK: - Pages

  /// Begins a page. Whatever is drawn from then on is drawn on it.
  public mutating func addPage(width: Double, height: Double) {
    pages.append(Page(content: PageContent(width: width, height: height)))
  }

  /// Begins an artifact, which is not part of the text: such as lines, and whatever repeats on each page.
  public mutating func beginArtifact(_ kind: PageContent.Artifact = .layout, on page: Int? = nil) {
    pages[page ?? pages.count - 1].content.beginArtifact(kind)
  }

  public mutating func endArtifact(on page: Int? = nil) {
    pages[page ?? pages.count - 1].content.endPiece()
  }

  /// Begins a piece of an element on the last page: whatever is drawn until its end belongs to that element.
  public mutating func beginPiece(of id: StructureTree.ID) {
    let page = pages.count - 1
    let number = pages[page].content.beginPiece(of: id, role: tree.elements[id.place].role)
    tree.add(.content(page: page, piece: number), to: id)
  }

  public mutating func endPiece() {
    pages[pages.count - 1].content.endPiece()
  }

  /// Draws shapes inside a piece.
  public mutating func draw(on page: Int? = nil, _ body: (inout PageContent) -> Void) {
    body(&pages[page ?? pages.count - 1].content)
  }

  public mutating func draw(image number: ImageNumber, in box: PDFBox) {
    pages[pages.count - 1].content.image(number.value, images[number.value].orientation, in: box)
  }

  // MARK: - Text

  /// Glyphs of one font in a line, from left to right.
  public struct GlyphRun: Sendable {
    public struct Glyph: Sendable {
      public var number: UInt32
      /// In thousandths of an em.
      public var advance: Int
      public var offsetX: Int
      public var offsetY: Int

      public init(number: UInt32, advance: Int, offsetX: Int = 0, offsetY: Int = 0) {
        (self.number, self.advance, self.offsetX, self.offsetY) = (number, advance, offsetX, offsetY)
      }
    }

    /// Glyphs that together stand for a text: one letter, or several letters in one ligature.
    public struct Cluster: Sendable {
      public var text: String
      public var glyphs: [Glyph]

      public init(text: String, glyphs: [Glyph]) {
        (self.text, self.glyphs) = (text, glyphs)
      }
    }

    public var font: FontProgram
    public var size: Double
    public var clusters: [Cluster]
    public var color: RGB
    /// Whether a line is drawn around each letter, for fonts that have no bold face.
    public var isEmboldened: Bool

    public init(
      font: FontProgram, size: Double, clusters: [Cluster], color: RGB = .black, isEmboldened: Bool = false
    ) {
      (self.font, self.size, self.clusters, self.color) = (font, size, clusters, color)
      self.isEmboldened = isEmboldened
    }
  }

  /// Draws a run, with the pen starting at this point.
  public mutating func draw(_ run: GlyphRun, atX x: Double, y: Double, on page: Int? = nil) {
    var number = self.number(of: run.font)
    var marks: [PageContent.Mark] = []
    var left = x
    var start = x
    func flush(_ document: inout PDFDocument, meaning: String? = nil) {
      guard !marks.isEmpty else { return }
      document.pages[page ?? document.pages.count - 1].content.text(
        marks, font: number, size: run.size, atX: start, y: y, run.color, isEmboldened: run.isEmboldened,
        meaning: meaning)
      marks = []
    }
    for cluster in run.clusters {
      if fonts[number].isFull {
        flush(&self)
        number = self.number(of: run.font)
      }
      let isOne = cluster.glyphs.count == 1
      if !isOne {
        flush(&self)
        start = left
      } else if marks.isEmpty {
        start = left
      }
      for (index, glyph) in cluster.glyphs.enumerated() {
        // Each code must stand for some text. Where several glyphs stand for one text together, the page states it for
        // all of them, and all but the first have a zero-width space.
        let text = isOne || index == 0 ? cluster.text : "\u{200B}"
        let code = fonts[number].code(of: glyph.number, as: text)
        marks.append(
          PageContent.Mark(
            code: code, width: run.font.width(of: glyph.number), advance: glyph.advance, offsetX: glyph.offsetX,
            offsetY: glyph.offsetY))
        left += Double(glyph.advance) * run.size / 1000
      }
      if !isOne { flush(&self, meaning: cluster.text) }
    }
    flush(&self)
  }

  private mutating func number(of font: FontProgram) -> Int {
    if let number = fontNumbers[ObjectIdentifier(font)], !fonts[number].isFull { return number }
    let number = fonts.count
    fonts.append(FontUse(font))
    fontNumbers[ObjectIdentifier(font)] = number
    return number
  }

  // MARK: - Pictures, links, fields

  public struct ImageNumber: Hashable, Sendable {
    let value: Int
  }

  public mutating func add(_ image: PDFImage) -> ImageNumber {
    images.append(image)
    return ImageNumber(value: images.count - 1)
  }

  /// Makes an area of the last page a link. `element` is the link's element in the tree.
  public mutating func link(_ box: PDFBox, to uri: String, described contents: String, _ element: StructureTree.ID) {
    annotate(Annotation(kind: .link(uri: uri), box: box, contents: contents, element: element))
  }

  /// Makes an area of the last page a field for a signature that is still to be made. `element` is the field's form
  /// element. A field without an extent is invisible.
  public mutating func signatureField(_ box: PDFBox, name: String, title: String, _ element: StructureTree.ID) {
    annotate(Annotation(kind: .signature(name: name, title: title), box: box, contents: title, element: element))
  }

  private mutating func annotate(_ annotation: Annotation) {
    pages[pages.count - 1].annotations.append(annotation)
  }

  /// Adds an entry to the outline that viewers show beside the pages.
  public mutating func bookmark(_ title: String, top: Double) {
    outline.append((title, pages.count - 1, top))
  }

  public mutating func attach(_ attachment: Attachment) {
    attachments.append(attachment)
  }

  // MARK: - The file

  public consuming func finish() -> [UInt8] {
    var writer = FileWriter()
    let catalog = writer.reserve()
    let root = writer.reserve()
    let pageNumbers = pages.map { _ in writer.reserve() }
    let fontNumbers = fonts.map { _ in writer.reserve() }
    let imageNumbers = images.map { $0.write(into: &writer) }
    var annotated: [StructureTree.ID] = []
    var fields: [Int] = []
    for (index, page) in pages.enumerated() {
      let numbers = page.annotations.map { _ in writer.reserve() }
      for (annotation, number) in zip(page.annotations, numbers) {
        let key = pages.count + annotated.count
        annotated.append(annotation.element)
        tree.add(.object(page: index, number: number), to: annotation.element)
        if case .signature = annotation.kind { fields.append(number) }
        writer.write(Self.object(annotation, key: key, page: pageNumbers[index], &writer), as: number)
      }
      write(page, index, numbers, pageNumbers[index], parent: root, fontNumbers, imageNumbers, &writer)
    }
    writer.write(
      .dictionary([
        "Type": .name("Pages"), "Kids": .array(pageNumbers.map { .to($0) }), "Count": .integer(pages.count),
      ]), as: root)
    for (font, number) in zip(fonts, fontNumbers) { font.write(into: &writer, as: number) }
    let structure = StructureWriter(tree: tree, pages: pageNumbers)
      .write(into: &writer, pieces: pages.map(\.content.pieces), annotations: annotated)
    writer.write(
      .dictionary(self.catalog(pages: root, pageNumbers, structure: structure, fields: fields, &writer)), as: catalog)
    let info = writer.add(.dictionary(facts.dictionary))
    return writer.finish(root: catalog, info: info)
  }

  private func write(
    _ page: Page, _ index: Int, _ annotations: [Int], _ number: Int, parent: Int, _ fontNumbers: [Int],
    _ imageNumbers: [Int], _ writer: inout FileWriter
  ) {
    var resources: PDFDictionary = [:]
    if !page.content.fonts.isEmpty {
      var names: PDFDictionary = [:]
      for font in page.content.fonts.sorted() { names["F\(font)"] = .to(fontNumbers[font]) }
      resources["Font"] = .dictionary(names)
    }
    if !page.content.images.isEmpty {
      var names: PDFDictionary = [:]
      for image in page.content.images.sorted() { names["I\(image)"] = .to(imageNumbers[image]) }
      resources["XObject"] = .dictionary(names)
    }
    if !page.content.opacities.isEmpty {
      var states: PDFDictionary = [:]
      for opacity in page.content.opacities.sorted(by: { $0.name < $1.name }) { states[opacity.name] = opacity.state }
      resources["ExtGState"] = .dictionary(states)
    }
    var dictionary: PDFDictionary = [
      "Type": .name("Page"), "Parent": .to(parent),
      "MediaBox": .array([.integer(0), .integer(0), .real(page.content.width), .real(page.content.height)]),
      "Resources": .dictionary(resources), "Contents": .to(writer.add(stream: page.content.bytes)),
      "StructParents": .integer(index), "Tabs": .name("S"),
    ]
    if !annotations.isEmpty { dictionary["Annots"] = .array(annotations.map { .to($0) }) }
    writer.write(.dictionary(dictionary), as: number)
  }

  private static func object(_ annotation: Annotation, key: Int, page: Int, _ writer: inout FileWriter) -> PDFObject {
    var dictionary: PDFDictionary = ["Type": .name("Annot")]
    switch annotation.kind {
    case .link(let uri):
      dictionary["Subtype"] = .name("Link")
      dictionary["A"] = .dictionary(["S": .name("URI"), "URI": .string(Array(uri.utf8))])
      dictionary["Border"] = .array([.integer(0), .integer(0), .integer(0)])
      // Print.
      dictionary["F"] = .integer(4)
    case .signature(let name, let title):
      dictionary["Subtype"] = .name("Widget")
      dictionary["FT"] = .name("Sig")
      dictionary["T"] = .text(name)
      dictionary["TU"] = .text(title)
      // Print, and lock the field in its place.
      dictionary["F"] = .integer(132)
      dictionary["P"] = .to(page)
      // An invisible field has no appearance.
      if annotation.box.width > 0, annotation.box.height > 0 {
        dictionary["AP"] = .dictionary(["N": .to(appearance(annotation.box, &writer))])
      }
    }
    dictionary["Rect"] = .rectangle(annotation.box)
    dictionary["Contents"] = .text(annotation.contents)
    dictionary["StructParent"] = .integer(key)
    return .dictionary(dictionary)
  }

  /// A frame. The text about a signature is on the page beside it, since a signer's program may replace an appearance.
  private static func appearance(_ box: PDFBox, _ writer: inout FileWriter) -> Int {
    var bytes = Array("0.6 0.6 0.6 RG .75 w .5 .5 ".utf8)
    for length in [box.width - 1, box.height - 1] {
      bytes.append(thousandths: Int((length * 1000).rounded()))
      bytes.append(UInt8(ascii: " "))
    }
    bytes += "re S\n".utf8
    return writer.add(
      stream: bytes,
      [
        "Type": .name("XObject"), "Subtype": .name("Form"),
        "BBox": .array([.integer(0), .integer(0), .real(box.width), .real(box.height)]),
        "Resources": .dictionary([:]),
      ])
  }

  private func catalog(
    pages: Int, _ pageNumbers: [Int], structure: Int, fields: [Int], _ writer: inout FileWriter
  ) -> PDFDictionary {
    let metadata = writer.add(
      stream: XMP.packet(facts, part: attachments.isEmpty ? 2 : 3),
      ["Type": .name("Metadata"), "Subtype": .name("XML")], isPlain: true)
    let profile = writer.add(stream: SRGBProfile.bytes, ["N": .integer(3), "Alternate": .name("DeviceRGB")])
    var viewing: PDFDictionary = ["DisplayDocTitle": .boolean(true)]
    if facts.isRightToLeft { viewing["Direction"] = .name("R2L") }
    var catalog: PDFDictionary = [
      "Type": .name("Catalog"), "Version": .name("1.7"), "Pages": .to(pages), "Lang": .text(facts.language),
      "MarkInfo": .dictionary(["Marked": .boolean(true)]), "ViewerPreferences": .dictionary(viewing),
      "StructTreeRoot": .to(structure), "Metadata": .to(metadata),
      "OutputIntents": .array([
        .dictionary([
          "Type": .name("OutputIntent"), "S": .name("GTS_PDFA1"),
          "OutputConditionIdentifier": .string(Array("sRGB IEC61966-2.1".utf8)),
          "Info": .string(Array("sRGB IEC61966-2.1".utf8)), "DestOutputProfile": .to(profile),
        ])
      ]),
    ]
    if !outline.isEmpty {
      catalog["Outlines"] = .to(writeOutline(pageNumbers, &writer))
      catalog["PageMode"] = .name("UseNone")
    }
    if !fields.isEmpty {
      catalog["AcroForm"] = .dictionary(["Fields": .array(fields.map { .to($0) }), "SigFlags": .integer(3)])
    }
    if !attachments.isEmpty {
      let files = attachments.map { ($0.name, $0.write(into: &writer, created: facts.created)) }
      // A name tree's keys must be in the order of their bytes.
      let named = files.sorted { Array($0.0.utf8).lexicographicallyPrecedes(Array($1.0.utf8)) }
      catalog["Names"] = .dictionary([
        "EmbeddedFiles": .dictionary([
          "Names": .array(named.flatMap { [PDFObject.text($0.0), .to($0.1)] })
        ])
      ])
      catalog["AF"] = .array(files.map { .to($0.1) })
    }
    return catalog
  }

  private func writeOutline(_ pages: [Int], _ writer: inout FileWriter) -> Int {
    let root = writer.reserve()
    let numbers = outline.map { _ in writer.reserve() }
    for (index, entry) in outline.enumerated() {
      var item: PDFDictionary = [
        "Title": .text(entry.title), "Parent": .to(root),
        "Dest": .array([
          .to(pages[entry.page]), .name("XYZ"), .null, .real(entry.top), .null,
        ]),
      ]
      if index > 0 { item["Prev"] = .to(numbers[index - 1]) }
      if index + 1 < numbers.count { item["Next"] = .to(numbers[index + 1]) }
      writer.write(.dictionary(item), as: numbers[index])
    }
    writer.write(
      .dictionary([
        "Type": .name("Outlines"), "First": .to(numbers[0]), "Last": .to(numbers[numbers.count - 1]),
        "Count": .integer(numbers.count),
      ]), as: root)
    return root
  }
}
