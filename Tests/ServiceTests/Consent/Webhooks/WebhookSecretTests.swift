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

/// The secrets that messages are signed with.
@Suite("Secrets of webhooks", .serialized, .timeLimit(.minutes(5))) struct WebhookSecretTests {
  @Test("a secret is shown once: a repeat of the call makes nothing, and tells all but the secret")
  func shownOnce() async throws {
    try await WebhookWorld.run(.sqlite, sending: false) { world, receiver in
      let once = CallOptions(idempotencyKey: .given("once"))
      let wanted = Webhook(url: receiver.address("ok"), kinds: ["consent.study_changed"])
      let made = try await world.admin.webhooks.createWebhook(CreateWebhookRequest(webhook: wanted), options: once)
      #expect(made.secret.hasPrefix("whsec_"))
      let again = await #expect(throws: Status.self) {
        try await world.admin.webhooks.createWebhook(CreateWebhookRequest(webhook: wanted), options: once)
      }
      #expect(again?.message.hasPrefix("secret_shown: ") == true)
      let rest = try #require(again?.details.first { $0.typeName == CreateWebhookResponse.messageName })
      #expect(try CreateWebhookResponse(decoding: rest.value) == CreateWebhookResponse(webhook: made.webhook))
      #expect(try await world.admin.webhooks.listWebhooks(ListWebhooksRequest()).webhooks.count == 1)
      let rotate = RotateWebhookSecretRequest(webhookID: made.webhook?.webhookID ?? "")
      let twice = CallOptions(idempotencyKey: .given("twice"))
      #expect(try await world.admin.webhooks.rotateWebhookSecret(rotate, options: twice).secret != made.secret)
      await expectRefusal(.alreadyExists, "secret_shown") {
        try await world.admin.webhooks.rotateWebhookSecret(rotate, options: twice)
      }
    }
  }

  @Test("after a change of secrets messages bear both signatures for a day, or one when the earlier one leaked")
  func rotation() async throws {
    try await WebhookWorld.run(.sqlite) { world, receiver in
      try await world.makeStudy("heart")
      let made = try await world.hook(receiver.address("ok"))
      let id = try #require(made.webhook?.webhookID)
      let next = try await world.admin.webhooks.rotateWebhookSecret(RotateWebhookSecretRequest(webhookID: id))
      let (old, new) = (try #require(ReceiverSide.key(made.secret)), try #require(ReceiverSide.key(next.secret)))
      #expect(old != new)
      func sent(_ count: Int) async throws -> WebhookReceiver.Message {
        try await world.renameStudy("heart", "Heart \(count)")
        let got = try await eventually("the message arrives", receiver.messages("ok")) { $0.count == count }
        return try #require(got.last)
      }
      let both = try await sent(1)
      #expect(both.signatures == [ReceiverSide.signature(both, new), ReceiverSide.signature(both, old)])
      world.clock.move(by: .seconds(86_401))
      let later = try await sent(2)
      #expect(later.signatures == [ReceiverSide.signature(later, new)])
      let leaked = try await world.admin.webhooks.rotateWebhookSecret(
        RotateWebhookSecretRequest(webhookID: id, dropEarlier: true))
      let last = try await sent(3)
      #expect(last.signatures == [ReceiverSide.signature(last, try #require(ReceiverSide.key(leaked.secret)))])
    }
  }

  @Test("each of the newest three secrets that were replaced signs for its own day, also where the change was repeated")
  func repeatedRotation() async throws {
    try await WebhookWorld.run(.sqlite) { world, receiver in
      try await world.makeStudy("heart")
      let made = try await world.hook(receiver.address("ok"))
      let id = try #require(made.webhook?.webhookID)
      var keys = [try #require(ReceiverSide.key(made.secret))]
      func rotate() async throws {
        let next = try await world.admin.webhooks.rotateWebhookSecret(RotateWebhookSecretRequest(webhookID: id))
        keys.insert(try #require(ReceiverSide.key(next.secret)), at: 0)
      }
      var sent = 0
      func expectSigned(by count: Int) async throws {
        sent += 1
        try await world.renameStudy("heart", "Heart \(sent)")
        let got = try await eventually("the message arrives", receiver.messages("ok")) { $0.count == sent }
        let message = try #require(got.last)
        #expect(message.signatures == keys.prefix(count).map { ReceiverSide.signature(message, $0) })
      }
      try await rotate()
      world.clock.move(by: .seconds(3600))
      // Its answer was lost, and somebody repeats it.
      try await rotate()
      try await expectSigned(by: 3)
      world.clock.move(by: .seconds(23 * 3600))
      try await expectSigned(by: 2)
      for _ in 0..<4 { try await rotate() }
      try await expectSigned(by: 4)
    }
  }

  @Test("signatures are those of Standard Webhooks, by its own example")
  func knownSignature() throws {
    let key = try #require(ReceiverSide.key("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
    let signed = "msg_p5jXN8AQM9LWM0D4loKWxJek.1614265330." + #"{"test": 2432232314}"#
    let code = MessageCode.make(Array(signed.utf8), key: key)
    #expect(ReceiverSide.base64(code) == "g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
  }
}
