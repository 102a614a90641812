import ConsentContract
import ConsentDomain
import Testing

@Suite("Texts of our own")
struct CatalogTests {
  /// The `{places}` of a text.
  private func places(in text: String) -> Set<String> {
    var found: Set<String> = []
    for part in text.split(separator: "{", omittingEmptySubsequences: false).dropFirst() {
      if let close = part.firstIndex(of: "}") { found.insert(String(part[..<close])) }
    }
    return found
  }

  @Test("every language has every text, with the same places to fill in", arguments: Catalog.languages)
  func complete(language: String) throws {
    for key in TextKey.allCases {
      let english = try #require(Catalog.text(key, language: "en"))
      let text = try #require(Catalog.text(key, language: language))
      #expect(!text.isEmpty, "\(language) \(key.rawValue)")
      #expect(places(in: text) == places(in: english), "\(language) \(key.rawValue)")
    }
  }

  @Test("a text that is put together has no more marks on a letter than one that is sent")
  func marks() {
    let marks = String(repeating: "\u{301}", count: 30)
    #expect(fill("e{name}!", ["name": marks]) == "e\(marks)!")
    #expect(fill("e\(marks){name}!", ["name": marks + "a"]) == "e\(marks)a!")
  }

  @Test("en, de, es, fr, zh, ja and ar come with Assent")
  func languages() {
    #expect(Set(Catalog.languages).isSuperset(of: ["en", "de", "es", "fr", "zh", "ja", "ar"]))
  }

  @Test(
    "the default titles are ResearchKit's",
    arguments: [
      (TextKey.overview, "Welcome"), (.dataGathering, "Data Gathering"), (.privacy, "Privacy"), (.dataUse, "Data Use"),
      (.timeCommitment, "Time Commitment"), (.studySurvey, "Study Survey"), (.studyTasks, "Study Tasks"),
      (.withdrawing, "Withdrawing"),
    ])
  func defaultTitles(key: TextKey, title: String) {
    #expect(Catalog.text(key, language: "en") == title)
  }

  @Test("a text falls back from de-AT to de to the default locale, and a tenant's own text comes first")
  func fallback() throws {
    let austrian = try #require(LocaleTag("de-AT"))
    let french = try #require(LocaleTag("fr"))
    let danish = try #require(LocaleTag("da"))
    #expect(ScreenTexts(locale: austrian, standIn: french)[.next] == "Weiter")
    #expect(ScreenTexts(locale: danish, standIn: french)[.next] == "Suivant")
    #expect(ScreenTexts(locale: danish, standIn: danish)[.next] == "Next")
    let own = TextsVersion(
      version: 1,
      overrides: [TextOverride(key: "button.next", text: LocalizedText(["de-AT": "Geht schon", "de": "Los"]))])
    #expect(ScreenTexts(locale: austrian, standIn: french, own: own)[.next] == "Geht schon")
    #expect(ScreenTexts(locale: try #require(LocaleTag("de-CH")), standIn: french, own: own)[.next] == "Los")
  }

  @Test("inserted values are not searched for places again")
  func filling() {
    #expect(fill("{a} and {b} {c}", ["a": "{b}", "b": "x"]) == "{b} and x {c}")
    #expect(fill("no places { here", [:]) == "no places { here")
  }
}
