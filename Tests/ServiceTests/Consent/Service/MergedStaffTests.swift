import Base
import ConsentContract
import ConsentService
import RPC
import StorageTestKit
import TestSupport
import Testing
import Wire

/// What staff may not do in their own case, they may not under another of their identifiers either.
@Suite("Staff whose accounts were merged", .timeLimit(.minutes(2))) struct MergedStaffTests {
  /// An API key that somebody of the staff made: it has their rights, and its holder's name is nobody's.
  private static func program(in world: World) -> ConsentClients {
    world.client("key:0123456789abcdef", ["coordinator@heart", "admin@*"])
  }

  @Test("staff makes itself no guardian by another of its identifiers, nor the person; who is one is removed")
  func ownGuardians() async throws {
    let world = try await World()
    try await world.open()
    func put(
      _ guardian: String, of subject: String = "ward", removed: Bool = false, by staff: ConsentClients? = nil
    ) async throws -> SetGuardianResponse {
      try await (staff ?? world.coordinator).studies.setGuardian(
        SetGuardianRequest(
          studyID: World.study, siteID: "north", subjectID: subject, guardianID: guardian, authority: .appointed,
          removed: removed))
    }
    _ = try await put("carl-before")
    try await world.merge("carl-old", into: "carl")
    try await world.merge("ward-old", into: "ward")
    try await world.merge("carl-before", into: "carl")
    for guardian in ["carl-old", "carl-before", "ward-old"] {
      await expectRefusal(.invalidArgument, "bad_guardian") { try await put(guardian) }
    }
    #expect(try await put("carl-before", removed: true).guardians.isEmpty)
    // Nor does a program whose key may be carl's own; and carl gives himself no guardian.
    for removed in [false, true] {
      await expectRefusal(.failedPrecondition, "person_needed") {
        try await put("carl", removed: removed, by: Self.program(in: world))
      }
      for subject in ["carl", "carl-old"] {
        await expectRefusal(.failedPrecondition, "staff_is_subject") {
          try await put("friend", of: subject, removed: removed)
        }
      }
    }
    await world.end()
  }

  @Test("staff decides nothing about itself, under whichever identifier")
  func ownCase() async throws {
    let world = try await World()
    try await world.open()
    let born = CalendarDate(year: 1986, month: 7, day: 13)
    _ = try await world.app.sessions.startSession(
      StartSessionRequest(flowID: "flow", siteID: "north", subjectID: "old", clientSchema: 2, birthDate: born))
    let given = try await world.record(of: try await world.walk(subject: "old", site: "north"))
    try await world.merge("old", into: "carl")
    let staff = world.coordinator
    let renewal = RenewAttemptsRequest(
      subjectID: "old", documentID: Example.documentID, documentVersion: 1, reason: "explained once more")
    await expectRefusal(.failedPrecondition, "staff_is_subject") { try await staff.sessions.renewAttempts(renewal) }
    let correction = CorrectBirthDateRequest(
      studyID: World.study, subjectID: "old", birthDate: CalendarDate(year: 1986, month: 7, day: 14), reason: "misread")
    await expectRefusal(.failedPrecondition, "staff_is_subject") {
      try await staff.sessions.correctBirthDate(correction)
    }
    await expectRefusal(.failedPrecondition, "staff_is_subject") {
      try await staff.records.resolveAttention(
        ResolveAttentionRequest(recordID: given.recordID, decision: .confirm, reason: "talked to myself"))
    }
    for subject in ["old", "carl"] {
      await expectRefusal(.failedPrecondition, "staff_is_subject") {
        try await staff.records.createPaperRecord(
          CreatePaperRecordRequest(
            studyID: World.study, siteID: "north", subjectID: subject, documentID: Example.documentID,
            documentVersion: 1, locale: "en", sharing: .wide, signedAt: Timestamp(Example.now),
            scan: Array("%PDF-1.7 scan".utf8), attestedBy: "Carl"))
      }
    }
    let program = Self.program(in: world)
    await expectRefusal(.failedPrecondition, "person_needed") { try await program.sessions.renewAttempts(renewal) }
    await expectRefusal(.failedPrecondition, "person_needed") {
      try await program.sessions.correctBirthDate(correction)
    }
    await expectRefusal(.failedPrecondition, "person_needed") {
      try await program.records.resolveAttention(
        ResolveAttentionRequest(recordID: given.recordID, decision: .confirm, reason: "a program talked to me"))
    }
    _ = try await world.investigator.sessions.renewAttempts(renewal)
    #expect(try await !world.investigator.sessions.correctBirthDate(correction).endedSessionIDs.isEmpty)
    await world.end()
  }

  @Test("a program signs for nobody and assists nobody: the key may be that of somebody who signs beside it")
  func signsForNobody() async throws {
    let world = try await World()
    var content = Example.content()
    content.settings?.signatures.append(SignatureDefinition(id: "witness", role: .witness, order: 2))
    for index in content.texts.indices {
      content.texts[index].signatures.append(
        SignatureText(signatureID: "witness", title: "Witness", meaning: "I was there."))
    }
    try await world.open(content: content)
    let grants = ["witness@heart", "investigator@heart", "coordinator@heart"]
    let (program, person) = (world.client("key:0123456789abcdef", grants), world.client("wim", grants))
    let start = StartSessionRequest(
      flowID: "flow", siteID: "north", subjectID: "s1", clientSchema: 2, assistance: .readsAloud)
    await expectRefusal(.failedPrecondition, "person_needed") { try await program.sessions.startSession(start) }
    let view = try #require(try await world.coordinator.sessions.startSession(start).session)
    let resume = ResumeSessionRequest(sessionID: view.sessionID, clientSchema: 2, assistance: .interprets)
    await expectRefusal(.failedPrecondition, "person_needed") { try await program.sessions.resumeSession(resume) }
    let record = try await world.record(of: try await world.walk(subject: "s2", site: "north"))
    for signature in ["witness", "investigator"] {
      let sign = SignRecordRequest(
        recordID: record.recordID, signatureID: signature, name: PersonName(given: "Wim", family: "West"),
        signature: SignatureInput(image: .typed(TypedSignature(text: "Wim West", font: "plain"))))
      await expectRefusal(.failedPrecondition, "person_needed") { try await program.sessions.signRecord(sign) }
    }
    let sign = SignRecordRequest(recordID: record.recordID, signatureID: "witness")
    let signed = try await person.sessions.signRecord(sign).record
    #expect(signed?.signatures.map(\.personID) == ["s2", "wim"])
    await world.end()
  }

  @Test("an administrator neither holds nor erases themselves; a program lifts nobody's hold")
  func ownHold() async throws {
    let world = try await World()
    try await world.open()
    _ = try await world.walk(subject: "old", site: "north")
    try await world.merge("old", into: "carl")
    let carl = world.client("carl", ["admin@*"])
    func hold(_ isHeld: Bool, _ subject: String, by staff: ConsentClients) async throws -> SetLegalHoldResponse {
      try await staff.records.setLegalHold(
        SetLegalHoldRequest(subjectID: subject, held: isHeld, reason: "a lawsuit"))
    }
    for subject in ["old", "carl"] {
      for isHeld in [true, false] {
        await expectRefusal(.failedPrecondition, "staff_is_subject") { try await hold(isHeld, subject, by: carl) }
      }
      await expectRefusal(.failedPrecondition, "staff_is_subject") {
        try await carl.records.eraseSubject(EraseSubjectRequest(subjectID: subject, reason: "asked myself"))
      }
    }
    let program = Self.program(in: world)
    _ = try await hold(true, "old", by: program)
    await expectRefusal(.failedPrecondition, "person_needed") { try await hold(false, "old", by: program) }
    _ = try await hold(false, "old", by: world.admin)
    _ = try await world.admin.records.eraseSubject(EraseSubjectRequest(subjectID: "old", reason: "asked for"))
    await world.end()
  }
}
