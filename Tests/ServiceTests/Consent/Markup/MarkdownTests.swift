import ConsentContract
import ConsentDomain
import ServicePolicy
import Testing

@Suite("Markdown is accepted")
struct MarkdownTests {
  @Test("headings, lists and emphasis become HTML that needs no cleaning")
  func plain() throws {
    let html = try Markdown.html("# Title\n\nSome *text*.\n\n- one\n- two\n")
    #expect(html == "<h1>Title</h1>\n<p>Some <em>text</em>.</p>\n<ul>\n<li>one</li>\n<li>two</li>\n</ul>\n")
    #expect(try Sanitizer().sanitize(html).removed.isEmpty)
  }

  @Test("HTML inside Markdown is cleaned like any other, and reported")
  func raw() throws {
    let html = try Markdown.html("a <script>alert(1)</script> [b](javascript:x)")
    let result = try Sanitizer().sanitize(html)
    #expect(!result.markup.contains("script"))
    #expect(result.removed.contains { $0.what == "<script>" })
  }

  @Test(
    "lists and quotes are nested at most 100 deep, in whichever way",
    arguments: [
      String(repeating: "- ", count: 131_072) + "a\n" + String(repeating: "\n", count: 262_142),
      String(repeating: "> ", count: 101), String(repeating: ">", count: 101) + "a",
      String(repeating: "1. ", count: 101) + "a", String(repeating: "*\t", count: 101),
      (0...101).map { String(repeating: "  ", count: $0) + "- a" }.joined(separator: "\n"),
      (0...51).map { String(repeating: "\t", count: $0) + "+ a" }.joined(separator: "\r"),
    ])
  func tooDeep(markdown: String) {
    let error = #expect(throws: MarkupError.self) { try Markdown.html(markdown) }
    guard case .tooDeep(depth: let depth, bound: 100)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(depth > 100)
  }

  @Test("deep lists are short ones")
  func manyLines() throws {
    let deep = String(repeating: "- ", count: 90) + "a\n"
    let error = #expect(throws: MarkupError.self) {
      try Markdown.html(deep + String(repeating: "\n", count: 30_000))
    }
    #expect(error == .tooManyNestedLines(work: 2_700_090, bound: 2_000_000))
    _ = try Markdown.html(deep + String(repeating: "\n", count: 10_000))
  }

  @Test("rules, tables, code and long texts are not taken for lists")
  func flat() throws {
    let rules = ["- - - - - - - -", String(repeating: "* ", count: 90), String(repeating: "-", count: 400)]
    let table = "| a | b |\n|" + String(repeating: "---|", count: 200)
    let code = String(repeating: " ", count: 150) + "x = 1"
    let title = "Title\n" + String(repeating: "=", count: 400)
    let text = String(repeating: "1. a\n   - b\n\n     c > d - e * f\n\n", count: 10_000)
    for markdown in rules + [table, code, title, text, String(repeating: " \n", count: 100_000)] {
      #expect(throws: Never.self) { try Markdown.html(markdown) }
    }
  }

  @Test("what Markdown a call brings is counted before it is read, and its HTML besides")
  func counted() throws {
    var text = DocumentText(locale: "en")
    text.sections = (0..<5).map { number in
      SectionText(sectionID: "s\(number)", markdownContent: String(repeating: "a", count: 500_000))
    }
    var cleaner = MarkupCleaner()
    let error = #expect(throws: Refusal.self) { _ = try cleaner.clean(text) }
    #expect(error?.rule == "markup_out_of_bounds" && error?.field == "texts[en].sections[s4].markdown_content")
  }

  @Test("Markdown that is too long is refused")
  func tooLong() {
    #expect(throws: MarkupError.self) { try Markdown.html(String(repeating: "a", count: 600_000)) }
  }
}
