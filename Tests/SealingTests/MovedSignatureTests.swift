import Base
import PDF
import Sealing
import TestSupport
import Testing

/// A signature that is taken out of the document that was signed, and put into another gap between the same bytes.
@Suite struct MovedSignatureTests {
  /// How many bytes the signature has in the document that is signed.
  private static let room = 8000

  private static func padded(_ value: Int) -> String {
    String(repeating: "0", count: 10 - "\(value)".utf8.count) + "\(value)"
  }

  /// A signature's object up to its gap.
  private static func signature(_ number: Int, _ range: [Int]) -> String {
    "\(number) 0 obj\n<</Type/Sig/Filter/Adobe.PPKLite/SubFilter/ETSI.CAdES.detached/ByteRange[0 "
      + range.map(padded).joined(separator: " ") + "]/Contents"
  }

  /// A document that object `first + 4` signs.
  private static func objects(from first: Int, _ words: String) -> [(number: Int, body: String)] {
    let bodies = [
      "<</Type/Catalog/Pages \(first + 1) 0 R/AcroForm<</SigFlags 3/Fields[\(first + 3) 0 R]>>>>",
      "<</Type/Pages/Kids[\(first + 2) 0 R]/Count 1>>",
      "<</Type/Page/Parent \(first + 1) 0 R/MediaBox[0 0 90 90]/Annots[\(first + 3) 0 R]/X(\(words))>>",
      "<</Type/Annot/Subtype/Widget/FT/Sig/T(S)/V \(first + 4) 0 R/P \(first + 2) 0 R/F 132/Rect[0 0 0 0]>>",
    ]
    return bodies.enumerated().map { place, body in
      (number: first + place, body: "\(first + place) 0 obj\n\(body)\nendobj\n")
    }
  }

  private static func table(_ offsets: [Int: Int], root: Int) -> String {
    let entries = offsets.sorted { $0.key < $1.key }.map { "\($0.key) 1\n\(padded($0.value)) 00000 n \n" }
    return "xref\n\(entries.joined())trailer\n<</Size 20/Root \(root) 0 R>>\n"
  }

  /// Another document, to be carried by the one that is signed: up to its gap, and from there on.
  ///
  /// - Parameters:
  ///   - base: where it begins.
  ///   - gap: how far its gap moves what stands behind it.
  private static func hidden(
    _ range: [Int], at base: Int, gap: Int
  ) -> (head: String, tail: String, table: Int) {
    let head = signature(14, range)
    var tail = ">>\nendobj\n"
    var offsets = [14: base]
    for (number, body) in objects(from: 10, "I owe 1000 EUR") {
      offsets[number] = base + head.utf8.count + gap + tail.utf8.count
      tail += body
    }
    let place = base + head.utf8.count + gap + tail.utf8.count
    return (head, tail + table(offsets, root: 10), place)
  }

  /// The document that is signed, up to its gap, and from there on; where it carries the other one, and its own table.
  private static func carrying(_ other: String) -> (head: String, tail: String, base: Int, table: Int) {
    var head = "%PDF-1.7\n"
    var offsets: [Int: Int] = [:]
    for (number, body) in objects(from: 1, "I owe 1 EUR") {
      offsets[number] = head.utf8.count
      head += body
    }
    offsets[6] = head.utf8.count
    head += "6 0 obj\n<</Length \(other.utf8.count)>>\nstream\n"
    let base = head.utf8.count
    head += "\(other)\nendstream\nendobj\n"
    offsets[5] = head.utf8.count
    let start = head.utf8.count + signature(5, [0, 0, 0]).utf8.count
    let end = ">>\nendobj\n"
    let place = start + room + end.utf8.count
    let tail = "\(end)\(table(offsets, root: 1))startxref\n\(place)\n%%EOF\n"
    return (head + signature(5, [start, start + room, tail.utf8.count]), tail, base, place)
  }

  @Test("a file in which a signature would fit a second gap is valid with neither")
  func moved() throws {
    let unplaced = Self.hidden([0, 0, 0], at: 0, gap: 0)
    let draft = Self.carrying(unplaced.head + unplaced.tail)
    let first = Self.hidden([0, 0, 0], at: draft.base, gap: 0)
    let cut = draft.base + first.head.utf8.count
    // Both documents end with the same words, so both have their table at the same place.
    let gap = draft.table - first.table
    let rest = draft.head.utf8.count + draft.tail.utf8.count - cut
    let other = Self.hidden([cut, cut + gap, rest], at: draft.base, gap: gap)
    let signed = Self.carrying(other.head + other.tail)
    let covered = Array((signed.head + signed.tail).utf8)
    let digits = Hex.encode(try Samples.sealer().sign(digest: Digest(of: covered).bytes))
    func filled(_ room: Int) -> [UInt8] {
      Array("<\(digits)\(String(repeating: "0", count: room - 2 - digits.utf8.count))>".utf8)
    }
    let honest = Array(signed.head.utf8) + filled(Self.room) + Array(signed.tail.utf8)
    let forged = Array(covered[..<cut]) + filled(gap) + Array(covered[cut...])
    #expect(try PDFFile(honest).trailer["Root"]?.reference?.number == 1)
    #expect(try PDFFile(forged).trailer["Root"]?.reference?.number == 10)
    for pdf in [honest, forged] {
      let report = Samples.verify(pdf)
      #expect(report.verdict == .failed)
      let faults = (report.signatures.flatMap(\.faults) + report.faults).map(\.words)
      #expect(faults == ["it fits a second place in the file as well, where it would sign another document"])
    }
  }

  @Test(
    "what has a range that its signature would fit is not sealed, however the range is written",
    arguments: [
      ("/ByteRange[0 1 2 N]", true), ("/Byte#52ange [ 0 1 2 N ]", true), ("7 0 obj%a\n[00 1%b\r2\tN]", true),
      ("[[0 1 2 N]]", true), ("[0 1 2 N 3]", false), ("[0 1 2 N", false), ("[1 1 2 N]", false),
    ])
  func refused(range: String, isRange: Bool) throws {
    func draft(_ number: Int) throws(SealingError) -> SealDraft {
      var file = RawPDF.page()
      file.add(stream: Array(range.replacing("N", with: Self.padded(number)).utf8), as: 5)
      file.finish()
      return try SealDraft(file.bytes, SealRequest(), at: Samples.now)
    }
    // One byte before the gap, and the others behind it.
    let others = try draft(0).covered.count - 1
    #expect(throws: Never.self) { try draft(others + 1) }
    guard isRange else {
      #expect(throws: Never.self) { try draft(others) }
      return
    }
    let error = #expect(throws: SealingError.self) { try draft(others) }
    #expect(error?.description.contains("would fit a second place in it") == true)
  }

  @Test("an object that lies around another one, and so could lie around a gap, is refused")
  func around() throws {
    let inner = Array("5 0 obj\n7\nendobj\n".utf8)
    var file = RawPDF.page()
    file.add(stream: inner, as: 6)
    var entries = Dictionary(uniqueKeysWithValues: [1, 2, 3, 4, 6].map { ($0, file.entry($0)) })
    entries[5] = RawPDF.entry(try #require(file.bytes.firstPlace(of: inner)))
    let place = file.offset(6)
    file.finish(entries)
    #expect(try PDFFile(file.bytes).object(5) == .integer(7))
    let report = Samples.verify(file.bytes)
    #expect(report.verdict == .indeterminate)
    #expect(report.faults.map(\.words) == ["the object at byte \(place) has another one in it"])
  }

  @Test("the gap has nothing in it but hexadecimal digits")
  func digits() async throws {
    let pdf = try await Samples.seal()
    #expect(Samples.verify(pdf).verdict == .passed)
    let start = try #require(pdf.firstPlace(of: Array("/Contents<".utf8))) + 9
    let end = try #require(pdf[start...].firstIndex(of: UInt8(ascii: ">"))) + 1
    let message = try #require(Hex.decode(String(decoding: pdf[(start + 1)..<(end - 1)], as: UTF8.self)))
    // The same bytes as a literal string, and with white space between digits.
    let escaped: Set<UInt8> = [UInt8(ascii: "("), UInt8(ascii: ")"), 0x5C, 13]
    let literal: [UInt8] = message.flatMap { escaped.contains($0) ? [0x5C, $0] : [$0] }
    var asText = [UInt8(ascii: "(")] + literal.replacing([0x5C, 13], with: Array("\\r".utf8))
    asText += [UInt8](repeating: 0, count: end - start - 1 - asText.count) + [UInt8(ascii: ")")]
    let asSpace = Array(pdf[start..<(end - 3)]) + Array("  >".utf8)
    for contents in [asText, asSpace] {
      var bytes = pdf
      bytes.replaceSubrange(start..<end, with: contents)
      let report = Samples.verify(bytes)
      #expect(report.verdict == .failed)
      #expect(report.lines.joined().contains("is no string of hexadecimal digits"), "\(report.lines)")
    }
  }
}
