import Base
import ConsentContract
import ConsentDomain
import RPC
import Testing
import Wire

/// A flow with a study that is needed, a biobank that is not, and an addendum that is needed again.
@Suite("Reviews that may be declined") struct OptionalReviewTests {
  private static let ids = ["main", "biobank", "addendum"]

  private func engine(optional: [String] = ["biobank"]) throws -> FlowEngine {
    let texts = ScreenTexts(locale: try .of("en"), standIn: try .of("en"))
    let documents = Self.ids.map { id in
      var text = Example.text("en")
      text.title = "About \(id)"
      return ScriptDocument(
        id: id, version: 1, versionHash: "v", localeHash: "l", settings: DocumentSettings(withoutScrollGate: true),
        text: text, texts: texts)
    }
    let reviews = Self.ids.map { id in
      FlowStep(id: id, step: .review(ReviewStep(documentID: id, optional: optional.contains(id))))
    }
    let end = FlowStep(id: "end", step: .completion(CompletionStep()))
    return FlowEngine(
      try FlowScript(
        flowID: "flow", flowVersion: 1, flowHash: "f",
        definition: FlowDefinition(defaultLocale: "en", steps: reviews + [end]), documents: documents, texts: texts,
        birthDateGiven: false))
  }

  @Test("who disagrees goes on, is asked for the rest, and is told in the end what was agreed to and what not")
  func goesOn() throws {
    let engine = try engine()
    var walker = Walker(engine)
    try walker.act(.agree, .confirm)
    #expect(walker.screen.stepID == "biobank")
    #expect(try walker.act(.disagree).stepID == "addendum")
    #expect(walker.screen.transition == .nextModal && !walker.screen.offered.contains(.back))
    let end = try walker.act(.agree, .confirm)
    #expect(walker.outcome == .completed && end.kind == .completion)
    #expect(
      end.text == """
        Everything is complete. Your choices have been recorded.
        You agreed to:
        • About main
        • About addendum
        You did not agree to:
        • About biobank
        """)
    let decided = walker.changes.compactMap { change in
      if case .documentDecided(let result) = change { result.agreed } else { nil }
    }
    #expect(decided == [true, false, true])
  }

  @Test("a table without a connection says the same")
  func offline() throws {
    let engine = try engine()
    let table = try OfflineCompiler.table(of: engine, from: engine.start(birthDate: nil, at: Example.now).state)
    let ends = table.filter { $0.screen?.kind == .completion && $0.screen?.offered == [.done] }
    let told = ends.filter { $0.outcome == .completed }.compactMap(\.screen?.text)
    #expect(told.count == 2 && told.contains { $0.hasSuffix("• About biobank") })
    #expect(told.contains { !$0.contains("About") }, "who agreed to everything is told nothing apart")
  }

  @Test("who disagrees where it is needed goes to the end, and what was agreed to before is named there")
  func needed() throws {
    var walker = Walker(try engine())
    try walker.act(.agree, .confirm, .disagree)
    let end = try walker.act(.disagree)
    #expect(walker.outcome == .declined && end.kind == .completion)
    #expect(end.text.contains("You agreed to:\n• About main\nYou did not agree to:\n• About biobank\n• About addendum"))
  }

  @Test("who agrees to nothing has declined, also where nothing was needed")
  func nothing() throws {
    var walker = Walker(try engine(optional: Self.ids))
    try walker.act(.disagree, .disagree, .disagree)
    #expect(walker.outcome == .declined && !walker.screen.text.contains("About"))
    walker = Walker(try engine(optional: Self.ids))
    try walker.act(.disagree, .agree, .confirm, .disagree)
    #expect(walker.outcome == .completed)
  }
}
