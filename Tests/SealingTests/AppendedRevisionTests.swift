import PDF
import Sealing
import TestSupport
import Testing

/// What anybody could append to a sealed copy, without a key: the page is as it was signed for this reader, and another
/// one for others.
@Suite struct AppendedRevisionTests {
  /// A sealed page, and what a revision behind it is made of.
  private struct Copy {
    let pdf: [UInt8]
    /// The page as it was sealed, and with other content.
    let page: String
    let forged: String

    init(_ unsealed: RawPDF = RawPDF.page()) async throws {
      var file = unsealed
      file.finish()
      let sealed = try await Samples.seal(file.bytes)
      var bytes: [UInt8] = []
      bytes.append(try PDFFile(sealed).object(3))
      let text = String(decoding: bytes, as: UTF8.self)
      let other = text.replacing("/Contents 4 0 R", with: "/Contents 70 0 R")
      #expect(other != text)
      #expect(Samples.verify(sealed).verdict == .passed)
      (pdf, page, forged) = (sealed, text, other)
    }

    /// A revision that begins with what the forged page shows.
    func revision() throws -> RawPDF {
      var later = RawPDF.after(pdf, table: try PDFFile(pdf).start)
      later.add(stream: Array("0 0 90 90 re f".utf8), as: 70)
      return later
    }

    /// A revision whose cross-references are a stream: the page is the first object of stream 71.
    ///
    /// - Parameter others: numbers of further objects.
    func streamed(_ revision: RawPDF, page: (number: Int, index: Int) = (3, 0), _ others: [Int]) -> [UInt8] {
      var later = revision
      var entries: [UInt8] = [2, 0, 0, 71, UInt8(page.index)]
      for place in others.map({ later.offset($0) }) + [later.bytes.count] {
        entries += [1, UInt8(place >> 16 & 255), UInt8(place >> 8 & 255), UInt8(place & 255), 0]
      }
      let index = "[\(page.number) 1 " + (others + [80]).map { "\($0) 1" }.joined(separator: " ") + "]"
      later.finish(stream: entries, "/W[1 3 1]/Index\(index)", as: 80)
      return later.bytes
    }
  }

  private static func expectNotValid(_ pdf: [UInt8], _ words: String, _ verdict: Verdict = .failed) {
    let report = Samples.verify(pdf)
    #expect(report.verdict == verdict, "\(report.lines)")
    #expect(report.lines.joined().contains(words), "\(report.lines)")
  }

  /// Rows that are one page as they stand, and another one where their prediction is undone.
  private static func polyglot(_ plain: String, predicted: String) -> (rows: [UInt8], columns: Int, first: Int) {
    let columns = max(plain.utf8.count, predicted.utf8.count) + 8
    func row(_ text: String) -> [UInt8] {
      let bytes = Array("    \(text)".utf8)
      return bytes + [UInt8](repeating: 32, count: columns - bytes.count)
    }
    let (one, other) = (row(plain), row(predicted))
    let difference = zip(other, one).map { $0 &- $1 }
    let head = Array("3 0 ".utf8) + [UInt8](repeating: 32, count: columns - 4)
    return ([0] + head + [0] + difference + [2] + one, columns, 2 * columns + 3)
  }

  @Test(
    "a stream of objects that readers unpack differently is refused",
    arguments: [
      ("/Filter/FlateDecode/DP<</Predictor 12/Columns N>>", true, "/DP, which readers understand differently"),
      ("/Filter/FlateDecode/DecodeParms 72 0 R", true, "parameters elsewhere"),
      ("/Filter/FlateDecode/DecodeParms<</Predictor 73 0 R/Columns N>>", true, "the parameter /Predictor"),
      ("/Filter[/FlateDecode]/DecodeParms<</Predictor 12/Columns N>>", false, "are not as many"),
      ("/Filter/FlateDecode/DecodeParms[<</Predictor 12/Columns N>>]", false, "another filter's form"),
    ])
  func prediction(form: String, isPlainHere: Bool, words: String) async throws {
    let copy = try await Copy()
    let made =
      isPlainHere
      ? Self.polyglot(copy.page, predicted: copy.forged) : Self.polyglot(copy.forged, predicted: copy.page)
    var later = try copy.revision()
    later.add(
      stream: StoredZlib.stream(made.rows),
      "/Type/ObjStm/N 1/First \(made.first)" + form.replacing("N>>", with: "\(made.columns)>>"), as: 71)
    later.add(72, "<</Predictor 12/Columns \(made.columns)>>")
    later.add(73, "12")
    Self.expectNotValid(copy.streamed(later, [70, 71, 72, 73]), words, .indeterminate)
  }

  @Test("a stream that has the page twice is refused, whichever of both this reader finds", arguments: [0, 1])
  func twice(index: Int) async throws {
    let copy = try await Copy()
    let pages = index == 0 ? [copy.page, copy.forged] : [copy.forged, copy.page]
    let head = "3 0 3 \(pages[0].utf8.count + 1) "
    var later = try copy.revision()
    later.add(
      stream: Array("\(head)\(pages[0]) \(pages[1]) ".utf8), "/Type/ObjStm/N 2/First \(head.utf8.count)", as: 71)
    Self.expectNotValid(
      copy.streamed(later, page: (3, index), [70, 71]), "object 3 is in the stream 71 twice", .indeterminate)
  }

  @Test("a packed page that no table names is found")
  func packed() async throws {
    let copy = try await Copy()
    let head = "75 0 3 2 "
    var later = try copy.revision()
    later.add(stream: Array("\(head)7 \(copy.forged) ".utf8), "/Type/ObjStm/N 2/First \(head.utf8.count)", as: 71)
    Self.expectNotValid(
      copy.streamed(later, page: (75, 0), [70, 71]), "object 3 is in the stream 71, and no cross-reference table")
  }

  /// How the end of a revision is written that has a page in it which its table does not name, and why it is refused.
  static let ends: [(String, String, String, Verdict)] = [
    ("%%EOF\n", "%%EOF\n", "belong to nothing that the file's cross-references name", .failed),
    ("%%EOF\n", "%%EOF\n" + String(repeating: " ", count: 1100), "the file's end is missing", .indeterminate),
    ("%%EOF\n", "", "the file's end is missing", .indeterminate),
    ("70 1\n", "70 1\n%\n", "does not have the standard's form", .indeterminate),
    ("70 1\n", "70 %\n1\n", "does not have the standard's form", .indeterminate),
    (" 00000 n \ntrailer", " 0 n\ntrailer", "does not have the standard's form", .indeterminate),
  ]

  @Test("a page that no table names is found, as is an end that makes other readers look for it", arguments: ends)
  func nameless(words: String, others: String, reason: String, verdict: Verdict) async throws {
    let copy = try await Copy()
    var later = try copy.revision()
    later.add(3, copy.forged)
    later.finish([70: later.entry(70)])
    let text = String(decoding: later.bytes, as: UTF8.self)
    let place = try #require(text.ranges(of: words).last)
    let bytes = Array((text[..<place.lowerBound] + others + text[place.upperBound...]).utf8)
    Self.expectNotValid(bytes, reason, verdict)
  }

  @Test("a time that somebody has attested behind a page that no table names makes it no part of the document")
  func attested() async throws {
    let copy = try await Copy()
    var later = try copy.revision()
    later.add(3, copy.forged)
    later.finish([70: later.entry(70)])
    let timed = try await Samples.sealer(stamper: Samples.stamper).addDocumentTime(to: later.bytes, now: Samples.now)
    Self.expectNotValid(timed, "belong to nothing that the file's cross-references name")
  }

  @Test("a page that was named and does not count any longer is found")
  func superseded() async throws {
    let copy = try await Copy()
    var later = try copy.revision()
    later.add(3, copy.forged)
    later.finish()
    let place = try #require(try PDFFile(copy.pdf).offset(of: 3))
    later.finish([3: RawPDF.entry(place)])
    #expect(try PDFFile(later.bytes).object(3) == PDFFile(copy.pdf).object(3))
    Self.expectNotValid(later.bytes, "object 3 stands once more at byte")
  }

  @Test("a packed page that was named and does not count any longer is found")
  func packedAndSuperseded() async throws {
    let copy = try await Copy()
    var later = try copy.revision()
    let head = "3 0 "
    later.add(stream: Array("\(head)\(copy.forged) ".utf8), "/Type/ObjStm/N 1/First \(head.utf8.count)", as: 71)
    let forged = copy.streamed(later, [70, 71])
    var last = RawPDF.after(forged, table: try PDFFile(forged).start)
    last.finish([3: RawPDF.entry(try #require(try PDFFile(copy.pdf).offset(of: 3)))])
    #expect(try PDFFile(last.bytes).object(3) == PDFFile(copy.pdf).object(3))
    Self.expectNotValid(last.bytes, "object 3 stands once more in the stream 71, and does not count there")
  }

  /// A revision in which the page is packed.
  private static func packing(_ page: String, behind copy: Copy, _ revision: RawPDF) throws -> RawPDF {
    var later = revision
    let head = "3 0 "
    later.add(stream: Array("0 0 90 90 re f".utf8), as: 70)
    later.add(stream: Array("\(head)\(page) ".utf8), "/Type/ObjStm/N 1/First \(head.utf8.count)", as: 71)
    let bytes = copy.streamed(later, [70, 71])
    return RawPDF.after(bytes, table: try PDFFile(bytes).start)
  }

  @Test("a packed page behind a signature that is written again counts as if it were shown", arguments: [true, false])
  func packedAndReplaced(isForged: Bool) async throws {
    let copy = try await Copy()
    let start = RawPDF.after(copy.pdf, table: try PDFFile(copy.pdf).start)
    var later = try Self.packing(isForged ? copy.forged : copy.page, behind: copy, start)
    later.add(3, copy.page)
    later.finish()
    #expect(try PDFFile(later.bytes).object(3) == PDFFile(copy.pdf).object(3))
    if isForged {
      Self.expectNotValid(later.bytes, "of which other programs may show parts, page 1 was changed: its /Contents")
    } else {
      let report = Samples.verify(later.bytes)
      #expect(report.verdict == .passed, "\(report.lines)")
    }
  }

  @Test("a page behind a signature that is packed later counts as if it were shown, also with a time behind it")
  func replacedByPacked() async throws {
    let copy = try await Copy()
    var first = RawPDF.after(copy.pdf, table: try PDFFile(copy.pdf).start)
    first.add(3, copy.forged)
    first.finish()
    let later = try Self.packing(copy.page, behind: copy, first).bytes
    #expect(try PDFFile(later).object(3) == PDFFile(copy.pdf).object(3))
    Self.expectNotValid(later, "of which other programs may show parts, page 1 was changed: its /Contents")
    let timed = try await Samples.sealer(stamper: Samples.stamper).addDocumentTime(to: later, now: Samples.now)
    Self.expectNotValid(timed, "of which other programs may show parts, page 1 was changed: its /Contents")
  }

  @Test("a stream of packed objects that is written again counts as if it were shown")
  func streamReplaced() async throws {
    let copy = try await Copy()
    let start = RawPDF.after(copy.pdf, table: try PDFFile(copy.pdf).start)
    let later = try Self.packing(copy.page, behind: copy, Self.packing(copy.forged, behind: copy, start)).bytes
    #expect(try PDFFile(later).object(3) == PDFFile(copy.pdf).object(3))
    Self.expectNotValid(later, "of which other programs may show parts, page 1 was changed: its /Contents")
  }

  /// A sealed page whose form is object 8.
  private static func copyWithForm() async throws -> Copy {
    var page = RawPDF.page(catalog: "/AcroForm 8 0 R")
    page.add(8, "<</Fields[]>>")
    return try await Copy(page)
  }

  private static let emptyField = "<</Type/Annot/Subtype/Widget/FT/Sig/T(later)/Rect[0 0 0 0]/F 132>>"

  /// A revision that adds the field 60 to the form, and packs it.
  private static func adding(_ field: String, to copy: Copy, behind pdf: [UInt8]) throws -> [UInt8] {
    var form = try #require(try PDFFile(copy.pdf).object(8).dictionary)
    form["Fields"] = .array((form["Fields"]?.array ?? []) + [PDFObject.reference(PDFReference(60))])
    var bytes: [UInt8] = []
    bytes.append(.dictionary(form))
    var later = RawPDF.after(pdf, table: try PDFFile(pdf).start)
    later.add(8, String(decoding: bytes, as: UTF8.self))
    later.add(stream: Array("0 0 90 90 re f".utf8), as: 70)
    let head = "60 0 "
    later.add(stream: Array("\(head)\(field) ".utf8), "/Type/ObjStm/N 1/First \(head.utf8.count)", as: 71)
    return copy.streamed(later, page: (60, 0), [8, 70, 71])
  }

  @Test("a field that one revision adds and packs, and the next one signs, leaves the first signature valid")
  func fieldBeforeItsSignature() async throws {
    let copy = try await Self.copyWithForm()
    let added = try Self.adding(Self.emptyField, to: copy, behind: copy.pdf)
    let signed = try await Samples.seal(added, SealRequest(field: "later"), key: Samples.second)
    #expect(try PDFFile(added).offset(of: 60) == nil)
    #expect(try PDFFile(signed).offset(of: 60) != nil)
    let report = Samples.verify(signed)
    #expect(report.verdict == .passed && report.signatures.count == 2, "\(report.lines)")
  }

  @Test(
    "a packed field that is signed later, and showed something before, makes the file invalid",
    arguments: [
      ("/F 132", "/AP<</N 70 0 R>>", "shows something in no room at all"),
      ("/F 132", "/MK<</BG[1]>>", "has a frame"), ("/F 132", "/V(a)", "is not signed"),
      ("[0 0 0 0]", "[0 0 90 90]", "is not signed"), ("/Widget", "/Line", "is no widget"),
    ])
  func forgedField(words: String, others: String, reason: String) async throws {
    let copy = try await Self.copyWithForm()
    let field = Self.emptyField.replacing(words, with: others)
    let forged = try Self.adding(field, to: copy, behind: copy.pdf)
    let repaired = try Self.adding(Self.emptyField, to: copy, behind: forged)
    let signed = try await Samples.seal(repaired, SealRequest(field: "later"), key: Samples.second)
    #expect(Samples.verify(signed).signatures.map(\.isChangedAfterwards) == [false, false])
    Self.expectNotValid(signed, reason)
  }

  @Test("a packed empty field that is taken back, and that nobody signs, makes the file invalid")
  func fieldTakenBack() async throws {
    let copy = try await Self.copyWithForm()
    let added = try Self.adding(Self.emptyField, to: copy, behind: copy.pdf)
    var bytes: [UInt8] = []
    bytes.append(try PDFFile(copy.pdf).object(8))
    var later = RawPDF.after(added, table: try PDFFile(added).start)
    later.add(8, String(decoding: bytes, as: UTF8.self))
    later.add(60, "null")
    later.finish()
    #expect(Samples.verify(later.bytes).signatures.map(\.isChangedAfterwards) == [false])
    Self.expectNotValid(later.bytes, "which was added, is not signed")
  }

  @Test("a revision that is replaced in part, and has no end of its own, is found")
  func endless() async throws {
    let copy = try await Copy()
    let start = RawPDF.after(copy.pdf, table: try PDFFile(copy.pdf).start)
    let packed = try Self.packing(copy.page, behind: copy, start).bytes
    let table = try PDFFile(packed).start
    var later = RawPDF.after(Array(packed.dropLast("startxref\n\(table)\n%%EOF\n".utf8.count)), table: table)
    later.add(3, copy.page)
    later.finish()
    Self.expectNotValid(later.bytes, "does not end there")
  }

  /// What an object that a table names has in it, and why it is refused. PAGE is a whole object, and LINE the same on
  /// one line.
  static let insides: [(String, String)] = [
    ("<</Length LENGTH>>\nstream\nPAGE\nendstream", "may take for an object"),
    ("(PAGE)", "may take for an object"), ("[%LINE\n]", "may take for an object"),
    ("[%3\0\t0 obj\n]", "may take for an object"), ("(endobj)", "the end of an object or stream"),
    ("[%endstream\n]", "the end of an object or stream"),
    ("(trailer<</Root 74 0 R>>)", "may take for a trailer"), ("[%trailer %\n]", "may take for a trailer"),
    ("<</Type/Catalog/Pages 2 0 R>>", "object 74, behind a signature, is a second catalog"),
    ("<</Type/XRef/Root 74 0 R>>", "says that it has cross-references"),
    ("(the 3 0 objects of a trailer)", "may take for an object"), ("(a trailer, an object, 30 obj)", ""),
  ]

  @Test("what a named object has in it that looks like another object, or like a trailer, is found", arguments: insides)
  func inside(body: String, words: String) async throws {
    let copy = try await Copy()
    var later = try copy.revision()
    let page = "3 0 obj\n\(copy.forged)\nendobj"
    let line = page.replacing("\n", with: " ")
    let filled = body.replacing("PAGE", with: page).replacing("LINE", with: line)
    later.add(74, filled.replacing("LENGTH", with: "\(page.utf8.count)"))
    later.finish()
    guard words.isEmpty else { return Self.expectNotValid(later.bytes, words) }
    let report = Samples.verify(later.bytes)
    #expect(report.verdict == .passed, "\(report.lines)")
  }

  @Test("an object that its table places before its number is refused")
  func early() async throws {
    let copy = try await Copy()
    var later = try copy.revision()
    later.add(text: "\n")
    later.add(74, "7")
    later.finish([70: later.entry(70), 74: RawPDF.entry(later.offset(74) - 1)])
    Self.expectNotValid(later.bytes, "does not begin there with its number")
  }

  @Test("a trailer with another catalog behind the signed one is found, also where it is not the newest")
  func trailers() async throws {
    let copy = try await Copy()
    let signed = try PDFFile(copy.pdf).start
    var later = try copy.revision()
    let table = later.bytes.count
    later.add(
      text: "xref\n70 1\n\(later.entry(70))trailer\n<</Size 100/Root 74 0 R/Prev \(signed)>>\n"
        + "startxref\n\(table)\n%%EOF\n")
    var last = RawPDF.after(later.bytes, table: table)
    last.finish([:])
    Self.expectNotValid(last.bytes, "has another /Root than the newest one")
  }

  @Test("tables that do not stand in their order are found")
  func order() async throws {
    let copy = try await Copy()
    let signed = try PDFFile(copy.pdf).start
    var later = try copy.revision()
    let place = later.offset(70)
    let newest = later.bytes.count
    func table(_ previous: Int) -> String {
      "xref\n70 1\n\(RawPDF.entry(place))trailer\n<</Size 100/Root 1 0 R/Prev \(previous)>>\n"
    }
    // The offsets of both have as many digits.
    let length = table(newest).utf8.count
    later.add(text: table(newest + length) + table(signed) + "startxref\n\(newest)\n%%EOF\n")
    Self.expectNotValid(later.bytes, "stand behind newer ones")
  }

  @Test(
    "what usual programs write between objects and tables is no fault",
    arguments: [
      ("% made by a program\r\n\n\0\0%%EOF\nstartxref\r\n0\r\n", true), ("%%EOF", false), ("startxref\n1", false),
      ("startxref\n%\n1\n", false), ("%\(String(repeating: "a", count: 200))\n", false), ("[]\n", false),
    ])
  func between(words: String, isUsual: Bool) async throws {
    let copy = try await Copy()
    var later = try copy.revision()
    later.add(text: words)
    later.add(74, "7")
    later.finish()
    let report = Samples.verify(later.bytes)
    #expect(report.verdict == (isUsual ? .passed : .failed), "\(report.lines)")
  }
}
