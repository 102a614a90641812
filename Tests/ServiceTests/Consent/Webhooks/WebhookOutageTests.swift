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

/// Receivers that refuse, or are away for days: what waits, what is parked, and what comes of it later.
@Suite("Webhooks while a receiver is down", .serialized, .timeLimit(.minutes(5))) struct WebhookOutageTests {
  @Test("what is refused is tried with growing pauses for days, parked, listed, and sent again in order by a call")
  func parked() async throws {
    try await WebhookWorld.run(.sqlite) { world, receiver in
      let folder = try TemporaryFolder()
      try await world.makeStudy("heart")
      let made = try await world.hook("\(receiver.address("file"))?\(folder.file("mended"))")
      let id = try #require(made.webhook?.webhookID)
      for number in 0..<3 { try await world.renameStudy("heart", "Heart \(number)") }
      let waiting = try await eventually("one was tried", await world.deliveries(id)) {
        $0.count == 3 && $0.first?.attempts == 1
      }
      #expect(waiting.map(\.state) == [.waiting, .behind, .behind])
      #expect(waiting.first?.failure == "the receiver answered 400")
      var pauses: [Int64] = []
      while let first = try await world.deliveries(id).first, first.state == .waiting {
        let (attempts, now) = (first.attempts, world.clock.clock.now.millisecondsSince1970)
        let next = try #require(first.nextTryAt)
        let pause = next.seconds * 1000 + Int64(next.nanos) / 1_000_000 - now
        pauses.append(pause)
        world.clock.move(by: .milliseconds(pause + 1))
        try await eventually("it is tried again", await world.deliveries(id)) { $0.first?.attempts != attempts }
      }
      #expect((9...16).contains(pauses.count), "\(pauses)")
      #expect(pauses.prefix(6).elementsEqual(pauses.prefix(6).sorted()), "\(pauses)")
      #expect((4000...5000).contains(pauses[0]) && pauses.max() ?? 0 <= 12 * 3_600_000)
      let parked = try await world.deliveries(id)
      #expect(parked.map(\.state) == [.parked, .behind, .behind])
      #expect(try await world.webhookStatus(id)?.parked == 1)
      let before = receiver.messages("file").count
      try Files.write([], to: folder.file("mended"))
      let again = try await world.admin.webhooks.resendWebhookDeliveries(
        ResendWebhookDeliveriesRequest(webhookID: id))
      #expect(again.count == 1)
      let got = try await eventually("all arrive", Array(receiver.messages("file").dropFirst(before))) { $0.count >= 3 }
      #expect(got.map(\.sequence) == parked.map { Int($0.sequence) })
      #expect(got.map(\.id) == parked.map(\.messageID))
      #expect(Set(receiver.messages("file").filter { $0.sequence == got[0].sequence }.map(\.id)).count == 1)
    }
  }

  @Test("that somebody looked whom the waiting events concern is on record, once for all looks of a minute")
  func looked() async throws {
    try await WebhookWorld.run(.sqlite) { world, receiver in
      let folder = try TemporaryFolder()
      try await world.open()
      let address = "\(receiver.address("down"))?\(folder.file("mended"))"
      let id = try #require(try await world.hook(address, kinds: ["consent.session_started"]).webhook?.webhookID)
      #expect(try await world.deliveries(id).isEmpty)
      #expect(try await world.events().allSatisfy { $0.purpose != "list of deliveries" }, "nobody was named")
      try await world.walk()
      let waiting = try await eventually("an event waits", await world.deliveries(id)) { !$0.isEmpty }
      #expect(waiting.map(\.subjectID) == ["s1"])
      _ = try await world.deliveries(id)
      let looks = try await world.events().filter { $0.purpose == "list of deliveries" }
      #expect(looks.map(\.actor) == ["admin"] && looks.first?.kind == .personalDataRead)
    }
  }

  @Test("a receiver that is enabled again after days has as many tries as one that is new")
  func enabled() async throws {
    try await WebhookWorld.run(.sqlite, sending: false) { world, receiver in
      let folder = try TemporaryFolder()
      let url = "\(receiver.address("down"))?\(folder.file("mended"))"
      let id = try #require(try await world.hook(url).webhook?.webhookID)
      func update(disabled: Bool) async throws {
        let webhook = Webhook(webhookID: id, url: url, kinds: ["consent.study_changed"], disabled: disabled)
        _ = try await world.admin.webhooks.updateWebhook(UpdateWebhookRequest(webhook: webhook))
      }
      /// Until a failure is written down that came after a moment.
      func failed(after moment: Instant) async throws -> ConsentContract.WebhookStatus? {
        try await eventually("the failure is written down", await world.webhookStatus(id)) {
          $0?.nextTryAt.map { $0.seconds * 1000 > moment.millisecondsSince1970 } == true
        }
      }
      for study in ["heart", "lung"] { try await world.makeStudy(study) }
      try await WebhookWorld.sending(world.services.webhooks()) {
        #expect(try await failed(after: world.clock.clock.now)?.waiting == 2)
        try await update(disabled: true)
        world.clock.move(by: .seconds(4 * 86_400))
        let tried = receiver.messages("down").count
        try await update(disabled: false)
        let again = try await failed(after: world.clock.clock.now)
        #expect(receiver.messages("down").count > tried && again?.parked == 0 && again?.waiting == 2)
        try Files.write([], to: folder.file("mended"))
        world.clock.move(by: .seconds(3600))
        let got = try await eventually("both arrive", receiver.messages("down").filter(\.isAccepted)) { $0.count == 2 }
        #expect(Set(got.map(\.studyID)) == ["heart", "lung"])
      }
    }
  }

  @Test("an update that changes nothing has what waits tried at once, and is no event")
  func unchanged() async throws {
    try await WebhookWorld.run(.sqlite) { world, receiver in
      let folder = try TemporaryFolder()
      let url = "\(receiver.address("down"))?\(folder.file("mended"))"
      let id = try #require(try await world.hook(url).webhook?.webhookID)
      for study in ["heart", "lung"] { try await world.makeStudy(study) }
      try await eventually("the failure is known", await world.webhookStatus(id)) { $0?.failure.isEmpty == false }
      try Files.write([], to: folder.file("mended"))
      let same = Webhook(webhookID: id, url: url, kinds: ["consent.study_changed"])
      _ = try await world.admin.webhooks.updateWebhook(UpdateWebhookRequest(webhook: same))
      // Time stands still: nothing else brings it to the receiver.
      let got = try await eventually("both arrive", receiver.messages("down").filter(\.isAccepted)) { $0.count == 2 }
      #expect(Set(got.map(\.studyID)) == ["heart", "lung"])
      #expect(try await world.events().filter { $0.kind == .webhookChanged }.map(\.note) == ["created"])
    }
  }

  @Test("what waited while this service was down for days was not tried, and is not parked by the first failure")
  func downForDays() async throws {
    var policy = WebhookWorld.policy
    policy.timeout = .seconds(60)
    try await WebhookWorld.run(.sqlite, sending: false, policy: policy) { world, receiver in
      let folder = try TemporaryFolder()
      let made = try await world.hook("\(receiver.address("says"))?\(folder.file("status"))")
      let id = try #require(made.webhook?.webhookID)
      for number in 0..<6 { try await world.makeStudy("study-\(number)") }
      // It ends before the receiver has answered.
      try await WebhookWorld.sending(world.services.webhooks()) {
        try await eventually("four have come", receiver.messages("says").count) { $0 == 4 }
      }
      #expect(try await world.deliveries(id).map(\.attempts) == [0, 0, 0, 0, 0, 0])
      world.clock.move(by: .seconds(4 * 86_400))
      try Files.write(Array("503".utf8), to: folder.file("status"))
      try await WebhookWorld.sending(world.services.webhooks()) {
        let failed = try await eventually("the failure is known", await world.webhookStatus(id)) {
          $0?.failure == "the receiver answered 503"
        }
        #expect(failed?.parked == 0 && failed?.waiting == 6)
        try Files.write(Array("200".utf8), to: folder.file("status"))
        world.clock.move(by: .seconds(3600))
        let got = try await eventually("all arrive", receiver.messages("says").filter(\.isAccepted)) { $0.count == 6 }
        #expect(Set(got.map(\.studyID)).count == 6)
      }
    }
  }

  @Test(
    "what was queued or put off while the clock was years ahead is sent now that it is right, and parked in time",
    arguments: TestEngine.allCases)
  func clockWasAhead(engine: TestEngine) async throws {
    try await WebhookWorld.run(engine, sending: false) { world, receiver in
      let folder = try TemporaryFolder()
      let url = "\(receiver.address("down"))?\(folder.file("mended"))"
      let id = try #require(try await world.hook(url).webhook?.webhookID)
      let years = Duration.seconds(5 * 365 * 86_400)
      // More than are sent at a time: the others are queued, and not tried.
      for number in 0..<6 { try await world.makeStudy("study-\(number)") }
      world.clock.move(by: years)
      try await WebhookWorld.sending(world.services.webhooks()) {
        try await eventually("the failure is known", await world.webhookStatus(id)) { $0?.failure.isEmpty == false }
      }
      world.clock.move(by: years * -1)
      try await WebhookWorld.sending(world.services.webhooks()) {
        let now = world.clock.clock.now.millisecondsSince1970 / 1000
        let failing = try await eventually("it is tried soon", await world.webhookStatus(id)) {
          $0?.nextTryAt.map { $0.seconds < now + 86_400 } == true
        }
        #expect(failing?.failingSince?.seconds ?? .max <= now)
        world.clock.move(by: .seconds(4 * 86_400))
        let parked = try await eventually("they are parked", await world.webhookStatus(id)) { $0?.parked ?? 0 > 0 }
        #expect(parked?.waiting == 6)
        try Files.write([], to: folder.file("mended"))
        _ = try await world.admin.webhooks.resendWebhookDeliveries(ResendWebhookDeliveriesRequest(webhookID: id))
        func accepted() -> [WebhookReceiver.Message] {
          world.clock.move(by: .seconds(60))
          return receiver.messages("down").filter(\.isAccepted)
        }
        let got = try await eventually("all arrive", accepted()) { $0.count == 6 }
        #expect(Set(got.map(\.studyID)).count == 6)
      }
    }
  }

  @Test("a parked event that is given up lets the next one of its subject go")
  func givenUp() async throws {
    try await WebhookWorld.run(.sqlite) { world, receiver in
      let folder = try TemporaryFolder()
      try await world.makeStudy("heart")
      let made = try await world.hook("\(receiver.address("file"))?\(folder.file("mended"))")
      let id = try #require(made.webhook?.webhookID)
      for number in 0..<2 { try await world.renameStudy("heart", "Heart \(number)") }
      try await eventually("it was tried", await world.deliveries(id)) { $0.first?.attempts == 1 }
      world.clock.move(by: .seconds(4 * 86_400))
      let parked = try await eventually("it is parked", await world.deliveries(id)) { $0.first?.state == .parked }
      try Files.write([], to: folder.file("mended"))
      let answer = try await world.admin.webhooks.resendWebhookDeliveries(
        ResendWebhookDeliveriesRequest(webhookID: id, sequences: parked.map(\.sequence), giveUp: true))
      #expect(answer.count == 1, "what waits behind is not parked")
      let got = try await eventually("the next one arrives", receiver.messages("file").filter(\.isAccepted)) {
        !$0.isEmpty
      }
      #expect(got.map(\.sequence) == [Int(parked[1].sequence)])
    }
  }

  @Test(
    "a receiver that was down for days is tried all the time, and then gets in order what waits in the log",
    arguments: TestEngine.allCases)
  func outage(engine: TestEngine) async throws {
    var policy = WebhookWorld.policy
    policy.mostWaiting = 4
    try await WebhookWorld.run(engine, policy: policy) { world, receiver in
      let folder = try TemporaryFolder()
      let made = try await world.hook("\(receiver.address("down"))?\(folder.file("mended"))")
      let id = try #require(made.webhook?.webhookID)
      for number in 0..<12 { try await world.makeStudy("study-\(number)") }
      var tried = 0
      // As often as each of those that wait in the queue is tried.
      for _ in 1...8 {
        let before = tried
        tried = try await eventually("it is tried", receiver.messages("down").count) { $0 > before }
        #expect(tried > before)
        // What came of it is written down.
        let now = world.clock.clock.now.millisecondsSince1970
        try await eventually("the failure is written down", await world.webhookStatus(id)) {
          $0?.nextTryAt.map { $0.seconds * 1000 >= now } == true
        }
        world.clock.move(by: .seconds(6 * 3600))
      }
      let waiting = try await world.webhookStatus(id)
      #expect(waiting?.waiting == 4 && waiting?.failure == "the receiver answered 503")
      #expect(waiting?.position ?? 0 < waiting?.lastEvent ?? 0, "the others wait in the log")
      world.clock.move(by: .seconds(4 * 86_400))
      try await eventually("they are parked", await world.webhookStatus(id)) { $0?.parked == 4 }
      try Files.write([], to: folder.file("mended"))
      world.clock.move(by: .seconds(86_400))
      let got = try await eventually("the others arrive", receiver.messages("down").filter(\.isAccepted)) {
        $0.count >= 8
      }
      #expect(got.count == 8 && got.map(\.sequence) == got.map(\.sequence).sorted())
      let left = try await eventually("the others are done", await world.webhookStatus(id)) {
        $0?.waiting == 4 && $0?.position == $0?.lastEvent
      }
      #expect(left?.parked == 4 && left?.position == left?.lastEvent && left?.failure == "")
      _ = try await world.admin.webhooks.resendWebhookDeliveries(ResendWebhookDeliveriesRequest(webhookID: id))
      let all = try await eventually("all arrive", receiver.messages("down").filter(\.isAccepted)) { $0.count >= 12 }
      #expect(all.count == 12 && Set(all.map(\.id)).count == 12)
    }
  }
}
