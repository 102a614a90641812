import Base
import ConsentContract
import ConsentDomain
import TestSupport
import Testing

/// A screen states for every text the language that the text really has.
@Suite("Languages of screens")
struct LanguageTests {
  private static let asked = ["he", "pt", "zh-Hant", "ar", "de-AT", "en-GB", "ja", "tlh", "fr"]

  @Test("a language that nothing is translated into is never claimed", arguments: ["he", "pt", "tlh"])
  func untranslated(locale: String) throws {
    let walker = Walker(try Example.engine(Example.flow(), locale: locale))
    let screen = walker.screen
    #expect(screen.locale == "en" && !screen.rightToLeft && screen.languages.isEmpty)
    #expect(screen.requestedLocale == locale)
  }

  @Test("our Chinese is in simplified characters, and says so to whoever asks for traditional ones")
  func chinese() throws {
    let screen = Walker(try Example.engine(Example.flow(), locale: "zh-Hant")).screen
    #expect(screen.locale == "en")
    #expect(screen.languages.map(\.locale) == ["zh-Hans"] && screen.languages.first?.rightToLeft == false)
  }

  @Test("languages are stated text by text, where a flow is translated in part")
  func mixed() throws {
    var definition = Example.flow()
    definition.steps[0].step = .instruction(
      InstructionStep(
        title: LocalizedText(["en": "Hello", "he": "שלום"]), text: "Welcome.".inEnglish,
        learnMoreHTML: LocalizedText(["en": "<p>more</p>", "ar": "<p>المزيد</p>"])))
    let screen = Walker(try Example.engine(definition, locale: "he")).screen
    #expect(screen.locale == "he" && screen.rightToLeft)
    let english = try #require(screen.languages.first { $0.locale == "en" })
    #expect(english.fields.contains("text") && english.fields.contains("learn_more.html") && !english.rightToLeft)
    #expect(!english.fields.contains("title") && !english.fields.contains("navigation_bar.title"))
    #expect(screen.learnMore?.html == "<div lang=\"en\" dir=\"ltr\"><p>more</p></div>")
  }

  @Test(
    "a page that a file in another language has, and this one has not, is the step's last one",
    arguments: [true, false])
  func pageBeyond(isClosed: Bool) throws {
    let engine = try Example.engine(Example.flow())
    for step in engine.script.steps.indices {
      var state = Walker(engine).state
      let last = Int32(engine.script.steps[step].pages.count - 1)
      state.position = FlowPosition(step: Int32(step), page: last, closed: isClosed)
      let shown = engine.screen(of: state)
      state.position = FlowPosition(step: Int32(step), page: last + 9, closed: isClosed)
      let beyond = engine.screen(of: state)
      #expect(beyond.id == shown.id)
      if beyond.offered.contains(.back) {
        #expect(throws: Never.self) { try engine.apply(FlowAction(kind: .back), to: state, at: Example.now) }
      }
    }
  }

  @Test("an older client's plain screen states them as well")
  func plain() throws {
    let walker = Walker(try Example.engine(Example.flow(), locale: "ar"))
    let texts = ScreenTexts(locale: try .of("ar"), standIn: try .of("en"))
    var sections = walker
    try sections.act(.next)
    let plain = ScreenSchema.screen(sections.screen, for: 1, texts: texts)
    #expect(plain.kind == .plain && plain.locale == "en")
    #expect(plain.languages.first { $0.locale == "ar" }?.fields.contains("text") == true)
  }

  @Test("any flow in any language, any walk: every text is in the language that the screen states", arguments: 0..<24)
  func stated(seed: Int) throws {
    var flow = RandomFlow(seed: UInt64(seed))
    let asked = Self.asked[seed % Self.asked.count]
    let translated = ["en", "de", "he", "ar", "zh"].filter { _ in flow.chance(1, of: 2) }
    let engine = try flow.engine(asked: asked, translated: translated)
    for _ in 0..<4 {
      var walker = Walker(engine, birthDate: flow.birthDate)
      for _ in 0..<80 where walker.state.position?.closed != true {
        check(walker.screen)
        guard let any = walker.screen.offered.randomElement(using: &flow.generator) else { break }
        let screen = walker.screen
        let action = flow.chance(1, of: 3) ? Walker.filled(any, on: screen) : Walker.goodAction(on: screen)
        try walker.act(action, proof: SignatureProof(field: .example, authentication: .example))
      }
      check(walker.screen)
    }
  }

  /// Texts of authors carry the name of their language, as "[de]"; all others are ours and stand in the catalogue.
  private func check(_ screen: ConsentScreen) {
    #expect(screen.rightToLeft == LocaleTag(screen.locale)?.isRightToLeft)
    for language in screen.languages {
      #expect(language.rightToLeft == LocaleTag(language.locale)?.isRightToLeft && language.locale != screen.locale)
    }
    for (field, text) in screen.namedTexts where !text.isEmpty {
      let stated = screen.languages.first { $0.fields.contains(field) }?.locale ?? screen.locale
      if let mark = text.languageMark {
        #expect(mark == stated, "\(screen.id) \(field): \(text)")
      } else {
        #expect(isOurs(text, in: stated), "\(screen.id) \(field) in \(stated): \(text)")
      }
    }
  }

  private func isOurs(_ text: String, in language: String) -> Bool {
    let language = language == "zh-Hans" ? "zh" : language
    return TextKey.allCases.contains { key in
      guard let template = Catalog.text(key, language: language) else { return false }
      let literals = template.split(separator: "{", omittingEmptySubsequences: false).enumerated().map { index, part in
        index == 0 ? part : part.drop { $0 != "}" }.dropFirst()
      }
      return template == text || (template.contains("{") && literals.allSatisfy { $0.isEmpty || text.contains($0) })
    }
  }
}

extension String {
  /// The language that a text of an author names: "[de]".
  fileprivate var languageMark: String? {
    guard let open = firstIndex(of: "["), let close = self[open...].firstIndex(of: "]") else { return nil }
    return String(self[index(after: open)..<close])
  }
}
