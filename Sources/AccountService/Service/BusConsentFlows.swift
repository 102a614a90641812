internal import Bus
internal import ConsentContract
internal import RPC

/// Calls ConsentService over the bus.
struct BusConsentFlows: ConsentFlows {
  private let channel: BusChannel
  /// How long a person who cancels an onboarding waits for ConsentService to abandon its session.
  private static let patience = Duration.seconds(2)

  init(_ channel: BusChannel) {
    self.channel = channel
  }

  func start(flow: String, subject: String, device: String, locale: String) async throws -> String {
    let started = try await SessionServiceClient(channel).startSession(
      StartSessionRequest(flowID: flow, subjectID: subject, locale: locale, deviceID: device))
    return started.session?.sessionID ?? ""
  }

  func abandon(_ session: String) async throws {
    let request = AbandonSessionRequest(sessionID: session)
    _ = try await SessionServiceClient(channel).abandonSession(request, deadline: Self.patience)
  }

  func outcome(of session: String) async throws -> SessionOutcome {
    let request = GetSessionRequest(sessionID: session)
    return try await SessionServiceClient(channel).getSession(request).session?.outcome ?? .unspecified
  }
}
