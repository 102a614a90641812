internal import PDF

/// Gives a signature a field: an empty one of the form, or a new one.
struct FieldPlacement {
  let file: PDFFile
  let fields: SignatureFields
  let request: SealRequest
  let signature: PDFReference
  let isTimeStamp: Bool

  func write(into writer: inout RevisionWriter) throws(PDFReadError) {
    let empty = try fields.place(request.field, isTimeStamp: isTimeStamp, file)
    var catalog = fields.catalog
    var isCatalogChanged = false
    if let empty {
      try fill(empty, &writer)
      if fields.form?["SigFlags"]?.integer != 3 { isCatalogChanged = try writeForm(adding: nil, &catalog, &writer) }
    } else {
      let field = try addField(&writer)
      isCatalogChanged = try writeForm(adding: field, &catalog, &writer)
    }
    if request.permission != nil {
      var permissions = try file.resolve(catalog["Perms"]).dictionary ?? [:]
      permissions["DocMDP"] = .reference(signature)
      catalog["Perms"] = .dictionary(permissions)
      isCatalogChanged = true
    }
    if isCatalogChanged { writer.write(.dictionary(catalog), as: writer.reference(to: fields.catalogNumber)) }
  }

  private func fill(_ field: SignatureField, _ writer: inout RevisionWriter) throws(PDFReadError) {
    var dictionary = field.dictionary
    dictionary["V"] = .reference(signature)
    let box = try file.resolve(dictionary["Rect"]).array?.compactMap(\.points) ?? []
    if box.count == 4, abs(box[2] - box[0]) > 1, abs(box[3] - box[1]) > 1 {
      let (width, height) = (abs(box[2] - box[0]), abs(box[3] - box[1]))
      let appearance = writer.add(SealPicture.form(width: width, height: height))
      dictionary["AP"] = .dictionary(["N": .reference(appearance)])
    }
    writer.write(.dictionary(dictionary), as: writer.reference(to: field.number))
  }

  /// Adds an invisible field just outside the first page. A field there need not be in the structure tree (ISO 14289-1,
  /// 7.18.1), which must not be changed in a signed file.
  private func addField(_ writer: inout RevisionWriter) throws(PDFReadError) -> PDFReference {
    guard let (page, corner) = try firstPage(), var dictionary = try file.object(page).dictionary else {
      throw PDFReadError("it has no page")
    }
    let names = Set(fields.all.map(\.name))
    let base = isTimeStamp ? "TimeStamp" : "Signature"
    let free = (1...(names.count + 1)).lazy.map { "\(base)\($0)" }.first { !names.contains($0) }
    let title = PDFObject.text(isTimeStamp ? "Time stamp" : "Signature")
    let (x, y) = (PDFObject.real(corner.x - 1), PDFObject.real(corner.y - 1))
    let field = writer.add(
      .dictionary([
        "Type": .name("Annot"), "Subtype": .name("Widget"), "FT": .name("Sig"),
        "T": .text(request.field ?? free ?? base), "TU": title, "Contents": title,
        "V": .reference(signature), "F": .integer(132), "P": .reference(writer.reference(to: page)),
        "Rect": .array([x, y, x, y]),
      ]))
    let list = try file.resolve(dictionary["Annots"]).array ?? []
    let annotations = PDFObject.array(list + [.reference(field)])
    if let number = dictionary["Annots"]?.reference?.number {
      writer.write(annotations, as: writer.reference(to: number))
    } else {
      dictionary["Annots"] = annotations
      writer.write(.dictionary(dictionary), as: writer.reference(to: page))
    }
    return field
  }

  /// The first page, and the lower left corner of its visible area.
  private func firstPage() throws(PDFReadError) -> (number: Int, corner: (x: Double, y: Double))? {
    var number = fields.catalog["Pages"]?.reference?.number
    // A page inherits both boxes from the nodes above it.
    var boxes: [String: [Double]] = [:]
    for _ in 0..<64 {
      guard let node = number, let dictionary = try file.object(node).dictionary else { return nil }
      for name in ["MediaBox", "CropBox"] {
        let box = try file.resolve(dictionary[name]).array?.compactMap(\.points) ?? []
        // A box with numbers beyond those of any page is ignored.
        if box.count == 4, box.allSatisfy({ abs($0) < 1_000_000 }) { boxes[name] = box }
      }
      if dictionary["Type"]?.name == "Page" {
        let box = boxes["CropBox"] ?? boxes["MediaBox"] ?? [0, 0, 0, 0]
        return (node, (min(box[0], box[2]), min(box[1], box[3])))
      }
      number = try file.resolve(dictionary["Kids"]).array?.first?.reference?.number
    }
    return nil
  }

  /// - Returns: whether the catalog was changed, so that it has to be written.
  private func writeForm(
    adding field: PDFReference?, _ catalog: inout PDFDictionary, _ writer: inout RevisionWriter
  ) throws(PDFReadError) -> Bool {
    var form = fields.form ?? [:]
    if let field {
      if let list = form["Fields"]?.reference {
        let old = try file.object(list.number).array ?? []
        writer.write(.array(old + [.reference(field)]), as: writer.reference(to: list.number))
      } else {
        form["Fields"] = .array((form["Fields"]?.array ?? []) + [.reference(field)])
      }
    }
    form["SigFlags"] = .integer(3)
    if let number = fields.formNumber {
      writer.write(.dictionary(form), as: writer.reference(to: number))
      return false
    }
    catalog["AcroForm"] = .dictionary(form)
    return true
  }
}

/// The appearance of a signed field: a frame and a tick, drawn with nothing but lines.
enum SealPicture {
  static func form(width: Double, height: Double) -> PDFObject {
    var bytes: [UInt8] = []
    func numbers(_ values: Double...) {
      for value in values {
        bytes.append(thousandths: Int((value * 1000).rounded()))
        bytes.append(UInt8(ascii: " "))
      }
    }
    bytes += "0.086 0.4 0.263 RG 0.75 w ".utf8
    numbers(0.5, 0.5, width - 1, height - 1)
    bytes += "re S ".utf8
    let size = min(width, height)
    let (x, y) = (width / 2, height / 2)
    numbers(size * 0.08)
    bytes += "w 1 J 1 j ".utf8
    numbers(x - size * 0.24, y)
    bytes += "m ".utf8
    numbers(x - size * 0.06, y - size * 0.2)
    bytes += "l ".utf8
    numbers(x + size * 0.26, y + size * 0.24)
    bytes += "l S\n".utf8
    return .stream(
      PDFStream(
        [
          "Type": .name("XObject"), "Subtype": .name("Form"),
          "BBox": .array([.integer(0), .integer(0), .real(width), .real(height)]), "Resources": .dictionary([:]),
          "Length": .integer(bytes.count),
        ], bytes))
  }
}
