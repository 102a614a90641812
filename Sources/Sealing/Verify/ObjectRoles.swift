internal import PDF

/// What a file's objects are used for.
///
/// Whatever may change in its role is used for nothing else, and neither is what it is a part of: otherwise a change
/// that is harmless in one place could be shown in another.
struct ObjectRoles {
  /// The number of each page, from 1.
  private(set) var pages: [Int: Int] = [:]
  private(set) var annotationLists: [Int: Int] = [:]
  private(set) var catalog: Int?
  private(set) var proofs = Set<Int>()
  private(set) var form: Int?
  private(set) var fieldList: Int?
  /// What the form's fields may be written with: 0 for the dictionary of all kinds, 1 for that of one kind.
  private(set) var formResources: [Int: Int] = [:]
  /// The fields that people fill in.
  let entries: [Int: EntryField]
  /// The objects that draw these fields, each with the number of its field.
  private(set) var looks: [Int: Int] = [:]
  private(set) var metadata: Int?
  /// The document's properties.
  private(set) var information: Int?
  private var contents: [Int: Int] = [:]
  private var names: [Int: String] = [:]
  private let file: PDFFile
  private let mentions: Mentions

  init(_ file: PDFFile, _ fields: SignatureFields, _ mentions: Mentions) throws(PDFReadError) {
    (self.file, self.mentions) = (file, mentions)
    entries = fields.entries.filter { mentions.isField($0.key) }
    for (name, words) in [
      ("Metadata", "the metadata was changed"), ("StructTreeRoot", "the structure was changed"),
      ("Names", "the attached files were changed"), ("Outlines", "the outline was changed"),
    ] {
      if let number = fields.catalog[name]?.reference?.number { names[number] = words }
    }
    if let number = file.trailer["Info"]?.reference?.number { names[number] = "the document's properties were changed" }
    information = alone(file.trailer["Info"])
    try readPages(fields.catalog)
    for field in entries.keys { try readLooks(of: field) }
    guard let top = try dictionary(file.trailer["Root"]) else { return }
    catalog = alone(file.trailer["Root"])
    metadata = alone(top["Metadata"])
    try readProofs(top["DSS"])
    form = alone(top["AcroForm"])
    guard let parts = try dictionary(top["AcroForm"]) else { return }
    fieldList = alone(parts["Fields"])
    try readResources(parts["DR"])
  }

  /// The number of an object that nothing else refers to; nil for others, and for what is no object of its own.
  private func alone(_ object: PDFObject?) -> Int? {
    guard let number = object?.reference?.number, mentions.isAlone(number) else { return nil }
    return number
  }

  /// A dictionary that is used here only; nil if there is none.
  private func dictionary(_ object: PDFObject?) throws(PDFReadError) -> PDFDictionary? {
    var found = object
    if object?.reference != nil {
      guard let number = alone(object) else { return nil }
      found = try file.object(number)
    }
    if case .dictionary(let parts)? = found { return parts }
    return nil
  }

  private mutating func readPages(_ catalog: PDFDictionary) throws(PDFReadError) {
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
      if let list = alone(node["Annots"]) { annotationLists[list] = page }
      for part in node["Contents"]?.array ?? [node["Contents"] ?? .null] {
        if let stream = part.reference?.number { contents[stream] = page }
      }
    }
  }

  private mutating func readResources(_ resources: PDFObject?) throws(PDFReadError) {
    if let number = alone(resources) { formResources[number] = 0 }
    for kind in try dictionary(resources)?.entries ?? [] {
      if let number = alone(kind.value) { formResources[number] = 1 }
    }
  }

  /// The objects of a field's appearance: a stream for each state, perhaps in dictionaries of their own.
  private mutating func readLooks(of field: Int) throws(PDFReadError) {
    var waiting = [try file.object(field).dictionary?["AP"]].compactMap { $0 }
    // An appearance has kinds, and a kind states.
    for _ in 0..<3 {
      var next: [PDFObject] = []
      for object in waiting {
        if let number = alone(object) { looks[number] = field }
        next += try dictionary(object)?.entries.map(\.value) ?? []
      }
      waiting = next
    }
  }

  private mutating func readProofs(_ store: PDFObject?) throws(PDFReadError) {
    if let number = alone(store) { proofs.insert(number) }
    let parts = try dictionary(store) ?? [:]
    // Those of one signature too, whose lists programs rewrite when they add proofs for it.
    var waiting = parts.entries.map(\.value)
    for entry in try dictionary(parts["VRI"])?.entries ?? [] {
      waiting.append(entry.value)
      waiting += try dictionary(entry.value)?.entries.map(\.value) ?? []
    }
    proofs.formUnion(waiting.compactMap(alone))
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
