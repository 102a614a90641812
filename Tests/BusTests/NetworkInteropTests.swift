internal import Bus
import Interop
import InteropCases
import RPC
import Testing

@Suite struct NetworkInteropTests {
  @Test("gRPC's interoperability cases pass through a gateway's sockets", arguments: InteropCase.allCases)
  func interop(_ interopCase: InteropCase) async throws {
    let network = try await LocalNetwork.start()
    try await interopCase.run(on: network.client.channel)
    try await network.stop()
  }
}
