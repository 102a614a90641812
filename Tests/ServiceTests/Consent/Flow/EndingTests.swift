import Base
import ConsentContract
import ConsentDomain
import Testing
import Wire

@Suite("Ways on after an end")
struct EndingTests {
  private func failed(_ change: (inout DocumentSettings) -> Void) throws -> ConsentScreen {
    var settings = Example.settings()
    change(&settings)
    var definition = Example.flow()
    let last = definition.steps.count - 1
    definition.steps[last].step = .completion(CompletionStep(contact: "Dr Okafor, +49 30 1234".inEnglish))
    var walker = Walker(try Example.engine(definition, settings: settings))
    try walker.goOn { $0.kind == .questions }
    for _ in 0..<20 where walker.outcome == .unspecified {
      let kind: ActionKind = walker.screen.offered.contains(.answer) ? .answer : .next
      try walker.act(Walker.filled(kind, on: walker.screen, right: false))
    }
    #expect(walker.outcome == .failedQuestions)
    return walker.screen
  }

  @Test("who failed the questions for good may talk to somebody, and is told to whom")
  func usedUp() throws {
    let screen = try failed { $0.comprehension?.attempts = 1 }
    #expect(screen.ways.map(\.kind) == [.contact, .close])
    #expect(screen.ways.first?.text == "Dr Okafor, +49 30 1234" && screen.ignorable.contains("ways"))
  }

  @Test("with attempts left a new session may begin at once, and where they come back, from then on")
  func again() throws {
    let now = try failed { $0.comprehension?.afterFailedAttempt = .end }
    #expect(now.ways.first?.kind == .startAgain && now.ways.first?.from == nil)
    let later = try failed { settings in
      settings.comprehension?.attempts = 1
      settings.comprehension?.renewedAfter = ProtobufDuration(.seconds(3600))
    }
    let from = later.ways.first?.from.orEpoch ?? Example.now
    #expect(later.ways.first?.kind == .startAgain && from > Example.now + .seconds(3599))
  }

  @Test("who denied may start again; who is too young has somebody to talk to")
  func deniedAndYoung() throws {
    var denied = Walker(try Example.engine(Example.forms(Example.form("terms", .mandatory))))
    try denied.act(.deny, .confirm)
    #expect(denied.outcome == .denied && denied.screen.ways.map(\.kind) == [.startAgain, .contact, .close])
    #expect(denied.screen.ways.allSatisfy { !$0.title.isEmpty })
    var settings = Example.settings()
    settings.age = AgePolicy(minimumAge: 18)
    let child = CalendarDate(year: 2020, month: 1, day: 1)
    var young = Walker(try Example.engine(Example.flow(), settings: settings, birthDate: child), birthDate: child)
    try young.goOn()
    #expect(young.outcome == .underAge && young.screen.ways.map(\.kind) == [.contact, .close])
  }

  @Test("after an end that was wanted nothing more is proposed; after a decline one may begin again")
  func wanted() throws {
    var done = Walker(try Example.engine(Example.flow()))
    try done.goOn()
    #expect(done.outcome == .completed && done.screen.ways.isEmpty)
    var declined = Walker(try Example.engine(Example.flow()))
    try declined.goOn { $0.kind == .review }
    #expect(try declined.act(.disagree).ways.map(\.kind) == [.startAgain, .contact])
  }

  @Test("who denied is told of what they allowed before only if they allowed something, also in a table")
  func allowedBefore() throws {
    let allowed = try #require(Catalog.text(.endedAllowed, language: "en"))
    for hasAllowed in [true, false] {
      let engine = try Example.engine(Example.forms(Example.form("contact"), Example.form("terms", .mandatory)))
      var walker = Walker(engine)
      let table = try OfflineCompiler.table(of: engine, from: walker.state)
      try walker.act(hasAllowed ? .allow : .notNow, .deny, .confirm)
      #expect(walker.screen.text.hasSuffix(allowed) == hasAllowed)
      #expect(table.contains { $0.outcome == .denied && $0.screen?.text == walker.screen.text })
    }
  }
}
