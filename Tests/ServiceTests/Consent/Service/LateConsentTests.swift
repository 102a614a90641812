import Base
import ConsentContract
import ConsentService
import RPC
import Storage
import StorageTestKit
import TestSupport
import Testing
import Wire

/// Consents that come on record, or into force, after the subject has decided anew.
@Suite("What comes late brings nothing back")
struct LateConsentTests {
  /// A walk without a connection that failed its questions, so that its record waits for staff.
  private func failedWalk(_ world: World) async throws -> ConsentRecord {
    let bundle = try await world.offlineBundle()
    let answer = try await world.submit(bundle, bundle.walked(right: false))
    let record = try await world.record(of: try #require(answer.session))
    #expect(record.state == .needsAttention)
    world.clock.move(by: .seconds(60))
    return record
  }

  private func confirm(_ record: ConsentRecord, _ world: World) async throws -> ConsentRecord {
    let answer = try await world.coordinator.records.resolveAttention(
      ResolveAttentionRequest(recordID: record.recordID, decision: .confirm, reason: "talked to them"))
    return try #require(answer.record)
  }

  private func record(_ id: String, _ world: World) async throws -> ConsentRecord {
    try #require(try await world.app.records.getRecord(GetRecordRequest(recordID: id)).record)
  }

  @Test("an old record that is confirmed does not supersede a newer consent, but is superseded by it")
  func confirmed() async throws {
    let world = try await World()
    try await world.open()
    let old = try await failedWalk(world)
    let new = try await world.record(of: try await world.walk())
    world.clock.move(by: .seconds(60))
    let confirmed = try await confirm(old, world)
    #expect(confirmed.state == .superseded && confirmed.history.last?.supersededBy == new.recordID)
    #expect(!confirmed.history.contains { $0.kind == .inForce })
    #expect(try await record(new.recordID, world).state == .inForce)
    #expect(try await world.check().recordID == new.recordID)
    await world.end()
  }

  @Test("a withdrawal since then stands, of a newer consent and of an older one", arguments: [true, false])
  func withdrawn(isNewer: Bool) async throws {
    let world = try await World()
    try await world.open()
    let before = isNewer ? nil : try await world.record(of: try await world.walk())
    world.clock.move(by: .seconds(60))
    let old = try await failedWalk(world)
    var other = before
    if isNewer { other = try await world.record(of: try await world.walk()) }
    let otherID = try #require(other?.recordID)
    if !isNewer { _ = try await world.walk { $0.kind == .sharing } }
    world.clock.move(by: .seconds(60))
    _ = try await world.app.records.withdrawConsent(WithdrawConsentRequest(recordID: otherID))
    // What waited for staff is withdrawn as well: nobody confirms it any more.
    #expect(try await record(old.recordID, world).state == .withdrawn)
    await expectRefusal(.failedPrecondition, "no_attention_needed") { try await confirm(old, world) }
    #expect(try await world.check().permitted == false)
    await world.end()
  }

  @Test("what is confirmed after its validity period expires all the same, and keeps nobody's retention from beginning")
  func confirmedAfterValidity() async throws {
    let world = try await World()
    var content = Example.content()
    content.settings?.validity = ValidityPeriod(lastsDays: 60)
    try await world.open(content: content)
    try await world.keepTenDays()
    func pass(_ days: Int) async {
      world.clock.move(by: .days(days))
      await world.runPeriodicTasks()
    }
    let old = try await failedWalk(world)
    await pass(61)
    #expect(try await record(old.recordID, world).state == .needsAttention)
    _ = try await world.walk { $0.kind == .sharing }
    #expect(try await confirm(old, world).state == .inForce)
    #expect(try await world.check().reason == "expired")
    await pass(8)
    #expect(try await record(old.recordID, world).state == .expired)
    await pass(11)
    #expect(try await world.events().contains { $0.kind == .subjectErased && $0.subjectID == "s1" })
    await world.end()
  }

  @Test("a consent on paper that is registered late does not replace what was agreed to after it")
  func paper() async throws {
    let world = try await World()
    try await world.open()
    let new = try await world.record(of: try await world.walk())
    let answer = try await world.coordinator.records.createPaperRecord(
      CreatePaperRecordRequest(
        studyID: World.study, subjectID: "s1", documentID: Example.documentID, documentVersion: 1, locale: "en",
        sharing: .wide, signedAt: Timestamp(Example.now + .seconds(-60)), scan: Array("%PDF-1.7 scan".utf8),
        attestedBy: "Dr. Carl"))
    #expect(answer.record?.state == .superseded && answer.record?.kind == .paper)
    #expect(try await record(new.recordID, world).state == .inForce)
    await world.end()
  }

  @Test("of two sessions that run beside each other the later agreement counts, whichever ends first")
  func parallel() async throws {
    let world = try await World()
    try await world.open()
    let early = try await world.walk { $0.kind == .name }
    world.clock.move(by: .seconds(60))
    let late = try await world.record(of: try await world.walk())
    let overtaken = try await world.record(of: try await world.goOn(early))
    #expect(overtaken.state == .superseded && overtaken.history.last?.supersededBy == late.recordID)
    #expect(try await record(late.recordID, world).state == .inForce)
    await world.end()
  }

  @Test("a session that was left open after an agreement does not bring back what was withdrawn meanwhile")
  func leftOpen() async throws {
    let world = try await World()
    try await world.open()
    try await world.walk()
    world.clock.move(by: .seconds(60))
    let open = try await world.walk { $0.kind == .name }
    world.clock.move(by: .seconds(60))
    _ = try await world.app.records.withdrawConsent(WithdrawConsentRequest(subjectID: "s1", studyID: World.study))
    world.clock.move(by: .seconds(60))
    let late = try await world.record(of: try await world.goOn(open))
    #expect(late.state == .needsAttention && late.attention.hasPrefix("said_no_meanwhile: "))
    #expect(!late.history.contains { $0.kind == .inForce })
    #expect(try await world.check().permitted == false)
    await expectRefusal(.failedPrecondition, "said_no_meanwhile") { try await confirm(late, world) }
    await world.end()
  }

  /// The example with another purpose.
  private static func contentWithContact() -> DocumentContent {
    var content = Example.content()
    content.settings?.purposes.append(ConsentPurpose(code: "contact"))
    for index in content.texts.indices {
      content.texts[index].purposes.append(PurposeText(purposeCode: "contact", title: "Contact"))
    }
    return content
  }

  /// The example without purposes: consent to it counts for the document.
  private static func contentWithoutPurposes() -> DocumentContent {
    var content = Example.content()
    content.settings?.purposes = []
    for index in content.texts.indices { content.texts[index].purposes = [] }
    return content
  }

  /// A consent in force to the first version, and one to the second that waits for the investigator.
  private func consents(
    _ world: World, sites: [String] = ["", ""]
  ) async throws -> (before: ConsentRecord, waiting: ConsentRecord) {
    let before = try await world.record(of: try await world.walk(site: sites[0]))
    var content = Self.contentWithContact()
    content.settings?.reconsent = .noAction
    content.settings?.inForceFrom = .lastSignature
    try await world.publish(content)
    world.clock.move(by: .seconds(60))
    let waiting = try await world.record(of: try await world.walk(site: sites[1]))
    #expect(before.state == .inForce && waiting.state == .awaitingSignatures)
    world.clock.move(by: .seconds(60))
    return (before, waiting)
  }

  @Test("who withdraws a consent that waits for a signature withdraws the one before it, as far as it is the same")
  func withdrawnWhileWaiting() async throws {
    let world = try await World()
    try await world.open()
    let (before, waiting) = try await consents(world)
    func withdraw(_ purposes: [String]) async throws -> [String] {
      let request = WithdrawConsentRequest(recordID: waiting.recordID, purposes: purposes)
      return try await world.app.records.withdrawConsent(request).records.map(\.recordID)
    }
    #expect(try await withdraw(["contact"]) == [waiting.recordID])
    #expect(try await world.check().permitted)
    #expect(try await withdraw([]) == [waiting.recordID, before.recordID])
    #expect(try await record(before.recordID, world).state == .withdrawn)
    let answer = try await world.check()
    #expect(!answer.permitted && answer.reason == "withdrawn")
    await world.end()
  }

  @Test("what remains of a consent that waits comes into force with its last signature", arguments: [true, false])
  func restComesIntoForce(isNamed: Bool) async throws {
    let world = try await World()
    try await world.open(content: Self.contentWithContact())
    let (before, waiting) = try await consents(world)
    let request =
      isNamed
      ? WithdrawConsentRequest(recordID: waiting.recordID, purposes: ["contact"])
      : WithdrawConsentRequest(subjectID: "s1", studyID: World.study, purposes: ["contact"])
    let answer = try await world.app.records.withdrawConsent(request)
    #expect(Set(answer.records.map(\.recordID)) == [before.recordID, waiting.recordID])
    world.clock.move(by: .seconds(60))
    let signed = try await world.counterSign(waiting)
    #expect(signed.state == .inForce && signed.withdrawnPurposes == ["contact"])
    #expect(try await record(before.recordID, world).state == .superseded)
    let research = try await world.check()
    #expect(research.permitted && research.recordID == waiting.recordID)
    #expect(try await world.check("s1", "contact").permitted == false)
    await world.end()
  }

  @Test("who withdraws all of a consent that waits withdraws all of the one before it, also under other codes")
  func withdrawnWithOtherCodes() async throws {
    let world = try await World()
    try await world.open(content: Self.contentWithoutPurposes())
    let (before, waiting) = try await consents(world)
    #expect(Set(before.purposes).isDisjoint(with: waiting.purposes))
    let answer = try await world.app.records.withdrawConsent(WithdrawConsentRequest(recordID: waiting.recordID))
    #expect(answer.records.map(\.recordID) == [waiting.recordID, before.recordID])
    #expect(try await record(before.recordID, world).state == .withdrawn)
    await world.end()
  }

  @Test("nor does a signature after all of the one before it was withdrawn, whatever codes its purposes have")
  func counterSignedWithOtherCodes() async throws {
    let world = try await World()
    try await world.open(content: Self.contentWithoutPurposes())
    let (before, waiting) = try await consents(world)
    _ = try await world.app.records.withdrawConsent(WithdrawConsentRequest(recordID: before.recordID))
    world.clock.move(by: .seconds(60))
    await expectRefusal(.failedPrecondition, "consent_not_given") { try await world.counterSign(waiting) }
    await world.end()
  }

  @Test("that the one before it was given at another site changes nothing, but who may not see it is not shown it")
  func withdrawnAtAnotherSite() async throws {
    let world = try await World()
    try await world.open()
    let (before, waiting) = try await consents(world, sites: ["north", "south"])
    let answer = try await world.client("sue", ["coordinator@heart/south"]).records.withdrawConsent(
      WithdrawConsentRequest(recordID: waiting.recordID, reason: "by telephone"))
    #expect(answer.records.map(\.recordID) == [waiting.recordID])
    let entry = try await record(before.recordID, world).history.last
    #expect(entry?.kind == .withdrawn && entry?.actor == "sue" && entry?.onBehalf == true)
    #expect(try await world.check().permitted == false)
    await world.end()
  }

  @Test("nor does another person's signature that completes a consent")
  func counterSigned() async throws {
    let world = try await World()
    try await world.open()
    let (before, waiting) = try await consents(world)
    _ = try await world.app.records.withdrawConsent(WithdrawConsentRequest(recordID: before.recordID))
    world.clock.move(by: .seconds(60))
    await expectRefusal(.failedPrecondition, "consent_not_given") { try await world.counterSign(waiting) }
    #expect(try await record(waiting.recordID, world).withdrawnPurposes.contains("research"))
    #expect(try await world.check().permitted == false)
    await world.end()
  }
}

extension World {
  /// The investigator's signature under a record, with a typed name.
  func counterSign(_ record: ConsentRecord) async throws -> ConsentRecord {
    let typed = TypedSignature(text: "Ines Ito", font: "plain")
    let answer = try await investigator.sessions.signRecord(
      SignRecordRequest(
        recordID: record.recordID, signatureID: "investigator", name: PersonName(given: "Ines", family: "Ito"),
        signature: SignatureInput(image: .typed(typed))))
    return try #require(answer.record)
  }
}
