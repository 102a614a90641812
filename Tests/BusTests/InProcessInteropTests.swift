import Bus
import Interop
import InteropCases
import RPC
import Testing

@Suite struct InProcessInteropTests {
  @Test("gRPC's interoperability cases pass over the in-process bus", arguments: InteropCase.allCases)
  func interop(_ interopCase: InteropCase) async throws {
    let bus = InProcessBus()
    bus.serve([InteropHandlers(instance: "one")])
    try await interopCase.run(on: bus.channel())
  }
}
