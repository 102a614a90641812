import Base
import Bus
import ConsentContract
import ConsentService
import RPC
import Sealing
import SignatureContract
import SignatureService
import Storage
import StorageTestKit
import TestSupport
import Testing

/// When a file was sealed, attested by an authority that is not always there.
@Suite("Times of seals") struct SealTimeTests {
  @Test("while the authority for the time is down the seal has none; it is added later, and both files are known")
  func time() async throws {
    let world = try await CopyWorld()
    try await world.open()
    world.startSealing(stamped: true)
    let record = try await world.evidence.give("s1").record
    _ = try await world.evidence.counterSign(record)
    let id = record.recordID
    let basic = try await world.run(id) { $0.state == .sealed }
    #expect(basic.level == "B-B" && basic.reason.hasPrefix("time_not_attested: "))
    let first = try await world.get(id).content
    try world.authority.start(world.consent.clock.clock)
    let timed = try await world.run(id) { $0.level == "B-T" }
    // What is next, proofs about a seal that vouches for itself, may have had its say already.
    #expect(!timed.reason.hasPrefix("time_not_attested: ") && timed.hash != basic.hash)
    #expect(timed.sealedAt == basic.sealedAt)
    let second = try await world.get(id).content
    #expect(second.count == first.count && second != first)
    #expect(world.verdict(second).signatures.first?.attestedTime != nil)
    #expect(try await world.check(timed.verificationID, first).comparison == .earlier)
    #expect(try await world.check(timed.verificationID, second).comparison == .same)
    await world.end()
  }

  @Test("an authority that stays silent until the seal's certificate ends is asked no more, and the copy says so")
  func silent() async throws {
    let world = try await CopyWorld()
    try await world.open()
    world.startSealing(stamped: true)
    let record = try await world.evidence.give("s1").record
    _ = try await world.evidence.counterSign(record)
    let id = record.recordID
    let basic = try await world.run(id) { $0.state == .sealed }
    #expect(basic.level == "B-B" && basic.reason.hasPrefix("time_not_attested: "))
    world.consent.clock.move(by: .days(1))
    let last = try await world.run(id) { $0.reason.hasPrefix("time_given_up: ") }
    #expect(last.level == "B-B" && last.hash == basic.hash)
    // The copy from before the counter-signature gives up at its next try, which a busy machine may make late.
    for _ in 0..<5 {
      world.consent.clock.move(by: .seconds(600))
      try await world.settle()
    }
    world.consent.clock.move(by: .seconds(600))
    #expect(try await world.settle() == 0)
    await world.end()
  }

  /// One process that asks an authority, and one that has none.
  private func serveSeals(in world: CopyWorld) throws -> SwitchedSeals {
    let key = try KeyMaker.make(
      name: "Seal", from: Example.now + .seconds(-60), until: Example.now + .days(400), serial: [1])
    let seals = SwitchedSeals(
      [world.authority, nil].map { stamper in
        SealHandlers(
          sealer: Sealer(key: key, stamper: stamper, nonce: { Randomness.system.bytes(16) }),
          clock: world.consent.clock.clock)
      })
    world.consent.bus.serve([seals])
    return seals
  }

  @Test(
    "when an authority is there again, each copy whose time it attests brings two more, until none waits",
    arguments: LongTests.areWanted ? TestEngine.allCases : [.sqlite])
  func oneAfterAnother(engine: TestEngine) async throws {
    let world = try await CopyWorld(engine)
    try await world.open()
    let seals = try serveSeals(in: world)
    // Each record has two copies.
    var ids: [String] = []
    for number in 0..<(LongTests.areWanted ? 6 : 3) {
      let record = try await world.evidence.give("s\(number)").record
      _ = try await world.evidence.counterSign(record)
      ids.append(record.recordID)
    }
    func copies() async throws -> [SignedCopy] {
      var copies: [SignedCopy] = []
      for id in ids {
        copies.append(try await world.copy(id))
        copies.append(try #require(try await world.participantCopy(id)))
      }
      return copies
    }
    for id in ids {
      try await world.run(id) { $0.state == .sealed }
      try await world.run(id, participants: true) { $0.state == .sealed }
    }
    seals.use(1)
    for _ in 0..<16 {
      world.consent.clock.move(by: .seconds(600))
      try await world.settle()
    }
    #expect(try await world.settle() == 0)
    #expect(try await copies().allSatisfy { $0.level == "B-B" && $0.reason.hasPrefix("no_time_authority: ") })
    seals.use(0)
    try world.authority.start(world.consent.clock.clock, days: 300)
    try await CopyWaking(world.consent.test.database).wake(.seals)
    try await world.pass(minutes: 4)
    #expect(try await copies().map(\.level) == Array(repeating: "B-T", count: 2 * ids.count))
    await world.end()
  }

  @Test("a process without an authority for the time ends nothing: the time is asked for when one has it again")
  func unattended() async throws {
    let world = try await CopyWorld()
    try await world.open()
    let seals = try serveSeals(in: world)
    let record = try await world.evidence.give("s1").record
    _ = try await world.evidence.counterSign(record)
    let id = record.recordID
    let basic = try await world.run(id) { $0.state == .sealed }
    #expect(basic.level == "B-B" && basic.reason.hasPrefix("time_not_attested: "))
    seals.use(1)
    try await world.run(id) { $0.reason.hasPrefix("no_time_authority: ") }
    // Its tries end within some hours; reminders follow.
    for _ in 0..<14 {
      world.consent.clock.move(by: .seconds(600))
      try await world.settle()
    }
    #expect(try await world.settle() == 0)
    #expect(try await world.copy(id).reason.hasPrefix("no_time_authority: "))
    seals.use(0)
    try world.authority.start(world.consent.clock.clock, days: 300)
    world.consent.clock.move(by: .days(2))
    await world.remind()
    let timed = try await world.run(id) { $0.level == "B-T" }
    #expect(timed.hash != basic.hash && !timed.reason.hasPrefix("no_time_authority: "))
    await world.end()
  }

  @Test("an attested time that has no room in the file is left out: the seal is B-B, says so, and is timed later")
  func largeTime() async throws {
    let world = try await CopyWorld()
    try await world.open()
    try world.authority.startBulky(world.consent.clock.clock)
    world.startSealing(stamped: true)
    let record = try await world.evidence.give("s1").record
    _ = try await world.evidence.counterSign(record)
    let id = record.recordID
    let basic = try await world.run(id) { $0.state == .sealed }
    #expect(basic.level == "B-B" && basic.reason.contains("has no room in the file"), "\(basic)")
    let first = try await world.get(id).content
    #expect(world.verdict(first).verdict == .passed)
    try world.authority.start(world.consent.clock.clock)
    let timed = try await world.run(id) { $0.level == "B-T" }
    #expect(!timed.reason.contains("room") && timed.hash != basic.hash)
    #expect(try await world.check(timed.verificationID, first).comparison == .earlier)
    await world.end()
  }
}
