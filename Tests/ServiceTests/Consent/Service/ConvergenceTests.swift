import Base
import ConsentContract
import ConsentService
import RPC
import SignatureContract
import StorageTestKit
import TestSupport
import Testing
import Wire

/// Both services with databases of their own: however one of them dies, the signature and its field agree in the end.
@Suite("Signing survives a crash between the services", .timeLimit(.minutes(2))) struct ConvergenceTests {
  @Test("a signature that was decided closes its field with the revision that was signed", arguments: Fall.allCases)
  func converge(fall: Fall) async throws {
    let world = try await SignedWorld(.sqlite)
    try await world.consent.open()
    let view = try await world.consent.walk(site: "north") { $0.kind == .signature }
    let place = try #require(view.screen?.signatureForm?.place)
    let field = try await world.field(for: place)
    let request = ActOnSessionRequest(
      sessionID: view.sessionID, expectedVersion: view.version, action: world.signing(field), clientSchema: 2)
    let once = CallOptions(idempotencyKey: .given("sign-1"))

    world.falling.fall(fall)
    let answer = try? await world.consent.app.sessions.actOnSession(request, options: once)
    #expect((answer == nil) == (fall == .afterAsking), "closing is no condition of the answer")
    let between = try await world.view(field)
    let isClosed = fall == .nowhere || fall == .afterClosing
    #expect(between.completed == isClosed && between.pinnedRevision == (isClosed ? 1 : 0))
    // What is open meanwhile is re-entered and saved by an attacker.
    if !isClosed { try await world.reEnter(between, "Mallory") }

    world.falling.fall(.nowhere)
    if fall == .afterAsking {
      // Nothing was decided, so the signer is told that the field changed, and signs what is there now.
      await expectRefusal(.aborted, "stale_version") {
        try await world.consent.app.sessions.actOnSession(request, options: once)
      }
      return await world.end()
    }
    // A repeat gets the first answer, although the field is used up.
    let repeated = try await world.consent.app.sessions.actOnSession(request, options: once)
    #expect(repeated.session?.version == view.version + 1)
    let end = try await world.consent.goOn(try #require(repeated.session))
    let record = try await world.consent.record(of: end)
    try await world.runJobs { try await world.view(field).completed }

    let closed = try await world.view(field)
    let signature = try #require(record.signatures.first)
    #expect(closed.completed && closed.pinnedRevision == 1 && closed.saved?.revision == 1)
    #expect(signature.fieldRevision == 1 && signature.savedSignatureID == closed.saved?.signatureID)
    #expect(signature.strokesHash == closed.saved?.hash)
    #expect(closed.offered.isEmpty)
    try await world.refusesEveryChange(closed)
    await world.end()
  }

  @Test("the picture is that of the revision that was signed, whatever the field held meanwhile")
  func pictures() async throws {
    let world = try await SignedWorld(.sqlite)
    try await world.consent.open()
    var images: [[UInt8]] = []
    for fall in [Fall.nowhere, .beforeClosing] {
      let view = try await world.consent.walk(subject: "s-\(images.count)") { $0.kind == .signature }
      let field = try await world.field(for: try #require(view.screen?.signatureForm?.place))
      world.falling.fall(fall)
      let signed = try await world.consent.act(view, world.signing(field))
      if fall == .beforeClosing { try await world.reEnter(try await world.view(field), "Mallory") }
      world.falling.fall(.nowhere)
      let record = try await world.consent.record(of: try await world.consent.goOn(signed))
      let request = GetSignatureImageRequest(recordID: record.recordID, signatureID: "participant")
      try await world.runJobs {
        (try? await world.consent.app.records.getSignatureImage(request)) != nil
      }
      images.append(try await world.consent.app.records.getSignatureImage(request).content)
    }
    #expect(images[0] == images[1] && !images[0].isEmpty)
    await world.end()
  }

  @Test("a field is closed however long SignatureService was away")
  func longOutage() async throws {
    let world = try await SignedWorld(.sqlite)
    try await world.consent.open()
    let view = try await world.consent.walk { $0.kind == .signature }
    let field = try await world.field(for: try #require(view.screen?.signatureForm?.place))
    world.falling.fall(.beforeClosing)
    _ = try await world.consent.act(view, world.signing(field))
    // More than the attempts that a job has.
    for attempt in 1...13 {
      world.consent.clock.move(by: .seconds(3600))
      try await world.runJobs { world.falling.falls > attempt }
    }
    #expect(try await !world.view(field).completed)
    world.falling.fall(.nowhere)
    world.consent.clock.move(by: .seconds(3600))
    try await world.runJobs { try await world.view(field).completed }
    #expect(try await world.view(field).pinnedRevision == 1)
    await world.end()
  }

  @Test("a field is not closed with what it was not made for, or with a revision that it does not have")
  func wrongPin() async throws {
    let world = try await SignedWorld(.sqlite)
    let place = SignaturePlace(
      subjectID: "s1", studyID: World.study, sessionID: "x", signatureID: "participant", documentID: "d",
      documentVersion: 1)
    let field = try await world.field(for: place)
    let reference = try #require(field.reference)
    let changes: [(String, (inout FieldReference) -> Void)] = [
      ("subject_id", { $0.subjectID = "s2" }), ("study_id", { $0.studyID = "lung" }),
      ("site_id", { $0.siteID = "north" }), ("session_id", { $0.sessionID = "y" }),
      ("record_id", { $0.recordID = "r" }), ("document_id", { $0.documentID = "e" }),
      ("document_version", { $0.documentVersion = 2 }), ("signature_id", { $0.signatureID = "guardian" }),
    ]
    func close(_ revision: Int32, _ reference: FieldReference) async throws -> FieldView? {
      let request = CompleteFieldRequest(fieldID: field.fieldID, revision: revision, reference: reference)
      return try await world.service.completeField(request).view
    }
    for (name, change) in changes {
      var other = reference
      change(&other)
      let wrong = other
      let refusal = await #expect(throws: Status.self) { _ = try await close(1, wrong) }
      #expect(refusal?.isRefusal(.failedPrecondition, "other_reference") == true, "\(name)")
      #expect(refusal?.message.contains("reference.\(name)") == true)
    }
    await expectRefusal(.failedPrecondition, "revision_missing") { try await close(2, reference) }
    await expectRefusal(.invalidArgument, "missing") {
      try await world.service.completeField(CompleteFieldRequest(fieldID: field.fieldID, revision: 1))
    }
    try await world.reEnter(field, "Mallory")
    let closed = try #require(try await close(1, reference))
    #expect(closed.saved?.signatureID == field.saved?.signatureID && closed.revisionCount == 2)
    #expect(try await close(1, reference) == closed, "a repeat changes nothing")
    await expectRefusal(.failedPrecondition, "revision_pinned") { try await close(2, reference) }
    let revisions = try await world.service.listRevisions(ListRevisionsRequest(fieldID: field.fieldID)).revisions
    #expect(revisions.map { $0.replacedAt == nil } == [true, false])
    await world.end()
  }
}
