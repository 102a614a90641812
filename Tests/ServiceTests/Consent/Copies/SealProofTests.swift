import Base
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

/// What proves a seal for years, put beside it later.
@Suite("Proofs of seals") struct SealProofTests {
  @Test("what proves the seal is put beside it once it can be had, by replicas and many tries only once")
  func proofs() async throws {
    let world = try await CopyWorld()
    // What openssl makes counts from now on.
    world.consent.clock.move(
      by: .milliseconds(Clock.system.now.millisecondsSince1970 - Example.now.millisecondsSince1970))
    try await world.open()
    let authorities = try await SealAuthorities()
    authorities.setOpen(true)
    try world.startSealing(by: authorities)
    authorities.setOpen(false)
    let record = try await world.evidence.give("s1").record
    _ = try await world.evidence.counterSign(record)
    let id = record.recordID
    let waiting = try await world.run(id) { $0.reason.hasPrefix("proofs_missing: ") }
    #expect(waiting.state == .sealed && waiting.level == "B-T")
    let first = try await world.get(id).content
    authorities.setOpen(true)
    let proven = try await world.run(id, replicas: 2) { $0.level == "B-LTA" }
    #expect(proven.reason.isEmpty && proven.state == .sealed && proven.sealedAt == waiting.sealedAt)
    let second = try await world.get(id).content
    #expect(second.starts(with: first) && second.count == Int(proven.byteCount))
    let report = DocumentVerifier(trusting: Trust(roots: [authorities.root]), at: world.consent.clock.clock.now)
      .verify(second)
    #expect(report.verdict == .passed && report.signatures.first?.level == .archived, "\(report.lines)")
    #expect(try await world.check(proven.verificationID, first).comparison == .earlier)
    #expect(try await world.check(proven.verificationID, second).comparison == .same)
    let levels = try await world.events(id).count { $0.signedCopy == .sealed && $0.hash == proven.hash }
    #expect(levels == 1)
    await world.end()
  }

  @Test("a seal that vouches for itself stays at B-T, and the record says why")
  func noProofs() async throws {
    let world = try await CopyWorld()
    try await world.open()
    try world.authority.start(world.consent.clock.clock)
    world.startSealing(stamped: true)
    let record = try await world.evidence.give("s1").record
    _ = try await world.evidence.counterSign(record)
    let copy = try await world.run(record.recordID) { $0.reason.hasPrefix("no_revocation_data: ") }
    #expect(copy.state == .sealed && copy.level == "B-T")
    let file = try await world.get(record.recordID).content
    #expect(world.verdict(file).signatures.first?.level == .timed)
    await world.end()
  }
}
