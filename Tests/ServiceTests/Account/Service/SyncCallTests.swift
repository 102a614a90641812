import AccountContract
import AccountService
import ConsentContract
import RPC
import StorageTestKit
import Synchronization
import TestSupport
import Testing
import Wire

@Suite("Syncing in one call, beside others") struct SyncCallTests {
  @Test("while a step takes long, one call says how far it is")
  func heartbeat() async throws {
    let world = try await AccountWorld()
    let anna = try await world.openForUpload("Anna")[0]
    // The second item is done once its upload was told of.
    let told = Signal()
    world.peers.meanwhile { effect in
      if effect.request == [1] { await told.wait() }
    }
    let items = (0..<2).map {
      QueueItem(
        itemID: "\($0)", personID: anna, method: "assent.consent.v1.RecordService/UpdateSharing",
        request: [UInt8($0)])
    }
    let call = world.person(anna).sync.sync()
    let part = PushQueueRequest(items: items, grants: try await world.grants(of: [anna]))
    try await call.requests.send(SyncRequest(step: .push(part), queueLength: 2))
    try await call.requests.send(SyncRequest(step: .pull(PullChangesRequest())))
    call.requests.finish()
    var heard: [SyncProgress] = []
    for try await answer in call.responses where answer.step == nil {
      let progress = try #require(answer.progress)
      heard.append(progress)
      if progress.completed == 1 { told.set() }
    }
    let uploading = heard.filter { $0.phase == .uploading }
    #expect(uploading.contains { $0.completed == 1 && $0.total == 2 && $0.fraction == 0.25 }, "\(heard)")
    #expect(heard.map(\.fraction) == heard.map(\.fraction).sorted())
    await world.end()
  }

  @Test("the deadline of whoever asks first for other services' news binds nobody who shares them")
  func nobodysCall() async throws {
    let world = try await AccountWorld()
    let anna = try await world.openForUpload("Anna")[0]
    let contexts = Mutex<[Bool]>([])
    world.peers.whileFollowing { contexts.withLock { $0.append(CallContext.current != nil) } }
    _ = try await world.pull(anna)
    // A call to a service takes its deadline, and more, from the call during which it is made.
    let seen = contexts.withLock { $0 }
    #expect(!seen.isEmpty && seen.allSatisfy { !$0 }, "\(seen)")
    await world.end()
  }
}
