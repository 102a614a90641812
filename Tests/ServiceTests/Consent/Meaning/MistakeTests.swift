import Base
import ConsentContract
import ConsentDomain
import RPC
import Storage
import StorageTestKit
import TestSupport
import Testing

/// Mistakes that staff puts right: records that were entered in error, and names that were written wrong.
@Suite("Mistakes on record", .timeLimit(.minutes(2))) struct MistakeTests {
  @Test("two people void a record, the first one's request changes nothing, and everything can be read afterwards")
  func voided() async throws {
    let place = try await DecisionWorld()
    let world = place.world
    let record = try await place.decide("s1", Example.documentID, agreed: true)
    let request = VoidRecordRequest(recordID: record.recordID, reason: "It is another person's.")
    let first = try #require(try await world.coordinator.records.voidRecord(request).record)
    #expect(first.state == .inForce && first.voidRequestedBy == "carl")
    let again = try #require(try await world.coordinator.records.voidRecord(request).record)
    #expect(again.state == .inForce && again.history.count == first.history.count, "the same person is no second one")
    #expect(try await world.check("s1", "contact").permitted)
    let second = try #require(try await world.investigator.records.voidRecord(request).record)
    #expect(second.state == .voided && second.voidRequestedBy.isEmpty)
    #expect(try await world.check("s1", "contact").reason == "no_consent")
    await expectRefusal(.failedPrecondition, "voided") { try await world.investigator.records.voidRecord(request) }
    let read = try #require(try await place.records("s1").first)
    #expect(read.history.suffix(2).map(\.kind) == [.voidRequested, .voided])
    #expect(read.history.suffix(2).map(\.reason) == ["It is another person's.", "It is another person's."])
    #expect(read.history.suffix(2).map(\.actor) == ["carl", "ines"] && read == read.refolded())
    _ = try await world.app.records.getShownContent(GetShownContentRequest(recordID: record.recordID))
    let events = try await world.events().filter { $0.recordID == record.recordID && $0.kind == .recordEntry }
    #expect(events.suffix(2).map(\.state) == [.inForce, .voided])
    for format in [RecordFormat.fhirR5, .fhirR4b] {
      let export = try await world.coordinator.records.exportRecord(
        ExportRecordRequest(recordID: record.recordID, format: format)
      ).content
      #expect(String(decoding: export, as: UTF8.self).contains("entered-in-error"))
    }
    let counts = try await world.coordinator.records.getVersionCounts(
      GetVersionCountsRequest(documentID: Example.documentID, version: 1)
    ).counts
    #expect(counts?.completed == 0)
    await world.end()
  }

  @Test("only staff who are people, and not the subject, void records, each with a reason")
  func who() async throws {
    let place = try await DecisionWorld()
    let world = place.world
    let record = try await place.decide("s1", Example.documentID, agreed: true)
    let request = VoidRecordRequest(recordID: record.recordID, reason: "x")
    await expectRefusal(.permissionDenied, "not_admitted") { try await world.client("s1").records.voidRecord(request) }
    await expectRefusal(.failedPrecondition, "staff_is_subject") {
      try await world.client("s1", ["coordinator@heart"]).records.voidRecord(request)
    }
    await expectRefusal(.failedPrecondition, "person_needed") {
      try await world.client("key:0123456789abcdef", ["coordinator@heart"]).records.voidRecord(request)
    }
    await expectRefusal(.invalidArgument, "reason_missing") {
      try await world.coordinator.records.voidRecord(VoidRecordRequest(recordID: record.recordID))
    }
    // Two accounts of one person are one.
    _ = try await world.coordinator.records.voidRecord(request)
    try await world.merge("carla", into: "carl")
    let other = try await world.client("carla", ["coordinator@heart"]).records.voidRecord(request).record
    #expect(other?.state == .inForce)
    await world.end()
  }

  @Test("a second person refuses to void, or whoever asked takes it back, and what waits is found until then")
  func refused() async throws {
    let place = try await DecisionWorld()
    let world = place.world
    let record = try await place.decide("s1", Example.documentID, agreed: true)
    let other = try await place.decide("s2", Example.documentID, agreed: true)
    let void = VoidRecordRequest(recordID: record.recordID, reason: "It is another person's.")
    let refuse = RefuseVoidingRequest(recordID: record.recordID, reason: "It is theirs.")
    await expectRefusal(.failedPrecondition, "no_voiding_requested") {
      try await world.investigator.records.refuseVoiding(refuse)
    }
    for clients in [world.investigator, world.coordinator] {
      _ = try await world.coordinator.records.voidRecord(void)
      #expect(try await world.concerned(.voidRequested) == [record.recordID])
      await expectRefusal(.invalidArgument, "reason_missing") {
        try await clients.records.refuseVoiding(RefuseVoidingRequest(recordID: record.recordID))
      }
      let refused = try #require(try await clients.records.refuseVoiding(refuse).record)
      #expect(refused.state == .inForce && refused.voidRequestedBy.isEmpty)
      #expect(try await world.concerned(.voidRequested) == [])
    }
    let read = try #require(try await place.records("s1").first)
    #expect(read.history.suffix(4).map(\.kind) == [.voidRequested, .voidRefused, .voidRequested, .voidRefused])
    #expect(read.history.suffix(1).map(\.reason) == ["It is theirs."] && read == read.refolded())
    #expect(try await world.check("s1", "contact").permitted)
    // A refusal is of one request: the next one needs two people as well.
    _ = try await world.investigator.records.voidRecord(void)
    _ = try await world.investigator.records.voidRecord(VoidRecordRequest(recordID: other.recordID, reason: "Wrong."))
    // Both were decided at the same moment of this clock, so their order is left to chance.
    #expect(Set(try await world.concerned(.voidRequested)) == [record.recordID, other.recordID])
    let voided = try await world.coordinator.records.voidRecord(void).record
    #expect(voided?.state == .voided)
    _ = try await world.admin.records.eraseSubject(EraseSubjectRequest(subjectID: "s2", reason: "asked for"))
    #expect(try await world.concerned(.voidRequested) == [], "nothing can be done about what was erased")
    await world.end()
  }

  @Test("a consent that a voided one had superseded before it was complete asks for its signatures again")
  func tasks() async throws {
    let place = try await DecisionWorld()
    let world = place.world
    let waiting = try await place.decide("s1", DecisionWorld.waiting, agreed: true)
    let form = try await place.decideForm("s1", allowed: true)
    #expect(try await place.records("s1").first { $0.recordID == waiting.recordID }?.state == .superseded)
    try await place.void(form)
    let tasks = try await world.investigator.sessions.listSigningTasks(ListSigningTasksRequest(studyID: World.study))
    #expect(tasks.tasks.map(\.recordID) == [waiting.recordID] && tasks.tasks.first?.meaning.isEmpty == false)
    #expect(try await world.counterSign(waiting).state == .inForce)
    #expect(try await world.check("s1", "contact").recordID == waiting.recordID)
    await world.end()
  }

  @Test("what is on paper and was overtaken by a voided record counts from then on, and nothing older does")
  func paper() async throws {
    let place = try await DecisionWorld()
    let world = place.world
    let first = try await place.decideForm("s1", allowed: true)
    _ = try await place.decide("s1", DecisionWorld.choosing, agreed: true)
    world.clock.move(by: .seconds(60))
    let signed = world.clock.clock.now
    world.clock.move(by: .seconds(60))
    let mistaken = try await place.decide("s1", Example.documentID, agreed: true)
    let paper = try await place.paper("s1", signed: signed)
    #expect(paper.state == .superseded)
    try await place.void(mistaken)
    for purpose in ["research", "contact"] {
      try await place.expect(purpose, of: "s1", permittedBy: paper.recordID, "the paper's")
    }
    let history = try await place.records("s1").first { $0.recordID == first.recordID }?.history ?? []
    #expect(!history.contains { $0.kind == .reinstated })
    await world.end()
  }

  @Test("a withdrawal after a decline counts although the decline is voided")
  func withdrawn() async throws {
    let place = try await DecisionWorld()
    _ = try await place.decide("s1", Example.documentID, agreed: true)
    let declined = try await place.decide("s1", Example.documentID, agreed: false)
    try await place.withdraw("s1")
    try await place.void(declined)
    #expect(try await place.world.check("s1", "contact").permitted == false)
    await place.world.end()
  }

  @Test("a corrected name makes another sealed copy; the name as signed and the copy before can be read")
  func corrected() async throws {
    let world = try await CopyWorld()
    try await world.open()
    world.startSealing()
    let record = try await world.evidence.give("s1").record
    _ = try await world.evidence.counterSign(record)
    let id = record.recordID
    try await world.run(id, participants: true) { $0.state == .sealed }
    let before = try await world.run(id) { $0.state == .sealed }
    let file = try await world.get(id).content
    let request = CorrectPrintedNameRequest(
      recordID: id, signatureID: "participant", name: PersonName(given: "Ada", family: "King"), reason: "She married.")
    let answer = try #require(try await world.consent.coordinator.records.correctPrintedName(request).record)
    #expect(answer.signedCopy?.state == .sealing && answer.signatures[0].corrections.count == 1)
    #expect(try await world.get(id).content == file, "the earlier one is given out until the new one is sealed")
    let after = try await world.run(id) { $0.state == .sealed && $0.hash != before.hash }
    let words = try await CopyWorld.text(of: try await world.get(id).content)
    #expect(words.contains("Ada King") && !words.contains("Ada Lovelace") && words.contains("Ines Ito"), "\(words)")
    let earlier = try await world.consent.app.records.getSignedCopy(
      GetSignedCopyRequest(recordID: id, beforeCorrection: 1))
    #expect(earlier.content == file && earlier.sealed)
    #expect(try await world.check(after.verificationID, file).comparison == .earlier)
    await expectRefusal(.failedPrecondition, "no_earlier_copy") {
      try await world.consent.app.records.getSignedCopy(GetSignedCopyRequest(recordID: id, beforeCorrection: 2))
    }
    // The participant's copy is made anew, too.
    try await world.run(id, participants: true) { $0.state == .sealed }
    let own = try await CopyWorld.text(of: try await world.get(id, participants: true).content)
    #expect(own.contains("Ada King"), "\(own)")
    let read = try #require(
      try await world.consent.client("s1").records.getRecord(GetRecordRequest(recordID: id)).record)
    #expect(read.signatures[0].printedName == "Ada\u{A0}Lovelace")
    #expect(read.signatures[0].corrections.map(\.printedName) == ["Ada\u{A0}King"])
    let entry = try #require(read.history.first { $0.kind == .nameCorrected })
    #expect(entry.reason == "She married." && entry.signatureID == "participant" && entry.actor == "carl")
    let receipt = try await world.consent.coordinator.records.exportRecord(
      ExportRecordRequest(recordID: id, format: .receipt)
    ).content
    let signature = try #require(try PlainJSON(receipt)["signatures"].items.first)
    #expect(
      signature["printed_name"].text == "Ada\u{A0}King" && signature["name_as_signed"].text == "Ada\u{A0}Lovelace")
    let own2 = try await world.consent.client("s1").records.exportSubject(ExportSubjectRequest(subjectID: "s1"))
    #expect(String(decoding: own2.content, as: UTF8.self).contains("corrected_names"))
    // No name is stored in clear, and an erasure takes them all.
    _ = try await world.consent.admin.records.eraseSubject(EraseSubjectRequest(subjectID: "s1", reason: "asked for"))
    let erased = try await world.consent.coordinator.records.getRecord(GetRecordRequest(recordID: id)).record
    #expect(erased?.signatures[0].corrections.map(\.printedName) == [""])
    await expectRefusal(.failedPrecondition, "subject_erased") {
      try await world.consent.app.records.getSignedCopy(GetSignedCopyRequest(recordID: id, beforeCorrection: 1))
    }
    await world.end()
  }
}
