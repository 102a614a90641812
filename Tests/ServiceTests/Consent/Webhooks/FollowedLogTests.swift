import AccountContract
import Base
import ConsentContract
import ConsentService
import StorageTestKit
import TestSupport
import Testing

/// Webhooks of what happens in the other services.
@Suite("Webhooks of other services", .serialized, .timeLimit(.minutes(2))) struct FollowedLogTests {
  private static let kinds = ["account", "signature.field_saved", "signature.field_cleared"]

  @Test(
    "one webhook gets chosen kinds of all services from now on, each once and in order per person",
    arguments: TestEngine.allCases)
  func arrive(engine: TestEngine) async throws {
    try await WebhookWorld.run(engine) { world, receiver in
      let logs = KnownLogs()
      let now = world.clock.clock.now
      try await world.makeStudy("heart")
      for number in 0..<5 { logs.happened(.signedIn, person: "old-\(number)", at: now + .seconds(-60 + number)) }
      _ = try await world.hook(receiver.address("ok"), kinds: Self.kinds)
      _ = try await world.hook(receiver.address("huge"), study: "heart", kinds: [])
      logs.happened(.personLocked, person: "ada", at: now + .seconds(1))
      logs.happened("field.created", field: "f1", person: "ada", at: now + .seconds(1))
      logs.happened("field.cleared", field: "f1", person: "ada", at: now + .seconds(2))
      logs.happened("field.saved uploaded", field: "f1", person: "ada", at: now + .seconds(3))
      logs.happened(.roleGranted, person: "bea", note: "investigator@heart", at: now + .seconds(4))
      logs.happened(.deviceWiped, device: "tablet", at: now + .seconds(5))
      // Two processes follow at the same time, and one begins anew.
      await withDiscardingTaskGroup { group in
        for _ in 0..<2 { group.addTask { await world.services.copyChanges(from: logs) } }
      }
      await world.services.copyChanges(from: logs)
      let wanted = [
        "account.device_wiped", "account.person_locked", "account.role_granted", "signature.field_cleared",
        "signature.field_saved.uploaded",
      ]
      let got = try await eventually("all arrive", receiver.messages("ok")) { $0.count >= 5 }
      #expect(got.map(\.kind).sorted() == wanted && Set(got.map(\.id)).count == 5)
      let ada = got.filter { $0.body.contains(#""subject_id":"ada""#) }
      #expect(ada.map(\.sequence) == ada.map(\.sequence).sorted() && ada.count == 3)
      let role = try #require(got.first { $0.kind == "account.role_granted" })
      #expect(role.body.contains(#""service":"account""#) && role.body.contains(#""role":"investigator@heart""#))
      #expect(role.body.contains(#""service_sequence":7"#) && !role.body.contains("admin"))
      #expect(role.body.contains("\"timestamp\":\"\(TimeText.rfc3339(now + .seconds(4)))\""))
      let own = try await eventually("the study's arrive", receiver.messages("huge")) { messages in
        messages.contains { $0.kind == "signature.field_saved.uploaded" }
      }
      #expect(own.allSatisfy { !$0.kind.hasPrefix("account.") }, "accounts belong to no study")
      #expect(own.count { $0.kind.hasPrefix("signature.") } == 3)
      // What is copied for webhooks is in no list of consent's own events.
      #expect(try await world.events().allSatisfy { $0.kind == .studyChanged || $0.kind == .webhookChanged })
    }
  }

  @Test("nothing is read while no webhook wants it, nor once none does any more")
  func unasked() async throws {
    try await WebhookWorld.run(.sqlite) { world, receiver in
      let logs = KnownLogs()
      let now = world.clock.clock.now
      let made = try await world.hook(receiver.address("ok"))
      let webhook = try #require(made.webhook)
      await world.services.copyChanges(from: logs)
      #expect(logs.questions == 0)
      logs.happened(.signedIn, person: "ada", at: now + .seconds(-1))
      var wider = webhook
      wider.kinds = ["account"]
      _ = try await world.admin.webhooks.updateWebhook(UpdateWebhookRequest(webhook: wider))
      logs.happened(.sessionEnded, person: "ada", at: now)
      await world.services.copyChanges(from: logs)
      let got = try await eventually("one arrives", receiver.messages("ok")) { !$0.isEmpty }
      #expect(got.map(\.kind) == ["account.session_ended"])
      let asked = logs.questions
      #expect(asked > 0)
      _ = try await world.admin.webhooks.deleteWebhook(DeleteWebhookRequest(webhookID: webhook.webhookID))
      await world.services.copyChanges(from: logs)
      #expect(logs.questions == asked)
    }
  }

  @Test("after a restore of the other service, what was told is not told again, and what happens next is")
  func restored() async throws {
    try await WebhookWorld.run(.sqlite) { world, receiver in
      let logs = KnownLogs()
      let now = world.clock.clock.now
      _ = try await world.hook(receiver.address("ok"), kinds: ["account"])
      for number in 0..<7 { logs.happened(.signedIn, person: "p-\(number)", at: now + .seconds(number)) }
      await world.services.copyChanges(from: logs)
      logs.restore(.account, to: 4)
      logs.happened(.personLocked, person: "p-1", at: now + .seconds(60))
      for _ in 0..<2 { await world.services.copyChanges(from: logs) }
      // The order of a log counts, and not a clock that was set back.
      logs.happened(.personUnlocked, person: "p-1", at: now + .seconds(-3600))
      await world.services.copyChanges(from: logs)
      let got = try await eventually("all arrive", receiver.messages("ok")) { $0.count >= 9 }
      let others = got.map(\.kind).filter { $0 != "account.signed_in" }
      #expect(others == ["account.person_locked", "account.person_unlocked"])
      #expect(got.count == 9)
    }
  }
}
