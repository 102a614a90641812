import Base
import Bus
import ConsentContract
import ConsentService
import RPC
import Sealing
import Storage
import StorageTestKit
import TestSupport
import Testing
import Wire

/// What proves sealed copies for years: added once it can be had, renewed before it ends, given up where it cannot be.
@Suite("Proven copies") struct ProvenCopyTests {
  /// A copy that all have signed.
  private func signed(_ world: CopyWorld, _ subject: String = "s1") async throws -> String {
    let record = try await world.evidence.give(subject).record
    _ = try await world.evidence.counterSign(record)
    return record.recordID
  }

  /// Lets time pass, with the reminders that fall due.
  private func pass(_ days: Int, _ world: CopyWorld) async throws {
    for _ in 0..<days {
      world.consent.clock.move(by: .days(1))
      await world.remind()
    }
  }

  @Test(
    "a proven seal is attested over the whole file, and again before that certificate ends",
    arguments: LongTests.areWanted ? TestEngine.allCases : [.sqlite])
  func archived(_ engine: TestEngine) async throws {
    let world = try await CopyWorld(engine)
    try await world.open()
    let chain = try SealChain(world.consent.clock.clock)
    try chain.attest(days: 40)
    world.consent.bus.serve([chain.handlers])
    let id = try await signed(world)
    let archived = try await world.run(id, replicas: 2) { $0.level == "B-LTA" }
    #expect(archived.reason.isEmpty && archived.state == .sealed)
    let first = try await world.get(id).content
    let report = chain.verify(first)
    #expect(report.verdict == .passed && report.signatures.map(\.level) == [.archived, nil], "\(report.lines)")
    let end = try #require(archived.attestedUntil?.clamped)
    #expect(end > world.consent.clock.clock.now + .days(39))

    // Nothing is attested anew before its time, nor while it would not hold longer.
    try await pass(29, world)
    try await world.settle()
    #expect(try await world.copy(id).hash == archived.hash)
    try await pass(3, world)
    try await world.settle()
    #expect(try await world.copy(id).hash == archived.hash)
    try chain.attest(days: 400)
    try await pass(3, world)
    let renewed = try await world.run(id, replicas: 2) { $0.hash != archived.hash }
    #expect(renewed.level == "B-LTA" && renewed.reason.isEmpty)
    #expect(renewed.attestedUntil.map { $0.clamped > end + .days(300) } == true)
    let second = try await world.get(id).content
    #expect(second.starts(with: first))
    #expect(try await world.check(renewed.verificationID, first).comparison == .earlier)
    // Long after the first authority's certificate ended.
    try await pass(60, world)
    let late = chain.verify(second)
    #expect(late.verdict == .passed && late.signatures.map(\.kind) == [.certification, .documentTime, .documentTime])
    #expect(late.signatures[0].level == .archived, "\(late.lines)")
    #expect(chain.verify(first).verdict != .passed, "without the second time nobody could tell any longer")
    let changes = try await world.events(id).filter { $0.signedCopy == .sealed }.map(\.hash)
    #expect(Set(changes).count == changes.count && changes.last == renewed.hash)
    await world.end()
  }

  @Test("an authority that is away between the proofs and the time over them is asked again; the record says so")
  func between() async throws {
    let world = try await CopyWorld()
    try await world.open()
    let chain = try SealChain(world.consent.clock.clock)
    try chain.attest(days: 400)
    chain.publish(false)
    world.consent.bus.serve([chain.handlers])
    let id = try await signed(world)
    try await world.run(id) { $0.reason.hasPrefix("proofs_missing: ") }
    try chain.attest(days: 0)
    chain.publish(true)
    let waiting = try await world.run(id) { $0.reason.hasPrefix("archive_time_missing: ") }
    #expect(waiting.level == "B-LT" && waiting.attestedUntil == nil)
    try chain.attest(days: 400)
    let archived = try await world.run(id) { $0.level == "B-LTA" }
    #expect(archived.reason.isEmpty)
    await world.end()
  }

  @Test("a file with its proofs is attested after the signer's certificate has ended, while that of the time has not")
  func signerEnded() async throws {
    let world = try await CopyWorld()
    try await world.open()
    let chain = try SealChain(world.consent.clock.clock, days: 20)
    try chain.attest(days: 400)
    chain.publish(false)
    world.consent.bus.serve([chain.handlers])
    let id = try await signed(world)
    try await world.run(id) { $0.reason.hasPrefix("proofs_missing: ") }
    try chain.attest(days: 0)
    chain.publish(true)
    try await world.run(id) { $0.reason.hasPrefix("archive_time_missing: ") }
    try await pass(40, world)
    try await world.settle()
    let waiting = try await world.copy(id)
    #expect(waiting.level == "B-LT" && waiting.reason.hasPrefix("archive_time_missing: "), "\(waiting)")
    try chain.attest(days: 400)
    try await pass(8, world)
    let archived = try await world.run(id) { $0.level == "B-LTA" }
    let report = chain.verify(try await world.get(id).content)
    #expect(report.verdict == .passed && archived.reason.isEmpty, "\(report.lines)")
    await world.end()
  }

  @Test("a service that comes and goes does not use up the tries of copies that wait for something else")
  func comingAndGoing() async throws {
    let world = try await CopyWorld()
    try await world.open()
    let chain = try SealChain(world.consent.clock.clock)
    try chain.attest(days: 400)
    chain.publish(false)
    world.consent.bus.serve([chain.handlers])
    let id = try await signed(world)
    try await world.run(id) { $0.reason.hasPrefix("proofs_missing: ") }
    for _ in 0..<20 {
      world.consent.clock.move(by: .milliseconds(100))
      try await CopyWaking(world.consent.test.database).wake(.seals)
      try await world.settle()
    }
    // Its tries go on by themselves, an hour apart at most: no reminder is needed.
    chain.publish(true)
    world.consent.clock.move(by: .seconds(3600))
    try await world.settle()
    let copy = try await world.copy(id)
    #expect(copy.level == "B-LTA" && copy.reason.isEmpty, "\(copy)")
    await world.end()
  }

  @Test("whoever is erased is not attested anew")
  func erased() async throws {
    let world = try await CopyWorld()
    try await world.open()
    let chain = try SealChain(world.consent.clock.clock)
    try chain.attest(days: 40)
    world.consent.bus.serve([chain.handlers])
    let id = try await signed(world)
    let archived = try await world.run(id) { $0.level == "B-LTA" }
    _ = try await world.consent.admin.records.eraseSubject(EraseSubjectRequest(subjectID: "s1", reason: "asked for"))
    try chain.attest(days: 400)
    try await pass(41, world)
    try await world.settle()
    #expect(try await world.copy(id).hash == archived.hash)
    #expect(try await world.consent.test.database.jobCounts().allSatisfy { $0.state == .finished })
    await world.end()
  }

  @Test("copies from before anybody was named who publishes revocations are proven when somebody is, one after another")
  func named() async throws {
    let world = try await CopyWorld()
    try await world.open()
    let chain = try SealChain(world.consent.clock.clock)
    try chain.attest(days: 4000)
    chain.name(false)
    world.consent.bus.serve([chain.handlers])
    var ids: [String] = []
    for number in 0..<(LongTests.areWanted ? 12 : 4) { ids.append(try await signed(world, "s\(number)")) }
    for id in ids { try await world.run(id) { $0.reason.hasPrefix("no_revocation_data: ") } }
    chain.name(true)
    // As when the process that was told so comes to the bus: it tries some, and each that succeeds brings two more.
    try await CopyWaking(world.consent.test.database).wake(.seals)
    try await world.pass(minutes: 6)
    for id in ids {
      let copy = try await world.copy(id)
      #expect(copy.level == "B-LTA" && copy.reason.isEmpty, "\(copy)")
    }
    await world.end()
  }

  @Test("when the authority is there again, each file over which it attests a time brings two more, until none waits")
  func oneAfterAnother() async throws {
    let world = try await CopyWorld()
    try await world.open()
    let chain = try SealChain(world.consent.clock.clock)
    try chain.attest(days: 400)
    chain.publish(false)
    world.consent.bus.serve([chain.handlers])
    var ids: [String] = []
    for number in 0..<(LongTests.areWanted ? 6 : 3) { ids.append(try await signed(world, "s\(number)")) }
    for id in ids {
      try await world.run(id) { $0.reason.hasPrefix("proofs_missing: ") }
      try await world.run(id, participants: true) { $0.reason.hasPrefix("proofs_missing: ") }
    }
    try chain.attest(days: 0)
    chain.publish(true)
    // The tries end within a day; reminders follow.
    for _ in 0..<18 {
      world.consent.clock.move(by: .seconds(3600))
      try await world.settle()
    }
    #expect(try await world.settle() == 0)
    for id in ids { #expect(try await world.copy(id).reason.hasPrefix("archive_time_missing: ")) }
    try chain.attest(days: 400)
    try await CopyWaking(world.consent.test.database).wake(.seals)
    try await world.pass(minutes: 4)
    for id in ids {
      let copies = [try await world.copy(id), try #require(try await world.participantCopy(id))]
      #expect(copies.allSatisfy { $0.level == "B-LTA" && $0.reason.isEmpty }, "\(copies)")
    }
    await world.end()
  }

  @Test("who asks in vain until the certificates end gives up, and the record says so")
  func givenUp() async throws {
    let world = try await CopyWorld()
    try await world.open()
    let chain = try SealChain(world.consent.clock.clock, days: 80)
    try chain.attest(days: 4000)
    chain.publish(false)
    world.consent.bus.serve([chain.handlers])
    let id = try await signed(world)
    try await world.run(id) { $0.reason.hasPrefix("proofs_missing: ") }
    // Each try of the first hours, then the reminders, whose distance grows.
    for _ in 0..<20 {
      world.consent.clock.move(by: .seconds(3600))
      try await world.settle()
    }
    var tries = 0
    func isWaiting() async throws -> Bool {
      let copies = [try await world.copy(id), try #require(try await world.participantCopy(id))]
      return !copies.allSatisfy { $0.reason.hasPrefix("proofs_given_up: ") }
    }
    for _ in 0..<120 where try await isWaiting() {
      world.consent.clock.move(by: .days(1))
      await world.remind()
      if try await world.settle() > 0 { tries += 1 }
    }
    let copy = try await world.copy(id)
    #expect(copy.reason.hasPrefix("proofs_given_up: ") && copy.level == "B-T" && copy.state == .sealed)
    #expect((3...80).contains(tries), "\(tries)")
    try await pass(40, world)
    #expect(try await world.settle() == 0)
    await world.end()
  }

  @Test("a copy that waits for a key is sealed when a process with one comes, without a further pause")
  func woken() async throws {
    let world = try await CopyWorld()
    try await world.open()
    let id = try await signed(world)
    try await world.run(id) { $0.reason.hasPrefix("no_seal_key: ") }
    for _ in 0..<40 {
      world.consent.clock.move(by: .seconds(60))
      try await world.settle()
    }
    // From here on no time passes.
    try await world.settle()
    world.startSealing()
    try await world.settle()
    #expect(try await world.copy(id).state == .sealing)
    try await CopyWaking(world.consent.test.database).wake(.seals)
    try await world.settle()
    let copy = try await world.copy(id)
    #expect(copy.state == .sealed && copy.level == "B-B", "\(copy)")
    await world.end()
  }
}
