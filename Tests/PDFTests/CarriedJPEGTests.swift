import Base
import PDF
import Pictures
import Testing

/// What of a JPEG a document carries.
@Suite struct CarriedJPEGTests {
  private func carried(_ jpeg: [UInt8]) throws -> [UInt8] {
    let image = try #require(PDFImage(jpeg: jpeg))
    var document = PDFDocument(
      DocumentFacts(title: "Picture", language: "en", created: Instant(millisecondsSince1970: 0)))
    document.addPage(width: 100, height: 100)
    let number = document.add(image)
    document.beginPiece(of: document.tree.add("Figure", in: nil))
    document.draw(image: number, in: PDFBox(left: 10, bottom: 10, right: 90, top: 90))
    document.endPiece()
    let file = try PDFFile(document.finish())
    for number in file.numbers {
      guard case .stream(let stream) = try file.object(number) else { continue }
      if stream.dictionary["Filter"]?.name == "DCTDecode" { return stream.bytes }
    }
    return []
  }

  private func segment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] {
    [0xFF, marker, UInt8((body.count + 2) >> 8), UInt8((body.count + 2) & 255)] + body
  }

  @Test("comments, small pictures and what stands behind a picture stay outside; its colours and scans are kept")
  func bare() throws {
    let jfif = Array("JFIF\0".utf8) + [1, 2, 0, 0, 1, 0, 1]
    let adobe = Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 1]
    let other = Array("10 0 obj<</Type/Catalog>>endobj".utf8)
    let frame = segment(0xC2, [8, 0, 4, 0, 4, 3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0])
    let coded: [UInt8] = [1, 2, 0xFF, 0, 3, 0xFF, 0xD0, 4, 0xFF, 0xFF, 0xD1, 5]
    let scan = segment(0xDA, [3, 1, 0, 2, 0x11, 3, 0x11, 0, 63, 0]) + coded
    let codes = segment(0xC4, [0] + [UInt8](repeating: 0, count: 16))
    let (start, end): ([UInt8], [UInt8]) = ([0xFF, 0xD8], [0xFF, 0xD9])
    let full: [[UInt8]] = [
      start, segment(0xE0, jfif + [1, 1, 9, 9, 9]), segment(0xE1, other), segment(0xEE, adobe + other),
      segment(0xE2, other), [0xFF], frame, segment(0xFE, other), scan, codes, scan, end, other, end,
    ]
    let bare: [[UInt8]] = [
      start, segment(0xE0, jfif + [0, 0]), segment(0xEE, adobe), frame, scan, codes, scan, end,
    ]
    #expect(try carried(Array(full.joined())) == Array(bare.joined()))
    #expect(try carried(Array(bare.joined())) == Array(bare.joined()))
    // Segments that lead beyond the end.
    #expect(PDFImage(jpeg: start + frame + [0xFF, 0xDA, 0xFF, 0xFF] + end) == nil)
    #expect(PDFImage(jpeg: start + frame + segment(0xFE, end)) == nil)
  }

  @Test("a picture looks the same without its comments")
  func looks() throws {
    var pixels: [UInt8] = []
    for index in 0..<24 * 16 { pixels += [UInt8(index % 24 * 10), UInt8(index / 24 * 15), 90, 255] }
    let jpeg = try #require(JPEG.encode(Bitmap(width: 24, height: 16, rgba: pixels), quality: 80))
    let comment = segment(0xFE, Array("a comment".utf8))
    var commented: [UInt8] = jpeg
    commented.insert(contentsOf: comment, at: 2)
    #expect(try carried(commented) == carried(jpeg))
    #expect(try JPEG.decode(carried(commented), limit: 1000) == JPEG.decode(jpeg, limit: 1000))
  }
}
