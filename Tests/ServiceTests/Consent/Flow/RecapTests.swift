import Base
import ConsentContract
import ConsentDomain
import RPC
import Testing
import Wire

@Suite("Recaps and single names")
struct RecapTests {
  @Test("a recap shows everything that was entered, and nothing counts before it is certified")
  func recap() throws {
    var settings = Example.settings()
    settings.recap = true
    var walker = Walker(try Example.engine(Example.flow(), settings: settings))
    try walker.goOn { $0.kind == .recap }
    let screen = walker.screen
    #expect(screen.schemaVersion == 3 && screen.toolbar?.buttons.first?.title == "Certify")
    let recap = try #require(screen.entries?.recap)
    #expect(recap.contains(RecapLine(label: "When may you leave?", value: "Any time")))
    #expect(recap.contains(RecapLine(label: "What is gathered?", value: "Pulse, Steps")))
    #expect(recap.contains { $0.label == "Sharing Options" && $0.value.contains("worldwide") })
    #expect(recap.contains(RecapLine(label: "Participant", value: "Ada\u{A0}Lovelace")))
    #expect(recap.contains(RecapLine(label: "I agree to take part.", value: "Ada Lovelace")))
    #expect(screen.html.contains("Heart study (en)"))
    func isDecided() -> Bool { walker.changes.contains { if case .documentDecided = $0 { true } else { false } } }
    #expect(!isDecided())
    // Back to correct the name, and on again.
    try walker.act(.back, .back)
    try walker.act(FlowAction(kind: .enterName, name: PersonName(given: "Augusta", family: "Lovelace")))
    try walker.goOn { $0.kind == .recap }
    #expect(walker.screen.entries?.recap.contains { $0.value == "Augusta\u{A0}Lovelace" } == true)
    try walker.act(.next)
    #expect(isDecided() && walker.outcome == .completed)
  }

  @Test("who disagrees certifies nothing")
  func declined() throws {
    var settings = Example.settings()
    settings.recap = true
    var walker = Walker(try Example.engine(Example.flow(), settings: settings))
    try walker.goOn { $0.kind == .review }
    #expect(try walker.act(.disagree).kind == .completion)
  }

  @Test("a person with one name signs with it, and it is printed as it is")
  func mononym() async throws {
    let world = try await World()
    try await world.open()
    var view = try await world.walk { $0.kind == .name }
    #expect(view.screen?.nameForm?.mononymLabel == "Only name, if you have just one")
    func enter(_ name: PersonName) async throws -> SessionView {
      try await world.act(view, FlowAction(kind: .enterName, name: name))
    }
    await expectRefusal(.invalidArgument, "name_missing") { try await enter(PersonName(given: "Suharto")) }
    await expectRefusal(.invalidArgument, "two_names") {
      try await enter(PersonName(given: "Suharto", mononym: "Suharto"))
    }
    await expectRefusal(.invalidArgument, "no_letter") { try await enter(PersonName(mononym: "12")) }
    view = try await enter(PersonName(mononym: " Suharto "))
    view = try await world.goOn(view)
    let record = try await world.record(of: view)
    #expect(record.signatures.first?.printedName == "Suharto")
    // Who counter-signs may have one name, too.
    let typed = SignatureInput(image: .typed(TypedSignature(text: "Sukarno", font: "plain")))
    _ = try await world.investigator.sessions.signRecord(
      SignRecordRequest(
        recordID: record.recordID, signatureID: "investigator", name: PersonName(mononym: "Sukarno"), signature: typed))
    let signed = try await world.record(of: view)
    #expect(signed.signatures.map(\.printedName) == ["Suharto", "Sukarno"])
    await world.end()
  }
}
