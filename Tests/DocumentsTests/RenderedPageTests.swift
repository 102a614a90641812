import ArchiveKit
import Base
import Documents
import PDF
import TestSupport
import Testing

/// The signature page as people see it: painted by another program, and looked at.
@Suite struct RenderedPageTests {
  @Test("the drawn signature and every label are seen where they belong")
  func signaturePage() async throws {
    let page = try await RenderedPage(of: SamplePaper.compose(SamplePaper.paper()), number: 2)
    let signed = try #require(page.words.first { $0.text == "Signature" }, "\(page.words)")
    // The picture stands on its line, above the label.
    func picture(above word: RenderedPage.Word) -> RenderedPage.Box {
      .init(left: 45, top: word.box.top - 54, right: 45 + 220, bottom: word.box.top - 5)
    }
    let drawn = page.ink(in: picture(above: signed))
    #expect(drawn > 60, "\(drawn) dark points")
    let empty = page.ink(
      in: .init(left: 300, top: signed.box.top - 54, right: page.width - 45, bottom: signed.box.top - 5))
    #expect(empty == 0, "beside it there is nothing: \(empty)")
    // Nobody has signed in the second place, and it says so.
    let unsigned = try #require(page.words.first { $0.text == "Signature:" }, "\(page.words)")
    #expect(page.ink(in: picture(above: unsigned)) == 0)
    for word in page.words where word.text.count > 2 {
      let ink = page.ink(in: word.box)
      #expect(ink > 3, "'\(word.text)' has \(ink) dark points")
    }
  }

  @Test("a watermark hides nothing of what stands below it, and is seen on pictures")
  func watermark() async throws {
    var paper = try SamplePaper.paper(String(repeating: "<p>\(String(repeating: "words ", count: 60))</p>", count: 12))
    let plain = try await RenderedPage(of: SamplePaper.compose(paper), number: 1)
    paper.watermark = "PREVIEW"
    let bytes = try SamplePaper.compose(paper)
    #expect(try ArchiveRules.faults(bytes) == [])
    let marked = try await RenderedPage(of: bytes, number: 1)
    let words = plain.words.filter { $0.text == "words" }
    #expect(words.count > 200)
    for word in words { #expect(marked.ink(in: word.box) >= plain.ink(in: word.box)) }
    // A white picture as large as a page.
    paper.separateMarkup = "<img src=\"asset:page\" alt=\"A page\" width=\"740\" height=\"1000\">"
    paper.pictures["page"] = PDFImage(width: 8, height: 8, gray: [UInt8](repeating: 255, count: 64))
    let page = try await RenderedPage(of: SamplePaper.compose(paper), number: 1)
    #expect(page.ink(in: .init(left: 100, top: 350, right: 500, bottom: 450), below: 240) > 1000)
  }
}

/// A page of a file as poppler paints it, in points, with its words where poppler finds them.
struct RenderedPage {
  struct Box {
    let left, top, right, bottom: Double
  }

  struct Word: CustomStringConvertible {
    let text: String
    let box: Box

    var description: String { text }
  }

  let width: Double
  let words: [Word]
  private let bitmap: (width: Int, height: Int, gray: [UInt8])

  /// Four dots to a point.
  private static let scale = 4

  init(of bytes: [UInt8], number: Int) async throws {
    let folder = try TemporaryFolder()
    let (file, page) = (folder.file("in.pdf"), "\(number)")
    try Files.write(bytes, to: file)
    let said = try await Tool.run(
      "pdftoppm",
      ["-gray", "-r", "\(72 * Self.scale)", "-f", page, "-l", page, "-singlefile", file, folder.file("page")])
    #expect(said == "ended with 0\n")
    bitmap = try Self.bitmap(Files.read(folder.file("page.pgm")))
    width = Double(bitmap.width) / Double(Self.scale)
    let boxes = try await Tool.run("pdftotext", ["-bbox", "-f", page, "-l", page, file, "-"])
    words = boxes.split(separator: "\n").compactMap { Self.word(String($0)) }
  }

  /// How many points are dark, of those that lie wholly in a box.
  func ink(in box: Box, below light: UInt8 = 128) -> Int {
    let scale = Double(Self.scale)
    let columns = max(Int(box.left * scale), 0)..<min(Int(box.right * scale), bitmap.width)
    let rows = max(Int(box.top * scale), 0)..<min(Int(box.bottom * scale), bitmap.height)
    return rows.reduce(0) { sum, row in
      sum + columns.count { bitmap.gray[row * bitmap.width + $0] < light }
    }
  }

  /// P5, its width, its height and 255, then a byte for each dot.
  private static func bitmap(_ file: [UInt8]) throws -> (width: Int, height: Int, gray: [UInt8]) {
    let parts = file.split(maxSplits: 4, omittingEmptySubsequences: false) { $0 == 10 || $0 == 32 }
    let numbers = parts.dropFirst().prefix(3).compactMap { Int(String(decoding: $0, as: UTF8.self)) }
    try #require(parts.count == 5 && numbers.count == 3 && parts[4].count == numbers[0] * numbers[1])
    return (numbers[0], numbers[1], Array(parts[4]))
  }

  /// `<word xMin="1" yMin="2" xMax="3" yMax="4">text</word>`
  private static func word(_ line: String) -> Word? {
    let parts = line.split(separator: "\"")
    guard line.contains("<word "), parts.count == 9 else { return nil }
    let numbers = [1, 3, 5, 7].compactMap { Double(parts[$0]) }
    let text = parts[8].dropFirst().prefix { $0 != "<" }
    guard numbers.count == 4 else { return nil }
    return Word(
      text: String(text), box: Box(left: numbers[0], top: numbers[1], right: numbers[2], bottom: numbers[3]))
  }
}
