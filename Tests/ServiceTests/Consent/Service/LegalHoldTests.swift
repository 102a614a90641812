import Base
internal import Bus
import ConsentContract
import ConsentService
import RPC
import SignatureContract
import Storage
import StorageTestKit
import TestSupport
import Testing
import Wire

/// A legal hold of ConsentService counts in every service that stores something of the subject.
@Suite("Legal holds across services", .timeLimit(.minutes(2))) struct LegalHoldTests {
  @Test("what is held is not erased in SignatureService either, until the hold is lifted where it was placed")
  func held() async throws {
    let world = try await SignedWorld(.sqlite)
    let consent = world.consent
    try await consent.open()
    let view = try await consent.walk(site: "north") { $0.kind == .signature }
    let field = try await world.field(for: try #require(view.screen?.signatureForm?.place))
    let request = ActOnSessionRequest(
      sessionID: view.sessionID, expectedVersion: view.version, action: world.signing(field), clientSchema: 2)
    _ = try await consent.goOn(try #require(try await consent.app.sessions.actOnSession(request).session))
    let admin = SignatureServiceClient(
      consent.bus.channel(for: CallerIdentity(kind: .person, tenant: "t1", subject: "root", grants: ["admin@*"])))
    let erase = EraseSignaturesRequest(subjectID: "s1", reason: "asked for")

    _ = try await consent.admin.records.setLegalHold(
      SetLegalHoldRequest(subjectID: "s1", held: true, reason: "a lawsuit"))
    // An administrator's own hold comes and goes beside it.
    _ = try await admin.holdSignatures(HoldSignaturesRequest(subjectID: "s1", held: true, reason: "a doubt"))
    try await world.runJobs {
      do {
        _ = try await admin.holdSignatures(HoldSignaturesRequest(subjectID: "s1", held: false, reason: "no doubt"))
        return false
      } catch let status as Status {
        return status.isRefusal(.failedPrecondition, "held_elsewhere")
      }
    }
    await #expect(throws: Status.self) { try await admin.eraseSignatures(erase) }

    _ = try await consent.admin.records.setLegalHold(
      SetLegalHoldRequest(subjectID: "s1", held: false, reason: "it was settled"))
    try await world.runJobs { (try? await admin.eraseSignatures(erase)) != nil }
    await world.end()
  }

  @Test("an erasure waits, however long, for a hold that SignatureService has of its own")
  func heldElsewhere() async throws {
    let world = try await SignedWorld(.sqlite)
    let consent = world.consent
    try await consent.open()
    let view = try await consent.walk(site: "north") { $0.kind == .signature }
    let field = try await world.field(for: try #require(view.screen?.signatureForm?.place))
    let admin = SignatureServiceClient(
      consent.bus.channel(for: CallerIdentity(kind: .person, tenant: "t1", subject: "root", grants: ["admin@*"])))
    func hold(_ held: Bool) async throws {
      _ = try await admin.holdSignatures(
        HoldSignaturesRequest(subjectID: "s1", held: held, reason: "a lawsuit about the ink"))
    }
    try await hold(true)
    _ = try await consent.admin.records.eraseSubject(EraseSubjectRequest(subjectID: "s1", reason: "asked for"))
    // However often it is tried.
    for attempt in 1...13 {
      consent.clock.move(by: .seconds(3600))
      try await world.runJobs { world.falling.askedToErase >= attempt }
    }
    #expect(try await world.view(field).fieldID == field.fieldID)
    try await hold(false)
    consent.clock.move(by: .seconds(3600))
    try await world.runJobs { (try? await world.view(field)) == nil }
    await world.end()
  }

  @Test("a hold that is lifted before it was carried out leaves none behind")
  func liftedBefore() async throws {
    let world = try await World()
    try await world.open()
    _ = try await world.walk(site: "north") { $0.kind == .review }
    for held in [true, false] {
      _ = try await world.admin.records.setLegalHold(
        SetLegalHoldRequest(subjectID: "s1", held: held, reason: "a lawsuit"))
    }
    let jobs = Task { [jobs = world.services.jobs()] in await jobs.run() }
    try await eventually("both were told", world.fields.holds) { $0.count == 2 }
    jobs.cancel()
    await jobs.value
    #expect(world.fields.holds == [false, false])
    await world.end()
  }
}
