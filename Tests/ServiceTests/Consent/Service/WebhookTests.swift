import Base
import Bus
import ConsentContract
import ConsentService
import Outgoing
import ServicePolicy
import StorageTestKit
import TestSupport
import Testing
import Webhooks
import Wire

/// Webhooks through a service on a real database, to a real receiver; only the calendar is moved by hand.
@Suite(.serialized) struct WebhookTests {
  private static var policy: WebhookPolicy {
    var policy = WebhookPolicy(OutgoingPolicy(.anywhere, allowsPlainText: true))
    policy.interval = .milliseconds(20)
    policy.timeout = .seconds(2)
    return policy
  }

  private func withWorld(
    _ engine: TestEngine, sending: Bool = true, policy: WebhookPolicy = Self.policy,
    _ body: (World, WebhookReceiver) async throws -> Void
  ) async throws {
    let world = try await World(engine, webhooks: policy)
    let receiver = try await WebhookReceiver.start()
    let sender = world.services.webhooks()
    let running = Task { if sending { await sender.run() } }
    try await body(world, receiver)
    running.cancel()
    await running.value
    await world.end()
  }

  private func study(_ id: String, _ world: World) async throws {
    _ = try await world.admin.studies.createStudy(CreateStudyRequest(study: ConsentStudy(studyID: id, name: id)))
  }

  private func rename(_ id: String, _ name: String, _ world: World) async throws {
    _ = try await world.admin.studies.updateStudy(UpdateStudyRequest(study: ConsentStudy(studyID: id, name: name)))
  }

  private func hook(
    _ url: String, _ world: World, study: String = "", kinds: [String] = ["consent.study_changed"]
  ) async throws -> CreateWebhookResponse {
    try await world.admin.webhooks.createWebhook(
      CreateWebhookRequest(webhook: Webhook(studyID: study, url: url, kinds: kinds)))
  }

  private func deliveries(_ id: String, _ world: World) async throws -> [WebhookDelivery] {
    try await world.admin.webhooks.listWebhookDeliveries(ListWebhookDeliveriesRequest(webhookID: id)).deliveries
  }

  private func status(_ id: String, _ world: World) async throws -> ConsentContract.WebhookStatus? {
    try await world.admin.webhooks.listWebhooks(ListWebhooksRequest()).webhooks.first { $0.webhookID == id }?.status
  }

  @Test("a secret is shown once: a repeat of the call makes nothing, and tells all but the secret")
  func shownOnce() async throws {
    try await withWorld(.sqlite, sending: false) { world, receiver in
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

  @Test("events of the chosen kinds and study arrive once each, signed, in order", arguments: TestEngine.allCases)
  func arrive(engine: TestEngine) async throws {
    try await withWorld(engine) { world, receiver in
      try await study("heart", world)
      try await study("lung", world)
      let made = try await hook(receiver.address("ok"), world, study: "heart")
      let id = try #require(made.webhook?.webhookID)
      for number in 0..<5 {
        try await rename("heart", "Heart \(number)", world)
        try await rename("lung", "Lung \(number)", world)
      }
      let got = try await world.eventually {
        receiver.messages("ok")
      } where: {
        $0.count >= 5
      }
      #expect(got.count == 5 && Set(got.map(\.id)).count == 5)
      #expect(got.map(\.sequence) == got.map(\.sequence).sorted())
      #expect(got.allSatisfy { $0.kind == "consent.study_changed" && $0.studyID == "heart" })
      #expect(got.allSatisfy { !$0.body.contains("Heart") && !$0.body.contains("admin") })
      let key = try #require(Self.key(made.secret))
      for message in got { #expect(message.signatures == [Self.signature(message, key)]) }
      let left = try await world.eventually {
        try await status(id, world)
      } where: {
        $0?.waiting == 0
      }
      #expect(left?.deliveredAt != nil && left?.failure == "")
    }
  }

  @Test("after a change of secrets messages bear both signatures for a day, or one when the earlier one leaked")
  func rotation() async throws {
    try await withWorld(.sqlite) { world, receiver in
      try await study("heart", world)
      let made = try await hook(receiver.address("ok"), world)
      let id = try #require(made.webhook?.webhookID)
      let next = try await world.admin.webhooks.rotateWebhookSecret(RotateWebhookSecretRequest(webhookID: id))
      let (old, new) = (try #require(Self.key(made.secret)), try #require(Self.key(next.secret)))
      #expect(old != new)
      func sent(_ count: Int) async throws -> WebhookReceiver.Message {
        try await rename("heart", "Heart \(count)", world)
        let got = try await world.eventually {
          receiver.messages("ok")
        } where: {
          $0.count == count
        }
        return try #require(got.last)
      }
      let both = try await sent(1)
      #expect(both.signatures == [Self.signature(both, new), Self.signature(both, old)])
      world.clock.move(by: .seconds(86_401))
      let later = try await sent(2)
      #expect(later.signatures == [Self.signature(later, new)])
      let leaked = try await world.admin.webhooks.rotateWebhookSecret(
        RotateWebhookSecretRequest(webhookID: id, dropEarlier: true))
      let last = try await sent(3)
      #expect(last.signatures == [Self.signature(last, try #require(Self.key(leaked.secret)))])
    }
  }

  @Test("what is refused is tried with growing pauses for days, parked, listed, and sent again in order by a call")
  func parked() async throws {
    try await withWorld(.sqlite) { world, receiver in
      let folder = try TemporaryFolder()
      try await study("heart", world)
      let made = try await hook("\(receiver.address("file"))?\(folder.file("mended"))", world)
      let id = try #require(made.webhook?.webhookID)
      for number in 0..<3 { try await rename("heart", "Heart \(number)", world) }
      let waiting = try await world.eventually {
        try await deliveries(id, world)
      } where: {
        $0.first?.attempts == 1
      }
      #expect(waiting.map(\.state) == [.waiting, .behind, .behind])
      #expect(waiting.first?.failure == "the receiver answered 400")
      var pauses: [Int64] = []
      while let first = try await deliveries(id, world).first, first.state == .waiting {
        let (attempts, now) = (first.attempts, world.clock.clock.now.millisecondsSince1970)
        let next = try #require(first.nextTryAt)
        let pause = next.seconds * 1000 + Int64(next.nanos) / 1_000_000 - now
        pauses.append(pause)
        world.clock.move(by: .milliseconds(pause + 1))
        _ = try await world.eventually {
          try await deliveries(id, world)
        } where: {
          $0.first?.attempts != attempts
        }
      }
      #expect((9...16).contains(pauses.count), "\(pauses)")
      #expect(pauses.prefix(6).elementsEqual(pauses.prefix(6).sorted()), "\(pauses)")
      #expect((4000...5000).contains(pauses[0]) && pauses.max() ?? 0 <= 12 * 3_600_000)
      let parked = try await deliveries(id, world)
      #expect(parked.map(\.state) == [.parked, .behind, .behind])
      #expect(try await status(id, world)?.parked == 1)
      let before = receiver.messages("file").count
      try Files.write([], to: folder.file("mended"))
      let again = try await world.admin.webhooks.resendWebhookDeliveries(
        ResendWebhookDeliveriesRequest(webhookID: id))
      #expect(again.count == 1)
      let got = try await world.eventually {
        Array(receiver.messages("file").dropFirst(before))
      } where: {
        $0.count >= 3
      }
      #expect(got.map(\.sequence) == parked.map { Int($0.sequence) })
      #expect(got.map(\.id) == parked.map(\.messageID))
      #expect(Set(receiver.messages("file").filter { $0.sequence == got[0].sequence }.map(\.id)).count == 1)
    }
  }

  @Test("a parked event that is given up lets the next one of its subject go")
  func givenUp() async throws {
    try await withWorld(.sqlite) { world, receiver in
      let folder = try TemporaryFolder()
      try await study("heart", world)
      let made = try await hook("\(receiver.address("file"))?\(folder.file("mended"))", world)
      let id = try #require(made.webhook?.webhookID)
      for number in 0..<2 { try await rename("heart", "Heart \(number)", world) }
      _ = try await world.eventually {
        try await deliveries(id, world)
      } where: {
        $0.first?.attempts == 1
      }
      world.clock.move(by: .seconds(4 * 86_400))
      let parked = try await world.eventually {
        try await deliveries(id, world)
      } where: {
        $0.first?.state == .parked
      }
      try Files.write([], to: folder.file("mended"))
      let answer = try await world.admin.webhooks.resendWebhookDeliveries(
        ResendWebhookDeliveriesRequest(webhookID: id, sequences: parked.map(\.sequence), giveUp: true))
      #expect(answer.count == 1, "what waits behind is not parked")
      let got = try await world.eventually {
        receiver.messages("file").filter(\.isAccepted)
      } where: {
        !$0.isEmpty
      }
      #expect(got.map(\.sequence) == [Int(parked[1].sequence)])
    }
  }

  @Test(
    "a receiver that was down for days is tried all the time, and then gets in order what waits in the log",
    arguments: TestEngine.allCases)
  func outage(engine: TestEngine) async throws {
    var policy = Self.policy
    policy.mostWaiting = 4
    try await withWorld(engine, policy: policy) { world, receiver in
      let folder = try TemporaryFolder()
      let made = try await hook("\(receiver.address("down"))?\(folder.file("mended"))", world)
      let id = try #require(made.webhook?.webhookID)
      for number in 0..<12 { try await study("study-\(number)", world) }
      var tried = 0
      for _ in 1...6 {
        let before = tried
        tried = try await world.eventually {
          receiver.messages("down").count
        } where: {
          $0 > before
        }
        #expect(tried > before)
        // What came of it is written down.
        let now = world.clock.clock.now.millisecondsSince1970
        _ = try await world.eventually {
          try await status(id, world)
        } where: {
          $0?.nextTryAt.map { $0.seconds * 1000 >= now } == true
        }
        world.clock.move(by: .seconds(3600))
      }
      let waiting = try await status(id, world)
      #expect(waiting?.waiting == 4 && waiting?.failure == "the receiver answered 503")
      #expect(waiting?.position ?? 0 < waiting?.lastEvent ?? 0, "the others wait in the log")
      world.clock.move(by: .seconds(4 * 86_400))
      _ = try await world.eventually {
        try await status(id, world)
      } where: {
        $0?.parked == 4
      }
      try Files.write([], to: folder.file("mended"))
      world.clock.move(by: .seconds(86_400))
      let got = try await world.eventually {
        receiver.messages("down").filter(\.isAccepted)
      } where: {
        $0.count >= 8
      }
      #expect(got.count == 8 && got.map(\.sequence) == got.map(\.sequence).sorted())
      let left = try await world.eventually {
        try await status(id, world)
      } where: {
        $0?.waiting == 4 && $0?.position == $0?.lastEvent
      }
      #expect(left?.parked == 4 && left?.position == left?.lastEvent && left?.failure == "")
      _ = try await world.admin.webhooks.resendWebhookDeliveries(ResendWebhookDeliveriesRequest(webhookID: id))
      let all = try await world.eventually {
        receiver.messages("down").filter(\.isAccepted)
      } where: {
        $0.count >= 12
      }
      #expect(all.count == 12 && Set(all.map(\.id)).count == 12)
    }
  }

  @Test("receivers that hang, redirect or answer garbage hold nobody else up, and get pauses")
  func badReceivers() async throws {
    try await withWorld(.sqlite) { world, receiver in
      let bad = ["hang", "redirect", "garbage"]
      var ids: [String] = []
      for habit in bad {
        ids.append(try #require(try await hook(receiver.address(habit), world).webhook?.webhookID))
      }
      let good = try #require(try await hook(receiver.address("ok"), world).webhook?.webhookID)
      // Whoever says more than is read has accepted all the same.
      let wordy = try #require(try await hook(receiver.address("huge"), world).webhook?.webhookID)
      for number in 0..<10 { try await study("study-\(number)", world) }
      _ = try await world.eventually {
        receiver.messages("ok")
      } where: {
        $0.count == 10
      }
      let heard = try await world.eventually {
        receiver.messages("huge")
      } where: {
        $0.count >= 10
      }
      #expect(heard.count == 10, "each event once")
      for id in [good, wordy] { #expect(try await status(id, world)?.failure == "") }
      for id in ids {
        let failing = try await world.eventually {
          try await status(id, world)
        } where: {
          $0?.failure.isEmpty == false
        }
        #expect(failing?.nextTryAt != nil && failing?.waiting ?? 0 > 0)
      }
      // Time does not move, so nobody is tried a second time; a batch is at most four.
      for habit in bad { #expect((1...4).contains(receiver.messages(habit).count), "\(habit)") }
      #expect(receiver.messages("trap").isEmpty, "redirects are not followed")
    }
  }

  @Test("a receiver that answers 410 is sent nothing more until somebody enables it")
  func gone() async throws {
    try await withWorld(.sqlite) { world, receiver in
      let id = try #require(try await hook(receiver.address("gone"), world).webhook?.webhookID)
      try await study("heart", world)
      let webhook = try await world.eventually {
        try await world.admin.webhooks.listWebhooks(ListWebhooksRequest()).webhooks.first
      } where: {
        $0?.disabled == true
      }
      #expect(webhook?.status?.failure == "the receiver answered 410")
      let changed = Webhook(webhookID: id, url: receiver.address("ok"), kinds: ["consent"])
      _ = try await world.admin.webhooks.updateWebhook(UpdateWebhookRequest(webhook: changed))
      let got = try await world.eventually {
        receiver.messages("ok")
      } where: {
        !$0.isEmpty
      }
      #expect(got.first?.kind == "consent.study_changed", "it goes on where it stopped")
    }
  }

  @Test("a test message tells how the receiver answers, and is told from events by its kind")
  func trial() async throws {
    try await withWorld(.sqlite) { world, receiver in
      func test(_ habit: String) async throws -> TestWebhookResponse {
        let id = try #require(try await hook(receiver.address(habit), world).webhook?.webhookID)
        return try await world.admin.webhooks.testWebhook(TestWebhookRequest(webhookID: id))
      }
      let good = try await test("ok")
      #expect(good.accepted && good.httpStatus == 204 && good.failure.isEmpty)
      #expect(receiver.messages("ok").map(\.kind) == ["webhook.test"])
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
    try await withWorld(engine, sending: false) { world, receiver in
      func make() async throws -> String {
        try #require(try await hook(receiver.address("ok"), world).webhook?.webhookID)
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
        while await refusal(id) == nil { sent += 1 }
        _ = try await world.admin.webhooks.deleteWebhook(DeleteWebhookRequest(webhookID: id))
      }
      #expect((20...24).contains(sent), "twenty, and one for each three seconds")
      let heard = try await world.eventually {
        receiver.messages("ok").count
      } where: {
        $0 >= sent
      }
      #expect(heard == sent)
      world.clock.move(by: .seconds(60))
      try await test(first)
    }
  }

  @Test("a subject's erasure and what came before are told by references only")
  func erasure() async throws {
    try await withWorld(.sqlite) { world, receiver in
      try await world.open()
      _ = try await hook(receiver.address("ok"), world, kinds: ["consent.record_entry", "consent.subject_erased"])
      let view = try await world.walk(subject: "s1") { $0.kind == .signature }
      _ = try await world.goOn(view)
      _ = try await world.admin.records.eraseSubject(EraseSubjectRequest(subjectID: "s1", reason: "asked for"))
      let got = try await world.eventually {
        receiver.messages("ok")
      } where: {
        $0.contains { $0.kind == "consent.subject_erased" }
      }
      #expect(got.contains { $0.kind == "consent.record_entry.given" })
      #expect(got.map(\.sequence) == got.map(\.sequence).sorted(), "one subject's, in order")
      for message in got { #expect(!message.body.contains("asked for") && !message.body.contains("hash")) }
    }
  }

  @Test("deleting erases the secret; a webhook of another tenant is not there; others than admins are refused")
  func rights() async throws {
    try await withWorld(.sqlite, sending: false) { world, receiver in
      let made = try await hook(receiver.address("ok"), world)
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
    var strict = Self.policy
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
    for _ in 1..<32 { _ = try await world.admin.webhooks.createWebhook(CreateWebhookRequest(webhook: named)) }
    await expectRefusal(.failedPrecondition, "too_many_webhooks") {
      try await world.admin.webhooks.createWebhook(CreateWebhookRequest(webhook: named))
    }
    await world.end()
  }

  @Test("signatures are those of Standard Webhooks, by its own example")
  func knownSignature() throws {
    let key = try #require(Self.key("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
    let signed = "msg_p5jXN8AQM9LWM0D4loKWxJek.1614265330." + #"{"test": 2432232314}"#
    #expect(
      Self.base64(MessageCode.make(Array(signed.utf8), key: key)) == "g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
  }

  // MARK: As a receiver would

  private static func signature(_ message: WebhookReceiver.Message, _ key: [UInt8]) -> String {
    let signed = Array("\(message.id).\(message.timestamp).\(message.body)".utf8)
    return "v1,\(base64(MessageCode.make(signed, key: key)))"
  }

  private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")

  private static func base64(_ bytes: [UInt8]) -> String {
    var text = ""
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let word = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for digit in 0...group.count { text.append(letters[word >> (18 - 6 * digit) & 63]) }
      text += String(repeating: "=", count: 3 - group.count)
    }
    return text
  }

  private static func key(_ secret: String) -> [UInt8]? {
    guard secret.hasPrefix("whsec_") else { return nil }
    var (bytes, word, bits): ([UInt8], Int, Int) = ([], 0, 0)
    for letter in secret.dropFirst(6) where letter != "=" {
      guard let digit = letters.firstIndex(of: letter) else { return nil }
      (word, bits) = ((word << 6 | digit) & 0xFFFF, bits + 6)
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: word >> bits))
      }
    }
    return bytes
  }
}
