import Base
import ConsentContract
import ConsentService
import Storage
import StorageTestKit
import TestSupport
import Testing
import Wire

/// When what is kept of a person under several identifiers ends, and the accounts with it.
@Suite("Retention where accounts were merged", .timeLimit(.minutes(2))) struct MergedRetentionTests {
  /// Runs due tasks a month later.
  private func month(_ world: World) async {
    world.clock.move(by: .days(30))
    await world.runPeriodicTasks()
  }

  private func erased(in world: World) async throws -> [String] {
    try await world.events().filter { $0.kind == .subjectErased }.map(\.subjectID)
  }

  /// Runs jobs until AccountService was told to erase these accounts, and no others.
  private func expectErasedAccounts(_ accounts: Set<String>, in world: World) async throws {
    let jobs = Task { [jobs = world.services.jobs()] in await jobs.run() }
    try await eventually("all are told", await world.test.database.jobCounts()) { counts in
      !counts.contains { $0.kind.contains("erase") && [JobState.waiting, .running].contains($0.state) }
    }
    jobs.cancel()
    await jobs.value
    #expect(world.accounts.erased == accounts)
  }

  @Test("the account that stays is erased once nothing is kept of any that was merged into it, and goes on until then")
  func accountErasedLast() async throws {
    let world = try await World()
    try await world.open()
    try await world.keepTenDays()
    let given = try await world.record(of: try await world.walk(subject: "old", site: "north"))
    _ = try await world.walk(subject: "new", site: "north") { $0.kind == .review }
    try await world.merge("old", into: "new")
    await month(world)
    await month(world)
    #expect(try await erased(in: world).isEmpty, "the consent under the other one is in force")
    // Whose consent that is signs in as the other one, and may begin anew.
    _ = try await world.walk(subject: "new", site: "north") { $0.kind == .review }
    _ = try await world.client("new").records.withdrawConsent(WithdrawConsentRequest(recordID: given.recordID))
    await month(world)
    #expect(try await erased(in: world) == ["old"])
    try await expectErasedAccounts(["old"], in: world)
    await month(world)
    #expect(try await erased(in: world) == ["old", "new"])
    try await expectErasedAccounts(["old", "new"], in: world)
    await world.end()
  }

  @Test(
    "what ends under one identifier because of a consent under another ends what is kept under both",
    arguments: [true, false])
  func supersededElsewhere(isMergedBefore: Bool) async throws {
    let world = try await World()
    try await world.open()
    try await world.keepTenDays()
    _ = try await world.walk(subject: "old", site: "north")
    if isMergedBefore { try await world.merge("old", into: "new") }
    world.clock.move(by: .seconds(60))
    let newer = try await world.record(of: try await world.walk(subject: "new", site: "north"))
    if !isMergedBefore { try await world.merge("old", into: "new") }
    await month(world)
    #expect(try await erased(in: world) == ["old"], "the other consent is in force")
    _ = try await world.client("new").records.withdrawConsent(WithdrawConsentRequest(recordID: newer.recordID))
    await month(world)
    #expect(try await erased(in: world) == ["old", "new"])
    await world.end()
  }

  @Test("a guardian is kept under all identifiers until nobody's guardian any more", arguments: ["old", "new"])
  func guardian(name: String) async throws {
    let world = try await World()
    try await world.open()
    try await world.keepTenDays()
    let given = try await world.record(of: try await world.walk(subject: "old", site: "north"))
    _ = try await world.client("old").records.withdrawConsent(WithdrawConsentRequest(recordID: given.recordID))
    func set(_ authority: GuardianAuthority, removed: Bool = false) async throws {
      _ = try await world.coordinator.studies.setGuardian(
        SetGuardianRequest(
          studyID: World.study, siteID: "north", subjectID: "ward", guardianID: name, authority: authority,
          removed: removed))
    }
    try await set(.appointed)
    try await world.merge("old", into: "new")
    await month(world)
    #expect(try await erased(in: world).isEmpty)
    try await set(.unspecified, removed: true)
    await month(world)
    #expect(try await erased(in: world) == ["old"])
    await world.end()
  }

  @Test("of two erasures at the same time, for which one account waits, one has it erased")
  func erasedTogether() async throws {
    let world = try await World(.postgres)
    try await world.open()
    try await world.walk(subject: "middle", site: "north") { $0.kind == .review }
    try await world.walk(subject: "first", site: "north")
    try await world.merge("first", into: "middle")
    try await world.merge("middle", into: "new")
    // The session ends, and the period of what is under that identifier passes as soon as there is one.
    for _ in 0..<2 { await month(world) }
    try await world.keepTenDays()
    try await world.test.together([
      { await month(world) },
      {
        _ = try await world.admin.records.eraseSubject(EraseSubjectRequest(subjectID: "first", reason: "asked for"))
      },
    ])
    #expect(try await erased(in: world).sorted() == ["first", "middle"])
    try await expectErasedAccounts(["first", "middle"], in: world)
    await world.end()
  }
}
