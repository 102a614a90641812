import Base
import HealthContract
import RPC

/// grpc.health.v1 for every service behind this gateway, and for the gateway itself under the empty name.
///
/// A service is healthy as long as an instance of it is connected, alive and not draining.
struct HealthHandlers: HealthProtocol {
  private let board: HealthBoard

  init(router: any RouterView) {
    board = HealthBoard(router)
  }

  func check(_ request: HealthCheckRequest, context: CallContext) async throws -> HealthCheckResponse {
    guard let health = await board.health()[request.service] else {
      let message = "no service '\(request.service.shortened)' has been announced"
      throw Status(.notFound, rule: "unknown_service", field: "service", message)
    }
    return response(health)
  }

  func list(_ request: HealthListRequest, context: CallContext) async throws -> HealthListResponse {
    var answer = HealthListResponse()
    answer.statuses = await board.health().mapValues(response)
    return answer
  }

  func watch(
    _ request: HealthCheckRequest, context: CallContext, responses: ResponseWriter<HealthCheckResponse>
  ) async throws {
    var last: HealthBoard.Health?
    for await all in board.watch() {
      let health = all[request.service] ?? .serviceUnknown
      if health != last { try await responses.send(response(health)) }
      last = health
    }
    try Task.checkCancellation()
  }

  private func response(_ health: HealthBoard.Health) -> HealthCheckResponse {
    var response = HealthCheckResponse()
    response.status = health
    return response
  }
}
