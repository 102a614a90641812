import Base
import ConsentContract
import ConsentService
import RPC
import Storage
import StorageTestKit
import TestSupport
import Testing
import Wire

/// Decisions by machines of which one is behind another, or behind itself: one database, and a clock that goes back.
@Suite("A later decision counts, whatever the clock says")
struct ClockBehindTests {
  @Test("a form is denied after it was allowed")
  func denied() async throws {
    let world = try await World()
    var flow = Example.flow()
    flow.steps.insert(Example.form("newsletter"), at: 0)
    try await world.open(flow: flow)
    try await world.walk()
    #expect(try await world.check("s1", "newsletter").permitted)
    world.clock.move(by: .seconds(-60))
    let form = try await world.walk { $0.kind == .form }
    _ = try await world.act(try await world.act(form, FlowAction(kind: .notNow)), FlowAction(kind: .confirm))
    #expect(try await world.check("s1", "newsletter").reason == "declined")
    await world.end()
  }

  @Test("another consent supersedes the one before, and is not superseded by it")
  func newer() async throws {
    let world = try await World()
    try await world.open()
    let old = try await world.record(of: try await world.walk())
    world.clock.move(by: .seconds(-60))
    let new = try await world.record(of: try await world.walk())
    #expect(try await world.check().recordID == new.recordID)
    let superseded = try await world.app.records.getRecord(GetRecordRequest(recordID: old.recordID)).record
    #expect(superseded?.history.last?.supersededBy == new.recordID)
    let times = new.history.compactMap { $0.at?.clamped }
    #expect(times == times.sorted() && times.count == new.history.count)
    await world.end()
  }

  @Test("an app's own screens and a walk without a connection are held to the same")
  func otherWays() async throws {
    let world = try await World()
    try await world.open()
    for isOffline in [false, true] {
      try await world.walk(site: "north")
      world.clock.move(by: .seconds(-60))
      var record: ConsentRecord?
      if isOffline {
        let bundle = try await world.offlineBundle(site: "north")
        let walked = try await world.submit(bundle, bundle.walked())
        record = try await world.record(of: try #require(walked.session))
      } else {
        record = try await world.app.sessions.recordConsent(Example.recordConsent()).records.first
      }
      #expect(record?.state == .inForce)
      #expect(try await world.check().recordID == record?.recordID)
    }
    await world.end()
  }

  @Test("a consent after a withdrawal stands, and one from before it does not come back")
  func withdrawn() async throws {
    let world = try await World()
    try await world.open()
    let before = try await world.record(of: try await world.walk())
    var content = Example.content()
    content.settings?.reconsent = .noAction
    content.settings?.inForceFrom = .lastSignature
    try await world.publish(content)
    world.clock.move(by: .seconds(1))
    let waiting = try await world.record(of: try await world.walk())
    world.clock.move(by: .seconds(-60))
    _ = try await world.app.records.withdrawConsent(WithdrawConsentRequest(recordID: before.recordID))
    let next = try await world.record(of: try await world.walk())
    world.clock.move(by: .seconds(-60))
    await expectRefusal(.failedPrecondition, "consent_not_given") { try await world.counterSign(waiting) }
    #expect(try await world.check().permitted == false)
    #expect(try await world.counterSign(next).state == .inForce)
    #expect(try await world.check().recordID == next.recordID)
    await world.end()
  }

  @Test("of a yes and a withdrawal in one millisecond the later one counts, whichever it is")
  func oneMillisecond() async throws {
    let world = try await World()
    try await world.open()
    let before = try await world.record(of: try await world.walk())
    var content = Example.content()
    content.settings?.reconsent = .noAction
    content.settings?.inForceFrom = .lastSignature
    try await world.publish(content)
    let waiting = try await world.record(of: try await world.walk())
    _ = try await world.app.records.withdrawConsent(WithdrawConsentRequest(recordID: before.recordID))
    let next = try await world.record(of: try await world.walk())
    // The yes came before the withdrawal, and the next one after it.
    await expectRefusal(.failedPrecondition, "consent_not_given") { try await world.counterSign(waiting) }
    #expect(try await world.check().permitted == false)
    #expect(try await world.counterSign(next).state == .inForce)
    #expect(try await world.check().recordID == next.recordID)
    await world.end()
  }

  @Test(
    "a withdrawal is later than a yes in a session that is still open, whose record comes after it",
    arguments: [Int64(0), -60])
  func openSession(seconds: Int64) async throws {
    let world = try await World()
    try await world.open()
    let before = try await world.record(of: try await world.walk())
    world.clock.move(by: .seconds(60))
    let open = try await world.walk { $0.kind == .name }
    world.clock.move(by: .seconds(seconds))
    _ = try await world.app.records.withdrawConsent(WithdrawConsentRequest(recordID: before.recordID))
    let late = try await world.record(of: try await world.goOn(open))
    #expect(late.state == .needsAttention && late.attention.hasPrefix("said_no_meanwhile: "))
    #expect(!late.history.contains { $0.kind == .inForce })
    #expect(try await world.check().permitted == false)
    await world.end()
  }

  @Test(
    "of two sessions the later agreement counts, although the earlier one comes on record after it",
    arguments: [Int64(0), -60])
  func twoSessions(seconds: Int64) async throws {
    let world = try await World()
    try await world.open()
    let early = try await world.walk { $0.kind == .name }
    world.clock.move(by: .seconds(seconds))
    let late = try await world.record(of: try await world.walk())
    let overtaken = try await world.record(of: try await world.goOn(early))
    #expect(overtaken.state == .superseded && overtaken.history.last?.supersededBy == late.recordID)
    #expect(try await world.check().recordID == late.recordID)
    await world.end()
  }

  @Test("a session that was damaged keeps nobody from withdrawing")
  func damagedSession() async throws {
    let world = try await World()
    try await world.open()
    let record = try await world.record(of: try await world.walk())
    let open = try await world.walk { $0.kind == .name }
    try await world.test.location.alter(
      "UPDATE storage_vault_items SET sealed = x'00' WHERE item = 'session/\(open.sessionID)'",
      schema: world.test.schema.name)
    let answer = try await world.app.records.withdrawConsent(WithdrawConsentRequest(recordID: record.recordID))
    #expect(answer.records.map(\.state) == [.withdrawn])
    await expectRefusal(.dataLoss, "data_corrupt") { try await world.goOn(open) }
    await world.end()
  }

  @Test("a withdrawal whose entry was damaged keeps nobody from saying no")
  func damaged() async throws {
    let world = try await World()
    var flow = Example.flow()
    flow.steps.insert(Example.form("newsletter"), at: 0)
    try await world.open(flow: flow)
    try await world.walk()
    let history = try await world.app.records.getSubjectHistory(GetSubjectHistoryRequest(subjectID: "s1"))
    let record = try #require(history.records.first { $0.kind == .document })
    _ = try await world.app.records.withdrawConsent(WithdrawConsentRequest(recordID: record.recordID))
    world.clock.move(by: .seconds(1))
    let form = try await world.walk { $0.kind == .form }
    try await world.test.location.alter(
      TestEngine.sqlite.unguarding("record_entries")
        + "UPDATE record_entries SET body = (SELECT body FROM record_entries WHERE record_id = '\(record.recordID)' "
        + "AND sequence = 1) WHERE record_id = '\(record.recordID)' AND sequence > 1",
      schema: world.test.schema.name)
    _ = try await world.act(try await world.act(form, FlowAction(kind: .notNow)), FlowAction(kind: .confirm))
    #expect(try await world.check("s1", "newsletter").reason == "declined")
    await world.end()
  }
}
