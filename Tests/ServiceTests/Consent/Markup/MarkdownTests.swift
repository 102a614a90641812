import ConsentDomain
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

  @Test("Markdown that is too long is refused")
  func tooLong() {
    #expect(throws: MarkupError.self) { try Markdown.html(String(repeating: "a", count: 600_000)) }
  }
}
