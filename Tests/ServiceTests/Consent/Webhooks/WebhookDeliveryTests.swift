import Base
import ConsentContract
import ConsentService
import Outgoing
import RPC
import ServicePolicy
import Storage
import StorageTestKit
import TestSupport
import Testing
import Webhooks
import Wire

/// What receivers get, through a service on a real database; only the calendar is moved by hand.
@Suite("Deliveries of webhooks", .serialized, .timeLimit(.minutes(5))) struct WebhookDeliveryTests {
  @Test("events of the chosen kinds and study arrive once each, signed, in order", arguments: TestEngine.allCases)
  func arrive(engine: TestEngine) async throws {
    try await WebhookWorld.run(engine) { world, receiver in
      try await world.makeStudy("heart")
      try await world.makeStudy("lung")
      let made = try await world.hook(receiver.address("ok"), study: "heart")
      let id = try #require(made.webhook?.webhookID)
      for number in 0..<5 {
        try await world.renameStudy("heart", "Heart \(number)")
        try await world.renameStudy("lung", "Lung \(number)")
      }
      let got = try await eventually("five events arrive", receiver.messages("ok")) { $0.count >= 5 }
      #expect(got.count == 5 && Set(got.map(\.id)).count == 5)
      #expect(got.map(\.sequence) == got.map(\.sequence).sorted())
      #expect(got.allSatisfy { $0.kind == "consent.study_changed" && $0.studyID == "heart" })
      #expect(got.allSatisfy { !$0.body.contains("Heart") && !$0.body.contains("admin") })
      let key = try #require(ReceiverSide.key(made.secret))
      for message in got { #expect(message.signatures == [ReceiverSide.signature(message, key)]) }
      let left = try await eventually("nothing waits", await world.webhookStatus(id)) { $0?.waiting == 0 }
      #expect(left?.deliveredAt != nil && left?.failure == "")
    }
  }

  @Test("what the check of the data found is sent, and that all is well again", arguments: TestEngine.allCases)
  func findings(engine: TestEngine) async throws {
    try await WebhookWorld.run(engine) { world, receiver in
      try await world.makeStudy("heart")
      for study in ["", "heart"] {
        _ = try await world.hook(
          receiver.address(study.isEmpty ? "ok" : "huge"), study: study, kinds: ["consent.data_findings"])
      }
      let check = ContinuousCheck(world.test.database, trusting: []) { _, _ in }.restless
      for (name, other, count) in [("heart", "lung", 1), ("lung", "heart", 2)] {
        try await world.test.location.alter(
          "UPDATE studies SET id = '\(other)' WHERE id = '\(name)'", schema: world.test.schema.name)
        try await check.pass()
        try await eventually("the finding arrives", receiver.messages("ok")) { $0.count == count }
        let problems = try await world.admin.records.getConsentFindings(GetConsentFindingsRequest()).problems
        #expect(problems.count == (count == 1 ? 2 : 0) && problems.allSatisfy { $0.contains("studies") })
      }
      let got = receiver.messages("ok")
      #expect(got.allSatisfy { $0.kind == "consent.data_findings" && $0.studyID.isEmpty })
      #expect(got.map { $0.body.contains(#""problems":2}"#) } == [true, false])
      #expect(got.last?.body.contains(#""problems":0}"#) == true)
      #expect(receiver.messages("huge").isEmpty, "it concerns the whole tenant, and no study")
    }
  }

  @Test("receivers that hang, redirect or answer garbage hold nobody else up, and get pauses")
  func badReceivers() async throws {
    try await WebhookWorld.run(.sqlite) { world, receiver in
      let bad = ["hang", "redirect", "garbage"]
      var ids: [String] = []
      for habit in bad {
        ids.append(try #require(try await world.hook(receiver.address(habit)).webhook?.webhookID))
      }
      let good = try #require(try await world.hook(receiver.address("ok")).webhook?.webhookID)
      // Whoever says more than is read has accepted all the same.
      let wordy = try #require(try await world.hook(receiver.address("huge")).webhook?.webhookID)
      for number in 0..<10 { try await world.makeStudy("study-\(number)") }
      try await eventually("ten events arrive", receiver.messages("ok")) { $0.count == 10 }
      let heard = try await eventually("ten events arrive", receiver.messages("huge")) { $0.count >= 10 }
      #expect(heard.count == 10, "each event once")
      for id in [good, wordy] { #expect(try await world.webhookStatus(id)?.failure == "") }
      for id in ids {
        let failing = try await eventually("the failure is known", await world.webhookStatus(id)) {
          $0?.failure.isEmpty == false
        }
        #expect(failing?.nextTryAt != nil && failing?.waiting ?? 0 > 0)
      }
      // Time does not move, so nobody is tried a second time; a batch is at most four.
      for habit in bad {
        let count = try await eventually("it was tried", receiver.messages(habit).count) { $0 > 0 }
        #expect((1...4).contains(count), "\(habit)")
      }
      #expect(receiver.messages("trap").isEmpty, "redirects are not followed")
    }
  }

  @Test("a receiver that answers 410 is sent nothing more until somebody enables it")
  func gone() async throws {
    try await WebhookWorld.run(.sqlite) { world, receiver in
      let id = try #require(try await world.hook(receiver.address("gone")).webhook?.webhookID)
      try await world.makeStudy("heart")
      let webhook = try await eventually(
        "it is disabled", await world.admin.webhooks.listWebhooks(ListWebhooksRequest()).webhooks.first
      ) { $0?.disabled == true }
      #expect(webhook?.status?.failure == "the receiver answered 410")
      let changed = Webhook(webhookID: id, url: receiver.address("ok"), kinds: ["consent"])
      _ = try await world.admin.webhooks.updateWebhook(UpdateWebhookRequest(webhook: changed))
      let got = try await eventually("what waited arrives", receiver.messages("ok")) { !$0.isEmpty }
      #expect(got.first?.kind == "consent.study_changed", "it goes on where it stopped")
    }
  }

  @Test("a subject's erasure and what came before are told by references only")
  func erasure() async throws {
    try await WebhookWorld.run(.sqlite) { world, receiver in
      try await world.open()
      _ = try await world.hook(receiver.address("ok"), kinds: ["consent.record_entry", "consent.subject_erased"])
      let view = try await world.walk(subject: "s1") { $0.kind == .signature }
      _ = try await world.goOn(view)
      _ = try await world.admin.records.eraseSubject(EraseSubjectRequest(subjectID: "s1", reason: "asked for"))
      let got = try await eventually("the erasure arrives", receiver.messages("ok")) {
        $0.contains { $0.kind == "consent.subject_erased" }
      }
      #expect(got.contains { $0.kind == "consent.record_entry.given" })
      #expect(got.map(\.sequence) == got.map(\.sequence).sorted(), "one subject's, in order")
      for message in got { #expect(!message.body.contains("asked for") && !message.body.contains("hash")) }
    }
  }
}
