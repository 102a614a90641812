import Base
import PDF
import Testing

/// Files as other programs write them, and as nobody should.
@Suite struct PDFFileTests {
  /// A file of one page, with its table of cross-references.
  private func plain(_ extra: String = "", trailer: String = "") -> [UInt8] {
    var text = "%PDF-1.7\n"
    var offsets: [Int] = []
    for (index, body) in [
      "<</Type/Catalog/Pages 2 0 R\(extra)>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>",
      "<</Type/Page/Parent 2 0 R/MediaBox[0 0 10 10]>>",
    ].enumerated() {
      offsets.append(text.utf8.count)
      text += "\(index + 1) 0 obj\n\(body)\nendobj\n"
    }
    let table = text.utf8.count
    text += "xref\n0 4\n0000000000 65535 f \n"
    for offset in offsets { text += String(repeating: "0", count: 10 - "\(offset)".count) + "\(offset) 00000 n \n" }
    return Array((text + "trailer\n<</Size 4/Root 1 0 R\(trailer)>>\nstartxref\n\(table)\n%%EOF\n").utf8)
  }

  @Test("a file is read with all its objects")
  func reads() throws {
    let file = try PDFFile(plain("/Note(a\\(b\\)\\101)/Hex<4142 4>/Real -1.25/Name/A#20B"))
    let catalog = try file.catalog()
    #expect(catalog["Note"]?.string == Array("a(b)A".utf8))
    #expect(catalog["Hex"]?.string == [0x41, 0x42, 0x40])
    #expect(catalog["Real"] == .real(thousandths: -1250))
    #expect(catalog["Name"]?.name == "A B")
    #expect(try file.resolve(catalog["Pages"]).dictionary?["Count"]?.integer == 1)
    #expect(file.numbers == [1, 2, 3])
  }

  @Test("what is written reads back as the same value")
  func roundTrip() throws {
    let value = PDFObject.dictionary([
      "A": .array([.null, .boolean(true), .integer(-5), .real(thousandths: -5), .real(thousandths: 12_340)]),
      "B C/D": .string(Array("(\\)".utf8)), "E": .text("Zoë 山"), "F": .to(7),
    ])
    var bytes: [UInt8] = []
    bytes.append(value)
    let text = String(decoding: bytes, as: UTF8.self)
    let file = try PDFFile(plain("/Value \(text)"))
    #expect(try file.catalog()["Value"] == value)
    #expect(try file.catalog()["Value"]?.dictionary?["E"]?.text == "Zoë 山")
  }

  @Test("a file that is cut off anywhere is refused")
  func truncated() {
    let whole = plain()
    // The last line's end is not needed.
    for length in stride(from: 0, to: whole.count - 12, by: 7) {
      #expect(fault(Array(whole.prefix(length))) != "read", "\(length) bytes")
    }
  }

  @Test("encrypted files, circles and forged places are refused by their names")
  func forged() {
    #expect(fault(plain("", trailer: "/Encrypt 5 0 R")) == "the file is encrypted")
    let whole = String(decoding: plain(), as: UTF8.self)
    let table = whole.split(separator: "startxref\n")[1].split(separator: "\n")[0]
    #expect(fault(plain("", trailer: "/Prev \(table)")) == "the cross-references lead in a circle")
    #expect(fault(plain("", trailer: "/Prev 999999")).contains("said to be at byte 999999"))
    #expect(fault(plain("/A 1/A 2")).contains("a dictionary has /A twice"))
    #expect(fault(plain("/A " + String(repeating: "[", count: 100))).contains("nested more than 64 deep"))
    #expect(fault(Array("hello".utf8)) == "the file does not begin with %PDF-")
    let wrong = whole.replacing("0000000009 00000 n", with: "0000000010 00000 n")
    #expect(fault(Array(wrong.utf8)) != "read")
  }

  @Test("any byte of a file may be wrong: the reader answers, and never crashes")
  func garbled() {
    let whole = plain("/Note(text)/List[1 2 3 0 R]")
    var random: UInt64 = 42
    for _ in 0..<3000 {
      var bytes = whole
      for _ in 0..<3 {
        random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        bytes[Int(random >> 33) % bytes.count] = UInt8(random >> 20 & 255)
      }
      _ = fault(bytes)
    }
  }
}
