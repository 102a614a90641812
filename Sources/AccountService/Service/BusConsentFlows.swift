internal import Bus
internal import ConsentContract
internal import RPC

/// ConsentService, over the bus.
struct BusConsentFlows: ConsentFlows {
  private let channel: BusChannel

  init(_ channel: BusChannel) {
    self.channel = channel
  }

  func start(flow: String, subject: String, device: String, locale: String) async throws -> String {
    let started = try await SessionServiceClient(channel).startSession(
      StartSessionRequest(flowID: flow, subjectID: subject, locale: locale, deviceID: device))
    return started.session?.sessionID ?? ""
  }

  func outcome(of session: String) async throws -> SessionOutcome {
    let request = GetSessionRequest(sessionID: session)
    return try await SessionServiceClient(channel).getSession(request).session?.outcome ?? .unspecified
  }
}
