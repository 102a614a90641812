import ConsentDomain
import Testing

@Suite("Locales and names")
struct LocaleTests {
  private func locale(_ text: String) throws -> LocaleTag { try #require(LocaleTag(text)) }

  @Test(
    "tags have one spelling",
    arguments: [("DE_at", "de-AT"), ("zh-hant-tw", "zh-Hant-TW"), ("EN", "en"), ("es-419", "es-419")])
  func spelling(given: String, expected: String) {
    #expect(LocaleTag(given)?.text == expected)
  }

  @Test(
    "a malformed tag is refused",
    arguments: ["", "e", "english", "de-", "de--AT", "de-AT-überlang", String(repeating: "de-", count: 40)])
  func noTags(text: String) {
    #expect(LocaleTag(text) == nil)
  }

  @Test("de-AT falls back to de, and then to the document's default")
  func fallback() throws {
    let austrian = try locale("de-AT")
    #expect(austrian.fallbacks == ["de-AT", "de"])
    #expect(austrian.pick(from: ["en", "de"], locale: { $0 }, standIn: "en") == "de")
    #expect(austrian.pick(from: ["en", "fr"], locale: { $0 }, standIn: "fr") == "fr")
    #expect(austrian.pick(from: ["en", "de", "de-AT"], locale: { $0 }, standIn: "en") == "de-AT")
  }

  @Test(
    "Chinese is found in the script that its tag implies",
    arguments: [
      ("zh", ["zh", "zh-Hans"]), ("zh-CN", ["zh-CN", "zh-Hans", "zh"]), ("zh-TW", ["zh-TW", "zh-Hant", "zh"]),
      ("zh-Hant", ["zh-Hant", "zh"]), ("zh-Hans-SG", ["zh-Hans-SG", "zh-Hans", "zh"]),
    ])
  func chinese(tag: String, expected: [String]) throws {
    #expect(try locale(tag).fallbacks == expected)
    #expect(try locale(tag).pick(from: ["en", expected[1]], locale: { $0 }, standIn: "en") == expected[1])
  }

  @Test("right to left is decided by script, then by language")
  func direction() throws {
    #expect(try locale("ar").isRightToLeft)
    #expect(try locale("he-IL").isRightToLeft)
    #expect(try locale("az-Arab").isRightToLeft)
    #expect(try !locale("ar-Latn").isRightToLeft)
    #expect(try !locale("en").isRightToLeft)
  }

  @Test("paper is A4 where the locale is metric, else Letter")
  func paper() throws {
    #expect(try locale("de").isMetric)
    #expect(try locale("en-GB").isMetric)
    #expect(try !locale("en-US").isMetric)
    #expect(try !locale("en").isMetric)
    #expect(try !locale("es-MX").isMetric)
  }

  @Test("given and family name are joined with a no-break space; family name first for zh, ko, ja, vi")
  func names() throws {
    #expect(PrintedName.join(given: "Ada", family: "Lovelace", locale: try locale("en")) == "Ada\u{A0}Lovelace")
    for tag in ["zh", "ko-KR", "ja", "vi"] {
      #expect(PrintedName.join(given: "Given", family: "Family", locale: try locale(tag)) == "Family\u{A0}Given")
    }
    #expect(PrintedName.join(given: " Plato ", family: "", locale: try locale("en")) == "Plato")
  }
}
