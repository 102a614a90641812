import Base
import PDF
import Sealing
import TestSupport
import Testing

/// Revisions behind a signature that change what is shown, written so that a lax comparison would not see it.
@Suite struct HostileRevisionTests {
  private static func signed(_ file: RawPDF) async throws -> [UInt8] {
    let pdf = try await Samples.seal(file.bytes)
    #expect(Samples.verify(pdf).verdict == .passed, "\(Samples.verify(pdf).lines)")
    return pdf
  }

  /// What goes on from a signed file.
  private static func after(_ pdf: [UInt8]) throws -> RawPDF { RawPDF.after(pdf, table: try PDFFile(pdf).start) }

  private static func report(_ file: RawPDF, _ verdict: Verdict = .failed) -> String {
    let report = Samples.verify(file.bytes)
    #expect(report.verdict == verdict, "\(report.lines)")
    return report.lines.joined(separator: "\n")
  }

  @Test("an object that only says that it is packaging is looked at", arguments: ["XRef", "ObjStm"])
  func disguised(type: String) async throws {
    var file = RawPDF.page(content: "/Type/\(type)/N 0/First 0")
    file.finish()
    var later = try Self.after(try await Self.signed(file))
    later.add(stream: Array("0 0 90 90 re f".utf8), "/Type/\(type)/N 0/First 0", as: 4)
    later.finish()
    #expect(Self.report(later).contains("the text or drawing on page 1 was changed"))
  }

  @Test("an object that gets another generation is hidden from who refers to it")
  func generations() async throws {
    var file = RawPDF.page()
    let place = file.offset(4)
    file.finish()
    let pdf = try await Self.signed(file)
    var later = try Self.after(pdf)
    later.finish([4: RawPDF.entry(place, generation: 1)])
    #expect(Self.report(later, .indeterminate).contains("object 4 is said to be of generation 1, and is of 0"))
    // Also where it is written again.
    var again = try Self.after(pdf)
    again.add(4, "<</Length 12>>\nstream\n0 0 9 9 re f\nendstream", generation: 1)
    again.finish([4: again.entry(4, generation: 1)])
    #expect(Self.report(again).contains("the text or drawing on page 1 was removed"))
  }

  /// Adds a stream of cross-references for one object, and a table that hides it.
  private static func hide(_ number: Int, at place: Int, in file: inout RawPDF, _ entries: [Int: String]) {
    let stream = file.bytes.count
    file.add(
      stream: [1, UInt8(place >> 16 & 255), UInt8(place >> 8 & 255), UInt8(place & 255), 0],
      "/Type/XRef/Size 50/W[1 3 1]/Index[\(number) 1]/Root 1 0 R", as: 40)
    file.finish(entries, trailer: "/XRefStm \(stream)")
  }

  @Test("what is hidden from old readers and is free in the table is seen to change")
  func hidden() async throws {
    var file = RawPDF.page()
    var entries: [Int: String] = [4: RawPDF.free]
    for number in 1...3 { entries[number] = file.entry(number) }
    Self.hide(4, at: file.offset(4), in: &file, entries)
    let pdf = try await Self.signed(file)
    var later = try Self.after(pdf)
    later.add(stream: Array("0 0 90 90 re f".utf8), as: 4)
    Self.hide(4, at: later.offset(4), in: &later, [4: RawPDF.free])
    #expect(Self.report(later).contains("the text or drawing on page 1 was changed"))
    // Also where nothing is exchanged, and some readers find nothing any longer.
    var gone = try Self.after(pdf)
    let place = try #require(try PDFFile(pdf).offset(of: 4))
    Self.hide(4, at: place, in: &gone, [4: RawPDF.free])
    #expect(Self.report(gone).contains("some readers look at and others do not"))
  }

  @Test(
    "values that differ by little differ",
    arguments: [("/UserUnit 1.0001", "/UserUnit 1.0009"), ("/X<</#E2#84#AA 1>>", "/X<</K 1>>"), ("/X/#FF", "/X/#FE")])
  func values(one: String, other: String) async throws {
    var file = RawPDF.page(one)
    file.finish()
    var later = try Self.after(try await Self.signed(file))
    let page = try #require(try PDFFile(later.bytes).object(3).dictionary)
    var bytes: [UInt8] = []
    bytes.append(.dictionary(page))
    let text = String(decoding: bytes, as: UTF8.self)
    let changed = text.replacing(one, with: other)
    #expect(changed != text, "\(text)")
    later.add(3, changed)
    later.finish()
    #expect(Self.report(later).contains("page 1 was changed: its /"))
  }

  @Test("an empty field that is seen gets no new look without being signed", arguments: [false, true])
  func look(isCertified: Bool) async throws {
    var file = RawPDF.page("/Annots[6 0 R 7 0 R]", catalog: "/AcroForm<</Fields[6 0 R 7 0 R]>>")
    for (number, name) in [(6, "seal"), (7, "witness")] {
      file.add(
        number, "<</Type/Annot/Subtype/Widget/FT/Sig/T(\(name))/F 132/P 3 0 R/Rect[10 10 60 \(20 * number - 100)]>>")
    }
    file.finish()
    var request = SealRequest(permission: isCertified ? .nothing : nil)
    request.field = "seal"
    let pdf = try await Samples.seal(file.bytes, request)
    #expect(Samples.verify(pdf).verdict == .passed, "\(Samples.verify(pdf).lines)")
    var writer = try RevisionWriter(PDFFile(pdf))
    var field = try #require(try PDFFile(pdf).object(7).dictionary)
    let drawing = Array("0 0 50 20 re f".utf8)
    let form: PDFDictionary = ["Type": .name("XObject"), "Subtype": .name("Form"), "Length": .integer(drawing.count)]
    field["AP"] = .dictionary(["N": .reference(writer.add(.stream(PDFStream(form, drawing))))])
    writer.write(.dictionary(field), as: PDFReference(7))
    let report = Samples.verify(writer.finish().bytes)
    #expect(report.verdict == .failed, "\(report.lines)")
    #expect(report.lines.joined().contains("the field 'witness' was changed: its /AP"), "\(report.lines)")
  }

  @Test(
    "a time that somebody has attested in an empty field gives it no look; a signature does",
    arguments: [
      ("Sig", "[10 10 60 40]", "/AP<</N 8 0 R>>", true), ("DocTimeStamp", "[10 10 60 40]", "", true),
      ("DocTimeStamp", "[10 10 60 40]", "/AP<</N 8 0 R>>", false), ("DocTimeStamp", "[10 10 60 40]", "/AP<<>>", false),
      ("DocTimeStamp", "[0 0 0 0]", "/AP<</N 8 0 R>>", false), ("DocTimeStamp", "[0 0 0 0]", "/AP<</N 9 0 R>>", true),
      ("DocTimeStamp", "[0 0 0 0]", "/AP<<>>", true),
    ])
  func lookOfTimes(type: String, box: String, look: String, isExpected: Bool) async throws {
    let field = "/Type/Annot/Subtype/Widget/FT/Sig/T(witness)/F 132/P 3 0 R/Rect\(box)"
    var file = RawPDF.page("/Annots[7 0 R]", catalog: "/AcroForm<</Fields[7 0 R]>>")
    file.add(7, "<<\(field)>>")
    file.add(stream: Array("0 0 50 20 re f".utf8), "/Type/XObject/Subtype/Form", as: 8)
    file.add(stream: [], "/Type/XObject/Subtype/Form", as: 9)
    file.finish()
    var request = SealRequest()
    request.field = "seal"
    var later = try Self.after(try await Samples.seal(file.bytes, request))
    later.add(7, "<<\(field)\(look)/V<</Type/\(type)>>>>")
    later.finish()
    let first = try #require(Samples.verify(later.bytes).signatures.first { $0.field == "seal" })
    let unexpected = first.changes.filter { !$0.isExpected }.map(\.description)
    #expect(unexpected == (isExpected ? [] : ["the field 'witness' was changed: its /AP"]))
    #expect(first.changes.count == (isExpected ? 1 : 2), "\(first.changes)")
  }

  /// A revision with one more field, which the form lists and which lies on the page.
  private static func adding(_ field: String, to pdf: [UInt8]) throws -> [UInt8] {
    let file = try PDFFile(pdf)
    var writer = try RevisionWriter(file)
    let own = writer.reserve()
    writer.write(bytes: Array(field.utf8), as: own)
    var page = try #require(try file.object(3).dictionary)
    page["Annots"] = .array((page["Annots"]?.array ?? []) + [PDFObject.reference(own)])
    writer.write(.dictionary(page), as: PDFReference(3))
    var catalog = try file.catalog()
    var form = try #require(catalog["AcroForm"]?.dictionary)
    form["Fields"] = .array((form["Fields"]?.array ?? []) + [PDFObject.reference(own)])
    catalog["AcroForm"] = .dictionary(form)
    writer.write(.dictionary(catalog), as: PDFReference(1))
    return writer.finish().bytes
  }

  @Test(
    "a field that came later is a signature and nothing besides, or a change",
    arguments: [
      ("Widget", "/V<<>>/TU(x)/Contents(x)/DA(/Helv 0 Tf)/MK<<>>/AP<<>>", ""),
      ("Widget", "", "which was added, is not signed"), ("Ink", "/InkList[[20 90 80 90]]", "is not signed"),
      ("Ink", "/V<<>>/C[1 1 1]/InkList[[20 90 80 90]]", "is no widget, so that a page may show it"),
      ("Widget", "/V<<>>/AA<<>>", "has something besides a signature: /AA"),
      ("Widget", "/V<<>>/Kids[]", "has something besides a signature: /Kids"),
      ("Widget", "/V<<>>/MK<</BC[0]>>", "has a frame"),
      ("Widget", "/V<<>>/AP<</N 4 0 R>>", "shows something in no room at all"),
    ])
  func newFields(kind: String, entries: String, words: String) async throws {
    var file = RawPDF.page()
    file.finish()
    let field = "<</Type/Annot/Subtype/\(kind)/FT/Sig/T(x)/F 4/P 3 0 R/Rect[0 0 0 0]\(entries)>>"
    let report = Samples.verify(try Self.adding(field, to: try await Self.signed(file)))
    let first = try #require(report.signatures.first { $0.field == "Signature1" })
    let unexpected = first.changes.filter { !$0.isExpected }.map(\.description)
    guard !words.isEmpty else {
      #expect(unexpected == [])
      return
    }
    #expect(report.verdict == .failed)
    #expect(unexpected.count == 2, "\(unexpected)")
    #expect(unexpected.contains { $0.hasSuffix(words) } && unexpected.contains("something was laid on page 1"))
  }

  @Test(
    "a list that has another role besides is no place for changes",
    arguments: [
      ("", "", ""), ("/B 6 0 R", "", "object 6 was changed"), ("", "/Threads 7 0 R", "object 7 was changed"),
    ])
  func twoRoles(page: String, catalog: String, words: String) async throws {
    var file = RawPDF.page("/Annots 6 0 R\(page)", catalog: "/AcroForm<</Fields 7 0 R>>\(catalog)")
    file.add(6, "[]")
    file.add(7, "[]")
    file.finish()
    let report = Samples.verify(try await Samples.seal(try await Self.signed(file), key: Samples.second))
    let unexpected = report.signatures[0].changes.filter { !$0.isExpected }.map(\.description)
    #expect(unexpected.joined() == words)
  }

  @Test("metadata that has another role besides is no place for changes")
  func metadataOfTwoRoles() async throws {
    func xmp(_ day: Int) -> [UInt8] { Array("<x><xmp:ModifyDate>2026-09-0\(day)</xmp:ModifyDate></x>".utf8) }
    var file = RawPDF.page("/Thumb 9 0 R", catalog: "/Metadata 9 0 R")
    file.add(stream: xmp(1), "/Type/Metadata/Subtype/XML", as: 9)
    file.finish()
    var later = try Self.after(try await Self.signed(file))
    later.add(stream: xmp(2), "/Type/Metadata/Subtype/XML", as: 9)
    later.finish()
    #expect(Self.report(later).contains("the metadata was changed"))
  }

  @Test("a store of proofs that shows something on a page besides is no place for changes")
  func sharedProofs() async throws {
    var file = RawPDF.page("/Resources 8 0 R", catalog: "/DSS 8 0 R")
    file.add(8, "<</Font<<>>>>")
    file.finish()
    var later = try Self.after(try await Self.signed(file))
    later.add(8, "<</Font<</F1 <</Type/Font>> >> >>")
    later.finish()
    #expect(Self.report(later).contains("object 8 was changed"))
  }

  @Test("metadata may say that the file was saved again, and nothing else", arguments: [true, false])
  func metadata(isDate: Bool) async throws {
    func xmp(_ title: String, _ date: String) -> [UInt8] {
      let spaces = "xmlns:dc='http://purl.org/dc/elements/1.1/' xmlns:xmp='http://ns.adobe.com/xap/1.0/'"
      let rdf = "xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' \(spaces)"
      let properties = "<dc:title>\(title)</dc:title><xmp:ModifyDate>\(date)</xmp:ModifyDate>"
      return Array("<rdf:RDF \(rdf)><rdf:Description>\(properties)</rdf:Description></rdf:RDF>".utf8)
    }
    var file = RawPDF.page(catalog: "/Metadata 9 0 R")
    file.add(stream: xmp("Consent 2026-01-01", "2026-09-01T10:00:00Z"), "/Type/Metadata/Subtype/XML", as: 9)
    file.finish()
    var later = try Self.after(try await Self.signed(file))
    let changed =
      isDate
      ? xmp("Consent 2026-01-01", "2026-09-02T11:30:00+02:00") : xmp("Consent 2026-01-02", "2026-09-01T10:00:00Z")
    later.add(stream: changed, "/Type/Metadata/Subtype/XML", as: 9)
    later.finish()
    let report = Samples.verify(later.bytes)
    #expect(report.verdict == (isDate ? .passed : .indeterminate), "\(report.lines)")
    // A date that is none.
    later.add(stream: xmp("Consent 2026-01-01", "yesterday"), "/Type/Metadata/Subtype/XML", as: 9)
    later.finish()
    #expect(Self.report(later, .indeterminate).contains("the metadata was changed"))
  }

  @Test(
    "metadata is compared as what it states, however it is written",
    arguments: [
      ("<dc:a>x</dc:a>", "", " dc:a='x'", "", ""), ("<dc:a>x</dc:a>", "", "", "<dc:a rdf:resource='x'/>", ""),
      ("<dc:a rdf:parseType='Resource'><dc:b>x</dc:b></dc:a>", "", "", "<dc:a dc:b='x'/>", ""),
      ("<dc:a dc:b='x'/>", "", "", "<dc:a><rdf:Description><dc:b>x</dc:b></rdf:Description></dc:a>", ""),
      (
        "<dc:a>x</dc:a><dc:b>y</dc:b>", "", "", "<o:b xmlns:o='http://purl.org/dc/elements/1.1/'>y</o:b><dc:a>x</dc:a>",
        ""
      ),
      ("<dc:a>x</dc:a>", "", "", "<dc:a>x </dc:a>", "dc:a"), ("<dc:a>x</dc:a>", "", "", "", "dc:a"),
      ("<dc:a>x</dc:a>", "", "", "<dc:a xml:lang='de'>x</dc:a>", "dc:a"),
      ("<dc:a>x</dc:a>", "", "", "<o:a xmlns:o='urn:o'>x</o:a>", "dc:a, urn:o a"),
      (
        "<dc:a><rdf:Seq><rdf:li>x</rdf:li><rdf:li>y</rdf:li></rdf:Seq></dc:a>", "", "",
        "<dc:a><rdf:Seq><rdf:li>y</rdf:li><rdf:li>x</rdf:li></rdf:Seq></dc:a>", "dc:a"
      ),
      ("<dc:a>x</dc:a>", "", "", "<dc:a>x</dc:a><dc:a>y</dc:a>", "cannot be compared"),
      ("<dc:a>x</dc:a>", "<!DOCTYPE x [<!ENTITY x 'x'>]>", "", "<dc:a>&x;</dc:a>", "cannot be compared"),
      ("<dc:a>x</dc:a>", "", "", "<dc:a rdf:parseType='Literal'>x</dc:a>", "cannot be compared"),
    ])
  func statements(before: String, head: String, attributes: String, after: String, words: String) async throws {
    func xmp(_ head: String, _ attributes: String, _ properties: String) -> [UInt8] {
      let spaces = "xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns:dc='http://purl.org/dc/elements/1.1/'"
      let about = "<rdf:Description rdf:about=''\(attributes)>\(properties)</rdf:Description>"
      return Array("\(head)<rdf:RDF \(spaces)>\(about)</rdf:RDF>".utf8)
    }
    var file = RawPDF.page(catalog: "/Metadata 9 0 R")
    file.add(stream: xmp("", "", before), "/Type/Metadata/Subtype/XML", as: 9)
    file.finish()
    var later = try Self.after(try await Self.signed(file))
    later.add(stream: xmp(head, attributes, after), "/Type/Metadata/Subtype/XML", as: 9)
    later.finish()
    let report = Samples.verify(later.bytes)
    #expect(report.verdict == (words.isEmpty ? .passed : .indeterminate), "\(report.lines)")
    #expect(report.lines.contains { $0.contains("the metadata was changed") && $0.contains(words) } || words.isEmpty)
  }

  @Test(
    "the document's properties may say when and by which program the file was saved again, and nothing else",
    arguments: [
      ("/Title(one)/ModDate(D:2027)/Producer(two)/Creator(a)", "", .passed),
      ("/Title(one)/ModDate(D:2027)/Producer(one)/Creator(a)", "/X 9 0 R", .failed),
      ("/Title(two)/ModDate(D:2026)/Producer(one)/Creator(a)", "", .indeterminate),
      ("/Title(one)/ModDate(D:2026)/Producer(one)/Creator(b)", "", .indeterminate),
      ("/Title(one)/ModDate(D:2026)/Creator(a)", "", .indeterminate),
      ("/Title(one)/ModDate(D:2026)/Producer 4 0 R/Creator(a)", "", .indeterminate),
    ] as [(String, String, Verdict)])
  func properties(changed: String, catalog: String, verdict: Verdict) async throws {
    var file = RawPDF.page(catalog: catalog)
    file.add(9, "<</Title(one)/ModDate(D:2026)/Producer(one)/Creator(a)>>")
    file.finish(trailer: "/Info 9 0 R")
    var later = try Self.after(try await Self.signed(file))
    later.add(9, "<<\(changed)>>")
    later.finish(trailer: "/Info 9 0 R")
    let words = verdict == .passed ? "say that the file was saved again" : "were changed"
    #expect(Self.report(later, verdict).contains("the document's properties \(words)"))
  }

  @Test(
    "the same counts for files with streams of cross-references, unless something shows these",
    arguments: [true, false])
  func propertiesOfStreams(isValid: Bool) async throws {
    var file = RawPDF.page(isValid ? "" : "/X 20 0 R")
    file.add(9, "<</Title(one)/ModDate(D:2026)/Producer(one)>>")
    let places = [1, 2, 3, 4, 9].map { file.offset($0) } + [file.bytes.count]
    file.finish(stream: places.flatMap(RawPDF.streamEntry), "/Info 9 0 R/W[1 2 1]/Index[1 4 9 1 20 1]", as: 20)
    let pdf = try await Self.signed(file)
    var writer = try RevisionWriter(PDFFile(pdf))
    writer.write(bytes: Array("<</Title(one)/ModDate(D:2027)/Producer(two)>>".utf8), as: PDFReference(9))
    let report = Samples.verify(writer.finish().bytes)
    #expect(report.verdict == (isValid ? .passed : .failed), "\(report.lines)")
  }

  @Test("a list that older cross-references show is no place for changes, in whichever order these show each other")
  func listOfStreams() async throws {
    var file = RawPDF.page("/Annots 6 0 R/X 30 0 R")
    file.add(6, "[]")
    let places = [1, 2, 3, 4, 6].map { file.offset($0) } + [file.bytes.count]
    file.finish(stream: places.flatMap(RawPDF.streamEntry), "/W[1 2 1]/Index[1 4 6 1 20 1]/B 6 0 R", as: 20)
    file.finish(stream: RawPDF.streamEntry(file.bytes.count), "/W[1 2 1]/Index[30 1]/Y 20 0 R", as: 30)
    let report = Samples.verify(try await Samples.seal(try await Self.signed(file), key: Samples.second))
    let unexpected = report.signatures[0].changes.filter { !$0.isExpected }.map(\.description)
    #expect(unexpected == ["object 1 was changed", "object 6 was changed"])
  }

  @Test("a signature in an empty field may have a look that is packed in another way; a time may not")
  func packedLook() async throws {
    for (type, isExpected) in [("Sig", true), ("DocTimeStamp", false)] {
      let field = "/Type/Annot/Subtype/Widget/FT/Sig/T(witness)/F 132/P 3 0 R/Rect[0 0 0 0]"
      var file = RawPDF.page("/Annots[7 0 R]", catalog: "/AcroForm<</Fields[7 0 R]>>")
      file.add(7, "<<\(field)>>")
      file.finish()
      var request = SealRequest()
      request.field = "seal"
      var later = try Self.after(try await Samples.seal(file.bytes, request))
      later.add(stream: Array("~>".utf8), "/Type/XObject/Subtype/Form/Filter/ASCII85Decode", as: 70)
      later.add(7, "<<\(field)/AP<</N 70 0 R>>/V<</Type/\(type)>>>>")
      later.finish()
      let first = try #require(Samples.verify(later.bytes).signatures.first { $0.field == "seal" })
      #expect(first.faults == [])
      let unexpected = first.changes.filter { !$0.isExpected }.map(\.description)
      #expect(unexpected == (isExpected ? [] : ["the field 'witness' was changed: its /AP"]))
    }
  }

  @Test("after a certificate that permits nothing, the time is attested, and nobody signs")
  func certified() async throws {
    let final = try await Samples.seal(Samples.document, SealRequest(permission: .nothing), stamper: Samples.stamper)
    let archived = try await Samples.sealer(stamper: Samples.stamper).addDocumentTime(to: final, now: Samples.now)
    let report = Samples.verify(archived)
    #expect(report.verdict == .passed, "\(report.lines)")
    let changes = report.signatures[0].changes.map(\.description)
    let times = changes.count { $0.hasPrefix("the time was attested in ") }
    #expect(times == 1, "\(changes)")
    let said = try await Tool.pyHanko(archived)
    #expect(said.contains("The signature is judged VALID") && !said.contains("INVALID"), "\(said)")
    // A signature that no writer of ours would make.
    var writer = try RevisionWriter(PDFFile(final))
    let fields = try #require(try PDFFile(final).catalog()["AcroForm"]?.dictionary)
    let value = writer.add(.dictionary(["Type": .name("Sig")]))
    let field = writer.add(
      .dictionary(["FT": .name("Sig"), "T": .text("more"), "V": .reference(value)]))
    var catalog = try PDFFile(final).catalog()
    var form = fields
    form["Fields"] = .array((form["Fields"]?.array ?? []) + [.reference(field)])
    catalog["AcroForm"] = .dictionary(form)
    let number = try #require(try PDFFile(final).trailer["Root"]?.reference?.number)
    writer.write(.dictionary(catalog), as: writer.reference(to: number))
    let signed = Samples.verify(writer.finish().bytes)
    let first = try #require(signed.signatures.first { $0.kind == .certification })
    #expect(first.isChangedAfterwards)
    #expect(first.changes.contains { $0.description.hasSuffix("permits no signature after it") }, "\(signed.lines)")
  }
}
