import Base
import ConsentContract
import ConsentDomain
import RPC
import ServicePolicy
import Testing
import Wire

/// Records that staff has to look at, and what it decides of them.
@Suite("Records that need attention")
struct AttentionTests {
  @Test("staff resolves attention on record: rejected for good, or confirmed once what was wrong is right")
  func resolving() async throws {
    let world = try await World()
    try await world.open()
    let bundle = try await world.offlineBundle()
    let answer = try await world.submit(bundle, bundle.walked(right: false))
    let record = try await world.record(of: try #require(answer.session))
    func resolve(_ decision: AttentionDecision, _ reason: String = "talked to them") async throws -> ConsentRecord {
      let answer = try await world.coordinator.records.resolveAttention(
        ResolveAttentionRequest(recordID: record.recordID, decision: decision, reason: reason))
      return answer.record ?? ConsentRecord()
    }
    await expectRefusal(.invalidArgument, "reason_missing") { try await resolve(.confirm, "") }
    await expectRefusal(.invalidArgument, "not_stated") { try await resolve(.unspecified) }
    await expectRefusal(.failedPrecondition, "attention_still_needed") { try await resolve(.confirm) }
    #expect(try await world.check().reason == "needs_attention")
    // They pass the questions in another session, and stop before the document.
    _ = try await world.walk { $0.kind == .sharing }
    let before = try await world.app.records.getRecord(GetRecordRequest(recordID: record.recordID)).record
    #expect(before?.signedCopy == nil)
    let confirmed = try await resolve(.confirm)
    #expect(confirmed.signedCopy?.state == .signing, "a copy is made of what counts")
    #expect(confirmed.state == .inForce && confirmed.history.map(\.kind).suffix(2) == [.attentionConfirmed, .inForce])
    #expect(try await world.check().permitted)
    let read = try await world.app.records.getRecord(GetRecordRequest(recordID: record.recordID)).record
    let after = try await world.app.sessions.getSession(
      GetSessionRequest(sessionID: answer.session?.sessionID ?? "", clientSchema: 2))
    let told = try #require(after.session?.screen?.text)
    #expect(told.hasPrefix(try #require(Catalog.text(.endedAttentionResolved, language: "en"))))
    let entry = try #require(read?.history.first { $0.kind == .attentionConfirmed })
    #expect(entry.actor == "carl" && entry.reason == "talked to them")
    await expectRefusal(.failedPrecondition, "no_attention_needed") { try await resolve(.reject) }
    let tasks = try await world.investigator.sessions.listSigningTasks(ListSigningTasksRequest(studyID: World.study))
    #expect(tasks.tasks.map(\.recordID) == [record.recordID])
    await world.end()
  }

  @Test("a version or flow that was stopped is confirmed for no reason", arguments: [true, false])
  func stoppedIsNotConfirmed(isOfVersion: Bool) async throws {
    let world = try await World()
    try await world.open()
    let bundle = try await world.offlineBundle()
    let answer = try await world.submit(bundle, bundle.walked(right: false))
    let record = try await world.record(of: try #require(answer.session))
    #expect(record.attention.hasPrefix("below_pass_mark"))
    _ = try await world.walk { $0.kind == .sharing }
    if isOfVersion {
      _ = try await world.publisher.documents.stopDocumentVersion(
        StopDocumentVersionRequest(documentID: Example.documentID, version: 1, reason: "x"))
    } else {
      _ = try await world.publisher.flows.stopFlowVersion(
        StopFlowVersionRequest(flowID: "flow", version: 1, reason: "x"))
    }
    await expectRefusal(.failedPrecondition, "attention_still_needed") {
      try await world.coordinator.records.resolveAttention(
        ResolveAttentionRequest(recordID: record.recordID, decision: .confirm, reason: "talked to them"))
    }
    #expect(try await world.check().reason == "needs_attention")
    await world.end()
  }

  @Test(
    "a record is confirmed by all rules, whichever it names", arguments: ["below_pass_mark: x", "guardian_missing: x"])
  func allRules(attention: String) throws {
    let now = Example.now
    var settings = Example.settings()
    settings.ethics = EthicsApproval(number: "1", committee: "C", validUntil: Timestamp(now))
    settings.age = AgePolicy(minimumAge: 18)
    var record = ConsentRecord(recordID: "r", state: .needsAttention, attention: attention)
    let good = AttentionRules.Facts(
      attempts: [QuestionAttempt(passed: true)], birthDate: CalendarDay(year: 1990, month: 1, day: 1))
    func refused(at time: Instant, _ change: (inout AttentionRules.Facts) -> Void = { _ in }) -> Bool {
      var facts = good
      change(&facts)
      record.decidedAt = Timestamp(time)
      do throws(Refusal) {
        _ = try AttentionRules.confirmed(record, settings, facts)
        return false
      } catch {
        return error.rule == "attention_still_needed"
      }
    }
    let before = now + .seconds(-1)
    #expect(!refused(at: before))
    #expect(refused(at: now))
    #expect(refused(at: before) { $0.attempts = [QuestionAttempt(passed: false)] })
    #expect(refused(at: before) { $0.birthDate = CalendarDay(year: 2010, month: 1, day: 1) })
    #expect(refused(at: before) { $0.birthDate = nil }, "a rule about age looks at a date")
    #expect(refused(at: before) { $0.stopped = "version 1" })
    // What was walked in time may be submitted later.
    record.history = [RecordEntry(deviceTime: DeviceTime(at: Timestamp(before)))]
    #expect(!refused(at: now + .seconds(9)) { $0.startedAt = now + .seconds(-9) })
    #expect(refused(at: now + .seconds(9)) { $0.startedAt = now })
  }

  @Test("what staff rejects permits nothing and stays so")
  func rejecting() async throws {
    let world = try await World()
    try await world.open()
    let bundle = try await world.offlineBundle()
    let answer = try await world.submit(bundle, bundle.walked(right: false))
    let record = try await world.record(of: try #require(answer.session))
    let request = ResolveAttentionRequest(recordID: record.recordID, decision: .reject, reason: "never passed")
    let rejected = try await world.investigator.records.resolveAttention(request).record
    #expect(rejected?.state == .rejected)
    #expect(try await world.check().reason == "rejected")
    // A withdrawal counts all the same.
    let withdrawal = WithdrawConsentRequest(recordID: record.recordID)
    #expect(try await world.app.records.withdrawConsent(withdrawal).records.map(\.state) == [.rejected])
    await expectRefusal(.permissionDenied, "not_admitted") { try await world.app.records.resolveAttention(request) }
    await world.end()
  }
}
