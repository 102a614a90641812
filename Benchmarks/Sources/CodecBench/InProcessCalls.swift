internal import BenchKit
internal import Bus
internal import HealthContract
internal import RPC

/// The cost of a call when only the machines of the bus are between caller and handler.
enum InProcessCalls {
  static func measure(_ bench: inout Bench) async throws {
    let bus = InProcessBus()
    bus.serve([AlwaysServing()])
    let client = HealthClient(bus.channel())
    let request = HealthCheckRequest(service: "assent.consent.v1.RecordService")
    _ = try await client.check(request, options: CallOptions(waitsForReady: true))

    let hop = Hop()
    await bench.compare(
      "inprocess_unary", "a unary call within the process", unit: .nanoseconds,
      ours: { try await nanosecondsPerOperation { blackHole(try await client.check(request).status) } },
      peers: ["actor_hop": { await nanosecondsPerOperation { blackHole(await hop.there()) } }])
  }
}

private struct AlwaysServing: HealthProtocol {
  func check(_ request: HealthCheckRequest, context: CallContext) async throws -> HealthCheckResponse {
    HealthCheckResponse(status: .serving)
  }

  func list(_ request: HealthListRequest, context: CallContext) async throws -> HealthListResponse {
    HealthListResponse(statuses: ["": HealthCheckResponse(status: .serving)])
  }

  func watch(
    _ request: HealthCheckRequest, context: CallContext, responses: ResponseWriter<HealthCheckResponse>
  ) async throws {
    try await responses.send(HealthCheckResponse(status: .serving))
  }
}

/// The smallest work that leaves the caller's executor and comes back to it.
private actor Hop {
  private var count = 0

  func there() -> Int {
    count += 1
    return count
  }
}
