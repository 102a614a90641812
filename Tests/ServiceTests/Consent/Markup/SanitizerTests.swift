import Base
import ConsentDomain
import Testing

@Suite("HTML is sanitised by allow-list")
struct SanitizerTests {
  private func clean(_ html: String) throws -> Sanitizer.Result { try Sanitizer().sanitize(html) }

  @Test(
    "the HTML that documents consist of passes through unchanged",
    arguments: [
      "<h2>Title</h2><p>Some <strong>bold</strong> and <em>slanted</em> text.<br>More.</p>",
      "<ul><li>one</li><li>two</li></ul><ol start=\"3\"><li>three</li></ol>",
      "<table><thead><tr><th scope=\"col\">a</th></tr></thead><tbody><tr><td colspan=\"2\">b</td></tr></tbody></table>",
      "<p dir=\"rtl\" lang=\"ar\">نص</p><p>5 &lt; 6 &amp; &quot;x&quot;</p>",
    ])
  func passes(html: String) throws {
    let result = try clean(html)
    #expect(result.markup == html)
    #expect(result.removed.isEmpty)
  }

  @Test(
    "script, event handlers, external loads and odd links are removed and reported",
    arguments: [
      ("<p>a<script>alert(1)</script>b</p>", "<p>ab</p>", "<script>"),
      ("<p onclick=\"x()\">a</p>", "<p>a</p>", "onclick on <p>"),
      ("<p OnMouseOver=x()>a</p>", "<p>a</p>", "onmouseover on <p>"),
      ("<img src=\"https://tracker.example/p.png\">", "", "src on <img>"),
      ("<a href=\"javascript:alert(1)\">a</a>", "<a>a</a>", "href on <a>"),
      ("<a href=\" \u{1}java\tscript:alert(1)\">a</a>", "<a>a</a>", "href on <a>"),
      ("<a href=\"data:text/html,x\">a</a>", "<a>a</a>", "href on <a>"),
      ("<a href=\"/relative\">a</a>", "<a>a</a>", "href on <a>"),
      ("<iframe src=\"https://x.example\">x</iframe>", "", "<iframe>"),
      ("<style>p{color:red}</style><p style=\"color:red\">a</p>", "<p>a</p>", "<style>"),
      ("<svg><script>alert(1)</script></svg>a", "a", "<svg>"),
      ("<math><mtext><img src=x onerror=alert(1)></mtext></math>a", "a", "<math>"),
      ("<form action=\"https://x.example\"><input name=a>b</form>", "b", "<form>"),
      ("<font color=red>a</font>", "a", "<font>"),
      ("a<!-- secret -->b", "ab", "comment"),
      ("<template><p>x</p></template>a", "a", "<template>"),
      ("<meta http-equiv=refresh content=0><base href=//x>a", "a", "<base>"),
    ])
  func removes(html: String, left: String, what: String) throws {
    let result = try clean(html)
    #expect(result.markup == left)
    #expect(result.removed.contains { $0.what == what }, "\(result.removed)")
  }

  @Test("a language that is none is removed and reported")
  func languages() throws {
    let right = "<p lang=\"de-AT\">a<i lang=\"zh-Hant-HK\">b</i></p>"
    #expect(try clean(right).markup == right)
    for wrong in ["x y", "", "e", "en-x-\(String(repeating: "a", count: 10_000))", "a\u{301}b"] {
      let result = try clean("<p lang=\"\(wrong)\">a</p>")
      #expect(result.markup == "<p>a</p>")
      #expect(result.removed.map(\.what) == ["lang on <p>"])
    }
  }

  @Test("an image that belongs to the document stays")
  func assetImage() throws {
    let hash = String(repeating: "0a", count: 32)
    let html = "<img src=\"asset:\(hash)\" alt=\"A chart\">"
    #expect(try clean(html).markup == html)
  }

  @Test("the images of clean markup are found, however their source was written, and nothing else is taken for one")
  func assetNames() throws {
    let (one, other) = (String(repeating: "0a", count: 32), String(repeating: "1b", count: 32))
    let result = try clean(
      "<p title='src=\"asset:\(other)'> src=\"asset:\(other)\" <img src='\n as\tset:\(one)' alt=a>"
        + "<img alt='asset:' src=asset:\(other)></p>")
    #expect(result.markup.contains("<img src=\"asset:\(one)\" alt=\"a\">"))
    #expect(Reference.assets(in: result.markup) == [one, other])
    let text = try clean("<p title='asset:\(one)'>\" src=\"asset:\(one)\"</p>")
    #expect(Reference.assets(in: text.markup) == [])
    #expect(Reference.assets(in: "") == [] && Reference.assets(in: "\"") == [])
  }

  @Test("links to other sites are marked as such")
  func links() throws {
    let result = try clean("<a href=\"https://example.org/?a=1&amp;b=2\">x</a>")
    #expect(result.markup == "<a href=\"https://example.org/?a=1&amp;b=2\" rel=\"noopener noreferrer\">x</a>")
    #expect(try clean(result.markup) == result)
  }

  @Test("malformed HTML is repaired as browsers repair it, and reported")
  func malformed() throws {
    let result = try clean("<p>a<b>b</p>c</i><table>d</table>")
    #expect(result.removed.contains { $0.what == "malformed markup" })
    #expect(try clean(result.markup).removed.isEmpty)
  }

  @Test("the output is already sanitised, whatever the input", arguments: 0..<20)
  func idempotent(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let pieces = [
      "<p>", "</p>", "<b>", "</b>", "<script>", "</script>", "<svg>", "</svg>", "<table>", "<td>", "</table>",
      "<a href='javascript:x'>",
      "<a href=https://x.example>", "</a>", "text", "&lt;script&gt;", "&amp;", "<img src=x onerror=y>", "<", ">", "\"",
      "'", "<style>",
      "</style>", "<!--", "-->", "<![CDATA[", "]]>", "<math>", "<mtext>", "</mtext>", "<select>", "<option>",
      "<template>", "<h1>", "<ul><li>",
      "<noscript>", "<title>", "<textarea>", "</textarea>", "<p title=\"<script>\">", "\u{0}", "<plaintext>",
      "<frameset>", "<input autofocus onfocus=x>",
    ]
    for _ in 0..<200 {
      let count = Int.random(in: 1...30, using: &generator)
      let soup = (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
      let once = try clean(soup)
      let twice = try clean(once.markup)
      #expect(twice.markup == once.markup, "from \(soup)")
      let lower = once.markup.lowercased()
      for forbidden in ["<script", "<svg", "<style", "<iframe", "<input", "=\"javascript:"] {
        #expect(!lower.contains(forbidden), "\(forbidden) from \(soup)")
      }
      // As text it may be there: a section of character data is text.
      let pieces = lower.split(separator: "<", omittingEmptySubsequences: false)
      let tags = pieces.dropFirst().map { $0.prefix { $0 != ">" } }
      #expect(!tags.contains { $0.contains("onerror=") }, "onerror from \(soup)")
    }
  }

  @Test("a section of character data is text, wherever it stands")
  func characterData() throws {
    // Gumbo ended the process at the first two.
    for markup in [
      "<table><svg><desc><![CDATA[x]]>x", "<table><math><mi><![CDATA[x]]>x</table>", "<![CD<![CDATA[]]>ATA[x]]>",
      "<![CDATA[x", "<p title=\"<![CDATA[\">x</p>",
    ] { #expect(try clean(try clean(markup).markup).removed.isEmpty, "\(markup)") }
    #expect(
      try clean("<p>1 <![CDATA[<b>2</b> &amp; 3]]> 4</p>").markup == "<p>1 &lt;b&gt;2&lt;/b&gt; &amp;amp; 3 4</p>")
    #expect(try clean("<p>1<![CDATA[2</p>").markup == "<p>1&lt;![CDATA[2</p>")
    // What is hidden behind a section counts as well.
    let hidden = String(repeating: "<<![CDATA[]]>br>", count: 8_001)
    #expect(throws: MarkupError.self) { try clean(hidden) }
  }

  @Test("deep nesting overflows no stack and takes bounded time")
  func hostile() throws {
    let deep = try clean(String(repeating: "<div>", count: 7_000) + "x")
    #expect(deep.markup.contains("x"))
    #expect(deep.removed.contains { $0.reason.contains("100 deep") })
    #expect(throws: MarkupError.self) {
      try clean(String(repeating: "<b>", count: 5000) + String(repeating: "<p>x", count: 5000))
    }
    #expect(throws: MarkupError.self) { try clean(String(repeating: "<i><td></i>", count: 3000)) }
    #expect(throws: MarkupError.self) { try clean(String(repeating: "a", count: 600_000)) }
    #expect(throws: MarkupError.self) { try clean(String(repeating: "<br>", count: 8_001)) }
  }

  @Test("of marks on one letter 30 stay: comparing them takes the square of their number")
  func stackedMarks() throws {
    let marks = String(repeating: "\u{301}\u{316}", count: 20_000)
    for text in [marks, String(repeating: "&#x301;&#x316;", count: 10_000)] {
      let result = try clean("<p title=\"a\(text)\">a\(text)b</p>")
      #expect(result.markup.unicodeScalars.count < 100)
      #expect(result.removed.contains { $0.what == "combining marks" })
    }
    // What stood apart stands together when a comment is gone.
    let pieces = String(repeating: String(repeating: "\u{301}", count: 30) + "<!---->", count: 1_000)
    #expect(try clean("a\(pieces)b").markup.unicodeScalars.count == 32)
    // Names that are looked up.
    let named = try clean("<b\(marks) a\(marks)=1>x</b><p a\(marks)=1>y</p>")
    #expect(named.markup == "x<p>y</p>")
    #expect(named.removed.allSatisfy { $0.what.utf8.count < 500 })
    let written = "<p>e\u{323}\u{302}, שָׁלוֹם, น้ำ</p>"
    #expect(try clean(written).markup.utf8.elementsEqual(written.utf8))
  }

  @Test("a drawing keeps its shapes and loses everything that runs or loads")
  func drawing() throws {
    let svg = """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" onload="x()"><script>y</script><image href="https://x.example/a.png"/>\
      <path d="M0 0L9 9" fill="url(#g)" stroke="url(https://x.example#a)"/><use href="https://x.example/b.svg#c"/></svg>
      """
    let result = try Sanitizer(.drawing).sanitize(svg)
    #expect(result.markup.contains("<path d=\"M0 0L9 9\" fill=\"url(#g)\"></path>"), "\(result.markup)")
    #expect(result.markup.contains("viewBox=\"0 0 9 9\""))
    for gone in ["onload", "script", "x.example", "<image"] { #expect(!result.markup.contains(gone)) }
  }

  @Test(
    "a drawing loads nothing, however the place is written",
    arguments: [
      "fill=\"u\\72l(https://x.example)\"", "fill=\"\\75 rl(https://x.example)\"", "fill=\"URL(https://x.example)\"",
      "fill=\"u&#x5c;72l(https://x.example)\"", "fill=\"&#117;rl(https://x.example)\"",
      "fill=\"url(&#x301;https://x.example)\"", "fill=\"u/**/rl(https://x.example)\"",
      "fill=\"red/**/\"", "fill=\"src('https://x.example')\"", "fill=\"url(#a) url(https://x.example)\"",
      "clip-path=\"image-set('https://x.example' 1x)\"", "stroke=\"url('https://x.example#a')\"",
      "style=\"fill:url(https://x.example)\"", "fill=\"url(data:image/svg+xml,x#a)\"",
      "fill=\"'a' url(https://x.example)\"", "fill=\"'a&quot;' url(https://x.example) '&quot;'\"",
      "fill=\"'a&#10;' url(https://x.example) '\"", "fill=\"'url(https://x.example)\"",
      "fill=\"oklch(from url(https://x.example) l c h)\"",
    ])
  func loads(attribute: String) throws {
    let svg = "<svg viewBox=\"0 0 9 9\"><path d=\"M0 0\" \(attribute)></path></svg>"
    let result = try Sanitizer(.drawing).sanitize(svg)
    #expect(result.markup.contains("<path d=\"M0 0\"></path>"), "\(result.markup)")
    #expect(!result.removed.isEmpty)
  }

  @Test(
    "a drawing uses only what is in it",
    arguments: [
      "href=\" https://x.example#a\"", "xlink:href=\"\thttps://x.example#a\"", "xlink:href=\"&#1;https://x.example\"",
      "href=\"data:image/svg+xml,x#a\"", "HREF=\"//x.example#a\"", "xlink:href=\"java&#10;script:x\"",
    ])
  func uses(attribute: String) throws {
    let result = try Sanitizer(.drawing).sanitize("<svg viewBox=\"0 0 9 9\"><use \(attribute)></use></svg>")
    #expect(result.markup.contains("<use></use>"), "\(result.markup)")
  }

  @Test("colours, places in the drawing and names of fonts stay, and so do brackets in words")
  func plainStyles() throws {
    let svg =
      "<svg xmlns=\"http://www.w3.org/2000/svg\"><path fill=\"RGB(1, 2, 3)\" stroke=\"url(#a-1)\" "
      + "font-family=\"&#39;Noto Sans&#39;\" transform=\"rotate (45)\"></path></svg>"
    #expect(try Sanitizer(.drawing).sanitize(svg).markup == svg)
    for value in [
      "hsl(9 9% 9%)", "hwb(9 9% 9%)", "lab(9% 9 9)", "lch(9% 9 9)", "oklab(0.9 0 0)", "oklch(0.9 0 0)",
      "color(srgb 1 0 0)",
    ] {
      let colour = "<svg xmlns=\"http://www.w3.org/2000/svg\"><path fill=\"\(value)\"></path></svg>"
      #expect(try Sanitizer(.drawing).sanitize(colour).markup == colour)
    }
    for font in ["'Foo (Bar)'", "&quot;Foo (Bar)&quot;, &quot;Bar's&quot;"] {
      let named = "<svg xmlns=\"http://www.w3.org/2000/svg\"><path font-family=\"\(font)\"></path></svg>"
      #expect(try Sanitizer(.drawing).sanitize(named).markup.contains("(Bar)"), "\(font)")
    }
    let html = "<p title=\"virus (HIV), C:\\url(x)\">a</p>"
    #expect(try clean(html).markup == html)
  }
}
