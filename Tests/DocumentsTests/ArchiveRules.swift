import PDF

/// The rules of PDF/A-2a and PDF/UA-1 that a program can check, as far as our files could break them.
struct ArchiveRules {
  private let file: PDFFile
  private var faults: [String] = []

  static func faults(_ bytes: [UInt8]) throws -> [String] {
    var rules = ArchiveRules(file: try PDFFile(bytes))
    try rules.checkFile()
    try rules.checkCatalog()
    try rules.checkObjects()
    try rules.checkStructure()
    return rules.faults
  }

  private init(file: PDFFile) {
    self.file = file
  }

  private mutating func expect(_ isTrue: Bool, _ rule: String) {
    if !isTrue { faults.append(rule) }
  }

  private mutating func checkFile() throws {
    expect(file.trailer["ID"]?.array?.count == 2, "the trailer has an ID")
    expect(file.bytes[9] == UInt8(ascii: "%") && file.bytes[10...13].allSatisfy { $0 > 127 }, "a binary mark follows")
    let text = file.bytes
    let word = Array("endstream".utf8)
    for place in text.indices.dropLast(word.count) where text[place] == word[0] {
      guard text[place..<(place + word.count)].elementsEqual(word) else { continue }
      expect(text[place - 1] == 10, "an end of line precedes endstream")
    }
  }

  private mutating func checkCatalog() throws {
    let catalog = try file.catalog()
    expect(catalog["Lang"]?.text?.isEmpty == false, "the document has a language")
    expect(catalog["MarkInfo"]?.dictionary?["Marked"] == .boolean(true), "the document is marked")
    expect(
      catalog["ViewerPreferences"]?.dictionary?["DisplayDocTitle"] == .boolean(true), "viewers show the title")
    let intent = catalog["OutputIntents"]?.array?.first?.dictionary
    expect(intent?["S"]?.name == "GTS_PDFA1", "there is an output intent")
    if case .stream(let profile) = try file.resolve(intent?["DestOutputProfile"]) {
      let bytes = try file.contents(of: profile)
      expect(bytes[36..<40].elementsEqual("acsp".utf8), "the profile is one of ICC")
      expect(bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) } == bytes.count, "the profile knows its size")
    } else {
      expect(false, "the output intent has a profile")
    }
    guard case .stream(let metadata) = try file.resolve(catalog["Metadata"]) else {
      return expect(false, "the document has metadata")
    }
    expect(metadata.dictionary["Filter"] == nil, "metadata is not compressed")
    let xmp = String(decoding: metadata.bytes, as: UTF8.self)
    let part = catalog["AF"] == nil ? "2" : "3"
    for line in ["<pdfaid:part>\(part)<", "<pdfaid:conformance>A<", "<pdfuaid:part>1<", "pdfaExtension:schemas"] {
      expect(xmp.contains(line), "metadata has \(line)")
    }
    let info = try file.resolve(file.trailer["Info"]).dictionary ?? [:]
    for name in ["Title", "Creator", "Producer"] {
      expect(xmp.contains(">\(info[name]?.text ?? "?")<"), "metadata and Info agree in \(name)")
    }
    let date = info["CreationDate"]?.text?.filter(\.isNumber) ?? ""
    expect(xmp.filter(\.isNumber).contains(date), "metadata and Info agree in the date")
  }

  private mutating func checkObjects() throws {
    for number in file.numbers {
      guard let dictionary = try file.object(number).dictionary else { continue }
      switch dictionary["Type"]?.name {
      case "Page": expect(dictionary["Tabs"]?.name == "S", "tabs follow the structure")
      case "FontDescriptor":
        expect(dictionary["FontFile2"] != nil || dictionary["FontFile3"] != nil, "fonts are embedded")
      case "Annot":
        expect(dictionary["Contents"]?.text?.isEmpty == false, "annotations are described")
        expect(dictionary["StructParent"] != nil, "annotations are in the structure")
        let flags = dictionary["F"]?.integer ?? 0
        expect(flags & 4 != 0 && flags & 3 == 0, "annotations are printed and visible")
        if dictionary["Subtype"]?.name == "Widget" {
          expect(flags == 132, "fields stay where they are")
          expect(dictionary["TU"]?.text?.isEmpty == false, "fields have names for people")
          expect(dictionary["AP"]?.dictionary?["N"] != nil, "fields have an appearance")
        }
      case "StructElem" where dictionary["S"]?.name == "Figure":
        expect(dictionary["Alt"]?.text?.isEmpty == false, "pictures have a description")
      default: break
      }
      if dictionary["Subtype"]?.name == "CIDFontType2" {
        expect(dictionary["CIDToGIDMap"] != nil, "codes lead to glyphs")
      }
      if dictionary["Subtype"]?.name == "CIDFontType0" {
        let descriptor = try file.resolve(dictionary["FontDescriptor"]).dictionary ?? [:]
        expect(
          try file.resolve(descriptor["FontFile3"]).dictionary?["Subtype"]?.name == "CIDFontType0C",
          "a font without TrueType outlines is a table of CFF")
      }
      if dictionary["Subtype"]?.name == "Type0" {
        // A table of codes of our own is embedded, and is about the same characters as its font.
        if case .stream(let map) = try file.resolve(dictionary["Encoding"]) {
          let font = try file.resolve(file.resolve(dictionary["DescendantFonts"]).array?.first).dictionary ?? [:]
          expect(map.dictionary["Type"]?.name == "CMap", "a table of codes is embedded")
          expect(
            map.dictionary["CIDSystemInfo"] == font["CIDSystemInfo"], "codes and font are about the same characters")
        } else {
          expect(dictionary["Encoding"]?.name == "Identity-H", "codes are known to every reader")
        }
        expect(dictionary["ToUnicode"] != nil, "codes lead to text")
      }
      expect(dictionary["S"]?.name != "JavaScript", "nothing runs")
    }
  }

  /// Every piece of every page is in the tree, once, and the way back from the page is the same.
  private mutating func checkStructure() throws {
    let root = try file.resolve(try file.catalog()["StructTreeRoot"]).dictionary ?? [:]
    var pieces: [Int: [Int: Int]] = [:]
    var headings: [Int] = []
    var waiting: [(PDFObject, element: Int, page: Int)] = [(root["K"] ?? .null, 0, 0)]
    while let (kid, element, page) = waiting.popLast() {
      switch kid {
      case .array(let kids): waiting += kids.reversed().map { ($0, element, page) }
      case .integer(let piece):
        expect(pieces[page]?[piece] == nil, "a piece belongs to one element")
        pieces[page, default: [:]][piece] = element
      case .dictionary(let dictionary) where dictionary["Type"]?.name == "MCR":
        pieces[dictionary["Pg"]?.reference?.number ?? 0, default: [:]][dictionary["MCID"]?.integer ?? -1] = element
      case .reference(let reference):
        guard let dictionary = try file.object(reference.number).dictionary else { break }
        if let role = dictionary["S"]?.name, role.count == 2, role.hasPrefix("H"), let level = Int(role.dropFirst()) {
          headings.append(level)
        }
        waiting.append((dictionary["K"] ?? .array([]), reference.number, dictionary["Pg"]?.reference?.number ?? 0))
      default: break
      }
    }
    expect(headings.first == 1, "the first heading is of the first level")
    expect(zip(headings, headings.dropFirst()).allSatisfy { $1 <= $0 + 1 }, "no heading skips a level: \(headings)")
    let nums = try file.resolve(root["ParentTree"]).dictionary?["Nums"]?.array ?? []
    var parents: [Int: PDFObject] = [:]
    for place in stride(from: 0, to: nums.count - 1, by: 2) {
      parents[nums[place].integer ?? -1] = try file.resolve(nums[place + 1])
    }
    for number in file.numbers {
      guard let page = try file.object(number).dictionary, page["Type"]?.name == "Page" else { continue }
      let list = parents[page["StructParents"]?.integer ?? -1]?.array ?? []
      for (piece, element) in list.enumerated() {
        expect(pieces[number]?[piece] == element.reference?.number, "piece \(piece) leads to its element and back")
      }
      expect(list.count == pieces[number]?.count ?? 0, "the tree has all of a page's pieces")
    }
  }
}
