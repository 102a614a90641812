import Base
import CommonContract
import ConsentContract
import ConsentDomain
import RPC
import Storage
import StorageTestKit
import TestSupport
import Testing
import Wire

/// What becomes of a consent that others do not sign: they refuse to, or do not come to it in time.
@Suite("Signatures that are not given", .timeLimit(.minutes(2))) struct DecliningTests {
  private func content(_ change: (inout DocumentSettings) -> Void = { _ in }) -> DocumentContent {
    var content = Example.content()
    var settings = Example.settings()
    settings.inForceFrom = .lastSignature
    settings.signatures.append(SignatureDefinition(id: "witness", role: .witness, order: 3))
    change(&settings)
    content.settings = settings
    for index in content.texts.indices {
      content.texts[index].signatures.append(
        SignatureText(signatureID: "witness", title: "Witness", meaning: "I was there."))
    }
    return content
  }

  private func decline(
    _ record: ConsentRecord, _ signatureID: String = "investigator", by clients: ConsentClients
  ) async throws -> ConsentRecord {
    let answer = try await clients.sessions.declineToSign(
      DeclineToSignRequest(recordID: record.recordID, signatureID: signatureID, reason: "They did not understand it."))
    return try #require(answer.record)
  }

  private func tasks(_ world: World) async throws -> [SigningTask] {
    let witness = world.client("wim", ["witness@heart", "investigator@heart"])
    return try await witness.sessions.listSigningTasks(ListSigningTasksRequest(studyID: World.study)).tasks
  }

  @Test(
    "a refusal ends a consent that is not complete without it, with its reason in the vault, and a new one may follow",
    arguments: TestEngine.allCases)
  func ended(engine: TestEngine) async throws {
    let world = try await World(engine)
    try await world.open(content: content())
    let waiting = try await world.record(of: try await world.walk())
    #expect(try await tasks(world).map(\.signatureID) == ["investigator"])
    let declined = try await decline(waiting, by: world.investigator)
    #expect(declined.state == .rejected && declined.declinedSignatures == ["investigator"])
    #expect(try await world.concerned(.signingDeclined) == [waiting.recordID])
    #expect(try await tasks(world).isEmpty)
    #expect(try await world.check().reason == "rejected")
    let events = try await world.events().filter { $0.recordID == waiting.recordID && $0.kind == .recordEntry }
    #expect(events.suffix(2).map(\.entry) == [.signingDeclined, .rejected])
    #expect(events.suffix(2).map(\.state) == [.awaitingSignatures, .rejected] && events.last?.actor == "ines")
    let read = try await world.client("s1").records.getRecord(GetRecordRequest(recordID: waiting.recordID)).record
    let entry = try #require(read?.history.first { $0.kind == .signingDeclined })
    #expect(entry.reason == "They did not understand it." && entry.signatureID == "investigator")
    #expect(read == read?.refolded())
    let trail = try await world.admin.records.listTrail(ListTrailRequest(studyID: World.study)).entries
    #expect(trail.contains { $0.actor == "ines" && $0.item == "record/\(waiting.recordID)" })
    await expectRefusal(.failedPrecondition, "consent_not_given") { try await world.counterSign(waiting) }
    // The person agrees again, and another investigator signs.
    let next = try await world.record(of: try await world.walk())
    let ian = world.client("ian", ["investigator@heart"])
    _ = try await ian.sessions.signRecord(sign(next))
    _ = try await world.client("wim", ["witness@heart"]).sessions.signRecord(
      SignRecordRequest(recordID: next.recordID, signatureID: "witness"))
    #expect(try await world.check().recordID == next.recordID)
    await world.end()
  }

  private func sign(_ record: ConsentRecord) -> SignRecordRequest {
    SignRecordRequest(
      recordID: record.recordID, signatureID: "investigator", name: PersonName(given: "Ian", family: "Iro"),
      signature: SignatureInput(image: .typed(TypedSignature(text: "Ian Iro", font: "plain"))))
  }

  @Test("a refusal leaves a consent in force that does not need the signature, and the one before stands")
  func kept() async throws {
    let world = try await World()
    try await world.open(content: content { $0.inForceFrom = .participantSignature })
    let record = try await world.record(of: try await world.walk())
    let declined = try await decline(record, by: world.investigator)
    #expect(declined.state == .inForce && declined.signedCopy?.state == .signing)
    #expect(try await world.concerned(.signingDeclined) == [record.recordID])
    #expect(try await world.check().permitted)
    #expect(try await tasks(world).isEmpty, "nobody signs after a signature that was refused")
    await expectRefusal(.failedPrecondition, "signing_declined") { try await world.counterSign(record) }
    await expectRefusal(.failedPrecondition, "signing_declined") { try await decline(record, by: world.investigator) }
    await world.end()
  }

  @Test("only whom the signature is asked of refuses it, once it is due, and says why")
  func refused() async throws {
    let world = try await World()
    try await world.open(content: content())
    let record = try await world.record(of: try await world.walk())
    await expectRefusal(.permissionDenied, "not_admitted") { try await decline(record, by: world.coordinator) }
    await expectRefusal(.permissionDenied, "not_admitted") { try await decline(record, by: world.client("s1")) }
    let witness = world.client("wim", ["witness@heart"])
    await expectRefusal(.failedPrecondition, "signature_out_of_order") {
      try await decline(record, "witness", by: witness)
    }
    await expectRefusal(.failedPrecondition, "person_needed") {
      try await decline(record, by: world.client("key:0123456789abcdef", ["investigator@heart"]))
    }
    await expectRefusal(.failedPrecondition, "staff_is_subject") {
      try await decline(record, by: world.client("s1", ["investigator@heart"]))
    }
    await expectRefusal(.invalidArgument, "reason_missing") {
      try await world.investigator.sessions.declineToSign(
        DeclineToSignRequest(recordID: record.recordID, signatureID: "investigator"))
    }
    #expect(try await world.check().reason == "awaiting_signatures")
    await world.end()
  }

  @Test("a consent waits for signatures as long as its document says, and then is expired in every view")
  func overdue() async throws {
    let world = try await World()
    try await world.open(content: content { $0.signaturesWithinDays = 14 })
    let record = try await world.record(of: try await world.walk())
    #expect(record.signaturesDueBy?.clamped == record.decidedAt.orEpoch + .days(14))
    world.clock.move(by: .days(14) + .seconds(-1))
    await world.runPeriodicTasks()
    #expect(try await world.check().reason == "awaiting_signatures")
    world.clock.move(by: .seconds(1))
    // The clock alone says so, before any task has run.
    #expect(try await world.check().reason == "expired")
    await expectRefusal(.failedPrecondition, "signatures_overdue") { try await world.counterSign(record) }
    await expectRefusal(.failedPrecondition, "signatures_overdue") { try await decline(record, by: world.investigator) }
    world.clock.move(by: .seconds(61))
    await world.runPeriodicTasks()
    let ended = try #require(try await world.app.records.getRecord(GetRecordRequest(recordID: record.recordID)).record)
    #expect(ended.state == .expired && ended.history.last?.kind == .expired)
    #expect(try await world.check().reason == "expired")
    #expect(try await tasks(world).isEmpty)
    let receipt = try await world.coordinator.records.exportRecord(
      ExportRecordRequest(recordID: record.recordID, format: .receipt)
    ).content
    #expect(try PlainJSON(receipt)["record_metadata"]["state"].text == "expired")
    await world.end()
  }

  @Test("a consent that is complete in time does not end by the time for signatures, which has bounds")
  func complete() async throws {
    let world = try await World()
    try await world.open(content: content { $0.signaturesWithinDays = 14 })
    let record = try await world.record(of: try await world.walk())
    _ = try await world.counterSign(record)
    let last = try await world.client("wim", ["witness@heart"]).sessions.signRecord(
      SignRecordRequest(recordID: record.recordID, signatureID: "witness"))
    #expect(last.record?.state == .inForce)
    world.clock.move(by: .days(15))
    await world.runPeriodicTasks()
    #expect(try await world.check().permitted)
    await world.end()
    for days in [-1, 3661] as [Int32] {
      let problems = DocumentValidation.problems(
        in: content { $0.signaturesWithinDays = days }, version: 1, assets: [])
      #expect(problems.contains { $0.rule == "out_of_bounds" && $0.field == "settings.signatures_within_days" })
    }
  }

  @Test("whoever operated the device does not sign as investigator afterwards", arguments: [false, true])
  func assistant(mayCoincide: Bool) async throws {
    let world = try await World()
    try await world.open(content: Example.content { $0.signersMayCoincide = mayCoincide })
    let start = StartSessionRequest(
      flowID: "flow", siteID: "north", subjectID: "s1", clientSchema: 2, assistance: .operatesDevice)
    var view = try #require(try await world.investigator.sessions.startSession(start).session)
    while let screen = view.screen, !screen.offered.isEmpty {
      let action = ActOnSessionRequest(
        sessionID: view.sessionID, expectedVersion: view.version, action: Walker.goodAction(on: screen), clientSchema: 2
      )
      view = try #require(try await world.investigator.sessions.actOnSession(action).session)
    }
    let request = GetRecordRequest(recordID: try #require(view.recordIDs.last))
    let record = try #require(try await world.investigator.records.getRecord(request).record)
    if mayCoincide {
      #expect(try await world.counterSign(record).signatures.count == 2)
    } else {
      await expectRefusal(.failedPrecondition, "same_signer") { try await world.counterSign(record) }
      _ = try await world.client("ian", ["investigator@heart"]).sessions.signRecord(sign(record))
    }
    await world.end()
  }
}

extension Example {
  static func content(_ change: (inout DocumentSettings) -> Void) -> DocumentContent {
    var content = content()
    var settings = settings()
    change(&settings)
    content.settings = settings
    return content
  }
}
