/// A font in a document, and the glyphs of it that were used, each with the text that it stands for.
///
/// A code on a page means a glyph together with its text. So a glyph with two meanings has two codes, and each code can
/// be turned back into its text.
struct FontUse {
  let program: FontProgram
  private var codes: [Meaning: Int] = [:]
  /// The glyph and text of each code. Code 0 is the glyph for missing characters, with which every font file begins.
  private var meanings: [Meaning] = [Meaning(glyph: 0, text: "\u{FFFD}")]

  private struct Meaning: Hashable {
    let glyph: UInt32
    let text: String
  }

  init(_ program: FontProgram) {
    self.program = program
  }

  /// The code of a glyph that stands for `text`.
  mutating func code(of glyph: UInt32, as text: String) -> Int {
    let meaning = Meaning(glyph: glyph, text: text)
    if let code = codes[meaning] { return code }
    let code = meanings.count
    codes[meaning] = code
    meanings.append(meaning)
    return code
  }

  /// Codes have two bytes. What is left beyond this bound is enough for the glyphs of one more cluster.
  var isFull: Bool { meanings.count > 0xF000 }

  /// Writes the font, reduced to the glyphs that were used.
  func write(into writer: inout FileWriter, as number: Int) {
    guard let part = program.subset(Set(meanings.map(\.glyph))) else {
      preconditionFailure("a font that was read has its own glyphs")
    }
    let name = "\(tag)+\(program.name)"
    let numbers = meanings.map { part.numbers[$0.glyph] ?? 0 }
    let file: (String, Int)
    var descendant: PDFDictionary = ["Type": .name("Font"), "BaseFont": .name(name), "CIDSystemInfo": Self.system]
    let encoding: PDFObject
    switch program.outlines {
    case .trueType:
      file = ("FontFile2", writer.add(stream: part.bytes, ["Length1": .integer(part.bytes.count)]))
      descendant["Subtype"] = .name("CIDFontType2")
      descendant["W"] = .array([.integer(0), .array(meanings.map { .integer(program.width(of: $0.glyph)) })])
      let map = numbers.flatMap { [UInt8($0 >> 8 & 255), UInt8($0 & 255)] }
      descendant["CIDToGIDMap"] = .to(writer.add(stream: map))
      encoding = .name("Identity-H")
    case .compact:
      file = ("FontFile3", writer.add(stream: part.bytes, ["Subtype": .name("CIDFontType0C")]))
      descendant["Subtype"] = .name("CIDFontType0")
      descendant["W"] = .array(widths(numbers))
      let map = CodeMap.map(numbers)
      encoding = .to(
        writer.add(
          stream: map, ["Type": .name("CMap"), "CMapName": .name(CodeMap.name), "CIDSystemInfo": Self.system]))
    }
    descendant["DW"] = .integer(1000)
    descendant["FontDescriptor"] = .to(writer.add(descriptor(name, file)))
    writer.write(
      .dictionary([
        "Type": .name("Font"), "Subtype": .name("Type0"), "BaseFont": .name(name), "Encoding": encoding,
        "DescendantFonts": .array([.to(writer.add(.dictionary(descendant)))]),
        "ToUnicode": .to(writer.add(stream: ToUnicode.map(meanings.map(\.text)))),
      ]), as: number)
  }

  private static let system = PDFObject.dictionary([
    "Registry": .string(Array("Adobe".utf8)), "Ordering": .string(Array("Identity".utf8)), "Supplement": .integer(0),
  ])

  /// The widths of the glyphs, by the identifiers that the font's table gives them.
  private func widths(_ numbers: [UInt32]) -> [PDFObject] {
    var widths: [UInt32: Int] = [:]
    for (meaning, number) in zip(meanings, numbers) { widths[number] = program.width(of: meaning.glyph) }
    return widths.filter { $0.value != 1000 }.sorted { $0.key < $1.key }
      .flatMap { [PDFObject.integer(Int($0.key)), .array([.integer($0.value)])] }
  }

  private func descriptor(_ name: String, _ file: (kind: String, number: Int)) -> PDFObject {
    let measures = program.measures
    return .dictionary([
      "Type": .name("FontDescriptor"), "FontName": .name(name),
      // 4: symbolic, since its characters are not a subset of an Adobe alphabet. 64: italic.
      "Flags": .integer(measures.italicAngle == 0 ? 4 : 68),
      "FontBBox": .array(measures.box.map(PDFObject.integer)), "ItalicAngle": .integer(measures.italicAngle),
      "Ascent": .integer(measures.ascent), "Descent": .integer(measures.descent),
      "CapHeight": .integer(measures.capHeight), "XHeight": .integer(measures.xHeight),
      "StemV": .integer(program.name.contains("Bold") ? 140 : 80), file.kind: .to(file.number),
    ])
  }

  /// Six letters that distinguish subsets of the same font.
  private var tag: String {
    var state: UInt64 = 14_695_981_039_346_656_037
    for meaning in meanings { state = (state ^ UInt64(meaning.glyph)) &* 1_099_511_628_211 }
    return String(
      String.UnicodeScalarView(
        (0..<6).map { place in Unicode.Scalar(UInt8(ascii: "A") + UInt8((state >> UInt64(place * 8) & 255) % 26)) }))
  }
}
