import Base
import Bus
import ConsentContract
import ConsentService
import StorageTestKit
import TestSupport
import Testing
import Wire

/// What staff may not do in their own case, they may not under another of their identifiers either.
@Suite("Staff whose accounts were merged", .timeLimit(.minutes(2))) struct MergedStaffTests {
  @Test("staff makes itself no guardian by another of its identifiers, nor the person; who is one is removed")
  func ownGuardians() async throws {
    let world = try await World()
    try await world.open()
    func put(_ guardian: String, removed: Bool = false) async throws -> SetGuardianResponse {
      try await world.coordinator.studies.setGuardian(
        SetGuardianRequest(
          studyID: World.study, siteID: "north", subjectID: "ward", guardianID: guardian, authority: .appointed,
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
    _ = try await world.investigator.sessions.renewAttempts(renewal)
    #expect(try await !world.investigator.sessions.correctBirthDate(correction).endedSessionIDs.isEmpty)
    await world.end()
  }
}
