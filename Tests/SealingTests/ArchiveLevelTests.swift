import ArchiveKit
import Base
import Documents
import PDF
import Sealing
import Testing

/// What is added to a sealed file keeps the rules of archived files and of files that are read aloud, and leaves what
/// was signed before as it was.
@Suite struct ArchiveLevelTests {
  enum Way: CaseIterable {
    case basic, timed, longTerm, archived, renewed, approved, evidence
  }

  private static func raised(_ pdf: [UInt8], times: Int) async throws -> [UInt8] {
    let list = KeyMaker.revocations(
      by: Samples.authority, at: Samples.now + .days(-1), until: Samples.now + .days(30))
    var bytes = try Sealer.addProofs(to: pdf, certificates: [Samples.authority.certificate], lists: [list])
    for _ in 0..<times {
      bytes = try await Samples.sealer(stamper: Samples.stamper).addDocumentTime(to: bytes, now: Samples.now)
    }
    return bytes
  }

  private static func made(_ way: Way) async throws -> [UInt8] {
    let certifying = SealRequest(permission: .signing)
    func timed(_ pdf: [UInt8] = Samples.document) async throws -> [UInt8] {
      try await Samples.seal(pdf, certifying, stamper: Samples.stamper)
    }
    switch way {
    case .basic: return try await Samples.seal(Samples.document, certifying)
    case .timed: return try await timed()
    case .longTerm: return try await raised(timed(), times: 0)
    case .archived: return try await raised(timed(), times: 1)
    // More often than there are fields for it.
    case .renewed: return try await raised(timed(), times: SpareFields.names.count + 2)
    case .approved:
      let once = try await Samples.seal(timed(), key: Samples.second, stamper: Samples.stamper)
      return try await raised(Samples.seal(once, key: Samples.rsa, stamper: Samples.stamper), times: 1)
    case .evidence:
      var paper = Samples.paper
      paper.attachments = [
        Attachment(
          name: "evidence.json", mediaType: "application/json", description: "Evidence", bytes: Array("{}".utf8),
          relationship: .data)
      ]
      return try await raised(timed(try PaperComposer().compose(paper)), times: 1)
    }
  }

  @Test("a file keeps the rules of PDF/A and PDF/UA, and stays valid, at each level", arguments: Way.allCases)
  func rules(way: Way) async throws {
    let pdf = try await Self.made(way)
    #expect(try ArchiveRules.faults(pdf) == [])
    let report = Samples.verify(pdf)
    #expect(report.verdict == .passed, "\(report.lines)")
    #expect(!report.signatures.contains { $0.isChangedAfterwards })
    let said = try await Tool.pyHanko(pdf)
    #expect(said.components("The signature is judged VALID") == report.signatures.count { $0.kind != .documentTime })
    #expect(!said.contains("INVALID") && !said.contains("has been modified"), "\(said)")
    let folder = try TemporaryFolder()
    try Files.write(pdf, to: folder.file("in.pdf"))
    #expect(try await Tool.run("qpdf", ["--check", folder.file("in.pdf")]).hasPrefix("ended with 0\n"))
    let popplers = try await Tool.pdfsig(pdf)
    #expect(!popplers.contains("Signature is Invalid"), "\(popplers)")
    withExtendedLifetime(folder) {}
  }

  @Test("an attested time takes no field in which somebody is to sign, and none that a signature locks")
  func fieldsOfTimes() async throws {
    let whole = try await Samples.sealer(stamper: Samples.stamper)
      .addDocumentTime(to: Samples.document, now: Samples.now)
    #expect(Samples.verify(whole).signatures.map(\.field) == [SpareFields.names[0]])
    let sealed = try await Samples.seal(whole)
    #expect(Samples.verify(sealed).signatures.map(\.field) == [SpareFields.names[0], PaperComposer.sealField])

    var locking = SealRequest()
    locking.lock = .all
    let locked = try await Self.raised(Samples.seal(Samples.document, locking, stamper: Samples.stamper), times: 1)
    let report = Samples.verify(locked)
    #expect(report.verdict == .passed, "\(report.lines)")
    #expect(report.signatures.map(\.field) == [PaperComposer.sealField, "TimeStamp1"])
    #expect(try ArchiveRules.faults(locked) == [])
    let said = try await Tool.pyHanko(locked)
    #expect(said.contains("The signature is judged VALID") && !said.contains("INVALID"), "\(said)")
  }

  @Test("a field that somebody else adds where it could be seen is a change")
  func seen() async throws {
    let sealed = try await Samples.seal()
    let file = try PDFFile(sealed)
    var writer = try RevisionWriter(file)
    let number = try #require(
      try file.numbers.first { try file.object($0).dictionary?["T"]?.text == SpareFields.names[0] })
    var field = try #require(try file.object(number).dictionary)
    field["Rect"] = .array([.integer(0), .integer(0), .integer(500), .integer(500)])
    writer.write(.dictionary(field), as: writer.reference(to: number))
    let report = Samples.verify(try await Samples.seal(writer.finish().bytes, key: Samples.second))
    #expect(report.verdict == .failed, "\(report.lines)")
    #expect(report.lines.joined().contains("the field 'further1' was changed: its /Rect"), "\(report.lines)")
  }
}
