import Ink
import Testing
import Typesetting

@Suite struct TypedTextTests {
  @Test("spaces of every kind are normalised")
  func spaces() throws {
    #expect(try TypedText(validating: "  Zoë \n\u{A0}Müller\t").text == "Zoë Müller")
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
      ("", "name is empty; a name has at least one character"), (" \n ", "name is empty"),
      (String(repeating: "x", count: 101), "name has 101 characters; a name has at most 100 characters"),
      (String(repeating: "e\u{301}", count: 1000), "name has 3000 bytes; a name has at most 1600 bytes"),
      ("Anna\u{7}", "name has control characters; a name is one line of plain text"), ("Anna\u{9B}1m", "control"),
      ("Anna\0", "control"),
    ])
  func refusals(text: String, words: String) {
    let error = #expect(throws: InkError.self) { try TypedText(validating: text, path: "name") }
    #expect(error?.description.contains(words) == true, "\(String(describing: error))")
  }
}
