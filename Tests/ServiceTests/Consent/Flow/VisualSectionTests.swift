import Base
import ConsentContract
import ConsentService
import ServicePolicy
import Testing
import Wire

/// ResearchKit's rules for a document's sections, one screen each.
@Suite("Visual consent")
struct VisualSectionTests {
  @Test("visual consent shows all but OnlyInDocument, in order, with title and summary")
  func visualSections() throws {
    var walker = try DocumentWalks.walker(steps: ["sections"])
    var seen: [ConsentScreen] = []
    while walker.screen.kind == .visual {
      seen.append(walker.screen)
      try walker.act(.next)
    }
    #expect(
      seen.map(\.title) == [
        "Welcome", "Data Gathering", "Privacy", "Data Use", "Time Commitment", "Study Survey", "Study Tasks",
        "Withdrawing", "Our promise",
      ])
    #expect(seen.map(\.text) == (1...9).map { "Summary \($0)" })
    #expect(seen.prefix(8).allSatisfy { $0.image?.predefined != .unspecified && $0.image?.alt.isEmpty == false })
    #expect(seen[8].image == nil)
  }

  @Test("the screen says which transition applies: animated where predefined sections follow each other in their order")
  func transitions() throws {
    var settings = Example.settings()
    settings.sections = [.overview, .dataGathering, .dataUse, .custom, .withdrawing].map {
      DocumentSection(id: Example.sectionID($0), type: $0)
    }
    var walker = try DocumentWalks.walker(settings: settings, steps: ["sections"])
    var seen = [walker.screen.transition]
    for _ in 0..<4 { seen.append(try walker.act(.next).transition) }
    #expect(seen == [.slideUp, .section, .push, .push, .push])
    #expect(try walker.act(.back).transition == .pop)
  }

  @Test("learn more opens htmlContent, else content; a section may override the button's title")
  func learnMore() throws {
    let engine = try Example.engine(Example.flow()) { text in
      text.sections[1].htmlContent = "<p>html</p>"
      text.sections[1].learnMoreTitle = "How?"
    }
    var walker = Walker(engine)
    let first = try walker.act(.next)
    #expect(first.learnMore == LearnMore(title: "Learn more", text: "Content 1 & more\nsecond line"))
    #expect(
      try walker.act(.next).learnMore
        == LearnMore(title: "How?", html: "<div lang=\"en\" dir=\"ltr\"><p>html</p></div>"))
  }

  @Test("a document may override a predefined image")
  func ownImage() throws {
    var settings = Example.settings()
    settings.sections[0].imageAsset = "hash"
    let walker = try DocumentWalks.walker(settings: settings, steps: ["sections"])
    #expect(walker.screen.image?.asset == "hash" && walker.screen.image?.predefined == .unspecified)
  }
}
