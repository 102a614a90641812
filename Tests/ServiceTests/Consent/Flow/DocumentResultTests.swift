import Base
import ConsentContract
import ConsentDomain
import ServicePolicy
import Testing
import Wire

/// What a walk leaves behind, and in which language and form it was shown.
@Suite("A document's results and language")
struct DocumentResultTests {
  @Test("results per step, with start and end times")
  func results() throws {
    var walker = try DocumentWalks.walker()
    try walker.goOn()
    #expect(walker.state.steps.map(\.stepID) == ["hello", "sections", "quiz", "sharing", "review", "end"])
    for step in walker.state.steps {
      #expect(step.finished && step.startedAt != nil && step.endedAt.orEpoch >= step.startedAt.orEpoch, "\(step)")
    }
    for (earlier, later) in zip(walker.state.steps, walker.state.steps.dropFirst()) {
      #expect(earlier.endedAt == later.startedAt)
    }
  }

  @Test("every screen is in the person's locale")
  func german() throws {
    let walker = try DocumentWalks.walker(locale: "de", steps: ["sections"])
    #expect(walker.screen.title == "Willkommen")
    #expect(walker.screen.toolbar?.buttons.map(\.title) == ["Weiter"])
  }

  @Test("right to left is marked on the screen, and left to right on a text that was not translated")
  func rightToLeft() throws {
    var flow = Example.flow()
    flow.steps.removeAll { !["sections", "end"].contains($0.id) }
    let translated = Walker(try Example.engine(flow, locale: "ar") { $0.locale = "ar" })
    #expect(translated.screen.rightToLeft && translated.screen.title == "مرحبًا")
    let english = try DocumentWalks.walker(locale: "ar", steps: ["sections"])
    #expect(!english.screen.rightToLeft && english.screen.title == "Welcome" && english.screen.locale == "en")
    let arabic = try #require(english.screen.languages.first { $0.locale == "ar" })
    #expect(arabic.rightToLeft && arabic.fields.contains("toolbar.buttons[next]"))
  }

  @Test("an older client gets a plain screen instead of one that it does not know, never a wrong one")
  func schema() throws {
    let walker = try DocumentWalks.walker(steps: ["sharing"])
    let texts = ScreenTexts(locale: try .of("en"), standIn: try .of("en"))
    let plain = ScreenSchema.screen(walker.screen, for: 1, texts: texts)
    #expect(plain.kind == .plain && plain.schemaVersion == 1)
    #expect(plain.offered == [.cancel] && plain.sharingOptions.isEmpty && plain.toolbar == nil)
    for newest in [ScreenSchema.newest, 0] {
      #expect(ScreenSchema.screen(walker.screen, for: newest, texts: texts) == walker.screen)
    }
  }
}
