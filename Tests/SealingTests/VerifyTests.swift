import Base
import PDF
import Sealing
import TestSupport
import Testing

/// Files that were tampered with, and files that others signed.
@Suite struct VerifyTests {
  @Test("a document without signatures, and one by an unknown signer, are not valid")
  func notValid() async throws {
    #expect(Samples.verify(Samples.document).verdict == .indeterminate)
    let pdf = try await Samples.seal(key: Samples.lone)
    let report = Samples.verify(pdf)
    #expect(report.verdict == .indeterminate)
    #expect(report.signatures[0].identity == .selfSigned)
    #expect(Samples.verify(pdf, trusting: [Samples.lone.certificate]).verdict == .passed)
    #expect(Samples.verify(Array("no pdf".utf8)).verdict == .indeterminate)
  }

  @Test("bytes spread over a file, each flipped: what is said of it changes, except in copies of the root")
  func flips() async throws {
    let pdf = try await Samples.seal(stamper: Samples.stamper)
    #expect(Samples.verify(pdf).verdict == .passed)
    let whole = Samples.verify(pdf).json
    var missed: [Int] = []
    for step in 0..<(LongTests.areWanted ? 1009 : 331) {
      let place = step * (pdf.count - 1) / (LongTests.areWanted ? 1008 : 330)
      var bytes = pdf
      bytes[place] ^= 0x04
      if Samples.verify(bytes).json == whole { missed.append(place) }
    }
    let copies = Samples.copiesOfRoot(in: pdf)
    #expect(missed.filter { place in !copies.contains { $0.contains(place) } } == [])
  }

  @Test("every digit of the signature itself counts")
  func flipsInSignature() async throws {
    let pdf = try await Samples.seal(stamper: Samples.stamper)
    let whole = Samples.verify(pdf).json
    let start = try #require(pdf.firstPlace(of: Array("/Contents<".utf8))) + 10
    var missed: [Int] = []
    for place in stride(from: start, to: start + 6000, by: LongTests.areWanted ? 1 : 29) {
      var bytes = pdf
      bytes[place] = bytes[place] == UInt8(ascii: "0") ? UInt8(ascii: "1") : UInt8(ascii: "0")
      if Samples.verify(bytes).json == whole { missed.append(place) }
    }
    let copies = Samples.copiesOfRoot(in: pdf)
    #expect(missed.filter { place in !copies.contains { $0.contains(place) } } == [])
  }

  @Test("bytes that were appended are noticed, also where pyHanko notices nothing")
  func appended() async throws {
    let pdf = try await Samples.seal() + Array("% hello\n".utf8)
    let report = Samples.verify(pdf)
    #expect(report.verdict == .indeterminate)
    #expect(report.faults.first?.words.contains("bytes were appended") == true, "\(report.lines)")
  }

  @Test("what was changed after a signature is said in plain words")
  func changes() async throws {
    let pdf = try await Samples.seal()
    let file = try PDFFile(pdf)
    let page = try #require(try file.numbers.first { try file.object($0).dictionary?["Type"]?.name == "Page" })
    let contents = try #require(try file.object(page).dictionary?["Contents"]?.reference?.number)
    let catalog = try #require(file.trailer["Root"]?.reference?.number)
    let cases: [(String, Int, (inout PDFDictionary) -> Void)] = [
      ("page 1 was changed: its /MediaBox", page, { $0["MediaBox"] = .array([]) }),
      ("the catalog's entry /OpenAction was changed", catalog, { $0["OpenAction"] = .to(page) }),
      ("something that lies on page 1", page, { $0["Annots"] = .array([.to(catalog)]) }),
    ]
    for (words, number, change) in cases {
      var writer = try RevisionWriter(file)
      var dictionary = try #require(try file.object(number).dictionary)
      change(&dictionary)
      writer.write(.dictionary(dictionary), as: writer.reference(to: number))
      let report = Samples.verify(writer.finish().bytes)
      #expect(report.verdict == .failed)
      let said = report.lines.joined(separator: "\n")
      #expect(said.contains(words) || said.contains("something was laid on page 1"), "\(said)")
    }
    var writer = try RevisionWriter(file)
    writer.write(.stream(PDFStream(["Length": .integer(0)], [])), as: writer.reference(to: contents))
    let report = Samples.verify(writer.finish().bytes)
    #expect(report.verdict == .failed)
    #expect(report.lines.joined().contains("the text or drawing on page 1 was changed"), "\(report.lines)")
  }

  @Test("a change is found among as many signatures as a file may have")
  func crowd() async throws {
    var file = RawPDF.page(catalog: "/AcroForm 8 0 R")
    file.add(8, "<</Fields[]>>")
    file.finish()
    let signed = try PDFFile(try await Samples.seal(file.bytes))
    var writer = try RevisionWriter(signed)
    var form = try #require(try signed.object(8).dictionary)
    var fields = form["Fields"]?.array ?? []
    for number in 1..<200 {
      let field: PDFDictionary = [
        "Type": .name("Annot"), "Subtype": .name("Widget"), "FT": .name("Sig"), "T": .text("time\(number)"),
        "Rect": .array([PDFObject](repeating: .integer(0), count: 4)),
        "V": .dictionary(["Type": .name("DocTimeStamp")]),
      ]
      fields.append(.reference(writer.add(.dictionary(field))))
    }
    form["Fields"] = .array(fields)
    writer.write(.dictionary(form), as: PDFReference(8))
    var catalog = try signed.catalog()
    catalog["Extensions"] = .dictionary([:])
    writer.write(.dictionary(catalog), as: PDFReference(1))
    var page = try #require(try signed.object(3).dictionary)
    page["Contents"] = .null
    writer.write(.dictionary(page), as: PDFReference(3))
    let first = try #require(Samples.verify(writer.finish().bytes).signatures.first { $0.field == "Signature1" })
    #expect(first.changes.count { $0.isExpected } == 200)
    #expect(first.changes.filter { !$0.isExpected }.map(\.description) == ["page 1 was changed: its /Contents"])
  }

  @Test("a program that adds proofs may write anew what the store has for one signature, and state its version")
  func proofsOfOneSignature() async throws {
    var file = RawPDF.page(catalog: "/DSS<</VRI 8 0 R>>")
    file.add(8, "<</ABC 9 0 R>>")
    file.add(9, "<</Cert 10 0 R>>")
    file.add(10, "[]")
    file.finish()
    let signed = try PDFFile(try await Samples.seal(file.bytes))
    var writer = try RevisionWriter(signed)
    writer.write(.dictionary(["Cert": .reference(PDFReference(10)), "TU": .text("now")]), as: PDFReference(9))
    writer.write(.array([.null]), as: PDFReference(10))
    var catalog = try signed.catalog()
    catalog["Version"] = .name("1.7")
    writer.write(.dictionary(catalog), as: PDFReference(1))
    let report = Samples.verify(writer.finish().bytes)
    #expect(report.verdict == .passed, "\(report.lines)")
    #expect(report.signatures[0].changes.count == 2, "\(report.lines)")
  }

  @Test("an object that the signed document only mentions cannot be slipped in")
  func dangling() async throws {
    var text = "%PDF-1.7\n1 0 obj\n<</Type/Catalog/Pages 2 0 R/Lang(en)/X 9 0 R>>\nendobj\n"
    var offsets = [9]
    offsets.append(text.utf8.count)
    text += "2 0 obj\n<</Type/Pages/Kids[3 0 R]/Count 1>>\nendobj\n"
    offsets.append(text.utf8.count)
    text += "3 0 obj\n<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>\nendobj\n"
    let table = text.utf8.count
    text += "xref\n0 4\n0000000000 65535 f \n"
    for offset in offsets { text += String(repeating: "0", count: 10 - "\(offset)".count) + "\(offset) 00000 n \n" }
    text += "trailer\n<</Size 20/Root 1 0 R>>\nstartxref\n\(table)\n%%EOF\n"
    let signed = try await Samples.seal(Array(text.utf8))
    #expect(Samples.verify(signed).verdict == .passed)
    var writer = try RevisionWriter(PDFFile(signed))
    writer.write(.dictionary(["Type": .name("Evil")]), as: PDFReference(9))
    let report = Samples.verify(writer.finish().bytes)
    #expect(report.verdict == .failed, "\(report.lines)")
    #expect(report.lines.joined().contains("object 9, which the signed document mentions"))
  }

  @Test("a forged range is refused")
  func forgedRange() async throws {
    let pdf = try await Samples.seal()
    let place = try #require(pdf.firstPlace(of: Array("/ByteRange[0 ".utf8))) + 13
    for (offset, digit) in [(0, "9"), (4, "1")] {
      var bytes = pdf
      bytes[place + offset] = Array(digit.utf8)[0]
      #expect(Samples.verify(bytes).verdict != .passed)
    }
  }

  @Test("what pyHanko signs is valid to us")
  func foreign() async throws {
    let folder = try TemporaryFolder()
    try Files.write(Samples.document, to: folder.file("in.pdf"))
    try Files.write(Samples.second.pkcs12(passphrase: "x"), to: folder.file("key.p12"))
    try Files.write(Array("x".utf8), to: folder.file("pass"))
    let out = folder.file("out.pdf")
    let made = try await Tool.run(
      Repository.python,
      [
        "-m", "pyhanko", "sign", "addsig", "--field", "Sig1", "--use-pades", "pkcs12", "--passfile",
        folder.file("pass"), folder.file("in.pdf"), out, folder.file("key.p12"),
      ])
    #expect(made.hasPrefix("ended with 0"), "\(made)")
    let report = Samples.verify(try Files.read(out), trusting: [Samples.second.certificate])
    #expect(report.verdict == .passed, "\(report.lines)")
  }

  @Test("the report is the same in words and in JSON")
  func json() async throws {
    let report = Samples.verify(try await Samples.seal(stamper: Samples.stamper))
    #expect(report.json.hasPrefix("{\"verdict\":\"TOTAL-PASSED\",\"summary\":\"✓ Nothing was changed"))
    #expect(report.json.contains("\"faults\":[],\"signatures\":[{\"field\":\"seal\""))
    #expect(report.json.contains("\"level\":\"B-T\"") && report.json.contains("\"identity\":\"trusted\""))
    #expect(report.lines[0].hasPrefix("✓ Nothing was changed since this was signed, and the signers are trusted"))
    #expect(report.lines[1...2] == ["    TOTAL-PASSED", "✓ signature in 'seal' by CN = Assent Seal, O = Assent Tests"])
  }
}

extension [UInt8] {
  func lastPlace(of words: [UInt8]) -> Int? {
    indices.dropLast(words.count).last { self[$0] == words[0] && self[$0..<($0 + words.count)].elementsEqual(words) }
  }

  func firstPlace(of words: [UInt8]) -> Int? {
    indices.dropLast(words.count).first { self[$0] == words[0] && self[$0..<($0 + words.count)].elementsEqual(words) }
  }
}
