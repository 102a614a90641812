import Documents
import Testing

/// Which way text runs where markup says so.
@Suite struct DirectionTests {
  /// The first page of a document, with the words that stand on it. Marks of directions are parts of words there, and
  /// Hebrew ones are reversed.
  private static func page(_ markup: String, language: String = "en") async throws -> RenderedPage {
    try await RenderedPage(of: SamplePaper.compose(SamplePaper.paper(markup, language: language)), number: 1)
  }

  @Test(
    "a block runs as it says, in whichever case, or as its first letter does",
    arguments: [
      ("en", "<p dir=\"RTL\">short</p>", true), ("en", "<p dir=\"rtl\">short</p>", true),
      ("ar", "<p dir=\"Ltr\">short</p>", false), ("ar", "<p dir=\"auto\">1. short</p>", false),
      ("en", "<p dir=\"AUTO\">1. <bdi>word</bdi> שלום short</p>", true),
      ("ar", "<p dir=\"auto\">1. - short</p>", false),
      ("en", "<div dir=\"auto\"><p>1</p><p>שלום</p><p>short</p></div>", true),
      ("en", "<div dir=\"auto\"><p dir=\"ltr\">word</p><p>שלום</p><p>short</p></div>", true),
      ("en", "<p dir=\"none\">short</p>", false),
    ])
  func blocks(language: String, markup: String, isRightToLeft: Bool) async throws {
    let page = try await Self.page(markup, language: language)
    let word = try #require(page.words.first { $0.text.contains("short") }, "\(page.words)")
    #expect((word.box.left > page.width / 2) == isRightToLeft, "\(word.box)")
  }

  @Test("what runs by its own letters leaves the text around it as it is, and closes what it opened alone")
  func inline() async throws {
    for inner in ["<span dir=\"auto\">שלום</span>", "<bdi>שלום</bdi>", "<bdi><b dir=\"none\">שלום</b></bdi>"] {
      let page = try await Self.page("<p>Name \(inner) 5 times</p>")
      let name = try #require(page.words.first { $0.text.contains("ל") }, "\(page.words)")
      let number = try #require(page.words.first { $0.text == "5" }, "\(page.words)")
      #expect(number.box.left > name.box.right, "\(inner): \(page.words)")
    }
  }

  @Test("a direction goes on behind a line's end", arguments: ["<p>LINE</p>", "<pre>LINE</pre>"])
  func lines(block: String) async throws {
    let end = block.hasPrefix("<pre>") ? "\n" : "<br>"
    let line = "a <span dir=\"rtl\">שלום\(end)(3) short</span>"
    let page = try await Self.page(block.replacing("LINE", with: line))
    let word = try #require(page.words.first { $0.text.contains("short") }, "\(page.words)")
    let number = try #require(page.words.first { $0.text.contains("3") }, "\(page.words)")
    #expect(word.box.left < number.box.left && word.box.top == number.box.top, "\(page.words)")
    let above = try #require(page.words.first { $0.text.contains("ל") }, "\(page.words)")
    #expect(above.box.bottom <= word.box.bottom - 5)
  }
}
