import Base
import ConsentContract
import ConsentService
import RPC
import ServicePolicy
import Storage
import StorageTestKit
import TestSupport
import Testing
import Wire

/// An erasure reaches the other services in the end.
@Suite("Erasures across services", .timeLimit(.minutes(2))) struct ErasureTests {
  private static let erase = EraseSubjectRequest(subjectID: "s1", reason: "asked for")

  private func hold(_ isHeld: Bool, of subject: String = "s1", in world: World) async throws {
    _ = try await world.admin.records.setLegalHold(
      SetLegalHoldRequest(subjectID: subject, held: isHeld, reason: "a lawsuit"))
  }

  /// Whose erasure is an event, in order.
  private func erased(in world: World) async throws -> [String] {
    try await world.events().filter { $0.kind == .subjectErased }.map(\.subjectID)
  }

  /// How many jobs that erase whoever was merged are in a state.
  private func mergedJobs(_ state: JobState, of world: World) async throws -> Int {
    let counts = try await world.test.database.jobCounts()
    return counts.filter { $0.kind == "consent.erase-merged" && $0.state == state }.map(\.count).reduce(0, +)
  }

  private func runMergedJobs(of world: World) async throws {
    try await runJobs(of: world) {
      let (waiting, running) = (try await mergedJobs(.waiting, of: world), try await mergedJobs(.running, of: world))
      return waiting + running == 0
    }
  }

  /// Runs jobs until something is so, while hours pass.
  private func runJobs(
    of world: World, sourceLocation: SourceLocation = #_sourceLocation, until isDone: () async throws -> Bool
  ) async throws {
    var policy = JobPolicy()
    policy.firstDelay = .milliseconds(2)
    policy.interval = .milliseconds(10)
    let jobs = Task { [jobs = world.services.jobs(policy: policy)] in await jobs.run() }
    func isDoneLater() async throws -> Bool {
      world.clock.move(by: .seconds(700))
      return try await isDone()
    }
    try await eventually("the jobs have done it", await isDoneLater(), sourceLocation: sourceLocation)
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
    "an erasure outlasts an outage, a fault and a hold in the other service, however long",
    arguments: [
      Status(.unavailable, "nobody is there"), Status(.failedPrecondition, "legal_hold: an administrator holds s1"),
      Status(.dataLoss, "data_corrupt: a row was altered"), Status(.internal, "a fault"),
      Status(.permissionDenied, "not_admitted: a key lacks a right"),
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

  @Test("of somebody who has roles, neither account nor signatures are erased until the roles are removed")
  func staff() async throws {
    let world = try await World()
    try await world.open()
    try await world.walk(site: "north") { $0.kind == .review }
    world.accounts.employ("s1", true)
    await expectRefusal(.failedPrecondition, "has_roles") {
      try await world.client("amy", ["admin@heart"]).records.eraseSubject(Self.erase)
    }
    #expect(try await erased(in: world).isEmpty)
    _ = try await world.admin.records.eraseSubject(Self.erase)
    try await runJobs(of: world) { world.accounts.refusals > 10 }
    #expect(world.accounts.erased.isEmpty && world.fields.erased.isEmpty)
    world.accounts.employ("s1", false)
    try await runJobs(of: world) { world.accounts.erased == ["s1"] && world.fields.erased == ["s1"] }
    await world.end()
  }

  @Test("the end of a retention period leaves who has roles, such as staff that tried out a flow")
  func staffThatTries() async throws {
    let world = try await World()
    try await world.open()
    try await world.keepTenDays()
    for subject in ["s1", "s2"] { try await world.walk(subject: subject, site: "north") { $0.kind == .review } }
    world.accounts.employ("s1", true)
    func pass() async {
      for _ in 0..<2 {
        world.clock.move(by: .days(30))
        await world.runPeriodicTasks()
      }
    }
    await pass()
    #expect(try await erased(in: world) == ["s2"])
    world.accounts.employ("s1", false)
    await pass()
    #expect(try await erased(in: world) == ["s2", "s1"])
    await world.end()
  }

  @Test("as long as nobody can say who has roles, retention erases nobody, and its task fails for operators to see")
  func nobodyCanSay() async throws {
    let world = try await World()
    try await world.open()
    try await world.keepTenDays()
    try await world.walk(site: "north") { $0.kind == .review }
    world.accounts.leave(true)
    var failures: [String] = []
    for _ in 0..<2 {
      world.clock.move(by: .days(30))
      failures += await world.failuresOfPeriodicTasks()
    }
    #expect(try await erased(in: world).isEmpty)
    #expect(failures.count == 1 && failures.allSatisfy { $0.hasPrefix("consent.retention: ") }, "\(failures)")
    world.accounts.leave(false)
    world.clock.move(by: .days(1))
    await world.runPeriodicTasks()
    #expect(try await erased(in: world) == ["s1"])
    await world.end()
  }

  @Test("somebody's guardian in another study is erased or held only by who administers that study, too")
  func guardianElsewhere() async throws {
    let world = try await World()
    try await world.open()
    _ = try await world.admin.studies.createStudy(
      CreateStudyRequest(study: ConsentStudy(studyID: "lung", name: "Lung")))
    try await world.walk(site: "north") { $0.kind == .review }
    for guardian in ["s1", "aunt"] {
      _ = try await world.client("lou", ["coordinator@lung"]).studies.setGuardian(
        SetGuardianRequest(studyID: "lung", subjectID: "ward", guardianID: guardian, authority: .attorney))
    }
    let hold = SetLegalHoldRequest(subjectID: "s1", held: true, reason: "a lawsuit")
    for one in ["heart", "lung"] {
      let admin = world.client("ada", ["admin@\(one)"]).records
      await expectRefusal(.permissionDenied, "not_admitted") { try await admin.eraseSubject(Self.erase) }
      await expectRefusal(.permissionDenied, "not_admitted") { try await admin.setLegalHold(hold) }
    }
    #expect(try await erased(in: world).isEmpty)
    let both = world.client("bea", ["admin@heart", "admin@lung"]).records
    // Somebody who is only a guardian takes part in nothing here.
    await expectRefusal(.notFound, "unknown_subject") {
      try await both.eraseSubject(EraseSubjectRequest(subjectID: "aunt", reason: "asked for"))
    }
    _ = try await both.setLegalHold(hold)
    try await self.hold(false, in: world)
    _ = try await both.eraseSubject(Self.erase)
    #expect(try await erased(in: world) == ["s1"])
    await world.end()
  }

  @Test("a repeated EraseSubject begins anew what was given up")
  func repeated() async throws {
    let world = try await World()
    try await world.open()
    try await world.walk(site: "north") { $0.kind == .review }
    world.fields.failErasures(with: Status(.invalidArgument, "it knows no such subject"))
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

  @Test(
    "an erasure takes along, once, whose merge is told afterwards, in any order",
    arguments: TestEngine.allCases, [false, true])
  func mergedAfterwards(engine: TestEngine, isReversed: Bool) async throws {
    let world = try await World(engine)
    try await world.open()
    for subject in ["first", "middle", "s1", "other"] {
      try await world.walk(subject: subject, site: "north") { $0.kind == .review }
    }
    _ = try await world.admin.records.eraseSubject(Self.erase)
    try await runMergedJobs(of: world)
    #expect(try await erased(in: world) == ["s1"])
    // The process ends right after it was told: what is owed is done by the next one.
    let news = [("first", "middle"), ("middle", "s1")]
    for (ended, staying) in isReversed ? news.reversed() : news { try await world.merge(ended, into: staying) }
    try await runJobs(of: world) { Set(world.fields.erased) == ["first", "middle", "s1"] }
    for (ended, staying) in news { try await world.merge(ended, into: staying) }
    _ = try await world.admin.records.eraseSubject(Self.erase)
    try await runMergedJobs(of: world)
    #expect(try await erased(in: world).sorted() == ["first", "middle", "s1"])
    for subject in ["first", "middle", "s1"] {
      #expect(try await world.check(subject).reason == "erased")
    }
    #expect(try await world.check("other").reason != "erased")
    await world.end()
  }

  @Test("of those whose merge is told afterwards none is erased while one is held, and all once none is")
  func heldAfterwards() async throws {
    let world = try await World()
    try await world.open()
    for subject in ["first", "second", "s1"] {
      try await world.walk(subject: subject, site: "north") { $0.kind == .review }
    }
    try await hold(true, of: "first", in: world)
    _ = try await world.admin.records.eraseSubject(Self.erase)
    try await runMergedJobs(of: world)
    for subject in ["second", "first"] { try await world.merge(subject, into: "s1") }
    try await runJobs(of: world) {
      let counts = try await world.test.database.jobCounts()
      return counts.contains { $0.kind == "consent.erase-merged" && $0.state != .finished && $0.attempts > 12 }
    }
    #expect(try await erased(in: world) == ["s1"])
    try await hold(false, of: "second", in: world)
    try await runJobs(of: world) { Set(world.fields.erased) == ["first", "second", "s1"] }
    #expect(try await erased(in: world).sorted() == ["first", "s1", "second"])
    await world.end()
  }

  @Test("the end of a retention period takes nobody along whose merge is told afterwards")
  func endedAfterwards() async throws {
    let world = try await World()
    try await world.open()
    try await world.keepTenDays()
    try await world.walk(site: "north") { $0.kind == .review }
    let given = try await world.record(of: try await world.walk(subject: "first", site: "north"))
    for _ in 0..<2 {
      world.clock.move(by: .days(30))
      await world.runPeriodicTasks()
    }
    #expect(try await erased(in: world) == ["s1"])
    try await world.merge("first", into: "s1")
    try await runMergedJobs(of: world)
    #expect(try await erased(in: world) == ["s1"])
    #expect(try await world.check("first").recordID == given.recordID)
    await world.end()
  }

  @Test("what is erased under an identifier before its merge is told leaves the other one's")
  func erasedBefore() async throws {
    let world = try await World()
    try await world.open()
    let given = try await world.record(of: try await world.walk(subject: "staying", site: "north"))
    for subject in ["first", "s1"] {
      try await world.walk(subject: subject, site: "north") { $0.kind == .review }
    }
    _ = try await world.admin.records.eraseSubject(Self.erase)
    try await world.merge("s1", into: "staying")
    try await world.merge("first", into: "s1")
    try await runMergedJobs(of: world)
    #expect(try await erased(in: world) == ["s1", "first"])
    #expect(try await world.check("staying").recordID == given.recordID)
    await world.end()
  }

  @Test("a damaged reason of a hold keeps nobody from placing or lifting one, and from erasing once none is in force")
  func damagedReason() async throws {
    let world = try await World()
    try await world.open()
    for subject in ["first", "s1"] {
      try await world.walk(subject: subject, site: "north") { $0.kind == .review }
    }
    for isHeld in [true, false] { try await hold(isHeld, of: "first", in: world) }
    _ = try await world.admin.records.eraseSubject(Self.erase)
    try await runMergedJobs(of: world)
    try await hold(true, of: "first", in: world)
    try await world.test.location.alter(
      "UPDATE storage_vault_items SET sealed = x'00' WHERE subject = 'first' AND item LIKE 'hold:%'",
      schema: world.test.schema.name)
    for isHeld in [false, true, false] { try await hold(isHeld, of: "first", in: world) }
    try await world.merge("first", into: "s1")
    try await runMergedJobs(of: world)
    #expect(try await erased(in: world) == ["s1", "first"])
    await world.end()
  }
}
