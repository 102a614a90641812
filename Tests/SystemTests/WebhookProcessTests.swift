import AccountContract
import Base
internal import Bus
import ConsentContract
import RPC
import SignatureContract
import StorageTestKit
import TestSupport
import Testing

/// Webhooks of real processes, which are killed: each event arrives, and can be told from its repetition.
@Suite(.serialized) struct WebhookProcessTests {
  private static let settings = [
    "ASSENT_WEBHOOK_ALLOW": "127.0.0.0/8", "ASSENT_WEBHOOK_PLAIN_TEXT": "yes", "ASSENT_WEBHOOK_FIRST_PAUSE": "100ms",
    "ASSENT_WEBHOOK_TIMEOUT": "2s",
  ]

  @Test(
    "with replicas killed at random points every event arrives, in order per subject, repeated under one name",
    .timeLimit(.minutes(10)), arguments: TestEngine.allCases)
  func kills(engine: TestEngine) async throws {
    let receiver = try await WebhookReceiver.start()
    let system = try await TestSystem.start()
    let fleet = try await ConsentFleet.start(
      engine, replicas: engine == .sqlite ? 1 : 2, on: system, environment: Self.settings)
    let connection = try await system.connect()
    let admin = ConsentClients(
      connection.channel.acting(
        for: CallerIdentity(kind: .person, tenant: "t1", subject: "admin", grants: ["admin@*"])))
    let patient = CallOptions(waitsForReady: true)
    for habit in ["ok", "twice", "hang"] {
      _ = try await admin.webhooks.createWebhook(
        CreateWebhookRequest(webhook: Webhook(url: receiver.address(habit), kinds: ["consent.study_changed"])),
        deadline: .seconds(60), options: patient)
    }
    let studies = 6
    let writing = Task {
      try await withThrowingTaskGroup { group in
        for number in 0..<studies {
          group.addTask {
            try await Self.write("study-\(number)", changes: 12, admin)
          }
        }
        try await group.waitForAll()
      }
    }
    for _ in 0..<(LongTests.areWanted ? 40 : 4) {
      try await randomPause(milliseconds: 50...400)
      try await fleet.replaceNext()
    }
    try await writing.value
    var wanted: [Int] = []
    var token = ""
    repeat {
      let page = try await admin.records.listEvents(
        ListEventsRequest(pageSize: 1000, pageToken: token), deadline: .seconds(60), options: patient)
      wanted += page.events.filter { $0.kind == .studyChanged }.map { Int($0.sequence) }
      token = page.events.isEmpty ? "" : page.nextPageToken
    } while !token.isEmpty
    #expect(wanted.count == studies * 13)
    for habit in ["ok", "twice"] {
      let got = try await eventually("each event arrives", receiver.messages(habit).filter(\.isAccepted)) {
        Set($0.map(\.sequence)) == Set(wanted)
      }
      let names = Dictionary(grouping: receiver.messages(habit), by: \.sequence).mapValues { Set($0.map(\.id)) }
      #expect(names.values.allSatisfy { $0.count == 1 }, "a repetition has the name of the first")
      #expect(Set(names.values.compactMap(\.first)).count == wanted.count, "no two events have one name")
      for (study, messages) in Dictionary(grouping: got, by: \.studyID) {
        var first: [Int] = []
        for message in messages where !first.contains(message.sequence) { first.append(message.sequence) }
        #expect(first == first.sorted(), "\(habit), \(study): in order")
      }
    }
    #expect(receiver.messages("twice").count >= wanted.count * 2, "every event was refused once and came again")
    try await connection.close()
    try await fleet.stop()
  }

  private static func write(_ study: String, changes: Int, _ admin: ConsentClients) async throws {
    _ = try await retrying("make-\(study)") { options in
      try await admin.studies.createStudy(
        CreateStudyRequest(study: ConsentStudy(studyID: study, name: study)), deadline: .seconds(60), options: options)
    }
    for number in 0..<changes {
      _ = try await retrying("change-\(study)-\(number)") { options in
        try await admin.studies.updateStudy(
          UpdateStudyRequest(study: ConsentStudy(studyID: study, name: "\(study) \(number)")), deadline: .seconds(60),
          options: options)
      }
    }
  }

  @Test(
    "what happens at accounts and fields arrives as well, each once, while the processes are killed",
    .timeLimit(.minutes(3)))
  func otherServices() async throws {
    let receiver = try await WebhookReceiver.start()
    let fleet = try await SyncFleet.start(.sqlite, environment: Self.settings)
    let connection = try await fleet.connect()
    let people = SyncPeople(channel: connection.channel)
    try await people.open(devices: ["tablet"])
    let before = try await people.onboard("Bea", device: "tablet")
    let identity = CallerIdentity(kind: .person, tenant: SyncPeople.tenant, subject: "admin", grants: ["admin@*"])
    let admin = connection.channel.acting(for: identity)
    let kinds = ["account.person_added", "account.person_locked", "account.passcode_reset", "signature"]
    _ = try await SyncPeople.retrying { options in
      try await ConsentClients(admin).webhooks.createWebhook(
        CreateWebhookRequest(webhook: Webhook(url: receiver.address("twice"), kinds: kinds)), options: options)
    }
    let ada = try await people.onboard("Ada", device: "tablet")
    try await people.makeField(
      CreateFieldRequest(reference: FieldReference(subjectID: ada), settings: FieldSettings(header: "x")), of: ada,
      at: "tablet")
    try await fleet.replace(.consent)
    let accounts = AccountAdminServiceClient(admin)
    _ = try await SyncPeople.retrying { options in
      try await accounts.resetPasscode(ResetPasscodeRequest(personID: ada, deviceID: "tablet"), options: options)
    }
    try await fleet.kill(.consent)
    _ = try await SyncPeople.retrying { options in
      try await accounts.setPersonLock(SetPersonLockRequest(personID: ada, locked: true), options: options)
    }
    try await fleet.replace(.account(0))
    try await fleet.revive(.consent)
    let wanted = [
      "account.passcode_reset", "account.person_added", "account.person_locked", "signature.field_created",
    ]
    let got = try await eventually("all arrive", receiver.messages("twice").filter(\.isAccepted)) {
      Set($0.map(\.kind)).count == wanted.count
    }
    #expect(got.allSatisfy { $0.body.contains("\"subject_id\":\"\(ada)\"") && !$0.body.contains(before) })
    #expect(Dictionary(grouping: got, by: \.id).values.map { $0[0].kind }.sorted() == wanted, "no event twice")
    try await connection.close()
    try await fleet.stop()
  }

  @Test("the receiver that docs/webhooks.md shows accepts a real message, and no other", .timeLimit(.minutes(2)))
  func example() async throws {
    let receiver = try await WebhookReceiver.start()
    let system = try await TestSystem.start()
    let fleet = try await ConsentFleet.start(.sqlite, replicas: 1, on: system, environment: Self.settings)
    let connection = try await system.connect()
    let admin = ConsentClients(
      connection.channel.acting(
        for: CallerIdentity(kind: .person, tenant: "t1", subject: "admin", grants: ["admin@*"])))
    let made = try await admin.webhooks.createWebhook(
      CreateWebhookRequest(webhook: Webhook(url: receiver.address("ok"))), deadline: .seconds(60),
      options: CallOptions(waitsForReady: true))
    let answer = try await admin.webhooks.testWebhook(
      TestWebhookRequest(webhookID: made.webhook?.webhookID ?? ""))
    #expect(answer.accepted, "\(answer)")
    // The event of its making comes too, before or after.
    let test = try await eventually("the test arrives", receiver.messages("ok").first { $0.kind == "webhook.test" }) {
      $0 != nil
    }
    let message = try #require(test)
    let page = String(decoding: try Files.read(Repository.path("docs/webhooks.md")), as: UTF8.self)
    let start = try #require(page.firstRange(of: "```python\n")?.upperBound)
    let close = try #require(page[start...].firstRange(of: "```")?.lowerBound)
    let script =
      String(page[start..<close]) + """

        import json, sys
        secret, name, sent, signature, body = sys.argv[1:]
        headers = {"webhook-id": name, "webhook-timestamp": sent, "webhook-signature": signature}
        print("type", verify([secret], headers, body.encode())["type"])
        def refused(secrets, headers, body):
            try:
                verify(secrets, headers, body)
            except ValueError as error:
                return str(error)
            sys.exit("what was forged was accepted")
        refused([secret], headers, body.encode() + b" ")
        refused([secret], {**headers, "webhook-id": "other"}, body.encode())
        refused([secret], {**headers, "webhook-timestamp": str(int(sent) - 3600)}, body.encode())
        refused(["whsec_" + "A" * 43 + "="], headers, body.encode())
        print("forgeries refused")
        """
    let (exit, lines) = try await ChildProcess.output(
      of: ChildCommand(
        Repository.python,
        [
          "-c", script, made.secret, message.id, message.timestamp, message.signatures.joined(separator: " "),
          message.body,
        ]))
    #expect(exit.isSuccess && lines == ["type webhook.test", "forgeries refused"], "\(lines)")
    try await connection.close()
    try await fleet.stop()
  }
}
