internal import PDF

/// A form's field for a signature.
struct SignatureField {
  /// The field's full name.
  let name: String
  let number: Int
  let dictionary: PDFDictionary
  /// The signature's dictionary, and the number of the object that it is in; nil while the field is empty.
  let signature: (dictionary: PDFDictionary, number: Int)?

  /// Whether it occupies an area of its page, and so could hide what is there.
  var isSeen: Bool {
    let box = dictionary["Rect"]?.array?.compactMap(\.points) ?? []
    return box.count != 4 || (abs(box[2] - box[0]) > 0 && abs(box[3] - box[1]) > 0)
  }

  /// Whether it is one of `SpareFields`, which are made for unforeseen signatures.
  var isSpare: Bool { SpareFields.names.contains(name) && !isSeen }

  /// Whether it holds an attested time over the document.
  var isTimeStamp: Bool {
    signature?.dictionary["Type"]?.name == "DocTimeStamp" || signature?.dictionary["SubFilter"]?.name == "ETSI.RFC3161"
  }
}

/// A form's field that people fill in, or a part of one that a page shows.
struct EntryField {
  /// The field's full name.
  let name: String
  /// What stands in it, also where the field around it says so.
  let value: PDFObject?
  /// Whether it is a button that only does something.
  let isPushButton: Bool
  /// Whether people only read it. A program may write there what it computes.
  let isReadOnly: Bool

  var isFilled: Bool {
    switch value {
    case nil, .null?, .name("Off")?, .string([])?: false
    default: true
    }
  }
}

/// The signature fields of a form.
struct SignatureFields {
  let catalog: PDFDictionary
  let catalogNumber: Int
  /// The form's dictionary, and its object's number if it has one of its own.
  let form: PDFDictionary?
  let formNumber: Int?
  let all: [SignatureField]
  let signed: [SignatureField]
  /// The fields that people fill in, by the numbers of their objects.
  let entries: [Int: EntryField]
  private let places: [Int: Int]

  private static let mostFields = 10_000
  private static let longestName = 4096
  private static let mostSigned = 200

  init(_ file: PDFFile) throws(PDFReadError) {
    catalog = try file.catalog()
    catalogNumber = file.trailer["Root"]?.reference?.number ?? 0
    form = try file.resolve(catalog["AcroForm"]).dictionary
    formNumber = catalog["AcroForm"]?.reference?.number
    var fields: [SignatureField] = []
    var signedCount = 0
    // Kept, since many fields may share a large dictionary.
    var values: [PDFReference: PDFDictionary] = [:]
    var entries: [Int: EntryField] = [:]
    var waiting: [(number: Int, name: String, above: Inherited, depth: Int)] = []
    for number in try Self.numbers(in: form?["Fields"], file) ?? [] { waiting.append((number, "", Inherited(), 0)) }
    var seen = Set<Int>()
    while let (number, prefix, above, depth) = waiting.popLast() {
      guard let dictionary = try file.object(number).dictionary else { continue }
      guard seen.insert(number).inserted, depth < 32, seen.count <= Self.mostFields else { throw Self.tooMany }
      let own = dictionary["T"]?.text
      let name = [prefix, own ?? ""].filter { !$0.isEmpty }.joined(separator: ".")
      // Bounded, since the name of each field below begins with this one and is kept as well.
      guard name.utf8.count <= Self.longestName else { throw PDFReadError("the name of a form's field is too long") }
      let inherited = try Inherited(dictionary, above, file)
      let type = inherited.type
      if type != "Sig" || dictionary["V"] == nil, let kids = try Self.numbers(in: dictionary["Kids"], file) {
        guard waiting.count + kids.count <= Self.mostFields else { throw Self.tooMany }
        for kid in kids { waiting.append((kid, name, inherited, depth + 1)) }
      }
      if let entry = inherited.entry(name, dictionary) { entries[number] = entry }
      guard type == "Sig", own != nil || dictionary["V"] != nil else { continue }
      var signature: (PDFDictionary, Int)?
      let reference = dictionary["V"]?.reference
      var value = reference.flatMap { values[$0] }
      if value == nil { value = try file.resolve(dictionary["V"]).dictionary }
      if let value {
        if let reference { values[reference] = value }
        signature = (value, reference?.number ?? number)
        signedCount += 1
        guard signedCount <= Self.mostSigned else {
          throw PDFReadError("it has more than \(Self.mostSigned) signatures")
        }
      }
      fields.append(SignatureField(name: name, number: number, dictionary: dictionary, signature: signature))
    }
    all = fields
    signed = fields.filter { $0.signature != nil }
    self.entries = entries
    places = Dictionary(fields.enumerated().map { ($1.number, $0) }) { first, _ in first }
  }

  /// What a field has from the one around it.
  private struct Inherited {
    var type: String?
    var flags = 0
    var value: PDFObject?

    init() {}

    init(_ dictionary: PDFDictionary, _ above: Inherited, _ file: PDFFile) throws(PDFReadError) {
      type = try file.resolve(dictionary["FT"]).name ?? above.type
      flags = try file.resolve(dictionary["Ff"]).integer ?? above.flags
      value = dictionary["V"] ?? above.value
    }

    private static let readOnly = 1
    private static let pushButton = 1 << 16

    /// The field that people fill in; nil if it is another one, or if a page shows it as something else.
    func entry(_ name: String, _ dictionary: PDFDictionary) -> EntryField? {
      guard let type, ["Btn", "Ch", "Tx"].contains(type) else { return nil }
      guard dictionary["Subtype"] ?? .name("Widget") == .name("Widget") else { return nil }
      return EntryField(
        name: name, value: value, isPushButton: type == "Btn" && flags & Self.pushButton != 0,
        isReadOnly: flags & Self.readOnly != 0)
    }
  }

  private static let tooMany = PDFReadError("the form's fields lead in a circle, or are too many")

  /// The numbers of the fields in a list, last first; nil if there is no list.
  private static func numbers(in list: PDFObject?, _ file: PDFFile) throws(PDFReadError) -> [Int]? {
    guard let numbers = try file.resolve(list).array?.compactMap(\.reference?.number) else { return nil }
    guard numbers.count <= mostFields else { throw tooMany }
    return numbers.reversed()
  }

  /// The field that is this object.
  func field(_ number: Int) -> SignatureField? { places[number].map { all[$0] } }

  /// The empty field that a request's signature goes into; nil if it needs a new one.
  func empty(for request: SealRequest, isTimeStamp: Bool, _ file: PDFFile) throws(PDFReadError) -> SignatureField? {
    guard request.place != nil else { return try place(request.field, isTimeStamp: isTimeStamp, file) }
    if let name = request.field, all.contains(where: { $0.name == name }) {
      throw PDFReadError("its field '\(name)' is there already, at a place of its own")
    }
    return nil
  }

  /// The empty field that a signature goes into; nil if it needs a new one.
  ///
  /// - Parameter name: the requested field; nil for any.
  func place(_ name: String?, isTimeStamp: Bool, _ file: PDFFile) throws(PDFReadError) -> SignatureField? {
    for field in all where field.signature == nil {
      if let name {
        if field.name == name { return field }
      } else if isTimeStamp {
        // A time stamp only goes into a spare field: other fields are for people. It avoids a locked field, where other
        // programs would take it for a forbidden change.
        if field.isSpare, try lock(on: field.name, file) == nil { return field }
      } else {
        return field
      }
    }
    return nil
  }

  /// What the certifying signature permits afterwards: 1 nothing, 2 to fill in and sign, 3 also to comment.
  func permission(_ file: PDFFile) throws(PDFReadError) -> Int? {
    for field in signed {
      guard let dictionary = field.signature?.dictionary else { continue }
      if let permission = try SignatureRules(dictionary, file).permission { return permission }
    }
    return nil
  }

  /// The name of the signed field whose signature locks the field `name`; nil if none does.
  func lock(on name: String, _ file: PDFFile) throws(PDFReadError) -> String? {
    for field in signed {
      guard let dictionary = field.signature?.dictionary else { continue }
      guard let lock = try SignatureRules(dictionary, file).lock else { continue }
      if LockedFields(lock).contains(name) { return field.name }
    }
    return nil
  }
}
