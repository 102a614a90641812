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
    #expect(PDFImage(jpeg: start + frame + end) != nil)
    // Segments that lead beyond the end.
    #expect(PDFImage(jpeg: start + frame + [0xFF, 0xDA, 0xFF, 0xFF] + end) == nil)
    #expect(PDFImage(jpeg: start + frame + segment(0xFE, end)) == nil)
    // A frame behind the end of its picture.
    #expect(PDFImage(jpeg: Array([start, end, [0, 2], frame, end].joined())) == nil)
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

  /// What cameras write: the orientation in a directory of EXIF, in either order of bytes.
  private func exif(_ number: UInt8, isLittle: Bool) -> [UInt8] {
    let little: [UInt8] = [0x49, 0x49, 42, 0, 8, 0, 0, 0, 2, 0] + [0x0F, 1, 2, 0, 1, 0, 0, 0, 65, 0, 0, 0]
    let big: [UInt8] = [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 2] + [1, 0x0F, 0, 2, 0, 0, 0, 1, 65, 0, 0, 0]
    let own: [UInt8] = isLittle ? [0x12, 1, 3, 0, 1, 0, 0, 0, number, 0] : [1, 0x12, 0, 3, 0, 0, 0, 1, 0, number]
    return segment(0xE1, Array("Exif\0\0".utf8) + (isLittle ? little : big) + own + [0, 0])
  }

  /// Where the first pixel of a file is shown, and the last one of the first row, for each orientation of EXIF.
  static let corners: [(UInt8, String, String)] = [
    (1, "top left", "top right"), (2, "top right", "top left"), (3, "bottom right", "bottom left"),
    (4, "bottom left", "bottom right"), (5, "top left", "bottom left"), (6, "top right", "bottom right"),
    (7, "bottom right", "top right"), (8, "bottom left", "top left"), (9, "top left", "top right"),
  ]

  @Test("a photograph is shown as it is seen, however the camera was held", arguments: corners)
  func orientation(number: UInt8, first: String, second: String) throws {
    let plain = try #require(
      JPEG.encode(Bitmap(width: 16, height: 8, rgba: [UInt8](repeating: 9, count: 512)), quality: 80))
    for isLittle in [true, false] {
      let jpeg = Array(plain.prefix(2)) + exif(number, isLittle: isLittle) + plain.dropFirst(2)
      let image = try #require(PDFImage(jpeg: jpeg))
      #expect([image.width, image.height] == ((5...8).contains(number) ? [8, 16] : [16, 8]))
      var document = PDFDocument(
        DocumentFacts(title: "Picture", language: "en", created: Instant(millisecondsSince1970: 0)))
      document.addPage(width: 100, height: 100)
      document.beginPiece(of: document.tree.add("Figure", in: nil))
      document.draw(image: document.add(image), in: PDFBox(left: 10, bottom: 20, right: 50, top: 90))
      document.endPiece()
      let file = try PDFFile(document.finish())
      let matrix = try self.matrix(in: file)
      // PDF draws the first row at the top of its unit.
      let places = [(0.0, 1.0), (1.0, 1.0)].map { x, y in
        let (left, up) = (matrix[0] * x + matrix[2] * y + matrix[4], matrix[1] * x + matrix[3] * y + matrix[5])
        return
          "\(up == 90 ? "top" : up == 20 ? "bottom" : "\(up)") \(left == 10 ? "left" : left == 50 ? "right" : "\(left)")"
      }
      #expect(places == [first, second])
      // The picture itself stays as it is.
      let frame = try file.numbers.compactMap { try file.object($0).dictionary }.first {
        $0["Subtype"]?.name == "Image"
      }
      #expect(frame?["Width"]?.integer == 16 && frame?["Height"]?.integer == 8)
    }
  }

  /// The six numbers by which the only picture of a file is drawn.
  private func matrix(in file: PDFFile) throws -> [Double] {
    for number in file.numbers {
      guard case .stream(let stream) = try file.object(number), stream.dictionary["Filter"]?.name == "FlateDecode"
      else { continue }
      let words = String(decoding: try file.contents(of: stream), as: UTF8.self)
        .split(whereSeparator: { $0 == " " || $0 == "\n" })
      guard let end = words.firstIndex(of: "cm"), end >= 6 else { continue }
      return words[(end - 6)..<end].compactMap { Double($0) }
    }
    return []
  }
}
