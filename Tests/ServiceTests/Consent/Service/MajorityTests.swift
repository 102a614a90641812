import Base
import ConsentContract
import TestSupport
import Testing

/// Who consented as a minor, and comes of age.
@Suite("Majority")
struct MajorityTests {
  /// A document to which minors and their guardians consent.
  static func contentForMinors() -> DocumentContent {
    var content = Example.content()
    content.settings?.age = AgePolicy(minimumAge: 6, majorityAge: 18, assentAge: 12)
    content.settings?.signatures.insert(
      SignatureDefinition(id: "guardian", role: .guardian, order: 0, requiresName: true, requiresImage: true), at: 0)
    for index in content.texts.indices {
      content.texts[index].guardianAuthority = "I may decide for this child."
      content.texts[index].signatures.append(
        SignatureText(signatureID: "guardian", title: "Guardian", meaning: "I permit it."))
    }
    return content
  }

  private func due(_ world: World) async throws -> [DueReason] {
    let request = ListDueConsentsRequest(studyID: World.study)
    return try await world.coordinator.records.listDueConsents(request).dueConsents.map(\.reason)
  }

  /// The record of somebody who consents and states a birth date.
  private func consent(_ world: World, born: CalendarDate) async throws -> ConsentRecord {
    let start = try await world.app.sessions.startSession(
      StartSessionRequest(flowID: "flow", subjectID: "s1", clientSchema: 2, birthDate: born))
    return try await world.record(of: try await world.goOn(try #require(start.session)))
  }

  @Test("at majority the subject is due for a consent of their own, and no event tells when that was")
  func majority() async throws {
    let world = try await World()
    try await world.open(content: Self.contentForMinors())
    // A consent that was given without stating the date, which counts all the same, does not tell the month.
    let other = CalendarDate(year: 2011, month: 8, day: 9)
    _ = try await world.app.sessions.startSession(
      StartSessionRequest(flowID: "flow", subjectID: "s2", clientSchema: 2, birthDate: other))
    let silent = try await world.app.sessions.startSession(
      StartSessionRequest(flowID: "flow", subjectID: "s2", clientSchema: 2))
    let untold = try await world.record(of: try await world.goOn(try #require(silent.session)))
    #expect(untold.majorityMonth.isEmpty && untold.ageCheck?.needsGuardian == true && untold.state == .inForce)
    // Sixteen on 17 May 2026.
    let record = try await consent(world, born: CalendarDate(year: 2010, month: 5, day: 17))
    #expect(record.majorityMonth == "2028-05-01" && record.state == .inForce)
    world.clock.move(by: .days(700))
    await world.runPeriodicTasks()
    #expect(try await due(world) == [])
    // An event comes each month, before and after, and names nobody.
    for (days, reasons, events) in [(100, [DueReason.majority], 2), (31, [.majority], 3)] {
      world.clock.move(by: .days(days))
      await world.runPeriodicTasks()
      await world.runPeriodicTasks()
      #expect(try await due(world) == reasons)
      let told = try await world.events().filter { $0.kind == .consentDue }
      #expect(told.count == events && told.allSatisfy { $0.due == .majority && $0.studyID == World.study })
      #expect(told.allSatisfy { $0.subjectID.isEmpty && $0.recordID.isEmpty && $0.siteID.isEmpty })
    }
    // Two years on it is the other's turn: the month counts without being told.
    world.clock.move(by: .days(500))
    await world.runPeriodicTasks()
    #expect(try await due(world) == [.majority, .majority])
    await world.end()
  }

  @Test(
    "a corrected birth date changes when somebody comes of age, though the signatures stay right; no record tells it")
  func correctedMajority() async throws {
    let world = try await World()
    try await world.open(content: Self.contentForMinors())
    let record = try await consent(world, born: CalendarDate(year: 2010, month: 5, day: 17))
    let correction = try await world.coordinator.sessions.correctBirthDate(
      CorrectBirthDateRequest(
        studyID: World.study, subjectID: "s1", birthDate: CalendarDate(year: 2008, month: 6, day: 17), reason: "misread"
      ))
    #expect(correction.attentionRecordIDs.isEmpty)
    let after = try await world.record(of: record.sessionID)
    #expect(after.state == .inForce && after.majorityMonth.isEmpty)
    world.clock.move(by: .days(91))
    #expect(try await due(world) == [])
    world.clock.move(by: .days(2))
    #expect(try await due(world) == [.majority])
    await world.end()
  }

  @Test("who turns out to be a minor is due at majority, once the guardian has signed what was questioned")
  func minorAfterAll() async throws {
    let world = try await World()
    try await world.open(content: Self.contentForMinors())
    let record = try await consent(world, born: CalendarDate(year: 1996, month: 1, day: 9))
    func tasks(of clients: ConsentClients) async throws -> [SigningTask] {
      try await clients.sessions.listSigningTasks(ListSigningTasksRequest(studyID: World.study)).tasks
    }
    #expect(try await tasks(of: world.investigator).map(\.meaning) == ["I explained the study."])
    let correction = try await world.coordinator.sessions.correctBirthDate(
      CorrectBirthDateRequest(
        studyID: World.study, subjectID: "s1", birthDate: CalendarDate(year: 2010, month: 5, day: 17), reason: "misread"
      ))
    #expect(correction.attentionRecordIDs == [record.recordID])
    #expect(try await tasks(of: world.investigator).isEmpty, "nobody signs what has to be looked at first")
    let confirmed = try await world.coordinator.records.resolveAttention(
      ResolveAttentionRequest(recordID: record.recordID, decision: .confirm, reason: "the mother will sign")
    ).record
    #expect(confirmed?.state == .awaitingSignatures && confirmed?.majorityMonth == "")
    _ = try await world.coordinator.studies.setGuardian(
      SetGuardianRequest(studyID: World.study, subjectID: "s1", guardianID: "gil", authority: .parent))
    let asked = try await tasks(of: world.client("gil"))
    #expect(asked.map(\.meaning) == ["I permit it."] && asked.map(\.authority) == ["I may decide for this child."])
    let signed = try await world.client("gil").sessions.signRecord(
      SignRecordRequest(
        recordID: record.recordID, signatureID: "guardian", name: PersonName(given: "Gil", family: "Lovelace"),
        signature: SignatureInput(image: .typed(TypedSignature(text: "Gil Lovelace")))))
    #expect(signed.record?.state == .inForce)
    #expect(signed.record?.signatures.last?.authority == "I may decide for this child.")
    #expect(try await due(world) == [])
    world.clock.move(by: .days(800))
    await world.runPeriodicTasks()
    #expect(try await due(world) == [.majority])
    #expect(try await world.events().contains { $0.kind == .consentDue })
    await world.end()
  }
}
