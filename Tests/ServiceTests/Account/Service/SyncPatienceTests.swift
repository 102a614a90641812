import AccountContract
import Bus
import RPC
import Testing

@testable import AccountService

@Suite("A sync that does not begin") struct SyncPatienceTests {
  @Test("a call that sends no step is ended, and one that does goes on")
  func silent() async throws {
    let world = try await AccountWorld()
    let anna = try await world.openForUpload("Anna")[0]
    let bus = InProcessBus()
    bus.serve([SyncHandlers(parts: world.services.parts, patience: .seconds(1))])
    let identity = CallerIdentity(kind: .person, tenant: "t1", subject: anna, device: "tablet")
    let client = SyncServiceClient(bus.channel(for: identity))
    let silent = client.sync()
    let refusal = await #expect(throws: Status.self) { for try await _ in silent.responses {} }
    #expect(refusal?.code == .invalidArgument && refusal?.message.contains("step is missing") == true)
    let call = client.sync()
    try await call.requests.send(SyncRequest(step: .pull(PullChangesRequest())))
    var isLast = false
    for try await answer in call.responses {
      if case .pulled = answer.step { isLast = true }
    }
    #expect(isLast)
    bus.stop()
    await world.end()
  }
}
