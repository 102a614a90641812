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

/// Who makes webhooks, and which are refused.
@Suite("Managing webhooks", .serialized, .timeLimit(.minutes(5))) struct WebhookManagingTests {
  @Test("deleting erases the secret; a webhook of another tenant is not there; others than admins are refused")
  func rights() async throws {
    try await WebhookWorld.run(.sqlite, sending: false) { world, receiver in
      let made = try await world.hook(receiver.address("ok"))
      let id = try #require(made.webhook?.webhookID)
      let other = world.client("admin", ["admin@*"], tenant: "t2").webhooks
      await expectRefusal(.notFound, "unknown_webhook") {
        try await other.rotateWebhookSecret(RotateWebhookSecretRequest(webhookID: id))
      }
      #expect(try await other.listWebhooks(ListWebhooksRequest()).webhooks.isEmpty)
      for clients in [world.client("sam", ["admin@heart"]), world.publisher, world.app, world.investigator] {
        await expectRefusal(.permissionDenied, "not_admitted") {
          try await clients.webhooks.createWebhook(CreateWebhookRequest(webhook: Webhook(url: receiver.address("ok"))))
        }
      }
      _ = try await world.admin.webhooks.deleteWebhook(DeleteWebhookRequest(webhookID: id))
      await expectRefusal(.notFound, "unknown_webhook") {
        try await world.admin.webhooks.testWebhook(TestWebhookRequest(webhookID: id))
      }
      let changes = try await world.events().filter { $0.kind == .webhookChanged }
      #expect(changes.map(\.note) == ["created", "deleted"] && changes.allSatisfy { $0.webhookID == id })
    }
  }

  @Test("bad addresses, unknown kinds and too many webhooks are refused by name")
  func bounds() async throws {
    var strict = WebhookWorld.policy
    strict.outgoing = OutgoingPolicy(.publicAddresses())
    let world = try await World(.sqlite, webhooks: strict)
    func refused(_ rule: String, _ webhook: Webhook) async {
      await expectRefusal(.invalidArgument, rule) {
        try await world.admin.webhooks.createWebhook(CreateWebhookRequest(webhook: webhook))
      }
    }
    for url in [
      "http://a.example/", "ftp://a.example/", "https://", "https:///x", "https://u:p@a.example/",
      "https://a.example/#x",
      "https://a.example/ x", "https://ä.example/", "https://a.example\\@b.example/",
    ] {
      await refused("bad_url", Webhook(url: url))
    }
    await refused("url_out_of_bounds", Webhook())
    await refused("url_out_of_bounds", Webhook(url: "https://a.example/" + String(repeating: "x", count: 2000)))
    for url in ["https://127.0.0.1/", "https://10.1.2.3:443/", "https://[::1]/", "https://169.254.169.254/latest"] {
      await refused("address_not_allowed", Webhook(url: url))
    }
    await refused("unknown_kind", Webhook(url: "https://a.example/", kinds: ["consent.rec"]))
    await refused("too_many_kinds", Webhook(url: "https://a.example/", kinds: .init(repeating: "consent", count: 65)))
    let named = Webhook(url: "https://localhost:1/")
    let made = try await world.admin.webhooks.createWebhook(CreateWebhookRequest(webhook: named))
    let test = try await world.admin.webhooks.testWebhook(
      TestWebhookRequest(webhookID: made.webhook?.webhookID ?? ""))
    #expect(!test.accepted && test.failure.contains("where requests may not go"), "\(test)")
    #expect(!test.failure.contains("127.0.0.1") && !test.failure.contains("::1"), "\(test)")
    let unknown = try await world.admin.webhooks.createWebhook(
      CreateWebhookRequest(webhook: Webhook(url: "https://no-such-name.invalid/")))
    let nowhere = try await world.admin.webhooks.testWebhook(
      TestWebhookRequest(webhookID: unknown.webhook?.webhookID ?? ""))
    #expect(!nowhere.accepted && nowhere.failure == test.failure, "names of the network are told apart: \(nowhere)")
    #expect(test.took?.duration != nil)
    for _ in 2..<32 { _ = try await world.admin.webhooks.createWebhook(CreateWebhookRequest(webhook: named)) }
    await expectRefusal(.failedPrecondition, "too_many_webhooks") {
      try await world.admin.webhooks.createWebhook(CreateWebhookRequest(webhook: named))
    }
    await world.end()
  }
}
