import Base
import Testing

@Suite struct NameRuleTests {
  @Test(
    "names of many scripts are names",
    arguments: [
      "Ada", "Zoë Müller-Lüdenscheid", "O’Neill", "Łukasz", "李小龍", "山田 太郎", "محمد", "עברית", "Ἀριστοτέλης", "ศรี",
      "نگار\u{200C}نیا", "\u{200F}דוד", "X Æ A-12", "Ng", "e\u{301}va", "\u{A0}Ada\u{2003}",
    ])
  func accepted(name: String) throws {
    try NameRule.check(name)
  }

  @Test("whatever breaks the line, turns it around or hides in it is refused by name", arguments: refused)
  func formatting(scalar: Unicode.Scalar) {
    let fault = #expect(throws: NameRule.Fault.self) { try NameRule.check("Ada\(Character(scalar))Meyer") }
    #expect(fault?.rule == "control_characters")
    let code = String(scalar.value, radix: 16, uppercase: true)
    #expect(fault?.finding.contains(code) == true, "\(fault?.finding ?? "")")
  }

  private static let refused: [Unicode.Scalar] = [
    "\0", "\t", "\n", "\r", "\u{B}", "\u{C}", "\u{1B}", "\u{7F}", "\u{85}", "\u{9B}", "\u{AD}", "\u{200B}", "\u{2028}",
    "\u{2029}", "\u{202A}", "\u{202B}", "\u{202C}", "\u{202D}", "\u{202E}", "\u{2060}", "\u{2066}", "\u{2067}",
    "\u{2068}",
    "\u{2069}", "\u{FEFF}", "\u{E0041}",
  ]

  @Test(
    "what shows no letter is no name",
    arguments: [
      "", " ", "\u{A0}", "123", "-", "…", "☃", "\u{200D}\u{200E}", "\u{3164}", "\u{115F}", "\u{FFA0}", "\u{301}",
    ])
  func noLetter(text: String) {
    let fault = #expect(throws: NameRule.Fault.self) { try NameRule.check(text) }
    #expect(fault?.rule == "no_letter")
  }
}
