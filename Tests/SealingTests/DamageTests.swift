import Base
import PDF
import Sealing
import TestSupport
import Testing

/// Sealed files that were damaged, forged or written by other software: never a crash, never a wrong "valid".
@Suite struct DamageTests {
  private static func proven() async throws -> [UInt8] {
    let timed = try await Samples.seal(stamper: Samples.stamper)
    let list = KeyMaker.revocations(
      by: Samples.authority, at: Samples.now + .days(-1), until: Samples.now + .days(30))
    return try Sealer.addProofs(to: timed, certificates: [Samples.authority.certificate], lists: [list])
  }

  @Test("bytes flipped all over a seal with proofs: what is said of it changes, except in what says nothing")
  func flips() async throws {
    let pdf = try await Self.proven()
    let whole = Samples.verify(pdf)
    #expect(whole.signatures[0].level == .longTerm)
    let copies = Samples.copiesOfRoot(in: pdf)
    #expect(copies.count == 3, "with the signature, with its time, and among the proofs")
    let count = LongTests.areWanted ? 1009 : 337
    var missed: [Int] = []
    for step in 0..<count {
      let place = step * (pdf.count - 1) / (count - 1)
      var bytes = pdf
      bytes[place] ^= 0x04
      if Samples.verify(bytes).json == whole.json { missed.append(place) }
    }
    let silent = try copies + [Self.lastIdentifier(of: pdf)]
    let others = missed.filter { place in !silent.contains { $0.contains(place) } }
    #expect(others.map { String(decoding: pdf[($0 - 30)..<min($0 + 30, pdf.count)], as: UTF8.self) } == [])
    // What nobody else notices either.
    let places = silent.compactMap { range in missed.first { range.contains($0) } }
    #expect(places.count > (LongTests.areWanted ? 1 : 0), "\(missed)")
    for place in LongTests.areWanted ? missed : places {
      var bytes = pdf
      bytes[place] ^= 0x04
      let said = try await Tool.pyHanko(bytes)
      #expect(said.contains("The signature is judged VALID"), "byte \(place): \(said)")
    }
  }

  /// The file's identifier as the trailer behind the last signature repeats it: nobody asks for it but whoever opens
  /// encrypted files, which are refused.
  private static func lastIdentifier(of pdf: [UInt8]) throws -> Range<Int> {
    let trailer = try #require(pdf.lastPlace(of: Array("trailer".utf8)))
    let start = trailer + (try #require(Array(pdf[trailer...]).firstPlace(of: Array("/ID[".utf8))))
    return start..<(start + 74)
  }

  @Test("a store of proofs that came after a signature holds nothing besides", arguments: ["/Type/DSX", "/Typo/DSS"])
  func strangeStore(words: String) async throws {
    var pdf = try await Self.proven()
    let place = try #require(pdf.lastPlace(of: Array("/Type/DSS".utf8)))
    pdf.replaceSubrange(place..<(place + 9), with: Array(words.utf8))
    let report = Samples.verify(pdf)
    #expect(report.verdict == .failed && report.lines.joined().contains("the store of proofs"), "\(report.lines)")
  }

  @Test("a file that is cut off anywhere is not valid")
  func truncated() async throws {
    let pdf = try await Self.proven()
    for length in stride(from: 0, to: pdf.count - 8, by: LongTests.areWanted ? 97 : 997) {
      let report = Samples.verify(Array(pdf.prefix(length)))
      // The file as it was before the proofs is a whole one.
      #expect(report.verdict != .passed || report.signatures[0].level != .longTerm, "\(length) bytes")
    }
  }

  @Test("pyHanko's strict rules for AdES find the seal valid, at each level")
  func ades() async throws {
    let archived = try await Samples.sealer(stamper: Samples.stamper)
      .addDocumentTime(to: try await Self.proven(), now: Samples.now)
    let timed = try await Samples.seal(stamper: Samples.stamper)
    for pdf in [try await Samples.seal(), timed, archived] {
      let said = try await Tool.pyHanko(pdf, command: "adesverify")
      #expect(said.contains("The signature is judged VALID"), "\(said)")
      #expect(!said.contains("INVALID"), "\(said)")
    }
    // And one that was changed, invalid.
    var changed = timed
    changed[300] ^= 1
    let said = try await Tool.pyHanko(changed, command: "adesverify")
    #expect(!said.contains("The signature is judged VALID"), "\(said)")
  }

  @Test("encrypted files are neither sealed nor judged")
  func encrypted() async throws {
    let folder = try TemporaryFolder()
    try Files.write(Samples.document, to: folder.file("in.pdf"))
    _ = try await Tool.run(
      "qpdf", ["--encrypt", "", "owner", "256", "--", folder.file("in.pdf"), folder.file("out.pdf")])
    let pdf = try Files.read(folder.file("out.pdf"))
    #expect(Samples.verify(pdf).verdict == .indeterminate)
    #expect(Samples.verify(pdf).faults.map(\.words) == ["the file is encrypted"])
    let error = await #expect(throws: SealingError.self) { try await Samples.seal(pdf) }
    #expect(error?.description == "the file cannot be sealed: the file is encrypted")
  }

  /// A file whose table hides the objects of its page tree in a stream, as files for two generations of readers do.
  private static func hybrid() -> [UInt8] {
    var text = "%PDF-1.5\n"
    var offsets: [Int] = []
    for (number, body) in [
      (1, "<</Type/Catalog/Pages 2 0 R/Lang(en)>>"), (2, "<</Type/Pages/Kids[3 0 R]/Count 1>>"),
      (3, "<</Type/Page/Parent 2 0 R/MediaBox[0 0 90 90]>>"), (4, "<</Producer(hidden)>>"),
    ] {
      offsets.append(text.utf8.count)
      text += "\(number) 0 obj\n\(body)\nendobj\n"
    }
    var bytes = Array(text.utf8)
    let stream = bytes.count
    let entry: [UInt8] = [1, UInt8(offsets[3] >> 8), UInt8(offsets[3] & 255), 0]
    bytes += "5 0 obj\n<</Type/XRef/Size 6/W[1 2 1]/Index[4 1]/Root 1 0 R/Length 4>>stream\n".utf8 + entry
    bytes += "\nendstream\nendobj\n".utf8
    let table = bytes.count
    bytes += "xref\n0 4\n0000000000 65535 f \n".utf8
    for offset in offsets.prefix(3) {
      bytes += "\(String(repeating: "0", count: 10 - "\(offset)".count))\(offset) 00000 n \n".utf8
    }
    return bytes + "trailer\n<</Size 6/Root 1 0 R/XRefStm \(stream)>>\nstartxref\n\(table)\n%%EOF\n".utf8
  }

  @Test("a file with hidden cross-references is read, sealed without them, and judged")
  func hybrids() async throws {
    let pdf = Self.hybrid()
    let file = try PDFFile(pdf)
    #expect(file.numbers == [1, 2, 3, 4])
    let sealed = try await Samples.seal(pdf)
    #expect(Samples.verify(sealed).verdict == .passed, "\(Samples.verify(sealed).lines)")
    let again = try PDFFile(sealed)
    #expect(again.trailer["XRefStm"] == nil)
    // Hidden things that are added afterwards are found.
    var writer = try RevisionWriter(again)
    writer.write(.dictionary(["Producer": .text("other")]), as: PDFReference(4))
    #expect(Samples.verify(writer.finish().bytes).verdict == .failed)
  }

  @Test("a range that was forged in any way is refused")
  func ranges() async throws {
    let pdf = try await Samples.seal()
    let word = Array("/ByteRange[".utf8)
    let start = try #require(pdf.firstPlace(of: word)) + word.count
    let end = try #require(pdf[start...].firstIndex(of: UInt8(ascii: "]")))
    let numbers = String(decoding: pdf[start..<end], as: UTF8.self).split(separator: " ").compactMap { Int($0) }
    #expect(numbers.count == 4)
    let (gap, rest, length) = (numbers[1], numbers[2], numbers[3])
    for forged in [
      [0, gap - 1, rest, length], [0, gap, rest + 1, length - 1], [0, gap, rest, length - 1],
      [1, gap - 1, rest, length],
      [0, gap, rest, length + 1], [0, rest, gap, length], [0, gap, rest, 0], [0, 0, 0, pdf.count],
      [0, gap, gap, length],
      [-5, gap, rest, length], [0, 9_999_999_999, rest, length], [0, gap, rest],
      [0, gap, rest, 4_611_686_018_427_387_904],
    ] {
      let words = forged.map(String.init).joined(separator: " ")
      guard words.utf8.count <= end - start else { continue }
      var bytes = pdf
      bytes.replaceSubrange(
        start..<end, with: Array((words + String(repeating: " ", count: end - start - words.utf8.count)).utf8))
      let report = Samples.verify(bytes)
      #expect(report.verdict != .passed, "\(words): \(report.lines)")
    }
  }

  @Test("bytes that are slipped in before or behind a signature are noticed")
  func appended() async throws {
    let pdf = try await Self.proven()
    for extra in ["x", "\n", "%%EOF\n", "startxref\n0\n%%EOF\n", "1 0 obj\n<<>>\nendobj\n"] {
      #expect(Samples.verify(pdf + Array(extra.utf8)).verdict != .passed || extra == "\n", "appended \(extra)")
      #expect(Samples.verify(Array(extra.utf8) + pdf).verdict != .passed, "put in front: \(extra)")
    }
  }
}
