import Base
import Documents
import PDF
import TestSupport
import Testing

/// Numbers in markup and drawings that nothing can count or measure with: a process that trapped on one would take all
/// of its callers' documents with it.
@Suite struct HostileNumberTests {
  @Test(
    "a number that nobody can count or measure with is as if it were not there",
    arguments: [
      "<ol><li value=\"9223372036854775807\">one</li><li>two</li></ol>",
      "<ol start=\"-9223372036854775808\" reversed=\"\"><li>one</li><li>two</li></ol>",
      "<ol start=\"9223372036854775807\"><li>one</li><li>two</li></ol>",
      "<ol><li value=\"2147483647\">one</li><li>two</li></ol>",
      "<ol start=\"-2147483648\" reversed=\"\" type=\"A\"><li>one</li><li>two</li></ol>",
      "<table><tr><td>one<img src=\"asset:abc\" width=\"inf\"></td><td>two</td></tr></table>",
      "<table><tr><td>one<img src=\"asset:abc\" width=\"nan\"></td><td>two</td></tr></table>",
      "<table><tr><td>one<img src=\"asset:abc\" width=\"1e308\"></td><td>two</td></tr></table>",
      "<p>one</p><img src=\"asset:abc\" width=\"1e308\" height=\"-inf\"><p>two</p>",
      "<p>one</p><img src=\"asset:abc\" width=\"100000\" height=\"0x1p900\"><p>two</p>",
      "<table><tr><td colspan=\"9223372036854775807\">one</td><td rowspan=\"99999999999999999999\">two</td></tr></table>",
    ])
  func markup(_ markup: String) async throws {
    var paper = try SamplePaper.paper(markup)
    paper.pictures["abc"] = PDFImage(width: 2, height: 2, rgb: Array(repeating: 90, count: 12))
    let text = try await Tool.text(SamplePaper.compose(paper))
    #expect(text.contains("one") && text.contains("two"), "\(text)")
  }

  @Test("more glyphs and meanings than one font has codes for are written as two", arguments: [60_000, 140_000])
  func codes(count: Int) throws {
    let bytes = try Files.read("\(FontFolder.usual)/truetype/dejavu/DejaVuSansMono.ttf")
    let font = try #require(FontProgram(bytes))
    var document = PDFDocument(
      DocumentFacts(title: "Codes", language: "en", author: "", created: Instant(millisecondsSince1970: 0)))
    document.addPage(width: 100, height: 100)
    _ = document.tree.add("Document", in: nil)
    let clusters = (0..<count).map {
      PDFDocument.GlyphRun.Cluster(text: "\($0)", glyphs: [PDFDocument.GlyphRun.Glyph(number: 36, advance: 1)])
    }
    document.draw(PDFDocument.GlyphRun(font: font, size: 1, clusters: clusters), atX: 0, y: 0)
    let text = String(decoding: document.finish(), as: UTF8.self)
    #expect(text.ranges(of: "/Type0").count == (count > 61_440 ? 3 : 1))
  }

  @Test("a list goes on counting from the last number that it may have")
  func counting() async throws {
    let text = try await Tool.text(
      SamplePaper.compose(SamplePaper.paper("<ol><li value=\"2147483647\">one</li><li>two</li></ol>")))
    #expect(text.contains("2147483647.") && text.contains("2147483648."), "\(text)")
  }

  @Test("a table whose rows have room for a million columns is refused before it takes the time for them")
  func columns() throws {
    let cells = String(repeating: "<td colspan=\"100\" rowspan=\"100\"></td>", count: 10_000)
    let markup = "<table><tr>\(cells)</tr></table>"
    let error = #expect(throws: DocumentError.self) { try SamplePaper.compose(SamplePaper.paper(markup)) }
    #expect(error == .malformed(place: "a table", finding: "has more than 64 columns"))
  }

  @Test(
    "a drawing whose numbers are none, or are all but nothing, is drawn or refused, and never ends the process",
    arguments: [
      "<svg viewBox=\"0 0 9 9\"><path fill=\"rgb(nan,0,0)\" d=\"M0 0h9\"/></svg>",
      "<svg viewBox=\"0 0 9 9\"><path fill=\"rgb(inf,-inf,1e999%)\" d=\"M0 0h9\"/></svg>",
      "<svg viewBox=\"0 0 9 9\"><path d=\"M0 0A1e-300 1e-300 0 0 1 9 9\"/></svg>",
      "<svg viewBox=\"0 0 9 9\"><path d=\"M0 0A9 9 0 1 0 1e-320 1e-320\"/></svg>",
      "<svg viewBox=\"0 0 9 9\"><path d=\"M0 0A1e-11 1e6 30 1 0 1e6 -1e6\"/></svg>",
      "<svg viewBox=\"0 0 1e-320 1e-320\"><path d=\"M0 0h9\"/></svg>",
      "<svg viewBox=\"0 0 1e6 1e-6\" width=\"1e6\"><path d=\"M0 0h9\"/></svg>",
      "<svg viewBox=\"0 0 9 9\" width=\"1e-320\" height=\"1e-320\"><path d=\"M0 0h9\"/></svg>",
      "<svg viewBox=\"0 0 9 9\"><defs><symbol id=\"s\" viewBox=\"0 0 1e-300 1\"><path d=\"M0 0h9\"/></symbol></defs>"
        + "<use href=\"#s\" width=\"9\" height=\"9\"/></svg>",
    ])
  func drawing(_ svg: String) throws {
    var allowance = DrawingAllowance()
    var paper = try SamplePaper.paper("<p>one</p><img src=\"asset:abc\" width=\"500\">")
    do throws(DocumentError) {
      paper.drawings["abc"] = try VectorPicture(svg: Array(svg.utf8), named: "abc", within: &allowance)
    } catch {
      guard case .malformed = error else {
        Issue.record("\(error)")
        return
      }
      return
    }
    let bytes = try SamplePaper.compose(paper)
    #expect(!bytes.isEmpty)
  }
}
