import Base
import Bus
import ConsentContract
import ConsentService
import Storage
import StorageTestKit
import TestSupport
import Testing
import Wire

/// An erasure reaches the other services in the end.
@Suite("Erasures across services", .timeLimit(.minutes(2))) struct ErasureTests {
  private static let erase = EraseSubjectRequest(subjectID: "s1", reason: "asked for")

  private func hold(_ isHeld: Bool, in world: World) async throws {
    _ = try await world.admin.records.setLegalHold(
      SetLegalHoldRequest(subjectID: "s1", held: isHeld, reason: "a lawsuit"))
  }

  /// Runs jobs until something is so, while hours pass.
  private func runJobs(
    of world: World, sourceLocation: SourceLocation = #_sourceLocation, until isDone: () async throws -> Bool
  ) async throws {
    var policy = JobPolicy()
    policy.firstDelay = .milliseconds(2)
    policy.interval = .milliseconds(10)
    let jobs = Task { [jobs = world.services.jobs(policy: policy)] in await jobs.run() }
    let isSo = try await world.eventually {
      world.clock.move(by: .seconds(700))
      return try await isDone()
    } where: {
      $0
    }
    #expect(isSo, sourceLocation: sourceLocation)
    jobs.cancel()
    await jobs.value
  }

  @Test("who is erased before the end of a hold was carried out is held nowhere", arguments: TestEngine.allCases)
  func erasedBeforeTheHoldEnded(engine: TestEngine) async throws {
    let world = try await World(engine)
    try await world.open()
    try await world.walk(site: "north") { $0.kind == .review }
    try await hold(true, in: world)
    try await runJobs(of: world) { world.fields.holds == [true] }
    try await hold(false, in: world)
    _ = try await world.admin.records.eraseSubject(Self.erase)
    try await runJobs(of: world) { world.fields.holds.last == false && world.fields.erased == ["s1"] }
    await world.end()
  }

  @Test(
    "an erasure outlasts an outage and a hold in the other service, however long",
    arguments: [
      Status(.unavailable, "nobody is there"), Status(.failedPrecondition, "legal_hold: an administrator holds s1"),
    ])
  func outlasts(failure: Status) async throws {
    let world = try await World()
    try await world.open()
    try await world.walk(site: "north") { $0.kind == .review }
    world.fields.failErasures(with: failure)
    _ = try await world.admin.records.eraseSubject(Self.erase)
    try await runJobs(of: world) { world.fields.failedErasures > 25 }
    world.fields.failErasures(with: nil)
    try await runJobs(of: world) { world.fields.erased == ["s1"] }
    await world.end()
  }

  @Test("a repeated EraseSubject begins anew what was given up")
  func repeated() async throws {
    let world = try await World()
    try await world.open()
    try await world.walk(site: "north") { $0.kind == .review }
    world.fields.failErasures(with: Status(.internal, "a fault"))
    _ = try await world.admin.records.eraseSubject(Self.erase)
    let database = world.test.database
    func dead() async throws -> Int {
      try await database.jobCounts().filter { $0.state == .dead }.map(\.count).reduce(0, +)
    }
    try await runJobs(of: world) { try await dead() == 1 }
    world.fields.failErasures(with: nil)
    _ = try await world.admin.records.eraseSubject(Self.erase)
    try await runJobs(of: world) { world.fields.erased == ["s1"] }
    #expect(try await world.events().count { $0.kind == .subjectErased } == 1)
    await world.end()
  }
}
