import Base
import Testing

@Suite("Text in JSON")
struct JSONTextTests {
  @Test(
    "quotes, backslashes and control characters are escaped, everything else stays",
    arguments: [
      ("plain", #""plain""#), (#"a "b" \c"#, #""a \"b\" \\c""#), ("line\nend\r\ttab", #""line\nend\r\ttab""#),
      ("\u{0}\u{1F}", #""\u0000\u001f""#), ("Grüße 日本 🖋", #""Grüße 日本 🖋""#), ("a\u{2028}b", "\"a\u{2028}b\""),
    ])
  func escapes(text: String, quoted: String) {
    #expect(JSONText.quoted(text) == quoted)
  }

  @Test("on one line, characters that end a line for some readers are escaped too")
  func oneLine() {
    #expect(JSONText.quoted("a\u{2028}b\u{85}c\u{7F}", onOneLine: true) == #""a\u2028b\u0085c\u007f""#)
  }
}
