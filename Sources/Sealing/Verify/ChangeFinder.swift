internal import PDF

/// Finds what a later revision of a file changed.
///
/// Two revisions have all objects in common that were not written again. So whatever differs for a reader differs in an
/// object that the older revision has as well, and each of those is looked at: what it is, and what became of it. What
/// only a further signature or its proofs need is expected; everything else is not.
struct ChangeFinder {
  private let old: PDFFile
  private let new: PDFFile
  private let oldFields: SignatureFields
  private let newFields: SignatureFields
  private let roles: ObjectRoles
  /// What the signature locks.
  private let lock: FieldLock?
  private var changes: [Change] = []

  static func changes(
    from old: PDFFile, to new: PDFFile, locked lock: FieldLock? = nil
  ) throws(PDFReadError) -> [Change] {
    var finder = try ChangeFinder(old, new, lock)
    try finder.find()
    return finder.changes
  }

  private init(_ old: PDFFile, _ new: PDFFile, _ lock: FieldLock?) throws(PDFReadError) {
    self.lock = lock
    self.old = old
    self.new = new
    oldFields = try SignatureFields(old)
    newFields = try SignatureFields(new)
    roles = try ObjectRoles(old)
  }

  private mutating func find() throws(PDFReadError) {
    for name in ["Root", "Info"] where old.trailer[name] != new.trailer[name] {
      add(.unexpected(name == "Root" ? "the whole document was exchanged" : "the document's properties were exchanged"))
    }
    for field in newFields.signed where !oldFields.signed.contains(where: { $0.number == field.number }) {
      // An attested time changes nothing that a person could have meant to lock.
      if field.isTimeStamp || lock?.covers(field.name) != true {
        add(.expected("a further signature was added in '\(field.name)'"))
      } else {
        add(.unexpected("the field '\(field.name)', which the signature locks, was signed"))
      }
    }
    for number in old.numbers where old.location(of: number) != new.location(of: number) {
      let (before, after) = (try old.object(number), try new.object(number))
      if before != after { try look(number, before, after) }
    }
    let mentioned = try Self.mentioned(in: old)
    for number in new.numbers where old.location(of: number) == nil && mentioned.contains(number) {
      add(.unexpected("object \(number), which the signed document mentions and did not have, was added"))
    }
  }

  /// All numbers that a file's objects refer to.
  private static func mentioned(in file: PDFFile) throws(PDFReadError) -> Set<Int> {
    var mentioned = Set<Int>()
    for number in file.numbers {
      var waiting = [try file.object(number)]
      while let object = waiting.popLast() {
        switch object {
        case .reference(let reference): mentioned.insert(reference.number)
        case .array(let values): waiting += values
        case .dictionary(let dictionary): waiting += dictionary.entries.map(\.value)
        case .stream(let stream): waiting += stream.dictionary.entries.map(\.value)
        default: break
        }
      }
    }
    return mentioned
  }

  private mutating func add(_ change: Change) {
    if !changes.contains(change), changes.count < 200 { changes.append(change) }
  }

  private mutating func look(_ number: Int, _ before: PDFObject, _ after: PDFObject) throws(PDFReadError) {
    if let field = oldFields.all.first(where: { $0.number == number }) {
      return lookAtField(field, before, after)
    }
    switch (before, after) {
    case (.dictionary(let one), .dictionary(let other)):
      if number == oldFields.catalogNumber { return try lookAtCatalog(one, other) }
      if number == oldFields.formNumber { return try lookAtForm(one, other) }
      if let page = roles.pages[number] { return try lookAtPage(page, one, other) }
      if roles.proofs.contains(number) { return add(.expected("proofs were added: certificates and revocations")) }
    case (.array(let one), .array(let other)):
      if number == roles.fieldList { return addedFields(one, other) }
      if let page = roles.annotationLists[number] { return addedAnnotations(page, one, other) }
      if roles.proofs.contains(number) { return add(.expected("proofs were added: certificates and revocations")) }
    default: break
    }
    // Containers are only the packaging of objects that are looked at one by one.
    if let type = before.dictionary?["Type"]?.name, ["XRef", "ObjStm"].contains(type) { return }
    add(.unexpected(roles.words(number, before, isGone: after == .null)))
  }

  // MARK: - Parts

  /// The entries that differ.
  private func differing(_ one: PDFDictionary, _ other: PDFDictionary) -> [String] {
    var names = one.entries.map(\.name)
    for entry in other.entries where !names.contains(entry.name) { names.append(entry.name) }
    return names.filter { one[$0] != other[$0] }
  }

  private mutating func lookAtCatalog(_ one: PDFDictionary, _ other: PDFDictionary) throws(PDFReadError) {
    for name in differing(one, other) {
      switch name {
      case "DSS": add(.expected("proofs were added: certificates and revocations"))
      case "Extensions": add(.expected("the file says that it uses extensions of PDF"))
      case "AcroForm":
        let (before, after) = (try old.resolve(one[name]).dictionary ?? [:], try new.resolve(other[name]).dictionary)
        guard let after else {
          add(.unexpected("the form was removed"))
          continue
        }
        try lookAtForm(before, after)
      default: add(.unexpected("the catalog's entry /\(name) was changed"))
      }
    }
  }

  private mutating func lookAtForm(_ one: PDFDictionary, _ other: PDFDictionary) throws(PDFReadError) {
    for name in differing(one, other) {
      switch name {
      case "SigFlags": break
      case "Fields":
        addedFields(try old.resolve(one[name]).array ?? [], try new.resolve(other[name]).array ?? [])
      default: add(.unexpected("the form's entry /\(name) was changed"))
      }
    }
  }

  private mutating func addedFields(_ one: [PDFObject], _ other: [PDFObject]) {
    guard other.starts(with: one) else { return add(.unexpected("fields of the form were removed or exchanged")) }
    for field in other.dropFirst(one.count) where !isNewSignature(field) {
      add(.unexpected("a field that is no signature was added to the form"))
    }
  }

  private func isNewSignature(_ object: PDFObject) -> Bool {
    guard let number = object.reference?.number else { return false }
    return newFields.all.contains { $0.number == number && old.location(of: number) == nil }
  }

  private mutating func lookAtPage(_ page: Int, _ one: PDFDictionary, _ other: PDFDictionary) throws(PDFReadError) {
    for name in differing(one, other) {
      switch name {
      case "Annots":
        addedAnnotations(page, try old.resolve(one[name]).array ?? [], try new.resolve(other[name]).array ?? [])
      default: add(.unexpected("page \(page) was changed: its /\(name)"))
      }
    }
  }

  private mutating func addedAnnotations(_ page: Int, _ one: [PDFObject], _ other: [PDFObject]) {
    guard other.starts(with: one) else {
      return add(.unexpected("something that lies on page \(page) was removed or exchanged"))
    }
    for annotation in other.dropFirst(one.count) {
      guard isNewSignature(annotation), let number = annotation.reference?.number else {
        add(.unexpected("something was laid on page \(page)"))
        continue
      }
      if isSeen(number) { add(.unexpected("a further signature covers a part of page \(page)")) }
    }
  }

  /// A new field with an extent can hide what stands below it.
  private func isSeen(_ number: Int) -> Bool {
    guard let field = newFields.all.first(where: { $0.number == number }) else { return true }
    let box = field.dictionary["Rect"]?.array?.compactMap(\.points) ?? []
    return box.count != 4 || (abs(box[2] - box[0]) > 0 && abs(box[3] - box[1]) > 0)
  }

  private mutating func lookAtField(_ field: SignatureField, _ before: PDFObject, _ after: PDFObject) {
    guard let one = before.dictionary, let other = after.dictionary else {
      return add(.unexpected("the field '\(field.name)' was removed"))
    }
    for name in differing(one, other) {
      switch name {
      case "V" where field.signature == nil, "AP" where field.signature == nil: break
      case "V": add(.unexpected("the signature in '\(field.name)' was exchanged"))
      default: add(.unexpected("the field '\(field.name)' was changed: its /\(name)"))
      }
    }
  }
}

/// What the objects of a file are for.
struct ObjectRoles {
  /// The number of each page, from 1.
  private(set) var pages: [Int: Int] = [:]
  private(set) var annotationLists: [Int: Int] = [:]
  private(set) var proofs = Set<Int>()
  private(set) var fieldList: Int?
  private var contents: [Int: Int] = [:]
  private var names: [Int: String] = [:]

  init(_ file: PDFFile) throws(PDFReadError) {
    let catalog = try file.catalog()
    for (name, words) in [
      ("Metadata", "the metadata was changed"), ("StructTreeRoot", "the structure was changed"),
      ("Names", "the attached files were changed"), ("Outlines", "the outline was changed"),
    ] {
      if let number = catalog[name]?.reference?.number { names[number] = words }
    }
    if let number = file.trailer["Info"]?.reference?.number { names[number] = "the document's properties were changed" }
    fieldList = try file.resolve(catalog["AcroForm"]).dictionary?["Fields"]?.reference?.number
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

  private mutating func readProofs(_ file: PDFFile, _ catalog: PDFDictionary) throws(PDFReadError) {
    if let number = catalog["DSS"]?.reference?.number { proofs.insert(number) }
    for entry in try file.resolve(catalog["DSS"]).dictionary?.entries ?? [] {
      if let number = entry.value.reference?.number { proofs.insert(number) }
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
