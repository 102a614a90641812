import ArchiveKit
import Base
import Bus
import ConsentContract
import ConsentService
import Outgoing
import RPC
import Sealing
import Storage
import StorageTestKit
import TestSupport
import Testing
import Webhooks

/// The sealed copy that a participant gets when they have signed, while others still have to.
@Suite("Participants' copies") struct ParticipantCopyTests {
  @Test(
    "is sealed after the participant's signature, and stays beside the one that all have signed",
    arguments: TestEngine.allCases)
  func both(_ engine: TestEngine) async throws {
    let world = try await CopyWorld(engine)
    try await world.open()
    world.startSealing()
    let record = try await world.evidence.give("s1").record
    let id = record.recordID
    #expect(record.signedCopy?.state == .signing && record.participantCopy?.state == .sealing)
    let first = try await world.run(id, replicas: 2, participants: true) { $0.state == .sealed }
    let early = try await world.get(id)
    #expect(early.sealed && early.participantCopy && early.copy == first && early.content.count == Int(first.byteCount))
    #expect(world.verdict(early.content).verdict == .passed)
    let words = try await CopyWorld.text(of: early.content)
    #expect(words.contains("Ada Lovelace") && words.contains("not signed") && !words.contains("Ines"), "\(words)")
    #expect(try await world.copy(id).state == .signing)

    _ = try await world.evidence.counterSign(record)
    let last = try await world.run(id) { $0.state == .sealed }
    let final = try await world.get(id)
    #expect(final.sealed && !final.participantCopy && final.copy == last)
    let all = try await CopyWorld.text(of: final.content)
    #expect(all.contains("Ada Lovelace") && all.contains("Ines Ito") && !all.contains("not signed"), "\(all)")
    let kept = try await world.get(id, participants: true)
    #expect(kept.content == early.content && kept.participantCopy && kept.salt == early.salt)

    // Each has an identifier of its own, and is known by it alone.
    #expect(first.verificationID != last.verificationID)
    let ofFirst = try await world.check(first.verificationID, early.content)
    #expect(ofFirst.comparison == .same && ofFirst.participantCopy && ofFirst.copy?.hash == first.hash)
    let ofLast = try await world.check(last.verificationID, final.content)
    #expect(ofLast.comparison == .same && !ofLast.participantCopy)
    #expect(try await world.check(last.verificationID, early.content).comparison == .different)
    let states = try await world.events(id, participants: true).map(\.signedCopy)
    #expect(states == [.sealing, .sealed])
    await world.end()
  }

  @Test("and the one that all sign are told apart by what receivers of webhooks are sent")
  func webhooks() async throws {
    var policy = WebhookPolicy(OutgoingPolicy(.anywhere, allowsPlainText: true))
    policy.interval = .milliseconds(20)
    let world = try await CopyWorld(webhooks: policy)
    let receiver = try await WebhookReceiver.start()
    try await world.open()
    let hook = Webhook(url: receiver.address("ok"), kinds: ["consent.signed_copy_changed"])
    _ = try await world.consent.admin.webhooks.createWebhook(CreateWebhookRequest(webhook: hook))
    let sender = world.consent.services.webhooks()
    let sending = Task { await sender.run() }
    world.startSealing()
    let record = try await world.evidence.give("s1").record
    try await world.run(record.recordID, participants: true) { $0.state == .sealed }
    _ = try await world.evidence.counterSign(record)
    try await world.run(record.recordID) { $0.state == .sealed }
    func states(_ participants: Bool) -> [String] {
      receiver.messages("ok").map { JSONValue(parsing: $0.body)["data"] }
        .filter { $0["participant_copy"].flag == participants && $0["record_id"].text == record.recordID }
        .compactMap { $0["signed_copy"].text }
    }
    let final = try await eventually("it is sealed", states(false)) { $0.last == "sealed" }
    #expect(states(true) == ["sealing", "sealed"])
    let events = try await world.events(record.recordID).map { "\($0.signedCopy)" }
    #expect(final == events)
    sending.cancel()
    await sending.value
    await world.end()
  }

  @Test("that could not be made before others signed is made as it would have been then")
  func late() async throws {
    let world = try await CopyWorld()
    try await world.open()
    let record = try await world.evidence.give("s1").record
    _ = try await world.evidence.counterSign(record)
    await expectRefusal(.failedPrecondition, "no_participant_copy") {
      try await world.get(record.recordID, participants: true)
    }
    world.startSealing()
    try await world.run(record.recordID, participants: true) { $0.state == .sealed }
    let words = try await CopyWorld.text(of: try await world.get(record.recordID, participants: true).content)
    #expect(words.contains("Ada Lovelace") && words.contains("not signed") && !words.contains("Ines"), "\(words)")
    await world.end()
  }

  @Test("is proven, attested and erased as the other one is, and with evidence both stand under signed heads")
  func proven() async throws {
    let world = try await CopyWorld()
    try await world.open()
    let chain = try SealChain(world.consent.clock.clock)
    try chain.attest(days: 400)
    world.consent.bus.serve([chain.handlers])
    let id = try await world.evidence.give("s1").record.recordID
    let archived = try await world.run(id, participants: true) { $0.level == "B-LTA" }
    #expect(archived.reason.isEmpty && archived.attestedUntil != nil)
    let file = try await world.get(id).content
    #expect(chain.verify(file).verdict == .passed)
    #expect(try ArchiveRules.faults(file) == [])
    let files = try await CopyWorld.attachments(of: try await world.get(id, evidence: true).content)
    #expect(files["signed-copy.pdf"] == file)
    _ = try await world.consent.admin.records.eraseSubject(EraseSubjectRequest(subjectID: "s1", reason: "asked for"))
    await expectRefusal(.failedPrecondition, "subject_erased") { try await world.get(id) }
    await expectRefusal(.failedPrecondition, "subject_erased") { try await world.get(id, participants: true) }
    let left = try await world.check(archived.verificationID, file)
    #expect(left.erased && left.copy?.hash == archived.hash)
    await world.end()
  }
}
