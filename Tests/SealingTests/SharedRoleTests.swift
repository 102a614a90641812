import PDF
import Sealing
import TestSupport
import Testing

/// Files in which something that may change after a signature, such as a field of the form, is also what a page shows.
@Suite struct SharedRoleTests {
  /// An entry of an object, and what it refers to or is.
  struct Edit {
    let number: Int
    let entry: String
    let value: PDFObject

    init(_ number: Int, _ entry: String, _ value: PDFObject) {
      (self.number, self.entry, self.value) = (number, entry, value)
    }
  }

  /// A page that shows the drawing 20, and an edit by which it would show the drawing 21.
  struct Case: CustomTestStringConvertible {
    let testDescription: String
    var permission: SealRequest.Permission?
    /// What is added to the page, to the catalog, and to the form if the catalog has none.
    var page = ""
    var catalog: String?
    var fields = ""
    var objects: [Int: String] = [:]
    let edits: [Edit]
    let words: String
  }

  private static let emptySeal = "<</Type/Annot/Subtype/Widget/FT/Sig/T(seal)/F 132/P 3 0 R/Rect[0 0 0 0]>>"

  private static func signed(_ one: Case) async throws -> [UInt8] {
    let catalog = one.catalog ?? "/AcroForm<</Fields[6 0 R\(one.fields)]>>"
    var file = RawPDF.page("/Annots[6 0 R]\(one.page)", catalog: catalog)
    file.add(6, emptySeal)
    for (number, body) in one.objects.sorted(by: { $0.key < $1.key }) { file.add(number, body) }
    file.add(stream: Array("0 0 9 9 re f".utf8), "/Type/XObject/Subtype/Form", as: 20)
    file.add(stream: Array("0 0 90 90 re f".utf8), "/Type/XObject/Subtype/Form", as: 21)
    file.finish()
    var request = SealRequest(permission: one.permission)
    request.field = "seal"
    let pdf = try await Samples.seal(file.bytes, request)
    #expect(Samples.verify(pdf).verdict == .passed, "\(Samples.verify(pdf).lines)")
    return pdf
  }

  private static func edited(_ pdf: [UInt8], _ edits: [Edit]) throws -> [UInt8] {
    let file = try PDFFile(pdf)
    var writer = try RevisionWriter(file)
    var changed: [Int: PDFDictionary] = [:]
    for edit in edits {
      if case .stream = edit.value {
        writer.write(edit.value, as: PDFReference(edit.number))
        continue
      }
      var dictionary = try changed[edit.number] ?? file.object(edit.number).dictionary ?? [:]
      dictionary[edit.entry] = edit.value
      changed[edit.number] = dictionary
    }
    for (number, dictionary) in changed.sorted(by: { $0.key < $1.key }) {
      writer.write(.dictionary(dictionary), as: PDFReference(number))
    }
    return writer.finish().bytes
  }

  private static func reference(_ number: Int) -> PDFObject { .reference(PDFReference(number)) }

  /// A drawing, written anew.
  private static func drawing(_ entries: PDFDictionary = [:]) -> PDFObject {
    let bytes = Array("0 0 90 9 re f".utf8)
    var dictionary: PDFDictionary = [
      "Type": .name("XObject"), "Subtype": .name("Form"), "Length": .integer(bytes.count),
    ]
    for entry in entries.entries { dictionary[entry.name] = entry.value }
    return .stream(PDFStream(dictionary, bytes))
  }

  private static let filled = [Edit(7, "M", reference(21)), Edit(7, "V", .text("x"))]
  private static let looked = [Edit(7, "AP", .dictionary(["N": reference(21)])), Edit(7, "V", .text("x"))]
  private static let font = "/Type/Font/Subtype/Type1/BaseFont/Helvetica"

  static let cases: [Case] = [
    Case(
      testDescription: "the list of drawings is listed as a field", permission: .signing,
      page: "/Resources<</XObject 7 0 R>>", fields: " 7 0 R", objects: [7: "<</M 20 0 R>>"], edits: filled,
      words: "object 7 was changed"),
    Case(
      testDescription: "the list of drawings says that it is a field", permission: .signing,
      page: "/Resources<</XObject 7 0 R>>", fields: " 7 0 R", objects: [7: "<</FT/Tx/T(a)/M 20 0 R>>"], edits: filled,
      words: "object 7 was changed"),
    Case(
      testDescription: "the list of fonts says that it is a field", permission: .signing,
      page: "/Resources<</Font 7 0 R>>", fields: " 7 0 R",
      objects: [7: "<</FT/Tx/T(a)/M 10 0 R>>", 10: "<<\(font)>>", 11: "<<\(font)/Encoding<<>> >>"],
      edits: [Edit(7, "M", reference(11)), Edit(7, "V", .text("x"))], words: "object 7 was changed"),
    Case(
      testDescription: "a font says that it is a field", permission: .signing,
      page: "/Resources<</Font<</F 7 0 R>> >>", fields: " 7 0 R", objects: [7: "<<\(font)/FT/Tx/T(a)>>"],
      edits: filled, words: "a font was changed"),
    Case(
      testDescription: "a stamp says that it is a field", permission: .signing,
      fields: " 7 0 R",
      objects: [
        3: "<</Type/Page/Parent 2 0 R/MediaBox[0 0 90 90]/Contents 4 0 R/Annots[6 0 R 7 0 R]>>",
        7: "<</Type/Annot/Subtype/Stamp/FT/Tx/T(a)/Rect[0 0 90 90]/AP<</N 20 0 R>> >>",
      ], edits: looked, words: "something that lies on a page was changed"),
    Case(
      testDescription: "a drawing says that it is a field for a signature",
      page: "/Resources<</XObject<</X 7 0 R>> >>", fields: " 7 0 R",
      objects: [7: "<</Type/XObject/Subtype/Form/FT/Sig/T(x)/Length 13>>\nstream\n0 0 09 9 re f\nendstream"],
      edits: [Edit(7, "", drawing(["FT": .name("Sig"), "T": .text("x")]))], words: "the field 'x' was changed"),
    Case(
      testDescription: "the list of drawings says that it is a field for a signature",
      page: "/Resources<</XObject 7 0 R>>", fields: " 7 0 R",
      objects: [7: "<</FT/Sig/T(x)/Rect[0 0 0 0]/AP 20 0 R>>"],
      edits: [Edit(7, "AP", reference(21)), Edit(7, "V", .dictionary(["Type": .name("DocTimeStamp")]))],
      words: "the field 'x' was changed: its /AP"),
    Case(
      testDescription: "what draws a field has a part that a page draws", permission: .signing,
      page: "/Resources<</XObject 8 0 R>>", fields: " 7 0 R",
      objects: [7: "<</FT/Tx/T(a)/AP 8 0 R>>", 8: "<</N 20 0 R>>"],
      edits: [Edit(7, "V", .text("x")), Edit(20, "", drawing())], words: "object 20 was changed"),
    Case(
      testDescription: "the catalog is the list of drawings", page: "/Resources<</XObject 1 0 R>>",
      catalog: "/Extensions 20 0 R/AcroForm<</Fields[6 0 R]>>", edits: [Edit(1, "Extensions", reference(21))],
      words: "object 1 was changed"),
    Case(
      testDescription: "the form is the list of drawings", permission: .signing,
      page: "/Resources<</XObject 7 0 R>>", catalog: "/AcroForm 7 0 R",
      objects: [7: "<</Fields[6 0 R]/NeedAppearances 20 0 R/SigFlags 3>>"],
      edits: [Edit(7, "NeedAppearances", reference(21))], words: "object 7 was changed"),
    Case(
      testDescription: "a page is the list of drawings", permission: .nothing,
      objects: [
        2: "<</Type/Pages/Kids[3 0 R 5 0 R]/Count 2>>",
        5: "<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R/Resources<</XObject 5 0 R>>/Annots 20 0 R>>",
      ], edits: [Edit(5, "Annots", reference(21))], words: "page 2 was changed: its /Annots"),
    Case(
      testDescription: "the page's resources are in the store of proofs", permission: .nothing,
      page: "/Resources 8 0 R", catalog: "/DSS<</VRI<</A 8 0 R>> >>/AcroForm<</Fields[6 0 R]>>",
      objects: [8: "<</XObject 9 0 R>>", 9: "<</X 20 0 R>>"], edits: [Edit(9, "X", reference(21))],
      words: "object 9 was changed"),
    Case(
      testDescription: "the page's resources are the store of proofs", page: "/Resources 8 0 R",
      catalog: "/DSS 8 0 R/AcroForm<</Fields[6 0 R]>>",
      objects: [8: "<</XObject 9 0 R>>", 9: "<</X 20 0 R>>"], edits: [Edit(9, "X", reference(21))],
      words: "object 9 was changed"),
    Case(
      testDescription: "the page's resources are those of the form", page: "/Resources 8 0 R",
      catalog: "/AcroForm<</Fields[6 0 R]/DR 8 0 R>>", objects: [8: "<</XObject 9 0 R>>", 9: "<</X 20 0 R>>"],
      edits: [Edit(9, "Y", reference(21))], words: "object 9 was changed"),
  ]

  @Test("what a page shows does not change as something else would", arguments: cases)
  func shared(one: Case) async throws {
    let report = Samples.verify(try Self.edited(try await Self.signed(one), one.edits))
    let first = try #require(report.signatures.first { $0.field == "seal" })
    #expect(first.verdict == .failed, "\(report.lines)")
    #expect(first.changes.contains { !$0.isExpected && $0.description.hasPrefix(one.words) }, "\(report.lines)")
  }

  @Test("a field is filled in that forms, a page, actions and the structure refer to, and its look is drawn anew")
  func fields() async throws {
    let one = Case(
      testDescription: "", permission: .signing,
      catalog: "/AcroForm<</Fields[6 0 R 7 0 R]/CO[8 0 R]>>/StructTreeRoot 10 0 R",
      objects: [
        3: "<</Type/Page/Parent 2 0 R/MediaBox[0 0 90 90]/Contents 4 0 R/Annots 12 0 R>>",
        7: "<</FT/Tx/T(a)/Kids 11 0 R>>",
        8: "<</Type/Annot/Subtype/Widget/Parent 7 0 R/P 3 0 R/T(b)/Rect[0 0 9 9]/AP 13 0 R>>",
        9: "<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/ResetForm/Fields[7 0 R 8 0 R]>> >>",
        10: "<</Type/StructTreeRoot/K<</Type/OBJR/Obj 8 0 R/Pg 3 0 R>> >>", 11: "[8 0 R]", 12: "[6 0 R 8 0 R 9 0 R]",
        13: "<</N 20 0 R>>",
      ], edits: [Edit(8, "V", .text("x")), Edit(20, "", Self.drawing())], words: "")
    let report = Samples.verify(try Self.edited(try await Self.signed(one), one.edits))
    #expect(report.verdict == .passed, "\(report.lines)")
    #expect(report.lines.contains { $0.hasSuffix("the field 'a.b' was filled in") }, "\(report.lines)")
  }

  @Test(
    "fonts are added for the form's fields, and none is exchanged for one that has more in it",
    arguments: ["/DR<</Font<<FONTS>> >>", "/DR<</Font 9 0 R>>", "/DR 8 0 R"], [true, false])
  func fonts(resources: String, isAdded: Bool) async throws {
    let fonts = "/Helv 10 0 R"
    let form = resources.replacing("FONTS", with: fonts)
    var one = Case(
      testDescription: "", catalog: "/AcroForm 7 0 R",
      objects: [
        7: "<</Fields[6 0 R]\(form)/SigFlags 3>>", 10: "<<\(Self.font)>>",
        11: "<<\(Self.font)/Encoding<</Differences[65/B]>> >>",
      ], edits: [], words: "")
    if form.contains("8 0 R") { one.objects[8] = "<</Font 9 0 R>>" }
    let isDirect = form.contains(fonts)
    if !isDirect { one.objects[9] = "<<\(fonts)>>" }
    let name = isAdded ? "Late" : "Helv"
    var changed: PDFDictionary = ["Helv": Self.reference(10)]
    changed[name] = Self.reference(11)
    let edit =
      isDirect
      ? Edit(7, "DR", .dictionary(["Font": .dictionary(changed)])) : Edit(9, name, Self.reference(11))
    let report = Samples.verify(try Self.edited(try await Self.signed(one), [edit]))
    #expect(report.verdict == (isAdded ? .passed : .failed), "\(report.lines)")
  }

  @Test("what is only read may not be filled in, also where the form says so elsewhere", arguments: ["1", "30 0 R"])
  func readOnly(flags: String) async throws {
    let verdicts: [(SealRequest.Permission?, Verdict)] = [
      (nil, .indeterminate), (.nothing, .failed), (.signing, .indeterminate),
    ]
    for (permission, verdict) in verdicts {
      let one = Case(
        testDescription: "", permission: permission, fields: " 7 0 R",
        objects: [7: "<</FT/Tx/T(a)/Ff \(flags)/Subtype/Widget>>", 30: "1"], edits: [Edit(7, "V", .text("x"))],
        words: "")
      let report = Samples.verify(try Self.edited(try await Self.signed(one), one.edits))
      #expect(report.verdict == verdict, "\(report.lines)")
      #expect(report.lines.contains { $0.hasSuffix("the field 'a', which is only read, was changed") })
    }
  }

  @Test("hundreds of changes that nobody forbids do not hide one that is forbidden")
  func crowd() async throws {
    let numbers = 100..<310
    var file = RawPDF.page(
      "/Resources 400 0 R", catalog: "/AcroForm<</Fields[\(numbers.map { "\($0) 0 R" }.joined(separator: " "))]>>")
    for number in numbers { file.add(number, "<</FT/Tx/T(f\(number))>>") }
    file.add(400, "<</ProcSet[/PDF]>>")
    file.finish(size: 401)
    let pdf = try await Samples.seal(file.bytes)
    let edits = numbers.map { Edit($0, "V", .text("x")) }
    let filled = Samples.verify(try Self.edited(pdf, edits))
    #expect(filled.verdict == .indeterminate && filled.signatures[0].changes.count == 200)
    let report = Samples.verify(try Self.edited(pdf, edits + [Edit(400, "Font", .dictionary([:]))]))
    #expect(report.verdict == .failed, "\(report.summary)")
  }
}
