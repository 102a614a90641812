import Base
import Bus
import HealthContract

/// grpc.health.v1 for every service behind this gateway, and for the gateway itself under the empty name.
///
/// A service is healthy as long as an instance of it is connected, alive and not draining.
struct HealthHandlers: HealthProtocol {
  let router: any RouterView

  func check(_ request: HealthCheckRequest, context: CallContext) async throws -> HealthCheckResponse {
    guard let status = await status(of: request.service) else {
      throw Status(.notFound, "no service '\(request.service)' has been announced")
    }
    return response(status)
  }

  func watch(
    _ request: HealthCheckRequest, context: CallContext, responses: ResponseWriter<HealthCheckResponse>
  ) async throws {
    var last: HealthCheckResponse.ServingStatus?
    while true {
      let status = await status(of: request.service) ?? .serviceUnknown
      if status != last { try await responses.send(response(status)) }
      last = status
      try await Task.sleep(for: Self.interval)
    }
  }

  /// How soon a change is seen; liveness itself is not known any sooner.
  private static let interval = Duration.milliseconds(250)

  private func status(of service: String) async -> HealthCheckResponse.ServingStatus? {
    let snapshot = await router.snapshot()
    if service.isEmpty { return snapshot.isDraining ? .notServing : .serving }
    guard snapshot.services.contains(where: { $0.name == service }) else { return nil }
    let isServed = snapshot.instances.contains { instance in
      instance.services.contains(service) && !instance.isLeaving && !instance.isSuspect && !instance.isWedged
    }
    return isServed ? .serving : .notServing
  }

  private func response(_ status: HealthCheckResponse.ServingStatus) -> HealthCheckResponse {
    var response = HealthCheckResponse()
    response.status = status
    return response
  }
}
