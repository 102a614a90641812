import Base
import ConsentContract
import ConsentService
import RPC
import ServicePolicy
import Storage
import StorageTestKit
import TestSupport
import Testing
import Webhooks

/// What receivers get, and from whom, after a backup was restored.
@Suite("Webhooks after a restore", .serialized, .timeLimit(.minutes(5))) struct WebhookRestoreTests {
  @Test("events that get a number again have another identifier", arguments: TestEngine.allCases)
  func identifiers(engine: TestEngine) async throws {
    try await WebhookWorld.run(engine) { world, receiver in
      let archive = world.test.folder.file("backup.assent")
      try await world.makeStudy("heart")
      _ = try await world.hook(receiver.address("ok"))
      _ = try await world.test.database.backup(to: archive)
      for number in 0..<3 { try await world.renameStudy("heart", "Heart \(number)") }
      let before = try await eventually("three events arrive", receiver.messages("ok")) { $0.count == 3 }
      world.clock.move(by: .seconds(3600))
      let restored = try await RestoredWorld(of: world, from: archive)
      try await WebhookWorld.sending(restored.services.webhooks()) {
        for number in 0..<3 { try await rename("heart", "Other heart \(number)", restored) }
        let all = try await eventually("three more arrive", receiver.messages("ok")) { $0.count == 6 }
        #expect(!Set(all.dropFirst(3).map(\.sequence)).isDisjoint(with: before.map(\.sequence)))
        #expect(Set(all.map(\.id)).count == 6, "a receiver that remembers identifiers drops none")
      }
      await restored.end()
    }
  }

  @Test("a webhook that was deleted after the backup does not come back", arguments: TestEngine.allCases)
  func deleted(engine: TestEngine) async throws {
    try await WebhookWorld.run(engine, sending: false) { world, receiver in
      let (archive, list, deleted, kept) = try await deleteAfterBackup(in: world, receiver)
      let restored = try await RestoredWorld(of: world, from: archive, erasures: list)
      #expect(try await listed(restored) == [kept])
      let events = try await restored.admin.records.listEvents(ListEventsRequest(pageSize: 1000)).events
      #expect(events.filter { $0.webhookID == deleted }.map(\.note) == ["created", "deleted"])
      await restored.end()
    }
  }

  @Test("one that an earlier release brought back without its secret is deleted when its turn comes")
  func broughtBack() async throws {
    try await WebhookWorld.run(.sqlite, sending: false) { world, receiver in
      let (archive, list, deleted, kept) = try await deleteAfterBackup(in: world, receiver)
      let restored = try await RestoredWorld(of: world, from: archive, erasures: list) { _, _ in }
      let both = try await listed(restored)
      #expect(Set(both) == [deleted, kept])
      try await WebhookWorld.sending(restored.services.webhooks()) {
        try await rename("heart", "Heart", restored)
        try await eventually("the other one is deleted", await listed(restored)) { $0 == [kept] }
        let got = try await eventually("the event arrives", receiver.messages("ok")) { !$0.isEmpty }
        #expect(got.count == 1)
      }
      await restored.end()
    }
  }

  /// Makes two webhooks, a backup with both and, after one was deleted, the list of erasures.
  private func deleteAfterBackup(
    in world: World, _ receiver: WebhookReceiver
  ) async throws -> (archive: String, list: String, deleted: String, kept: String) {
    let test = world.test
    let (archive, list) = (test.folder.file("backup.assent"), test.folder.file("list"))
    try await world.makeStudy("heart")
    let deleted = try #require(try await world.hook(receiver.address("trap")).webhook?.webhookID)
    let kept = try #require(try await world.hook(receiver.address("ok")).webhook?.webhookID)
    _ = try await test.database.backup(to: archive)
    _ = try await world.admin.webhooks.deleteWebhook(DeleteWebhookRequest(webhookID: deleted))
    // The list is completed from the database when that is opened.
    let opened = try await Database.open(
      test.location, schema: test.schema, keys: test.keys, erasures: try ErasureList(list), clock: world.clock.clock)
    await opened.close()
    return (archive, list, deleted, kept)
  }

  private func listed(_ restored: RestoredWorld) async throws -> [String] {
    try await restored.admin.webhooks.listWebhooks(ListWebhooksRequest()).webhooks.map(\.webhookID)
  }

  private func rename(_ id: String, _ name: String, _ restored: RestoredWorld) async throws {
    let study = ConsentStudy(studyID: id, name: name)
    _ = try await restored.admin.studies.updateStudy(UpdateStudyRequest(study: study))
  }
}
