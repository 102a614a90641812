import Base
import ConsentContract
import ConsentDomain
import ConsentService
import ServicePolicy
import Testing
import Wire

/// Who signs for whom, by age.
@Suite("A document and the signer's age")
struct DocumentAgeTests {
  private func aged(_ birthDate: CalendarDate?) throws -> Walker {
    var settings = Example.settings()
    settings.comprehension = nil
    settings.age = AgePolicy(minimumAge: 6, majorityAge: 18, assentAge: 12)
    settings.signatures.append(
      SignatureDefinition(id: "guardian", role: .guardian, order: 0, requiresName: true, requiresImage: true))
    return try DocumentWalks.walker(settings: settings, birthDate: birthDate, steps: ["review"])
  }

  @Test("under the minimum age the session ends before anything is read")
  func tooYoung() throws {
    let walker = try aged(CalendarDate(year: 2020, month: 3, day: 2))
    #expect(walker.outcome == .underAge)
    #expect(walker.screen.text == "You are too young to take part.")
  }

  @Test("who is too young for a later document has agreed to and signed the ones before it, and is told so")
  func tooYoungForLater() throws {
    let texts = ScreenTexts(locale: try .of("en"), standIn: try .of("en"))
    func document(_ id: String, from age: Int32?) -> ScriptDocument {
      var settings = Example.settings()
      settings.comprehension = nil
      settings.age = age.map { AgePolicy(minimumAge: $0) }
      return ScriptDocument(
        id: id, version: 1, versionHash: "v", localeHash: "l", settings: settings, text: Example.text("en"),
        texts: texts)
    }
    func review(_ id: String) -> FlowStep { FlowStep(id: "review-\(id)", step: .review(ReviewStep(documentID: id))) }
    let flow = FlowDefinition(
      defaultLocale: "en",
      steps: [review("all"), review("adults"), FlowStep(id: "end", step: .completion(CompletionStep()))])
    let child = CalendarDate(year: 2016, month: 1, day: 1)
    let engine = FlowEngine(
      try FlowScript(
        flowID: "flow", flowVersion: 1, flowHash: "f", definition: flow,
        documents: [document("all", from: nil), document("adults", from: 18)], texts: texts, birthDateGiven: true))
    var walker = Walker(engine, birthDate: child)
    let table = try OfflineCompiler.table(of: engine, from: walker.state)
    try walker.goOn()
    #expect(walker.outcome == .underAge && walker.changes.last == .ended(.underAge))
    let decided = walker.changes.compactMap { change -> DocumentResult? in
      if case .documentDecided(let result) = change { result } else { nil }
    }
    #expect(decided.map(\.documentID) == ["all"] && decided.allSatisfy(\.agreed))
    #expect(walker.state.steps.map(\.stepID) == ["review-all"] && walker.state.steps.allSatisfy(\.finished))
    let told = try #require(Catalog.text(.endedSigned, language: "en"))
    #expect(walker.screen.text.hasSuffix(told))
    let last = try #require(table.last { $0.outcome == .underAge })
    #expect(last.screen?.text == walker.screen.text)
  }

  @Test(
    "a minor's guardian signs, with the stated authority, and from an age the minor assents",
    arguments: [
      (2016, ["guardian"]), (2010, ["guardian", "participant"]), (2000, ["participant"]),
    ])
  func minors(year: Int, signers: [String]) throws {
    var walker = try aged(CalendarDate(year: Int32(year), month: 1, day: 1))
    var authority = ""
    try walker.goOn { screen in
      if screen.signatureForm?.signatureID == "guardian" { authority = screen.signatureForm?.authority ?? "" }
      return false
    }
    #expect(walker.state.signatures.map(\.signatureID) == signers)
    #expect(authority.isEmpty == !signers.contains("guardian"))
  }

  @Test("what was signed in a session before its turn is refused, and left out only where the walk needs attention")
  func notDue() throws {
    var settings = Example.settings()
    (settings.comprehension, settings.age) = (nil, AgePolicy(minimumAge: 6, majorityAge: 18))
    settings.signatures.append(
      SignatureDefinition(id: "guardian", role: .guardian, order: 3, requiresName: true, requiresImage: true))
    let child = CalendarDate(year: 2016, month: 1, day: 1)
    var walker = try DocumentWalks.walker(settings: settings, birthDate: child, steps: ["review"])
    let (start, proof) = (walker.state, SignatureProof(field: .example, authentication: .example))
    var actions: [FlowAction] = []
    while walker.state.position?.closed != true, actions.count < 500 {
      actions.append(Walker.goodAction(on: walker.screen))
      try walker.act(actions[actions.count - 1], proof: proof)
    }
    #expect(walker.state.signatures.map(\.signatureID) == ["guardian"])
    // A walk without a connection is kept, and somebody looks at it.
    let offline = OfflineWalk(script: walker.engine.script, bundled: start, now: Example.now)
    let replayed = try offline.replay(actions, on: start) { _, _ in proof }
    #expect(replayed.attention.values.first?.hasPrefix("signature_out_of_order: ") == true)
    let (result, state) = (try #require(walker.state.documents.first), walker.state)
    let place = RecordPlace(
      studyID: "heart", siteID: "", subjectID: "s1", sessionID: "x", deviceID: "", actor: "app", isTest: false)
    let maker = RecordMaker(script: walker.engine.script, forms: nil, place: place, salts: .system)
    let refusal = #expect(throws: Refusal.self) { try maker.record(of: result, state: state, id: "r") }
    #expect(refusal?.rule == "signature_out_of_order")
    let made = try maker.record(of: result, state: state, id: "r", needsAttention: true)
    #expect(made.record.signatures.isEmpty && made.record.state == .awaitingSignatures)
  }

  @Test("a birth date that is not known is asked for before the document is read")
  func birthDateAsked() throws {
    var walker = try aged(nil)
    #expect(walker.screen.questions.map(\.kind) == [.birthDate])
    let young = QuestionAnswer(questionID: "birth-date", date: CalendarDate(year: 2024, month: 1, day: 1))
    let never = QuestionAnswer(questionID: "birth-date", date: CalendarDate(year: 2023, month: 2, day: 29))
    #expect(
      #expect(throws: Refusal.self) { try walker.act(FlowAction(kind: .answer, answers: [never])) }?.rule
        == "no_such_day")
    try walker.act(FlowAction(kind: .answer, answers: [young]))
    #expect(walker.outcome == .underAge)
  }
}
