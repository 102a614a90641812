import Base
import Testing

@Suite("Texts that messages quote") struct ShortenedTextTests {
  @Test("a text is cut by bytes, and never inside a scalar", arguments: ["abcdef", "éèê", "🖋🖋", "e\u{301}\u{301}"])
  func bound(text: String) {
    for count in 0...text.utf8.count {
      let short = text.shortened(to: count)
      #expect(text.utf8.starts(with: short.utf8))
      #expect(short.utf8.count <= count && short.utf8.count > count - 4)
    }
    #expect(text.shortened == text)
    #expect(text[...].shortened == text)
  }

  @Test(
    "one character that is as long as a request is cut too",
    arguments: ["e" + String(repeating: "\u{301}", count: 60_000), String(repeating: "🖋\u{200D}", count: 20_000)])
  func longCharacters(text: String) {
    #expect(text.count == 1)
    #expect(text.shortened.utf8.count <= 80)
  }
}
