internal import PDF

/// The rules of PDF/A-2a and PDF/UA-1 that a program can check, as far as our files could break them.
package struct ArchiveRules {
  private let file: PDFFile
  private var faults: [String] = []

  package static func faults(_ bytes: [UInt8]) throws -> [String] {
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

  /// A file's pages and the objects that hold them.
  private var pages: [(number: Int, dictionary: PDFDictionary)] {
    get throws {
      try file.numbers.compactMap { number in
        guard let page = try file.object(number).dictionary, page["Type"]?.name == "Page" else { return nil }
        return (number, page)
      }
    }
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
        let flags = dictionary["F"]?.integer ?? 0
        expect(flags & 4 != 0 && flags & 3 == 0, "annotations are printed and visible")
        if dictionary["Subtype"]?.name == "Widget" {
          expect(flags == 132, "fields stay where they are")
          expect(dictionary["TU"]?.text?.isEmpty == false, "fields have names for people")
          let box = try file.resolve(dictionary["Rect"]).array?.compactMap(\.points) ?? []
          let isSeen = box.count != 4 || box[0] != box[2] || box[1] != box[3]
          expect(!isSeen || dictionary["AP"]?.dictionary?["N"] != nil, "fields that are seen have an appearance")
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
    var objects: [Int: (element: Int, page: Int)] = [:]
    var waiting: [(PDFObject, element: Int, page: Int)] = [(root["K"] ?? .null, 0, 0)]
    while let (kid, element, page) = waiting.popLast() {
      switch kid {
      case .array(let kids): waiting += kids.reversed().map { ($0, element, page) }
      case .integer(let piece):
        expect(pieces[page]?[piece] == nil, "a piece belongs to one element")
        pieces[page, default: [:]][piece] = element
      case .dictionary(let dictionary) where dictionary["Type"]?.name == "MCR":
        pieces[dictionary["Pg"]?.reference?.number ?? 0, default: [:]][dictionary["MCID"]?.integer ?? -1] = element
      case .dictionary(let dictionary) where dictionary["Type"]?.name == "OBJR":
        let number = dictionary["Obj"]?.reference?.number ?? -1
        expect(objects[number] == nil, "a field or a link belongs to one element")
        objects[number] = (element, dictionary["Pg"]?.reference?.number ?? page)
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
    for place in stride(from: 0, to: nums.count - 1, by: 2) { parents[nums[place].integer ?? -1] = nums[place + 1] }
    expect((parents.keys.max() ?? -1) < root["ParentTreeNextKey"]?.integer ?? 0, "the next key of the tree is free")
    try checkAnnotations(objects, parents)
    for (number, page) in try pages {
      let list = try file.resolve(parents[page["StructParents"]?.integer ?? -1]).array ?? []
      for (piece, element) in list.enumerated() {
        expect(pieces[number]?[piece] == element.reference?.number, "piece \(piece) leads to its element and back")
      }
      expect(list.count == pieces[number]?.count ?? 0, "the tree has all of a page's pieces")
    }
  }

  /// Every link and field that a page shows is in the tree, in an element of its kind, and the way back is the same.
  private mutating func checkAnnotations(
    _ objects: [Int: (element: Int, page: Int)], _ parents: [Int: PDFObject]
  ) throws {
    var onPages = Set<Int>()
    for (page, dictionary) in try pages {
      for annotation in try file.resolve(dictionary["Annots"]).array ?? [] {
        guard let number = annotation.reference?.number, let own = try file.object(number).dictionary else {
          expect(false, "annotations are objects of their own")
          continue
        }
        expect(onPages.insert(number).inserted, "an annotation lies on one page")
        guard let key = own["StructParent"]?.integer else {
          expect(isBeside(own, dictionary), "what is not in the structure lies beside its page")
          continue
        }
        let place = objects[number]
        expect(place != nil && place?.page == page, "the tree knows an annotation and its page")
        expect(place?.element == parents[key]?.reference?.number, "an annotation leads to its element and back")
        let element = try file.object(parents[key]?.reference?.number ?? 0).dictionary
        expect(
          element?["S"]?.name == (own["Subtype"]?.name == "Widget" ? "Form" : "Link"),
          "fields are in forms, and links in links")
      }
    }
    expect(Set(objects.keys) == onPages.filter { objects[$0] != nil }, "the tree names nothing that is on no page")
    let form = try file.resolve(file.catalog()["AcroForm"]).dictionary ?? [:]
    for field in try file.resolve(form["Fields"]).array ?? [] {
      expect(onPages.contains(field.reference?.number ?? -1), "fields are on a page")
    }
  }

  /// Whether nothing of an annotation is within its page: then it need not be in the structure (ISO 14289-1, 7.18.1).
  private func isBeside(_ annotation: PDFDictionary, _ page: PDFDictionary) -> Bool {
    let own = annotation["Rect"]?.array?.compactMap(\.points) ?? []
    let shown = (page["CropBox"] ?? page["MediaBox"])?.array?.compactMap(\.points) ?? []
    guard own.count == 4, shown.count == 4 else { return false }
    return own[2] < shown[0] || own[0] > shown[2] || own[3] < shown[1] || own[1] > shown[3]
  }
}
