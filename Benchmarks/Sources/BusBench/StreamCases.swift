import Base
import BenchKit
import InteropContract
import RPC

/// Many answers to one request.
enum StreamCases {
  static let rows = ["stream1k"]

  static func messages(_ bench: inout Bench, _ system: BusSystem, _ peers: BusPeers) async {
    await bench.compare(
      "stream1k", "1 KiB messages of one server stream", unit: .perSecond,
      ours: { try await messagesPerSecond(system.client) },
      peers: ["grpc_direct": { try await peers.grpc.measure("stream1k") }])
  }

  private static let count = 50_000

  private static func messagesPerSecond(_ client: InteropServiceClient) async throws -> Double {
    var parameters = ResponseParameters()
    parameters.size = 1024
    var request = StreamingOutputCallRequest()
    request.responseParameters = [ResponseParameters](repeating: parameters, count: count)
    let start = Clock.system.monotonic
    var received = 0
    for try await message in try client.streamingOutputCall(request) {
      guard message.payload?.body.count == 1024 else { throw BusFailure("a message is not 1 KiB long") }
      received += 1
    }
    let elapsed = Clock.system.monotonic - start
    guard received == count else { throw BusFailure("\(received) of \(count) messages came") }
    return Double(received) * 1e9 / Double(elapsed.wholeNanoseconds)
  }
}
