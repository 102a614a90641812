package import ConsentContract

/// The calls of ConsentService that AccountService makes, in the name of the caller whose call it handles.
package protocol ConsentFlows: Sendable {
  /// Starts a session of a flow for a subject at the caller's device; returns the session's identifier.
  func start(flow: String, subject: String, device: String, locale: String) async throws -> String
  /// Ends a session, unless it has ended.
  func abandon(_ session: String) async throws
  /// How a session ended; unspecified while it runs.
  func outcome(of session: String) async throws -> SessionOutcome
}
