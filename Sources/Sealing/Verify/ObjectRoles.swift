internal import PDF

/// What a file's objects are used for.
struct ObjectRoles {
  /// The number of each page, from 1.
  private(set) var pages: [Int: Int] = [:]
  private(set) var annotationLists: [Int: Int] = [:]
  private(set) var proofs = Set<Int>()
  private(set) var fieldList: Int?
  /// What the form's fields may be written with.
  private(set) var formResources = Set<Int>()
  /// The objects that draw fields, each with the number of its field.
  private(set) var looks: [Int: Int] = [:]
  private(set) var metadata: Int?
  /// The document's properties.
  private(set) var information: Int?
  private var contents: [Int: Int] = [:]
  private var names: [Int: String] = [:]

  init(_ file: PDFFile, _ fields: SignatureFields) throws(PDFReadError) {
    let catalog = try file.catalog()
    for (name, words) in [
      ("Metadata", "the metadata was changed"), ("StructTreeRoot", "the structure was changed"),
      ("Names", "the attached files were changed"), ("Outlines", "the outline was changed"),
    ] {
      if let number = catalog[name]?.reference?.number { names[number] = words }
    }
    information = file.trailer["Info"]?.reference?.number
    if let information { names[information] = "the document's properties were changed" }
    metadata = catalog["Metadata"]?.reference?.number
    let form = try file.resolve(catalog["AcroForm"]).dictionary
    fieldList = form?["Fields"]?.reference?.number
    try readResources(form?["DR"], file)
    for number in fields.entries.keys { try readLooks(of: number, file) }
    try readPages(file, catalog)
    try readProofs(file, catalog)
  }

  private mutating func readPages(_ file: PDFFile, _ catalog: PDFDictionary) throws(PDFReadError) {
    var waiting = [catalog["Pages"]].compactMap { $0 }
    var seen = Set<Int>()
    while let object = waiting.popLast() {
      guard let number = object.reference?.number, let node = try file.object(number).dictionary else { continue }
      guard seen.insert(number).inserted else { throw PDFReadError("the pages lead in a circle") }
      if let kids = try file.resolve(node["Kids"]).array {
        waiting += kids.reversed()
        continue
      }
      let page = pages.count + 1
      pages[number] = page
      if let list = node["Annots"]?.reference?.number { annotationLists[list] = page }
      for part in node["Contents"]?.array ?? [node["Contents"] ?? .null] {
        if let stream = part.reference?.number { contents[stream] = page }
      }
    }
  }

  private mutating func readResources(_ resources: PDFObject?, _ file: PDFFile) throws(PDFReadError) {
    let kinds = try file.resolve(resources).dictionary?.entries.map(\.value) ?? []
    formResources = Set(([resources].compactMap { $0 } + kinds).compactMap(\.reference?.number))
  }

  /// The objects of a field's appearance: a stream for each state, perhaps in dictionaries of their own.
  private mutating func readLooks(of field: Int, _ file: PDFFile) throws(PDFReadError) {
    var waiting = [try file.object(field).dictionary?["AP"]].compactMap { $0 }
    // An appearance has kinds, and a kind states.
    for _ in 0..<3 {
      var next: [PDFObject] = []
      for object in waiting {
        if let number = object.reference?.number { looks[number] = field }
        if case .dictionary(let parts) = try file.resolve(object) { next += parts.entries.map(\.value) }
      }
      waiting = next
    }
  }

  private mutating func readProofs(_ file: PDFFile, _ catalog: PDFDictionary) throws(PDFReadError) {
    if let number = catalog["DSS"]?.reference?.number { proofs.insert(number) }
    let store = try file.resolve(catalog["DSS"]).dictionary ?? [:]
    for entry in store.entries {
      if let number = entry.value.reference?.number { proofs.insert(number) }
    }
    // Objects that belong to one signature, whose lists programs rewrite when they add proofs for it.
    for entry in try file.resolve(store["VRI"]).dictionary?.entries ?? [] {
      if let number = entry.value.reference?.number { proofs.insert(number) }
      for part in try file.resolve(entry.value).dictionary?.entries ?? [] {
        if let number = part.value.reference?.number { proofs.insert(number) }
      }
    }
  }

  func words(_ number: Int, _ object: PDFObject, isGone: Bool) -> String {
    let what = isGone ? "removed" : "changed"
    if let page = contents[number] { return "the text or drawing on page \(page) was \(what)" }
    if let page = pages[number] { return "page \(page) was \(what)" }
    if let words = names[number] { return words }
    let dictionary = object.dictionary
    switch (dictionary?["Type"]?.name, dictionary?["Subtype"]?.name) {
    case ("Font"?, _), ("FontDescriptor"?, _): return "a font was \(what)"
    case (_, "Image"?): return "a picture was \(what)"
    case ("Annot"?, _): return "something that lies on a page was \(what)"
    case ("StructElem"?, _): return "the structure was \(what)"
    case ("Pages"?, _): return "the list of pages was \(what)"
    case ("Sig"?, _), ("DocTimeStamp"?, _): return "a signature was \(what)"
    case ("EmbeddedFile"?, _), ("Filespec"?, _): return "an attached file was \(what)"
    default: return "object \(number) was \(what)"
    }
  }
}
