import ArchiveKit
import Base
import Documents
import PDF
import Synchronization
import TestSupport
import Testing

/// What does not fit on one page, or in one column.
@Suite struct LayoutTests {
  private static func table(rows: Int) -> String {
    let body = (1...rows).map { "<tr><td>row \($0)</td><td>words</td></tr>" }.joined()
    return "<table><thead><tr><th>Visit</th><th>What happens</th></tr></thead><tbody>\(body)</tbody></table>"
  }

  @Test("the head of a table is shown again on each page, and read once", arguments: ["en", "ar"])
  func heads(language: String) async throws {
    let bytes = try SamplePaper.compose(SamplePaper.paper(Self.table(rows: 90), language: language))
    #expect(try ArchiveRules.faults(bytes) == [])
    let pages = try await Tool.text(bytes).split(separator: "\u{0C}")
    #expect(pages.count == 4)
    for page in pages.dropLast() { #expect(page.contains("What happens"), "\(page)") }
    // Only the first is a part of the text.
    let file = try PDFFile(bytes)
    let heads = try file.numbers.count { try file.object($0).dictionary?["S"]?.name == "TH" }
    #expect(heads == 2)
    let rows = (1...90).filter { number in pages.joined().contains("row \(number)") }
    #expect(rows.count == 90)
  }

  @Test("a head that is as high as a page is shown once")
  func highHead() async throws {
    let head = String(repeating: "<p>tall</p>", count: 60)
    let body = (1...80).map { "<tr><td>row \($0)</td></tr>" }.joined()
    let markup = "<table><thead><tr><th>\(head)</th></tr></thead><tbody>\(body)</tbody></table>"
    let text = try await Tool.text(SamplePaper.compose(SamplePaper.paper(markup)))
    #expect(text.ranges(of: "tall").count == 60)
    #expect(text.contains("row 80"))
  }

  /// How far down a word reaches, wherever it stands on a page.
  private static func lowerEdges(of word: String, in bytes: [UInt8]) async throws -> [Double] {
    let folder = try TemporaryFolder()
    try Files.write(bytes, to: folder.file("in.pdf"))
    let boxes = try await Tool.run("pdftotext", ["-bbox", folder.file("in.pdf"), "-"])
    withExtendedLifetime(folder) {}
    return boxes.split(separator: "\n").filter { $0.contains(">\(word)<") }.compactMap { line in
      line.split(separator: "yMax=\"").last.flatMap { Double($0.prefix { $0 != "\"" }) }
    }
  }

  @Test("rows that are higher than a page go on below the head that is shown again")
  func highRows() async throws {
    let cell = (1...150).map { "<p>line \($0)</p>" }.joined()
    let markup = "<table><thead><tr><th>Head</th></tr></thead><tbody><tr><td>\(cell)</td></tr></tbody></table>"
    let bytes = try SamplePaper.compose(SamplePaper.paper(markup))
    #expect(try ArchiveRules.faults(bytes) == [])
    let lows = try await Self.lowerEdges(of: "line", in: bytes)
    #expect(lows.count == 150)
    #expect(lows.allSatisfy { $0 < 841.89 - 45 - 17 }, "\(lows.max() ?? 0)")
  }

  private static let lines = (1...60).map { "<p>line \($0)</p>" }.joined()
  private static let shortRows = (1...60).map { "<tr>\($0 == 1 ? "LABEL" : "")<td>line</td></tr>" }.joined()

  static let spanning: [(String, Int)] = [
    // A cell that is nearly a page high and reaches over two rows, one that is higher than all rows together, and one
    // over more rows than a page has room for, each somewhere on a page.
    ("<table><tr><td rowspan=\"2\">\(lines)</td><td>a</td></tr><tr><td>b</td></tr></table>", 60),
    ("<table>\(shortRows.replacing("LABEL", with: "<td rowspan=\"60\">\(lines)</td>"))</table>", 120),
    ("<table>\(shortRows.replacing("LABEL", with: "<td rowspan=\"60\">label</td>"))</table>", 60),
    (
      "<table><thead><tr><th>Head</th></tr></thead><tr><td>"
        + "<table>\(shortRows.replacing("LABEL", with: "<td rowspan=\"60\">\(lines)</td>"))</table></td></tr></table>",
      120
    ),
    // Cells that reach into each other's rows.
    (
      "<h2>Heading</h2><table><tr><td rowspan=\"2\">\(String(repeating: "<p>line</p>", count: 15))</td><td>a</td></tr>"
        + "<tr><td rowspan=\"2\">\(String(repeating: "<p>line</p>", count: 15))</td></tr><tr><td>b</td></tr></table>",
      30
    ),
  ]

  @Test("cells over several rows show all of their text, wherever on a page they begin", arguments: spanning)
  func spans(markup: String, count: Int) async throws {
    for before in [0, 10, 25, 38] {
      let bytes = try SamplePaper.compose(
        SamplePaper.paper(String(repeating: "<p>words</p>", count: before) + markup))
      #expect(try ArchiveRules.faults(bytes) == [])
      let lows = try await Self.lowerEdges(of: "line", in: bytes)
      #expect(lows.count == count, "below \(before) paragraphs")
      #expect(lows.allSatisfy { $0 < 841.89 - 45 - 17 }, "\(lows.max() ?? 0) below \(before) paragraphs")
    }
  }

  @Test("rows that a cell reaches over stay on one page, also where the next page begins between them")
  func spansTogether() async throws {
    let rows = (1...4).map { "<tr>\($0 == 1 ? "<td rowspan=\"4\">label</td>" : "")<td>line \($0)</td></tr>" }.joined()
    for before in 30..<44 {
      let markup = String(repeating: "<p>words</p>", count: before) + "<table>\(rows)</table>"
      let pages = try await Tool.text(SamplePaper.compose(SamplePaper.paper(markup))).split(separator: "\u{0C}")
      let page = try #require(pages.first { $0.contains("label") })
      for number in 1...4 { #expect(page.contains("line \(number)"), "below \(before) paragraphs") }
    }
  }

  @Test("a cell of a table's head reaches over no row of its body")
  func spanOfHead() async throws {
    let body = (1...90).map { "<tr><td>row \($0)</td><td>words</td></tr>" }.joined()
    let head = "<thead><tr><th rowspan=\"60\">Visit</th><th>What happens</th></tr></thead>"
    let bytes = try SamplePaper.compose(SamplePaper.paper("<table>\(head)<tbody>\(body)</tbody></table>"))
    #expect(try ArchiveRules.faults(bytes) == [])
    let file = try PDFFile(bytes)
    for number in file.numbers {
      guard let cell = try file.object(number).dictionary, cell["S"]?.name == "TH" else { continue }
      var written: [UInt8] = []
      written.append(.dictionary(cell))
      #expect(!String(decoding: written, as: UTF8.self).contains("/RowSpan"))
    }
    let pages = try await Tool.text(bytes).split(separator: "\u{0C}")
    for page in pages.dropLast() { #expect(page.contains("What happens"), "\(page)") }
  }

  @Test("a cell ends before one that reaches down from above, so that no text lies over another")
  func overlapping() async throws {
    let above = String(repeating: "<p>above</p>", count: 8)
    let below = String(repeating: "below ", count: 30)
    let markup =
      "<table><tbody><tr><td>one</td><td rowspan=\"2\">\(above)</td><td>three</td></tr>"
      + "<tr><th colspan=\"2\">\(below)</th><td>last</td></tr></tbody></table>"
    let bytes = try SamplePaper.compose(SamplePaper.paper(separate: markup))
    #expect(try ArchiveRules.faults(bytes) == [])
    let page = try await RenderedPage(of: bytes, number: 1)
    func boxes(_ word: String) -> [RenderedPage.Box] { page.words.filter { $0.text == word }.map(\.box) }
    let (upper, lower) = (boxes("above"), boxes("below"))
    #expect(upper.count == 8 && lower.count == 30)
    #expect((upper.map(\.left).min() ?? 0) > (lower.map(\.right).max() ?? 0))
    #expect(boxes("last").map(\.left) == boxes("three").map(\.left))
  }

  @Test("labels of items that are lower than they stand below each other")
  func lowItems() async throws {
    let markup = "<ol><li><hr></li><li><hr></li><li>three</li></ol>"
    let page = try await RenderedPage(of: SamplePaper.compose(SamplePaper.paper(separate: markup)), number: 1)
    let labels = page.words.filter { ["1.", "2.", "3."].contains($0.text) }.map(\.box)
    #expect(labels.count == 3)
    for (one, next) in zip(labels, labels.dropFirst()) { #expect(one.bottom < next.top + 1, "\(page.words)") }
  }

  @Test("a document is given up wherever its time is over, and its parts are short between two looks at the clock")
  func patience() throws {
    let paper = try SamplePaper.paper(SamplePaper.standard + "<p>\(String(repeating: "long ", count: 4500))</p>")
    let counted = Mutex(0)
    let whole = try SamplePaper.composer.compose(paper) {
      counted.withLock { $0 += 1 }
      return false
    }
    let looks = counted.withLock { $0 }
    // Paragraphs, pages, and pieces of the long paragraph.
    #expect(looks > 12, "\(looks)")
    for last in [1, looks / 2, looks] {
      let asked = Mutex(0)
      #expect(throws: DocumentError.stopped) {
        try SamplePaper.composer.compose(paper) {
          asked.withLock { count in
            count += 1
            return count >= last
          }
        }
      }
      let count = asked.withLock { $0 }
      #expect(count == last, "nothing goes on after its end")
    }
    #expect(try SamplePaper.compose(paper) == whole)
  }

  @Test("a column without room for a letter is an error that names what does not fit")
  func tooNarrow() throws {
    let cells = (1...64).map { _ in "<td>WWW</td>" }.joined()
    let lists = String(repeating: "<ul><li>", count: 50) + "deep" + String(repeating: "</li></ul>", count: 50)
    for (markup, words) in [("<table><tr>\(cells)</tr></table>", "'W'"), (lists, "too narrow")] {
      let error = #expect(throws: DocumentError.self) { try SamplePaper.compose(SamplePaper.paper(markup)) }
      #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
    }
    let wide = "<table><tr>\((1...20).map { _ in "<td>WWWWWW</td>" }.joined())</tr></table>"
    #expect(throws: Never.self) { try SamplePaper.compose(SamplePaper.paper(wide)) }
  }

  @Test(
    "whatever stands in a caption, and in lists and tables outside of their items and cells, is in the file, once",
    arguments: [
      ("<table><caption><p>first</p><p>second</p><ul><li>third</li></ul></caption><tr><td>cell</td></tr></table>", 4),
      ("<table><caption>first<table><tr><td>second</td></tr></table></caption><tr><td>third</td></tr></table>", 3),
      ("<table><caption>first</caption></table><p>second</p>", 2),
      ("<table>first<tr>second<p>third</p><td>cell</td></tr><tbody>fourth</tbody></table>", 5),
      ("<table><td>cell</td><td>first</td></table>", 2),
      ("<ul><li>first</li><ul><li>second</li></ul>third<p>fourth</p></ul>", 4),
      ("<ol>first<li>second</li><table><tr><td>third</td></tr></table></ol>", 3),
      ("<ul><b><li>first</li></b></ul><td>second</td><caption>third</caption>", 3),
    ])
  func nothingIsLost(markup: String, count: Int) async throws {
    let bytes = try SamplePaper.compose(SamplePaper.paper(markup))
    #expect(try ArchiveRules.faults(bytes) == [])
    let text = try await Tool.text(bytes)
    let words = ["first", "second", "third", "fourth", "cell"].filter { markup.contains($0) }
    #expect(words.count == count)
    for word in words { #expect(text.ranges(of: word).count == 1, "'\(word)' in \(text)") }
  }

  @Test(
    "the items of a list are numbered as it says",
    arguments: [
      ("<ol><li>a</li><li>b</li><li value=\"7\">c</li><li>d</li></ol>", ["1.", "2.", "7.", "8."]),
      ("<ol reversed=\"\"><li>a</li><li>b</li><li>c</li></ol>", ["3.", "2.", "1."]),
      ("<ol reversed=\"\" start=\"9\"><li>a</li><li>b</li></ol>", ["9.", "8."]),
      (
        "<ol reversed=\"\"><li>a</li><ul><li>x</li></ul><li value=\"5\">b</li><li>c</li></ol>", ["3.", "•", "5.", "4."]
      ),
    ])
  func numbers(markup: String, labels: [String]) async throws {
    let page = try await RenderedPage(of: SamplePaper.compose(SamplePaper.paper(separate: markup)), number: 1)
    let found = page.words.map(\.text).filter { $0 == "•" || ($0.hasSuffix(".") && Int($0.dropLast()) != nil) }
    #expect(found == labels, "\(page.words)")
  }

  @Test("a thousand pages are composed, and more than two thousand are refused")
  func manyPages() throws {
    guard LongTests.areWanted else { return }
    let page = String(repeating: "<p>words</p>", count: 42)
    let bytes = try SamplePaper.compose(SamplePaper.paper(String(repeating: page, count: 1000)))
    let file = try PDFFile(bytes)
    #expect(try file.resolve(file.catalog()["Pages"]).dictionary?["Count"]?.integer ?? 0 >= 1000)
    let error = #expect(throws: DocumentError.self) {
      try SamplePaper.compose(SamplePaper.paper(String(repeating: page, count: 2200)))
    }
    #expect(error == .tooManyPages(bound: 2000))
  }

  @Test("pictures that are broken, huge or of another kind are refused by what they are")
  func pictures() throws {
    func png(_ width: UInt32, _ height: UInt32, interlaced: UInt8 = 0) -> [UInt8] {
      let sizes = [width, height].flatMap { value in [24, 16, 8, 0].map { UInt8(value >> $0 & 255) } }
      return [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10, 0, 0, 0, 13] + Array("IHDR".utf8) + sizes
        + [8, 2, 0, 0, interlaced, 0, 0, 0, 0, 0, 0, 0, 0] + Array("IEND".utf8)
    }
    func jpeg(_ width: UInt16, _ height: UInt16, colors: UInt8) -> [UInt8] {
      let sizes = [height, width].flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
      return [0xFF, 0xD8, 0xFF, 0xC0, 0, 8, 8] + sizes + [colors, 0xFF, 0xD9]
    }
    let cases: [([UInt8], PictureFault)] = [
      (png(100_000, 100_000), .tooLarge(width: 100_000, height: 100_000)),
      (png(4, 4, interlaced: 1), .unknownForm("an interlaced PNG")), (png(4, 4), .broken),
      (png(0, 4), .broken), (jpeg(65_000, 65_000, colors: 3), .tooLarge(width: 65_000, height: 65_000)),
      (jpeg(4, 4, colors: 4), .unknownForm("a JPEG with 4 colours")), (Array("GIF89a".utf8), .unknownKind),
      ([0xFF, 0xD8, 0xFF, 0xE0], .broken), ([], .unknownKind),
    ]
    for (bytes, fault) in cases {
      #expect(throws: fault) { try PDFImage(reading: bytes) }
    }
    #expect(throws: Never.self) { try PDFImage(reading: jpeg(4, 4, colors: 3)) }
  }

  @Test("three pages with two signatures have at most 60 KB")
  func size() throws {
    let words = String(
      repeating: "<p>\(String(repeating: "Words that people read before they sign. ", count: 8))</p>", count: 24)
    var paper = try SamplePaper.paper(words)
    paper.signaturePage.blocks[1] = paper.signaturePage.blocks[0]
    paper.margin = 18
    let bytes = try SamplePaper.compose(paper)
    let file = try PDFFile(bytes)
    #expect(try file.resolve(file.catalog()["Pages"]).dictionary?["Count"]?.integer == 3)
    #expect(bytes.count <= 60 << 10, "\(bytes.count) bytes")
  }

  @Test("Chinese characters have the shapes of the document's place, and its text comes out")
  func places() async throws {
    var shapes: [String: Int] = [:]
    for language in ["zh-Hans", "zh-Hant", "zh-HK", "ja", "ko"] {
      let bytes = try SamplePaper.compose(SamplePaper.paper("<p>骨直角誤与 안녕 かな</p>", language: language))
      #expect(try ArchiveRules.faults(bytes) == [])
      let text = try await Tool.text(bytes)
      #expect(text.contains("骨直角誤与"), "\(language): \(text)")
      let folder = try TemporaryFolder()
      try Files.write(bytes, to: folder.file("in.pdf"))
      let fonts = try await Tool.run("pdffonts", [folder.file("in.pdf")])
      let place = ["zh-Hans": "sc", "zh-Hant": "tc", "zh-HK": "hk", "ja": "jp", "ko": "kr"][language] ?? ""
      #expect(fonts.contains("NotoSansCJK\(place)-Regular"), "\(fonts)")
      shapes[language] = bytes.count
      let said = try await Tool.run("qpdf", ["--check", folder.file("in.pdf")])
      #expect(said.hasPrefix("ended with 0\n"), "\(said)")
    }
    #expect(shapes.count == 5)
  }
}
