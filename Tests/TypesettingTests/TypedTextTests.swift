import Ink
import Testing
import Typesetting

@Suite struct TypedTextTests {
  @Test("spaces of every kind are normalised")
  func spaces() throws {
    #expect(try TypedText(validating: "  Zoë \u{A0}\u{2003}Müller ").text == "Zoë Müller")
  }

  @Test("an initial is a valid name, and so are a hundred letters of many scalars")
  func bounds() throws {
    #expect(try TypedText(validating: "Ł").text == "Ł")
    let long = String(repeating: "e\u{323}\u{302}", count: 100)
    #expect(try TypedText(validating: long).text == long)
  }

  @Test(
    "an invalid name is refused with the field, its value and the bound",
    arguments: [
      ("", "name is empty; a name has at least one letter"), (" \u{A0} ", "name is empty"),
      (String(repeating: "x", count: 101), "name has 101 characters; a name has at most 100 characters"),
      (String(repeating: "e\u{301}", count: 1000), "name has 3000 bytes; a name has at most 1600 bytes"),
      ("Anna\u{7}", "name has U+0007; a name is one line without control"), ("Anna\u{9B}1m", "has U+009B"),
      ("Anna\0", "has U+0000"), ("Anna\nMeyer", "has U+000A"), ("\u{202E}Anna", "has U+202E, RIGHT-TO-LEFT OVERRIDE"),
      ("1234", "name shows no letter; a name has at least one letter"),
    ])
  func refusals(text: String, words: String) {
    let error = #expect(throws: InkError.self) { try TypedText(validating: text, path: "name") }
    #expect(error?.description.contains(words) == true, "\(String(describing: error))")
  }
}
