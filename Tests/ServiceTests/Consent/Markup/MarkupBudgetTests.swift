import Base
import ConsentContract
import ConsentDomain
import ServicePolicy
import Synchronization
import Testing

@Suite("markup has budgets of size, count and time")
struct MarkupBudgetTests {
  private func attributes(_ count: Int) -> String { (0..<count).map { " a\($0)=1" }.joined() }

  private func refusal(_ html: String) -> MarkupError? {
    do throws(MarkupError) {
      _ = try Sanitizer().sanitize(html)
      return nil
    } catch {
      return error
    }
  }

  @Test("a tag of 50,000 attributes is refused before the parser sees it, and the bound is named")
  func attack() throws {
    let error = try #require(refusal("<p" + attributes(50_000) + ">text</p>"))
    #expect(error == .tooManyAttributes(bound: 100))
    #expect(error.message == "has a tag with more than 100 attributes")
  }

  @Test("a hundred attributes pass and one more does not, in whichever way they are written")
  func attributeBound() throws {
    #expect(refusal("<p" + attributes(100) + ">x") == nil)
    #expect(refusal("<p" + attributes(101) + ">x") == .tooManyAttributes(bound: 100))
    for pattern in [" a", "/a", " a=b", " a='<b>'", " a = \"x>y\"", "\na=b", "a='b'"] {
      let many = String(repeating: pattern, count: 150)
      #expect(refusal("<p x='y'" + many + ">x") == .tooManyAttributes(bound: 100), "\(pattern)")
      #expect(refusal("</p " + many + ">x") == .tooManyAttributes(bound: 100), "\(pattern) at an end")
    }
  }

  @Test("formatting elements have few attributes: 440 of 99, which differ in the last one, took 1.8 s")
  func formatting() {
    let tags = (0..<440).map { "<b\(attributes(98)) z=\($0)>" }.joined()
    #expect(refusal(tags) == .tooManyFormattingAttributes(bound: 20))
    #expect(refusal("<B/" + attributes(21) + ">x</B>") == .tooManyFormattingAttributes(bound: 20))
    #expect(refusal("<a" + attributes(20) + ">x</a><p" + attributes(90) + ">y") == nil)
  }

  @Test(
    "no text ahead of a tag hides its attributes",
    arguments: [
      "<!-- <a title=\" -->", "<script>if (a<b && c == \"</script>", "<a title='<b c=\"'>",
      "<style>p::before{content:'<x y=\"'}</style>",
      "<textarea><i a='</textarea>", "<![CDATA[<p a='\"]]>", "it's <",
      "<? <p a=\" ?>", "</ <p a=' >",
    ])
  func hidden(prefix: String) {
    let bomb = prefix + "<p" + attributes(101) + ">x"
    #expect(refusal(bomb) == .tooManyAttributes(bound: 100))
  }

  @Test("many tags of few attributes each are no tag of many")
  func honest() throws {
    let row = "<tr><td title=\"a > b\" lang=en colspan='2'>it's 5 < 6, a \"b\"</td></tr>"
    #expect(refusal("<table>" + String(repeating: row, count: 1500) + "</table>") == nil)
  }

  @Test("what one call brings is counted over all its texts")
  func altogether() throws {
    var text = DocumentText(locale: "en")
    text.sections = (0..<4).map { number in
      SectionText(sectionID: "s\(number)", htmlContent: String(repeating: "<br>", count: 7_000))
    }
    var cleaner = MarkupCleaner()
    let error = #expect(throws: Refusal.self) { _ = try cleaner.clean(text) }
    #expect(error?.field == "texts[en].sections[s3].html_content")
    #expect(error?.message.contains("makes 28000 tags of markup in one call; at most 24000 are allowed") == true)
  }

  @Test("reading ends between two steps when nobody waits for it any longer")
  func time() {
    let looks = Mutex(0)
    var budget = MarkupBudget(isOver: {
      looks.withLock {
        $0 += 1
        return $0 > 1
      }
    })
    #expect(throws: MarkupError.stopped) { try Sanitizer().sanitize("<p>a<b>b</p>c", &budget) }
    #expect(looks.withLock { $0 } == 2)
  }

  @Test("a paragraph of brackets is refused before Markdown is read: 62,500 of them took a minute")
  func brackets() throws {
    let error = #expect(throws: MarkupError.self) { try Markdown.html(String(repeating: "![[]()", count: 31_250)) }
    #expect(error == .tooManyBrackets(count: 62_500, bound: 4_000))
    _ = try Markdown.html(String(repeating: "[a](https://b.example) ", count: 4_000))
  }
}
