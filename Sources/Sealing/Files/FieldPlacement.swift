internal import PDF

/// Gives a signature a field: an empty one of the form, or a new one.
struct FieldPlacement {
  let file: PDFFile
  let fields: SignatureFields
  let request: SealRequest
  let signature: PDFReference
  let isTimeStamp: Bool

  func write(into writer: inout RevisionWriter) throws(PDFReadError) {
    let empty = try fields.empty(for: request, isTimeStamp: isTimeStamp, file)
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
      dictionary["AP"] = Self.look(width: abs(box[2] - box[0]), height: abs(box[3] - box[1]), &writer)
    }
    writer.write(.dictionary(dictionary), as: writer.reference(to: field.number))
  }

  private static func look(width: Double, height: Double, _ writer: inout RevisionWriter) -> PDFObject {
    .dictionary(["N": .reference(writer.add(SealPicture.form(width: width, height: height)))])
  }

  /// Adds a field: where the request wants it to be seen, or else just outside the first page. A field there need not
  /// be in the structure tree (ISO 14289-1, 7.18.1), which must not be changed in a signed file.
  private func addField(_ writer: inout RevisionWriter) throws(PDFReadError) -> PDFReference {
    let wanted = request.place?.page ?? 1
    guard let (page, seen) = try PageFinder(file: file).page(wanted), var dictionary = try file.object(page).dictionary
    else { throw PDFReadError(wanted == 1 ? "it has no page" : "it has no page \(wanted)") }
    let names = Set(fields.all.map(\.name))
    let base = isTimeStamp ? "TimeStamp" : "Signature"
    let free = (1...(names.count + 1)).lazy.map { "\(base)\($0)" }.first { !names.contains($0) }
    let title = PDFObject.text(isTimeStamp ? "Time stamp" : "Signature")
    var widget: PDFDictionary = [
      "Type": .name("Annot"), "Subtype": .name("Widget"), "FT": .name("Sig"),
      "T": .text(request.field ?? free ?? base), "TU": title, "Contents": title,
      "V": .reference(signature), "F": .integer(132), "P": .reference(writer.reference(to: page)),
    ]
    if let place = request.place {
      widget["Rect"] = try Self.box(place, in: seen)
      widget["AP"] = Self.look(width: place.width, height: place.height, &writer)
    } else {
      let (x, y) = (PDFObject.real(seen.left - 1), PDFObject.real(seen.bottom - 1))
      widget["Rect"] = .array([x, y, x, y])
    }
    let field = writer.add(.dictionary(widget))
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

  private static func box(_ place: SealPlace, in seen: PageFinder.Area) throws(PDFReadError) -> PDFObject {
    let numbers = [place.x, place.y, place.width, place.height]
    guard numbers.allSatisfy(\.isFinite), place.x >= 0, place.y >= 0, place.width > 1, place.height > 1,
      place.x + place.width <= seen.right - seen.left, place.y + place.height <= seen.top - seen.bottom
    else {
      throw PDFReadError(
        "the field would not be wholly on page \(place.page), which is \(Int(seen.right - seen.left)) by "
          + "\(Int(seen.top - seen.bottom)) points")
    }
    let (left, bottom) = (seen.left + place.x, seen.bottom + place.y)
    return .array([.real(left), .real(bottom), .real(left + place.width), .real(bottom + place.height)])
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
