import Base
import ConsentContract
import ConsentDomain
import ServicePolicy
import TestSupport
import Testing
import Wire

@Suite("Declining after an earlier yes")
struct EarlierConsentTests {
  private func earlier(_ purposes: [String], document: String = "", version: Int32 = 0) -> EarlierConsent {
    EarlierConsent(
      purposes: purposes, documentID: document, documentVersion: version,
      agreedAt: Timestamp(Example.now + .days(-3)))
  }

  /// A walk that stands at a form, or at a review that was read.
  private func walker(
    _ definition: FlowDefinition, _ earlier: [EarlierConsent], version: Int32 = 2,
    change: (inout DocumentSettings) -> Void = { _ in }
  ) throws -> Walker {
    var settings = Example.settings()
    change(&settings)
    let texts = ScreenTexts(locale: try .of("en"), standIn: try .of("en"))
    let document = ScriptDocument(
      id: Example.documentID, version: version, versionHash: "v", localeHash: "l", settings: settings,
      text: Example.text("en"), texts: texts)
    var walker = Walker(
      FlowEngine(
        try FlowScript(
          flowID: "flow", flowVersion: 1, flowHash: "f", definition: definition, documents: [document], texts: texts,
          birthDateGiven: false)))
    walker.hasConsented(earlier)
    try walker.goOn { [.review, .form].contains($0.kind) }
    return walker
  }

  @Test("Disagree says that the consent ends; going back changes nothing, going on declines")
  func disagree() throws {
    var walker = try walker(Example.flow(), [earlier(["research"])])
    try walker.act(.disagree)
    let alert = try #require(walker.screen.alert)
    #expect(alert.kind == .earlierConsent)
    #expect(alert.message == "You agreed on 2026-02-26. If you go on, that consent ends.")
    #expect(walker.screen.offered == [.dismiss, .confirm])
    #expect(walker.state.documents.isEmpty)
    try walker.act(.dismiss)
    #expect(walker.screen.alert == nil && walker.screen.kind == .review)
    try walker.act(.disagree, .confirm)
    #expect(walker.outcome == .declined)
    #expect(walker.state.documents.map(\.agreed) == [false])
  }

  @Test(
    "a new version says what its author chose",
    arguments: [
      (DeclineEffect.unspecified, ReconsentPolicy.noAction, true), (.unspecified, .notify, true),
      (.unspecified, .byDate, false), (.keeps, .byDate, true), (.ends, .notify, false),
    ])
  func newVersion(effect: DeclineEffect, policy: ReconsentPolicy, stays: Bool) throws {
    var walker = try walker(Example.flow(), [earlier(["research"], document: Example.documentID, version: 1)]) {
      ($0.declineEffect, $0.reconsent) = (effect, policy)
    }
    try walker.act(.disagree)
    #expect(walker.screen.alert?.message.hasSuffix(stays ? "that consent stays." : "that consent ends.") == true)
  }

  @Test("the same version again ends what stands, whatever later versions are to do")
  func sameVersion() throws {
    var walker = try walker(
      Example.flow(), [earlier(["research"], document: Example.documentID, version: 2)]
    ) { $0.declineEffect = .keeps }
    try walker.act(.disagree)
    #expect(walker.screen.alert?.message.hasSuffix("that consent ends.") == true)
  }

  @Test("Not Now asks too, and goes on with the flow")
  func notNow() throws {
    var walker = try walker(Example.forms(Example.form("contact"), Example.form("more")), [earlier(["contact"])])
    try walker.act(.notNow)
    #expect(walker.screen.alert?.kind == .earlierConsent && walker.state.forms.isEmpty)
    try walker.act(.confirm)
    #expect(walker.screen.stepID == "more")
    try walker.act(.notNow)
    #expect(walker.state.forms.map(\.allowed) == [false, false])
  }

  @Test("Deny, which asks anyway, says it there")
  func deny() throws {
    var walker = try walker(Example.forms(Example.form("contact", .mandatory)), [earlier(["contact"])])
    try walker.act(.deny)
    #expect(walker.screen.alert?.kind == .consentNeeded)
    #expect(walker.screen.alert?.message.hasSuffix("that consent ends.") == true)
    try walker.act(.confirm)
    #expect(walker.outcome == .denied)
  }

  @Test("nothing is asked where nothing is lost: another purpose, or none before")
  func otherPurpose() throws {
    for known in [[], [earlier(["contact"])]] {
      var walker = try walker(Example.flow(), known)
      try walker.act(.disagree)
      #expect(walker.outcome == .declined && walker.screen.alert == nil)
    }
  }

  @Test("a walk without a connection has the same screens")
  func offline() throws {
    var walker = try walker(
      Example.forms(Example.form("contact"), Example.form("needed", .mandatory)), [earlier(["contact", "needed"])])
    let table = try OfflineCompiler.table(of: walker.engine, from: walker.state)
    var row = table[0]
    for kind in [ActionKind.notNow, .dismiss, .notNow, .confirm, .deny, .confirm] {
      #expect(row.screen?.alert == walker.screen.alert && row.screen?.id == walker.screen.id)
      let edge = try #require(row.edges.first { $0.action == kind })
      row = table[Int(edge.successor)]
      try walker.act(kind)
    }
    #expect(row.outcome == .denied)
  }

  @Test("a session knows what its person agreed to before, and the decline ends it")
  func walked() async throws {
    let place = try await DecisionWorld()
    let world = place.world
    let given = try await place.decide("s1", Example.documentID, agreed: true)
    let start = try await world.app.sessions.startSession(
      StartSessionRequest(flowID: "form", subjectID: "s1", locale: "en"))
    var session = try #require(start.session)
    session = try await world.act(session, FlowAction(kind: .notNow))
    #expect(session.screen?.alert?.message == "You agreed on 2026-03-01. If you go on, that consent ends.")
    #expect(try await world.check("s1", "contact").recordID == given.recordID)
    session = try await world.act(session, FlowAction(kind: .confirm))
    #expect(session.outcome == .completed)
    #expect(try await world.check("s1", "contact").reason == "declined")
    await world.end()
  }

  @Test("a device that walks without a connection is told from the bundle")
  func bundled() async throws {
    let place = try await DecisionWorld()
    let world = place.world
    _ = try await place.decideForm("s1", allowed: true)
    let start = try await world.app.sessions.startSession(
      StartSessionRequest(flowID: "flow", subjectID: "s1", locale: "en", clientSchema: 2))
    let answer = try await world.app.sessions.getOfflineBundle(
      GetOfflineBundleRequest(sessionID: start.session?.sessionID ?? "", clientSchema: 2))
    let bundle = try #require(answer.bundle)
    let decline = bundle.walked { action in if action.kind == .scrolledToEnd { action.kind = .disagree } }
    #expect(decline.map(\.kind) == [.disagree, .confirm, .done])
    _ = try await world.submit(bundle, decline)
    #expect(try await world.check("s1", "contact").reason == "declined")
    await world.end()
  }
}
