import ConsentContract
import RPC
import Testing

/// Walks without a connection.
extension World {
  /// Starts a session of `s1` and fetches its table.
  func offlineBundle(site: String = "", birthDate: CalendarDate? = nil) async throws -> OfflineBundle {
    let view = try await app.sessions.startSession(
      StartSessionRequest(flowID: "flow", siteID: site, subjectID: "s1", clientSchema: 2, birthDate: birthDate))
    let answer = try await app.sessions.getOfflineBundle(
      GetOfflineBundleRequest(sessionID: view.session?.sessionID ?? ""))
    return try #require(answer.bundle)
  }

  func submit(_ bundle: OfflineBundle, _ actions: [FlowAction]) async throws -> SubmitOfflineWalkResponse {
    try await app.sessions.submitOfflineWalk(
      SubmitOfflineWalkRequest(sessionID: bundle.sessionID, bundleHash: bundle.bundleHash, actions: actions))
  }
}
