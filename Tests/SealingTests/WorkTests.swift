import Base
import PDF
import Sealing
import TestSupport
import Testing

/// Files that ask for more work than anybody would do for them.
@Suite struct WorkTests {
  /// A file whose store of proofs has so many streams, each of which unpacks to 40 MiB; and names each of them often.
  private func proofs(_ count: Int, named times: Int) async throws -> [UInt8] {
    let folder = try TemporaryFolder()
    let path = folder.file("zeros")
    _ = try await Tool.run(
      Repository.python,
      ["-c", "import sys, zlib; open(sys.argv[1], 'wb').write(zlib.compress(bytes(40 << 20)))", path])
    let zeros = try Files.read(path)
    withExtendedLifetime(folder) {}
    let names = (0..<times).flatMap { _ in (0..<count).map { "\(20 + $0) 0 R" } }.joined(separator: " ")
    var file = RawPDF.page(catalog: "/DSS<</CRLs[\(names)]>>")
    for place in 0..<count { file.add(stream: zeros, "/Filter/FlateDecode", as: 20 + place) }
    file.finish()
    return try await Samples.seal(file.bytes)
  }

  @Test("proofs that unpack to more than may be are an error, however small they are; repeated ones are read once")
  func unpacking() async throws {
    let few = Samples.verify(try await proofs(2, named: 400))
    #expect(few.verdict == .passed, "\(few.lines)")
    let many = Samples.verify(try await proofs(7, named: 1))
    #expect(many.verdict == .indeterminate && many.isExhausted, "\(many.lines)")
    #expect(many.faults.first?.words.contains("unpacks to more than") == true, "\(many.lines)")
    #expect(many.signatures.isEmpty)
    #expect(many.summary == "! This file could not be checked: it takes more work than may be.")
  }

  @Test("proofs have bounds together, and one that is there many times counts once", arguments: [true, false])
  func together(isOne: Bool) async throws {
    let numbers = 20..<60
    let names = numbers.map { "\($0) 0 R" }.joined(separator: " ")
    var file = RawPDF.page(catalog: "/DSS<</OCSPs[\(names)]>>")
    for number in numbers {
      file.add(stream: [UInt8](repeating: isOne ? 1 : UInt8(number), count: 60_000), as: number)
    }
    file.finish(size: 60)
    let report = Samples.verify(try await Samples.seal(file.bytes))
    #expect(report.verdict == (isOne ? .passed : .indeterminate), "\(report.lines)")
    #expect(report.isExhausted == !isOne)
    let words = "its store has 2400000 bytes of proofs in /OCSPs; at most 2097152 are read"
    #expect(report.faults.map(\.words) == (isOne ? [] : [words]))
  }

  @Test("a certificate that is far larger than any that is issued is not read")
  func largeCertificate() async throws {
    let folder = try TemporaryFolder()
    let file = folder.file("large.der")
    func make(_ count: Int) async throws -> [UInt8] {
      let names = (0..<count).map { "DNS:host\($0).example.org" }.joined(separator: ",")
      let said = try await Tool.run(
        "openssl",
        [
          "req", "-x509", "-nodes", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-subj", "/CN=Large",
          "-addext", "subjectAltName=\(names)", "-keyout", folder.file("key"), "-outform", "DER", "-out", file,
        ])
      #expect(said.hasPrefix("ended with 0"), "\(said)")
      return try Files.read(file)
    }
    let (small, large) = (try await make(100), try await make(4000))
    #expect(large.count > 64 << 10)
    #expect(Certificate(der: small) != nil && Certificate(der: large) == nil)
    withExtendedLifetime(folder) {}
  }

  @Test("thousands of fields that share a signature are refused")
  func fields() async throws {
    let pdf = try await Samples.seal()
    let file = try PDFFile(pdf)
    var catalog = try file.catalog()
    var form = try #require(catalog["AcroForm"]?.dictionary)
    let own = try #require(form["Fields"]?.array?.first?.reference?.number)
    let value = try #require(try file.object(own).dictionary?["V"])
    var writer = try RevisionWriter(file)
    let more = (0..<5000).map { place in
      writer.add(.dictionary(["FT": .name("Sig"), "T": .text("f\(place)"), "V": value]))
    }
    form["Fields"] = .array((form["Fields"]?.array ?? []) + more.map(PDFObject.reference))
    catalog["AcroForm"] = .dictionary(form)
    let root = try #require(file.trailer["Root"]?.reference?.number)
    writer.write(.dictionary(catalog), as: writer.reference(to: root))
    let report = Samples.verify(writer.finish().bytes)
    #expect(report.verdict == .indeterminate, "\(report.lines.prefix(5))")
    #expect(report.faults.map(\.words) == ["it has more than 200 signatures"])
  }

  @Test("what is below a field counts before it is looked up, and what is no field is not kept")
  func kids() async throws {
    func file(_ kids: String) -> [UInt8] {
      var file = RawPDF.page(catalog: "/AcroForm<</Fields[8 0 R]>>")
      file.add(8, "<</T(a)/Kids[\(String(repeating: kids, count: 10_001))]>>")
      file.finish()
      return file.bytes
    }
    let pdf = try await Samples.seal(file("0 "))
    #expect(Samples.verify(pdf).verdict == .passed, "\(Samples.verify(pdf).lines)")
    let error = await #expect(throws: SealingError.self) { try await Samples.seal(file("30 0 R ")) }
    #expect(error?.description.contains("the form's fields lead in a circle, or are too many") == true)
  }

  @Test("a field whose name is long is refused before thousands below it have it as well", arguments: [4000, 5000])
  func names(length: Int) async throws {
    let file = try PDFFile(try await Samples.seal())
    var catalog = try file.catalog()
    var form = try #require(catalog["AcroForm"]?.dictionary)
    var writer = try RevisionWriter(file)
    let below = writer.add(.dictionary(["T": .text("below")]))
    let name = String(repeating: "a", count: length)
    let above = writer.add(
      .dictionary(["FT": .name("Sig"), "T": .text(name), "Kids": .array([PDFObject.reference(below)])]))
    form["Fields"] = .array((form["Fields"]?.array ?? []) + [PDFObject.reference(above)])
    catalog["AcroForm"] = .dictionary(form)
    let root = try #require(file.trailer["Root"]?.reference?.number)
    writer.write(.dictionary(catalog), as: writer.reference(to: root))
    let report = Samples.verify(writer.finish().bytes)
    #expect(
      report.faults.map(\.words).contains("the name of a form's field is too long") == (length > 4096),
      "\(report.lines)")
  }

  @Test("what was signed is read once, however many revisions behind it are compared with it")
  func revisions() async throws {
    func sealed(_ objects: Int) async throws -> [UInt8] {
      var file = RawPDF.page()
      for number in 10..<(10 + objects) { file.add(number, "[]") }
      file.finish()
      return try await Samples.seal(file.bytes)
    }
    /// How often work is counted for a file to which revisions are added that each pack an object anew.
    func work(_ pdf: [UInt8], revisions: Int) throws -> Int {
      var later = RawPDF.after(pdf, table: try PDFFile(pdf).start)
      for _ in 0..<revisions {
        later.add(stream: Array("60 0 7 ".utf8), "/Type/ObjStm/N 1/First 5", as: 61)
        let places = [later.offset(61), later.bytes.count]
        later.finish(stream: [2, 0, 61, 0] + places.flatMap(RawPDF.streamEntry), "/W[1 2 1]/Index[60 3]", as: 62)
      }
      var asked = 0
      let verifier = DocumentVerifier(trusting: Trust(roots: [Samples.authority.certificate]), at: Samples.now)
      let report = verifier.verify(later.bytes) {
        asked += 1
        return false
      }
      #expect(report.verdict == .passed, "\(report.lines)")
      return asked
    }
    let (small, large) = (try await sealed(0), try await sealed(40))
    let usual = try work(small, revisions: 10) - work(small, revisions: 2)
    let added = try work(large, revisions: 10) - work(large, revisions: 2)
    #expect(usual > 0 && added < usual + 40, "\(usual), \(added)")
  }

  @Test("a file is given up when nobody waits any longer, at whatever moment, and is never valid then")
  func deadline() async throws {
    let pdf = try await Samples.seal(stamper: Samples.stamper)
    let trust = Trust(roots: [Samples.authority.certificate])
    var asked = 0
    let whole = DocumentVerifier(trusting: trust, at: Samples.now).verify(pdf) {
      asked += 1
      return false
    }
    #expect(whole.verdict == .passed && asked > 10)
    for last in stride(from: 0, to: asked, by: max(1, asked / 40)) {
      var count = 0
      let report = DocumentVerifier(trusting: trust, at: Samples.now).verify(pdf) {
        count += 1
        return count > last
      }
      #expect(report.verdict == .indeterminate && report.isExhausted, "\(last): \(report.lines)")
    }
  }
}
