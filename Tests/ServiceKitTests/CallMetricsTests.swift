import Bus
import Interop
import InteropContract
import RPC
import Testing

@testable import ServiceKit

@Suite struct CallMetricsTests {
  @Test("every call is counted with the code that its caller saw, and timed")
  func counted() async throws {
    let metrics = Metrics()
    let bus = InProcessBus()
    bus.serve([InteropHandlers(instance: "one")], observers: [CallMetrics(metrics)])
    let client = InteropServiceClient(bus.channel())
    _ = try await client.emptyCall(EmptyCallRequest())
    _ = try await client.emptyCall(EmptyCallRequest())
    var refused = UnaryCallRequest()
    var status = EchoStatus()
    status.code = UInt32(StatusCode.notFound.rawValue)
    refused.responseStatus = status
    let request = refused
    await #expect(throws: Status.self) { _ = try await client.unaryCall(request) }
    let lines = metrics.exposition.split(separator: "\n")
    let path = "/assent.interop.v1.InteropService"
    #expect(lines.contains("assent_calls_total{method=\"\(path)/EmptyCall\",code=\"OK\"} 2"))
    #expect(lines.contains("assent_calls_total{method=\"\(path)/UnaryCall\",code=\"NOT_FOUND\"} 1"))
    #expect(lines.contains("assent_call_seconds_count{method=\"\(path)/EmptyCall\"} 2"))
    #expect(lines.contains("assent_calls_running 0"))
  }
}
