package import ConsentContract

/// What AccountService needs of ConsentService, called as the caller of the handler that asks.
package protocol ConsentFlows: Sendable {
  /// Starts a session of a flow for a subject at the caller's device; gives its identifier.
  func start(flow: String, subject: String, device: String, locale: String) async throws -> String
  /// How a session ended.
  func outcome(of session: String) async throws -> SessionOutcome
}
