import Base
import Bus
import GatewayContract

/// Answers operators' questions about the processes behind this gateway.
struct GatewayHandlers: GatewayServiceProtocol {
  let router: any RouterView
  let clock: Base.Clock

  private static let defaultInterval: UInt32 = 1000
  private static let shortestInterval: UInt32 = 50

  func listInstances(_ request: ListInstancesRequest, context: CallContext) async throws -> ListInstancesResponse {
    let snapshot = await router.snapshot()
    var response = ListInstancesResponse()
    response.instances = snapshot.instances(of: request.service, at: clock.now)
    response.services = snapshot.loads(of: request.service)
    return response
  }

  func watchInstances(
    _ request: WatchInstancesRequest, context: CallContext, responses: ResponseWriter<WatchInstancesResponse>
  ) async throws {
    let asked = request.intervalMs == 0 ? Self.defaultInterval : request.intervalMs
    let interval = Duration.milliseconds(Int64(max(asked, Self.shortestInterval)))
    var last: WatchInstancesResponse?
    while true {
      let snapshot = await router.snapshot()
      var response = WatchInstancesResponse()
      response.instances = snapshot.instances(of: request.service, at: clock.now)
      response.services = snapshot.loads(of: request.service)
      if response != last { try await responses.send(response) }
      last = response
      try await Task.sleep(for: interval)
    }
  }
}
