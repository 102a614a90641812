import Base
import ConsentContract
import ConsentDomain
import RPC
import Testing
import Wire

/// Clients that were built for an older schema than the screens of a flow.
@Suite("Older clients", .timeLimit(.minutes(2))) struct OlderClientTests {
  @Test("resumed under an alert that it does not know, it leads back, asks for an update, and lets one leave")
  func alert() async throws {
    let world = try await World()
    try await world.open()
    let asked = try await world.walk { $0.alert?.kind == .confirmAgreement }
    func resumed() async throws -> SessionView {
      let request = ResumeSessionRequest(sessionID: asked.sessionID, clientSchema: 1)
      return try #require(try await world.app.sessions.resumeSession(request).session)
    }
    func act(_ view: SessionView, _ kind: ActionKind) async throws -> SessionView {
      let request = ActOnSessionRequest(
        sessionID: view.sessionID, expectedVersion: view.version, action: FlowAction(kind: kind), clientSchema: 1)
      return try #require(try await world.app.sessions.actOnSession(request).session)
    }
    var view = try await resumed()
    let screen = try #require(view.screen)
    #expect(screen.kind == .plain && screen.alert == nil && screen.offered == [.dismiss])
    #expect(screen.text == Catalog.text(.updateNeeded, language: "en"))
    let way = try #require(screen.navigationBar?.leading)
    #expect(way.action == .dismiss && way.enabled && way.title == Catalog.text(.back, language: "en"))
    // The document, which it cannot show either: back to a screen before, or out by an alert that it knows.
    view = try await act(view, .dismiss)
    #expect(view.screen?.kind == .plain && Set(view.screen?.offered ?? []) == [.back, .cancel])
    view = try await act(view, .cancel)
    #expect(view.screen?.alert?.kind == .quit && Set(view.screen?.offered ?? []) == [.dismiss, .confirm])
    view = try await act(view, .confirm)
    #expect(view.outcome == .quit)
    await world.end()
  }

  @Test("a client that cannot show every screen of a table gets none, and is told to update")
  func table() async throws {
    let world = try await World()
    try await world.open()
    let start = StartSessionRequest(flowID: "flow", subjectID: "s1", clientSchema: 1)
    let view = try #require(try await world.app.sessions.startSession(start).session)
    func bundle(_ schema: Int32) async throws -> GetOfflineBundleResponse {
      try await world.app.sessions.getOfflineBundle(
        GetOfflineBundleRequest(sessionID: view.sessionID, clientSchema: schema))
    }
    await expectRefusal(.failedPrecondition, "client_too_old") { try await bundle(1) }
    for schema in [2, ScreenSchema.newest, 0] {
      let screens = try await bundle(schema).bundle?.screens ?? []
      #expect(screens.count > 10, "schema \(schema)")
    }
    await world.end()
  }
}
