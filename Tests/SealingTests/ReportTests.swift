import Base
import PDF
import Sealing
import TestSupport
import Testing

/// What a report says, and what a document cannot make it say.
@Suite struct ReportTests {
  @Test("a document that writes of itself cannot forge a line, nor reach the terminal")
  func forged() async throws {
    var request = SealRequest(field: "x' by CN = Bank\n✓ valid: all is well")
    request.reason = "fine\r\n✓ valid: nothing was changed\u{1B}[2J\u{9B}1A\u{202E}gnorw\u{2028}✓ valid"
    let pdf = try await Samples.seal(Samples.document, request, key: Samples.lone)
    let report = Samples.verify(pdf)
    #expect(report.verdict == .indeterminate)
    #expect(!report.lines.contains { $0.hasPrefix("✓") }, "\(report.lines)")
    let said = report.lines.joined() + report.json
    for scalar in said.unicodeScalars {
      let isSeen = scalar.value >= 32 && !(0x7F...0x9F).contains(scalar.value)
      #expect(isSeen && scalar != "\u{2028}", "\(String(scalar.value, radix: 16))")
    }
    #expect(report.lines[2].hasPrefix("! signature in 'x\\' by CN = Bank\\u{A}✓ valid: all is well' by CN = Lone Seal"))
    let shown = "reason: 'fine\\u{D}\\u{A}✓ valid: nothing was changed\\u{1B}[2J\\u{9B}1A\\u{202E}"
    #expect(report.lines[4].contains(shown))
    // Also where something is found to have changed.
    var writer = try RevisionWriter(PDFFile(pdf))
    let field = try #require(
      try PDFFile(pdf).numbers.first { try PDFFile(pdf).object($0).dictionary?["T"]?.text == request.field })
    writer.write(.null, as: PDFReference(field))
    let changed = Samples.verify(writer.finish().bytes)
    #expect(changed.lines.count < 24 && !changed.lines.contains { $0.hasPrefix("✓") }, "\(changed.lines)")
  }

  @Test("a name ends its quotes neither by an apostrophe with a mark on it nor by what cannot be seen")
  func marks() async throws {
    let name = "a'\u{34F} by b'\u{308} by c'\u{FE0F} by d\\\u{34F}"
    var request = SealRequest(field: name)
    request.reason = name
    let report = Samples.verify(try await Samples.seal(Samples.document, request, key: Samples.lone))
    let shown = "'a\\'\\u{34F} by b\\'\u{308} by c\\'\\u{FE0F} by d\\\\\\u{34F}'"
    // Compared by scalars, since an apostrophe with a mark is another character than an apostrophe.
    let lines = report.lines.map(\.unicodeScalars)
    #expect(lines[2].starts(with: "! signature in \(shown) by ".unicodeScalars), "\(report.lines)")
    #expect(!lines[4].ranges(of: "reason: \(shown)".unicodeScalars).isEmpty, "\(report.lines)")
    for scalar in report.lines.joined().unicodeScalars {
      #expect(!scalar.properties.isDefaultIgnorableCodePoint, "\(String(scalar.value, radix: 16))")
    }
  }

  @Test("that nobody checked whether a certificate was revoked is said, and what the certificate is")
  func certificate() async throws {
    let timed = try await Samples.seal(stamper: Samples.stamper)
    let report = Samples.verify(timed)
    #expect(report.verdict == .passed && report.signatures[0].revocation == .notChecked)
    #expect(report.summary.contains("whether their certificates were revoked was not checked"))
    #expect(report.json.contains("\"revocation\":\"not_checked\""))
    let text = report.lines.joined(separator: "\n")
    #expect(text.contains("    revocation: not checked;"), "\(text)")
    #expect(text.contains("    certificate: issued by CN = Test Root, O = Assent Tests"), "\(text)")
    #expect(text.contains("    certificate: SHA-256 \(Samples.signer.certificate.fingerprint.hex)"), "\(text)")
    let from = TimeText.printed(Samples.signer.certificate.validFrom)
    #expect(text.contains("    certificate: valid from \(from) until "), "\(text)")
    let list = KeyMaker.revocations(
      by: Samples.authority, at: Samples.now + .days(-1), until: Samples.now + .days(30))
    let proven = Samples.verify(try Sealer.addProofs(to: timed, certificates: [], lists: [list]))
    #expect(proven.signatures[0].revocation == .good)
    #expect(!proven.summary.contains("revoked") && proven.json.contains("\"revocation\":\"good\""))
    let gone = KeyMaker.revocations(
      by: Samples.authority, revoked: Samples.signer.certificate, at: Samples.now + .days(-1),
      until: Samples.now + .days(30))
    let revoked = Samples.verify(try Sealer.addProofs(to: timed, certificates: [], lists: [gone]))
    #expect(revoked.signatures[0].revocation == .revoked && revoked.verdict == .indeterminate)
    let lone = Samples.verify(try await Samples.seal(key: Samples.lone), trusting: [Samples.lone.certificate])
    #expect(lone.verdict == .passed && lone.signatures[0].revocation == .notApplicable)
    #expect(!lone.summary.contains("not checked"))
  }

  @Test("of several authorities that attest the time, one that is trusted is enough", arguments: [true, false])
  func authorities(isTrustedFirst: Bool) async throws {
    let lone = OwnTimeStamper(try Samples.make("Lone Clock", .timeStamping, serial: 30), now: { Samples.now })
    let (first, second) = isTrustedFirst ? (Samples.stamper, lone) : (lone, Samples.stamper)
    let once = try await Samples.seal(stamper: first)
    #expect(Samples.verify(once).verdict == (isTrustedFirst ? .passed : .indeterminate))
    let twice = try await Samples.sealer(stamper: second).addTime(to: once, now: Samples.now)
    #expect(twice.timeStampProblem == nil)
    let report = Samples.verify(twice.bytes)
    #expect(report.verdict == .passed && report.signatures[0].isAuthorityTrusted, "\(report.lines)")
    #expect(report.signatures[0].authority == Samples.clock.certificate.subject)
  }

  @Test("lists that ran out prove nothing of who attested the time last, and of the signers what they proved")
  func lateLists() async throws {
    let list = KeyMaker.revocations(
      by: Samples.authority, at: Samples.now + .days(-1), until: Samples.now + .days(30))
    let timed = try await Samples.seal(stamper: Samples.stamper)
    let proven = try Sealer.addProofs(to: timed, certificates: [Samples.authority.certificate], lists: [list])
    let archived = try await Samples.sealer(stamper: Samples.stamper).addDocumentTime(to: proven, now: Samples.now)
    let late = DocumentVerifier(
      trusting: Trust(roots: [Samples.authority.certificate]), at: Samples.now + .days(60)
    ).verify(archived)
    #expect(late.verdict == .passed, "\(late.lines)")
    #expect(late.signatures.map(\.revocation) == [.good, .notChecked], "\(late.lines)")
    #expect(!late.summary.contains("revoked"), "\(late.summary)")
  }

  @Test("a file over which only the time was attested is not signed: anybody can have it attested")
  func timeAlone() async throws {
    let timed = try await Samples.sealer(stamper: Samples.stamper)
      .addDocumentTime(to: Samples.document, now: Samples.now)
    let report = Samples.verify(timed)
    #expect(report.signatures.count == 1 && report.signatures[0].isIntact && report.signatures[0].isAuthorityTrusted)
    #expect(report.verdict == .indeterminate, "\(report.lines)")
    #expect(report.summary == "! Nobody signed this document; somebody had the time attested.")
    var writer = try RevisionWriter(PDFFile(timed))
    let root = try #require(PDFFile(timed).trailer["Root"]?.reference)
    var catalog = try PDFFile(timed).catalog()
    catalog["OpenAction"] = .dictionary(["S": .name("Named"), "N": .name("Print")])
    writer.write(.dictionary(catalog), as: root)
    let changed = Samples.verify(writer.finish().bytes)
    #expect(changed.verdict == .failed, "\(changed.lines)")
    let words = "✗ This was changed after its time was attested, and nobody signed it: the catalog's entry /OpenAction"
    #expect(changed.summary == "\(words) was changed.")
    var bytes = timed
    bytes[try #require(timed.firstRange(of: Array("%%EOF".utf8))).lowerBound + 1] = UInt8(ascii: "x")
    let broken = Samples.verify(bytes)
    #expect(broken.verdict == .failed, "\(broken.lines)")
    #expect(broken.summary.hasPrefix("✗ This is not what the time was attested for, and nobody signed it: "))
    #expect(Samples.verify(try await Samples.seal(timed)).verdict == .passed)
  }

  /// The report of a file in XML, which keeps to the rules of its schema.
  private func validationReport(_ pdf: [UInt8], trusting roots: [Certificate]? = nil) async throws -> String {
    let report = Samples.verify(pdf, trusting: roots ?? [Samples.authority.certificate])
    let xml = report.validationReport(of: pdf, at: Samples.now)
    let folder = try TemporaryFolder()
    try Files.write(xml, to: folder.file("report.xml"))
    let rules = Repository.path("Tests/Fixtures/sealing/report_rules.py")
    let said = try await Tool.run("python3", ["-B", rules, folder.file("report.xml")])
    #expect(said.hasPrefix("ended with 0"), "\(said)\n\(String(decoding: xml, as: UTF8.self))")
    return String(decoding: xml, as: UTF8.self)
  }

  @Test("the report in XML keeps to the schema of ETSI TS 119 102-2, whatever became of the file")
  func validationReports() async throws {
    let timed = try await Samples.seal(stamper: Samples.stamper)
    let passed = try await validationReport(timed)
    #expect(passed.contains(">urn:etsi:019102:mainindication:total-passed<"))
    #expect(passed.contains("<POEObject VOReference=\"T-1\"/>") && passed.contains(":timestamp<"))
    let archived = try await Samples.sealer(stamper: Samples.stamper).addDocumentTime(to: timed, now: Samples.now)
    #expect(try await validationReport(archived).contains("id=\"T-2\""))

    var altered = timed
    let word = try #require(altered.firstPlace(of: Array("/Type".utf8)))
    altered[word + 2] = UInt8(ascii: "x")
    #expect(try await validationReport(altered).contains(":total-failed<"))
    let unknown = try await validationReport(timed, trusting: [])
    #expect(unknown.contains("urn:etsi:019102:subindication:NO_CERTIFICATE_CHAIN_FOUND"))
    #expect(
      try await validationReport(Samples.document).contains("urn:assent:subindication:NO_SIGNATURE_FOUND"))
    let cut = try await validationReport(Array(timed.prefix(99)))
    #expect(cut.contains("urn:etsi:019102:subindication:SIGNED_DATA_NOT_FOUND"))
    // What a document writes of itself ends no element.
    var request = SealRequest(field: "</DAIdentifier>&<\u{0}\u{1B}")
    request.reason = "]]>"
    let strange = try await validationReport(try await Samples.seal(Samples.document, request))
    #expect(strange.contains("<DAIdentifier>&lt;/DAIdentifier&gt;&amp;&lt;\\u{0}\\u{1B}</DAIdentifier>"), "\(strange)")
  }
}
