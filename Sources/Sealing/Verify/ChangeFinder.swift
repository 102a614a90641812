internal import PDF

/// Finds what a later revision of a file changed.
///
/// Two revisions share all objects that were not written again. So whatever differs for a reader differs in an object
/// that the older revision has too. Each of those is checked: what it is for, and how it changed. Changes that a
/// further signature or its proofs need are expected, and all others are not.
struct ChangeFinder {
  private let old: SignedRevision
  private let new: PDFFile
  private let newFields: SignatureFields
  /// The numbers of fields that may still be empty, since a revision after the newer one signs them.
  private let signedLater: Set<Int>
  private var rules: ChangeRules { old.rules }
  private var changes: [Change] = []

  /// - Parameter signedLater: the numbers of the fields that a revision after the newer one signs.
  static func changes(
    from old: SignedRevision, to new: PDFFile, signedLater: Set<Int> = []
  ) throws(PDFReadError) -> [Change] {
    var finder = try ChangeFinder(old, new, signedLater)
    try finder.find()
    return finder.changes
  }

  private init(_ old: SignedRevision, _ new: PDFFile, _ signedLater: Set<Int>) throws(PDFReadError) {
    self.old = old
    self.new = new
    self.signedLater = signedLater
    newFields = try SignatureFields(new)
  }

  private mutating func find() throws(PDFReadError) {
    for name in ["Root", "Info"] where old.file.trailer[name] != new.trailer[name] {
      add(.unexpected(name == "Root" ? "the whole document was exchanged" : "the document's properties were exchanged"))
    }
    if new.hybridCount > old.file.hybridCount {
      add(.unexpected("cross-references were added that some readers look at and others do not"))
    }
    findSignatures()
    for number in old.file.numbers where old.file.location(of: number) != new.location(of: number) {
      let before = try old.file.object(number)
      // With another generation, the older references lead to nothing.
      let isThere = old.file.generation(of: number) == new.generation(of: number)
      let after = isThere ? try new.object(number) : .null
      if before != after { try look(number, before, after) }
    }
    for number in new.numbers where old.file.location(of: number) == nil && old.mentions.contains(number) {
      add(.unexpected("object \(number), which the signed document mentions and did not have, was added"))
    }
  }

  private mutating func findSignatures() {
    for field in newFields.signed where old.fields.field(field.number)?.signature == nil {
      let name = ShownText.quoted(field.name)
      // An attested time changes nothing that a lock could be meant to protect.
      if field.isTimeStamp {
        add(.expected("the time was attested in \(name)"))
      } else if rules.locked?.contains(field.name) != true {
        add(.expected("a further signature was added in \(name)", isSignature: true))
      } else {
        add(.unexpected("the field \(name), which the signature locks, was signed"))
      }
    }
  }

  private static let mostOfKind = 200

  /// Those of each standing are bounded separately: otherwise a file could have so many that nobody forbids that a
  /// forbidden one was not reported.
  private mutating func add(_ change: Change) {
    guard !changes.contains(change), changes.count(where: { $0.standing == change.standing }) < Self.mostOfKind
    else { return }
    changes.append(change)
  }

  private mutating func look(_ number: Int, _ before: PDFObject, _ after: PDFObject) throws(PDFReadError) {
    if let field = old.fields.field(number) { return lookAtField(field, before, after) }
    if let owner = old.roles.looks[number], let field = old.roles.entries[owner], isLook(before, after) {
      return add(filled(field, owner))
    }
    switch (before, after) {
    case (.dictionary(let one), .dictionary(let other)):
      if let field = old.roles.entries[number] { return lookAtEntry(field, number, one, other) }
      if let depth = old.roles.formResources[number], try isAddition(to: one, other, depth) {
        return add(addedResources)
      }
      if number == old.roles.catalog { return try lookAtCatalog(one, other) }
      if number == old.roles.form { return try lookAtForm(one, other) }
      if let page = old.roles.pages[number] { return try lookAtPage(page, one, other) }
      if old.roles.proofs.contains(number) { return try addedProofs() }
      if number == old.roles.information { return lookAtProperties(one, other) }
    case (.array(let one), .array(let other)):
      if number == old.roles.fieldList { return try addedFields(one, other) }
      if let page = old.roles.annotationLists[number] { return try addedAnnotations(page, one, other) }
      if old.roles.proofs.contains(number) { return try addedProofs() }
    case (.stream(let one), .stream(let other)):
      if number == old.roles.metadata { return try lookAtMetadata(one, other) }
    default: break
    }
    if old.containers.contains(number) { return }
    add(.unexpected(old.roles.words(number, before, isGone: after == .null)))
  }

  private static let partsOfStores: Set = ["Type", "VRI", "Certs", "CRLs", "OCSPs"]

  /// Checks that a store of proofs that was added contains nothing else.
  private mutating func addedProofs() throws(PDFReadError) {
    let store = try new.resolve(new.catalog()["DSS"]).dictionary ?? [:]
    if let type = store["Type"], type.name != "DSS" { add(.unexpected("the store of proofs became something else")) }
    for entry in store.entries where !Self.partsOfStores.contains(entry.name) {
      add(.unexpected("something that is no proof was added to the store of proofs: /\(ShownText.plain(entry.name))"))
    }
    add(.expected("proofs were added: certificates and revocations"))
  }

  private mutating func lookAtMetadata(_ one: PDFStream, _ other: PDFStream) throws(PDFReadError) {
    let packaging: Set = ["Length", "Filter", "DecodeParms"]
    guard Set(differing(one.dictionary, other.dictionary)).isSubset(of: packaging) else {
      return add(.unexpected("the metadata was changed into something else"))
    }
    let (before, after) = (try old.file.contents(of: one), try new.contents(of: other))
    switch MetadataStatements.differences(before, after) {
    case let names? where names.isEmpty: add(.expected("the metadata says that the file was saved again"))
    case let names?: add(Change(rules.aside, "the metadata was changed: \(names.joined(separator: ", "))"))
    case nil: add(Change(rules.aside, "the metadata was changed, and cannot be compared"))
    }
  }

  /// The document's properties may say when and by which program they were written.
  private mutating func lookAtProperties(_ one: PDFDictionary, _ other: PDFDictionary) {
    let names = differing(one, other).filter { !["ModDate", "Producer"].contains($0) || other[$0]?.string == nil }
    guard !names.isEmpty else {
      return add(.expected("the document's properties say that the file was saved again"))
    }
    let list = names.map { "/\(ShownText.plain($0))" }.joined(separator: ", ")
    add(Change(rules.aside, "the document's properties were changed: \(list)"))
  }

  // MARK: - Parts

  /// The names of the entries that differ.
  private func differing(_ one: PDFDictionary, _ other: PDFDictionary) -> [String] {
    let before = Dictionary(one.entries.map { ($0.name, $0.value) }) { first, _ in first }
    let after = Dictionary(other.entries.map { ($0.name, $0.value) }) { first, _ in first }
    let names = one.entries.map(\.name) + other.entries.map(\.name).filter { before[$0] == nil }
    return names.filter { before[$0] != after[$0] }
  }

  private static let versions: Set = ["1.4", "1.5", "1.6", "1.7", "2.0"]

  private mutating func lookAtCatalog(_ one: PDFDictionary, _ other: PDFDictionary) throws(PDFReadError) {
    for name in differing(one, other) {
      switch name {
      case "DSS": try addedProofs()
      case "Extensions": add(.expected("the file says that it uses extensions of PDF"))
      // Programs that sign state the PDF version of what they write. It does not change what is shown.
      case "Version" where Self.versions.contains(other[name]?.name ?? ""):
        add(.expected("the file says that it is written in another version of PDF"))
      case "AcroForm":
        let before = try old.file.resolve(one[name]).dictionary ?? [:]
        guard let after = try new.resolve(other[name]).dictionary else {
          add(.unexpected("the form was removed"))
          continue
        }
        try lookAtForm(before, after)
      default: add(.unexpected("the catalog's entry /\(ShownText.plain(name)) was changed"))
      }
    }
  }

  private mutating func lookAtForm(_ one: PDFDictionary, _ other: PDFDictionary) throws(PDFReadError) {
    for name in differing(one, other) {
      switch name {
      case "SigFlags":
        let (before, after) = (one[name]?.integer ?? 0, other[name]?.integer ?? 0)
        let isMore = before & ~after == 0
        add(
          Change(isMore ? .permitted : rules.aside, "the form's entry /SigFlags was changed from \(before) to \(after)")
        )
      case "NeedAppearances":
        add(Change(rules.filling(wasFilled: false), "the form asks for its fields to be drawn anew"))
      case "DR":
        let (before, after) = (try old.file.resolve(one[name]).dictionary, try new.resolve(other[name]).dictionary)
        if let after, try isAddition(to: before ?? [:], after, 0) {
          add(addedResources)
        } else {
          add(.unexpected("the form's entry /DR was changed"))
        }
      case "Fields":
        try addedFields(try old.file.resolve(one[name]).array ?? [], try new.resolve(other[name]).array ?? [])
      default: add(.unexpected("the form's entry /\(ShownText.plain(name)) was changed"))
      }
    }
  }

  private mutating func addedFields(_ one: [PDFObject], _ other: [PDFObject]) throws(PDFReadError) {
    guard other.starts(with: one) else { return add(.unexpected("fields of the form were removed or exchanged")) }
    for object in other.dropFirst(one.count) {
      guard let field = newField(object) else {
        add(.unexpected("a field that is no signature was added to the form"))
        continue
      }
      if let fault = try objection(to: field) {
        add(.unexpected("the field \(ShownText.quoted(field.name)), which was added, \(fault)"))
      }
    }
  }

  /// The signature field that is an object of the new revision; nil if the old one has that object already.
  private func newField(_ object: PDFObject) -> SignatureField? {
    guard let number = object.reference?.number, old.file.location(of: number) == nil else { return nil }
    return newFields.field(number)
  }

  /// Why a field that was added is no further signature; nil if it is.
  private func objection(to field: SignatureField) throws(PDFReadError) -> String? {
    try NewSignature.fault(of: field, in: new, isSignedLater: signedLater.contains(field.number))
  }

  private mutating func lookAtPage(_ page: Int, _ one: PDFDictionary, _ other: PDFDictionary) throws(PDFReadError) {
    for name in differing(one, other) {
      if name == "Annots", let before = try list(one[name], in: old.file), let after = try list(other[name], in: new) {
        try addedAnnotations(page, before, after)
      } else {
        add(.unexpected("page \(page) was changed: its /\(ShownText.plain(name))"))
      }
    }
  }

  /// What a list has in it, which may be missing; nil if something else stands in its place.
  private func list(_ object: PDFObject?, in file: PDFFile) throws(PDFReadError) -> [PDFObject]? {
    let found = try file.resolve(object)
    return found == .null ? [] : found.array
  }

  private mutating func addedAnnotations(
    _ page: Int, _ one: [PDFObject], _ other: [PDFObject]
  ) throws(PDFReadError) {
    guard other.starts(with: one) else {
      return add(.unexpected("something that lies on page \(page) was removed or exchanged"))
    }
    for annotation in other.dropFirst(one.count) {
      guard let field = newField(annotation), try objection(to: field) == nil else {
        if try isComment(annotation) {
          add(Change(rules.commenting, "somebody commented on page \(page)"))
        } else {
          add(.unexpected("something was laid on page \(page)"))
        }
        continue
      }
      // A visible field can hide what is below it, and anybody can have a time attested.
      if field.isSeen {
        let standing = field.isTimeStamp ? .forbidden : rules.covering
        add(Change(standing, "a further signature covers a part of page \(page)"))
      }
    }
  }

  private static let comments: Set = [
    "Text", "FreeText", "Line", "Square", "Circle", "Polygon", "PolyLine", "Highlight", "Underline", "Squiggly",
    "StrikeOut", "Caret", "Stamp", "Ink", "Popup",
  ]

  /// Whether something that was laid on a page is a comment, as people add them in a viewer, and nothing of a form.
  private func isComment(_ annotation: PDFObject) throws(PDFReadError) -> Bool {
    guard let number = annotation.reference?.number, old.file.location(of: number) == nil,
      let dictionary = try new.object(number).dictionary, dictionary["FT"] == nil, dictionary["A"] == nil,
      dictionary["AA"] == nil
    else { return false }
    return Self.comments.contains(dictionary["Subtype"]?.name ?? "")
  }

  private mutating func lookAtField(_ field: SignatureField, _ before: PDFObject, _ after: PDFObject) {
    let name = ShownText.quoted(field.name)
    // What a stream has in it might be shown.
    guard case (.dictionary(let one), .dictionary(let other)) = (before, after) else {
      return add(.unexpected("the field \(name) was \(after == .null ? "removed" : "changed")"))
    }
    // Whoever signs in an empty field sets its value and its appearance. Nothing else may change them, since an
    // appearance is shown on a page. An attested time may not set an appearance, because anybody can have a time
    // attested.
    let signed = newFields.field(field.number)
    let isBeingSigned = field.signature == nil && signed?.signature != nil && old.mentions.isField(field.number)
    for entry in differing(one, other) {
      switch entry {
      case "V" where isBeingSigned: break
      case "AP" where isBeingSigned && signed?.isTimeStamp == false: break
      case "AP" where isBeingSigned && !field.isSeen && NewSignature.isEmpty(other["AP"], in: new): break
      case "F" where isBeingSigned && Self.isStillShown(one[entry], other[entry]):
        add(.expected("the field \(name) was locked by its signature"))
      case "V" where field.signature != nil: add(.unexpected("the signature in \(name) was exchanged"))
      default: add(.unexpected("the field \(name) was changed: its /\(ShownText.plain(entry))"))
      }
    }
  }

  /// Whether flags of a widget differ in nothing that hides or moves it: it may be printed and locked.
  private static func isStillShown(_ one: PDFObject?, _ other: PDFObject?) -> Bool {
    let (printed, locked, lockedContents) = (1 << 2, 1 << 7, 1 << 9)
    let (before, after) = (one?.integer ?? 0, other?.integer ?? 0)
    return (before ^ after) & ~(printed | locked | lockedContents) == 0 && before & printed & ~after == 0
  }

  // MARK: - Filling in

  private static let entriesOfFilling: Set = ["V", "AS", "AP", "M", "RV", "I"]

  /// A field of the form that is no signature may be filled in, if nobody forbids it.
  private mutating func lookAtEntry(_ field: EntryField, _ number: Int, _ one: PDFDictionary, _ other: PDFDictionary) {
    let name = ShownText.quoted(field.name)
    let names = differing(one, other)
    if let entry = names.first(where: { !Self.entriesOfFilling.contains($0) }) {
      return add(.unexpected("the field \(name) was changed: its /\(ShownText.plain(entry))"))
    }
    add(filled(field, number))
  }

  /// How it stands that a field has another value or another look.
  private func filled(_ field: EntryField, _ number: Int) -> Change {
    let name = ShownText.quoted(field.name)
    if rules.locked?.contains(field.name) == true {
      return .unexpected("the field \(name), which the signature locks, was filled in")
    }
    if field.isPushButton { return .unexpected("the button \(name) was changed") }
    if field.isReadOnly { return Change(rules.unasked, "the field \(name), which is only read, was changed") }
    guard newFields.entries[number]?.value != field.value else {
      return Change(rules.unasked, "the look of the field \(name) was changed")
    }
    let words = field.isFilled ? "what stands in the field \(name) was changed" : "the field \(name) was filled in"
    return Change(rules.filling(wasFilled: field.isFilled), words)
  }

  /// Whether what draws a field still is of the same kind.
  private func isLook(_ before: PDFObject, _ after: PDFObject) -> Bool {
    switch (before, after) {
    case (.stream, .stream), (.dictionary, .dictionary): true
    default: false
    }
  }

  private var addedResources: Change { Change(rules.preparing, "fonts were added for the form's fields") }

  /// Whether one dictionary has everything that the other has, and more: what is added is used by nothing that was
  /// signed. At depth 0 there may be more in the dictionaries that it consists of as well, such as that of all fonts.
  private func isAddition(to one: PDFDictionary, _ other: PDFDictionary, _ depth: Int) throws(PDFReadError) -> Bool {
    for name in differing(one, other) {
      guard let before = one[name] else { continue }
      guard depth < 1, let after = other[name], let inner = try old.file.resolve(before).dictionary,
        let outer = try new.resolve(after).dictionary, try isAddition(to: inner, outer, depth + 1)
      else { return false }
    }
    return true
  }
}
