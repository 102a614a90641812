import AccountContract
import AccountService
import ConsentContract
import RPC
import StorageTestKit
import Synchronization
import Testing
import Wire

@Suite("Syncing in one call, beside others") struct SyncCallTests {
  @Test("while a step takes long, one call says how far it is")
  func heartbeat() async throws {
    let world = try await AccountWorld()
    let anna = try await world.openForUpload("Anna")[0]
    // The second item is done once its upload was told of.
    let wasTold = Mutex(false)
    world.peers.meanwhile { effect in
      guard effect.request == [1] else { return }
      for _ in 0..<2000 where !wasTold.withLock({ $0 }) { try? await Task.sleep(for: .milliseconds(10)) }
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
    var told: [SyncProgress] = []
    for try await answer in call.responses where answer.step == nil {
      let progress = try #require(answer.progress)
      told.append(progress)
      if progress.completed == 1 { wasTold.withLock { $0 = true } }
    }
    let uploading = told.filter { $0.phase == .uploading }
    #expect(uploading.contains { $0.completed == 1 && $0.total == 2 && $0.fraction == 0.25 }, "\(told)")
    #expect(told.map(\.fraction) == told.map(\.fraction).sorted())
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
