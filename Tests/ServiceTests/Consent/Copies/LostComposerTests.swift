import Base
internal import Bus
import ConsentContract
import ConsentService
import RPC
import Sealing
import Storage
import StorageTestKit
import Synchronization
import TestSupport
import Testing

/// Documents over which the processes end that make them: such a one takes everybody's with it.
@Suite("Copies that end processes") struct LostComposerTests {
  /// Why somebody who reads gets no copy.
  private func said(of recordID: String, _ world: CopyWorld) async -> String {
    do {
      _ = try await world.get(recordID)
      return ""
    } catch {
      return "\(error)"
    }
  }

  @Test("is tried apart from others, given up after three tries, and made once more only when staff asks for it")
  func givenUp() async throws {
    let world = try await CopyWorld()
    try await world.open()
    let key = try KeyMaker.make(
      name: "Seal", from: Example.now + .seconds(-60), until: Example.now + .days(400), serial: [1])
    world.startSealing(with: key)
    let record = try await world.evidence.give("s1").record
    _ = try await world.evidence.counterSign(record)
    let id = record.recordID
    let papers = FragilePapers(BusPapers(world.consent.bus.channel()))
    let services = try World.services(
      world.consent.test.database, world.consent.fields, world.consent.clock, papers: papers)
    papers.breaks(true)
    let jobs = Task { [jobs = services.jobs()] in await jobs.run() }
    let waiting = try await world.follow(id, by: .milliseconds(20)) { !$0.reason.isEmpty }
    #expect(waiting.state == .sealing && waiting.reason.hasPrefix("composer_lost: "), "\(waiting)")
    try await world.follow(id, by: .milliseconds(20), participants: true) { !$0.reason.isEmpty }
    // Processes that come again and again wake what waits for them, and not this.
    let before = papers.tries
    for _ in 0..<10 {
      try await CopyWaking(world.consent.test.database).wake(.papers)
      try await world.untilNothingIsDue()
    }
    #expect(papers.tries == before)
    await expectRefusal(.failedPrecondition, "composer_lost") { try await world.get(id) }
    let promised = await said(of: id, world)
    #expect(promised.contains("made again apart from others"), "\(promised)")
    let failed = try await world.follow(id, by: .seconds(10)) { $0.state == .failed }
    #expect(failed.reason.hasPrefix("composer_lost: "))
    // Of either copy.
    try await world.follow(id, by: .seconds(10), participants: true) { $0.state == .failed }
    #expect(papers.tries == 6)
    let last = await said(of: id, world)
    #expect(last.contains("when staff asks for it"), "\(last)")
    world.consent.clock.move(by: .days(9))
    try await world.untilNothingIsDue()
    #expect(papers.tries == 6)

    papers.breaks(false)
    let retry = RetrySignedCopyRequest(recordID: id)
    await expectRefusal(.permissionDenied, "not_admitted") {
      try await world.consent.client("s1").records.retrySignedCopy(retry)
    }
    let answer = try await world.consent.investigator.records.retrySignedCopy(retry)
    #expect(answer.copy?.state == .sealing && answer.participantCopy?.state == .sealing)
    let sealed = try await world.follow(id, by: .milliseconds(20)) { $0.state == .sealed }
    #expect(sealed.reason.isEmpty)
    try await world.follow(id, by: .milliseconds(20), participants: true) { $0.state == .sealed }
    await expectRefusal(.failedPrecondition, "not_given_up") {
      try await world.consent.investigator.records.retrySignedCopy(retry)
    }
    jobs.cancel()
    await jobs.value
    await world.end()
  }
}

/// Processes that end over each document when a test says so, as the bus tells of them.
private final class FragilePapers: CopyPapers {
  private let papers: BusPapers
  private let state = Mutex((breaks: false, tries: 0))

  init(_ papers: BusPapers) { self.papers = papers }

  func breaks(_ breaks: Bool) { state.withLock { $0.breaks = breaks } }

  var tries: Int { state.withLock { $0.tries } }

  func compose(_ paper: CopyPaper, tenant: Tenant) async throws -> [UInt8] {
    let breaks = state.withLock { state in
      if state.breaks { state.tries += 1 }
      return state.breaks
    }
    guard !breaks else {
      throw CopyFailure(
        Status(
          .unavailable, "the instance of PaperService was lost; the call may have run",
          metadata: ["lost-instances": "5"]), while: .composing)
    }
    return try await papers.compose(paper, tenant: tenant)
  }

  func seal(_ digest: [UInt8], tenant: Tenant) async throws -> CopySeal {
    try await papers.seal(digest, tenant: tenant)
  }

  func addTime(to signature: [UInt8], tenant: Tenant) async throws -> CopySeal {
    try await papers.addTime(to: signature, tenant: tenant)
  }

  func proofs(of signature: [UInt8], tenant: Tenant) async throws -> CopyProofs {
    try await papers.proofs(of: signature, tenant: tenant)
  }

  func attest(_ digest: [UInt8], tenant: Tenant) async throws -> (token: [UInt8], problem: String) {
    try await papers.attest(digest, tenant: tenant)
  }
}
