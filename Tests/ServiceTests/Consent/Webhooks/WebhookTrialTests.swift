import Base
import ConsentContract
import ConsentService
import Outgoing
import RPC
import ServicePolicy
import StorageTestKit
import TestSupport
import Testing
import Webhooks
import Wire

/// Messages that an administrator sends to try a webhook.
@Suite("Test messages of webhooks", .serialized, .timeLimit(.minutes(5))) struct WebhookTrialTests {
  @Test("a test message tells how the receiver answers, and is told from events by its kind")
  func trial() async throws {
    try await WebhookWorld.run(.sqlite) { world, receiver in
      func test(_ habit: String) async throws -> TestWebhookResponse {
        let id = try #require(try await world.hook(receiver.address(habit)).webhook?.webhookID)
        return try await world.admin.webhooks.testWebhook(TestWebhookRequest(webhookID: id))
      }
      let good = try await test("ok")
      #expect(good.accepted && good.httpStatus == 204 && good.failure.isEmpty)
      // The receiver answers before the line about it has come here.
      let heard = try await eventually("the test arrives", receiver.messages("ok").map(\.kind)) { !$0.isEmpty }
      #expect(heard == ["webhook.test"])
      let bad = try await test("redirect")
      #expect(!bad.accepted && bad.httpStatus == 307 && bad.failure.contains("not followed"))
      #expect(try await test("hang").failure.contains("no answer within"))
      #expect(try await test("garbage").accepted == false)
    }
  }

  @Test(
    "test messages are a few a minute for each webhook and each tenant, and the error says when the next may be sent",
    arguments: TestEngine.allCases)
  func trials(engine: TestEngine) async throws {
    try await WebhookWorld.run(engine, sending: false) { world, receiver in
      func make() async throws -> String {
        try #require(try await world.hook(receiver.address("ok")).webhook?.webhookID)
      }
      func test(_ id: String) async throws {
        _ = try await world.admin.webhooks.testWebhook(TestWebhookRequest(webhookID: id))
      }
      func refusal(_ id: String) async -> Status? {
        do {
          try await test(id)
          return nil
        } catch {
          return error as? Status
        }
      }
      let first = try await make()
      for _ in 0..<5 { try await test(first) }
      let sixth = try #require(await refusal(first))
      #expect(sixth.code == .resourceExhausted && sixth.message.hasPrefix("too_many_tests"), "\(sixth)")
      #expect(sixth.message.contains("in 12 s") && sixth.metadata["retry-after-ms"] == "12000", "\(sixth)")
      world.clock.move(by: .milliseconds(11_999))
      #expect(await refusal(first)?.metadata["retry-after-ms"] == "1")
      world.clock.move(by: .milliseconds(1))
      try await test(first)
      #expect(await refusal(first) != nil)
      // Neither others with the same address nor deleting it are a way round.
      var sent = 6
      for _ in 0..<5 {
        let id = try await make()
        for _ in 0..<30 {
          guard await refusal(id) == nil else { break }
          sent += 1
        }
        _ = try await world.admin.webhooks.deleteWebhook(DeleteWebhookRequest(webhookID: id))
      }
      #expect(sent == 24, "twenty, and one for each three seconds")
      let heard = try await eventually("all tests arrive", receiver.messages("ok").count) { $0 >= sent }
      #expect(heard == sent)
      world.clock.move(by: .seconds(60))
      try await test(first)
    }
  }
}
