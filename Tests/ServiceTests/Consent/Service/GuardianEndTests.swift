import Base
import ConsentContract
import ConsentService
import RPC
import StorageTestKit
import TestSupport
import Testing
import Wire

/// A parent's authority ends when the ward comes of age.
@Suite("How long somebody is a guardian", .timeLimit(.minutes(2))) struct GuardianEndTests {
  /// The ward is 18 on the day after the world's first.
  private static let born = CalendarDate(year: 2008, month: 3, day: 2)

  private func put(_ guardian: String, _ authority: GuardianAuthority, _ age: Int32 = 0, in world: World) async throws {
    _ = try await world.coordinator.studies.setGuardian(
      SetGuardianRequest(
        studyID: World.study, siteID: "north", subjectID: "s1", guardianID: guardian, authority: authority,
        majorityAge: age))
  }

  private func mayRead(_ guardian: String, in world: World) async -> Bool {
    let client = world.client(guardian)
    let ward = ListGuardiansRequest(studyID: World.study, subjectID: "s1")
    let ofWard = (try? await client.studies.listGuardians(ward)) != nil
    // A thing of the study is open to guardians of those who take part.
    let ofStudy = (try? await client.flows.getFlow(GetFlowRequest(flowID: "flow"))) != nil
    #expect(ofWard == ofStudy, "\(guardian)")
    return ofWard
  }

  private func readers(_ world: World) async -> [String] {
    var readers: [String] = []
    for guardian in ["parent", "early", "court", "friend"] where await mayRead(guardian, in: world) {
      readers.append(guardian)
    }
    return readers
  }

  @Test("one of as many guardians as are kept is changed, and another one is refused")
  func many() async throws {
    let world = try await World()
    try await world.open()
    for number in 0..<16 { try await put("g-\(number)", .parent, in: world) }
    try await put("g-3", .appointed, in: world)
    await expectRefusal(.failedPrecondition, "too_many") { try await put("g-16", .parent, in: world) }
    await world.end()
  }

  @Test("a parent may nothing any more once the ward is of age; others stay", arguments: TestEngine.allCases)
  func ends(engine: TestEngine) async throws {
    let world = try await World(engine)
    try await world.open()
    try await put("parent", .parent, in: world)
    try await put("early", .parent, 16, in: world)
    try await put("court", .appointed, in: world)
    try await put("friend", .attorney, in: world)
    #expect(await readers(world) == ["parent", "early", "court", "friend"], "no birth date is on record")
    _ = try await world.app.sessions.startSession(
      StartSessionRequest(flowID: "flow", siteID: "north", subjectID: "s1", clientSchema: 2, birthDate: Self.born))
    #expect(await readers(world) == ["parent", "court", "friend"])
    world.clock.move(by: .seconds(86_400))
    #expect(await readers(world) == ["court", "friend"])
    await expectRefusal(.permissionDenied, "not_admitted") {
      try await world.client("parent").records.exportSubject(ExportSubjectRequest(subjectID: "s1"))
    }
    // Another age is another statement.
    try await put("parent", .parent, 21, in: world)
    #expect(await readers(world) == ["parent", "court", "friend"])
    await world.end()
  }

  @Test("of several identifiers the birth date counts that was stated first, under whichever")
  func otherIdentifier() async throws {
    let world = try await World()
    try await world.open()
    try await put("parent", .parent, in: world)
    try await put("court", .appointed, in: world)
    func state(_ subject: String, _ born: CalendarDate) async throws {
      _ = try await world.app.sessions.startSession(
        StartSessionRequest(flowID: "flow", siteID: "north", subjectID: subject, clientSchema: 2, birthDate: born))
      world.clock.move(by: .seconds(60))
    }
    try await state("old", CalendarDate(year: 1986, month: 7, day: 13))
    try await state("s1", Self.born)
    #expect(await readers(world) == ["parent", "court"])
    try await world.merge("old", into: "s1")
    #expect(await readers(world) == ["court"])
    _ = try await world.admin.records.eraseSubject(EraseSubjectRequest(subjectID: "old", reason: "asked for"))
    #expect(await readers(world) == ["parent", "court"], "what is erased says nothing")
    await world.end()
  }

  @Test("an age is one that somebody can come of, and is for parents")
  func bounds() async throws {
    let world = try await World()
    try await world.open()
    for (authority, age) in [(.parent, -1), (.parent, 31), (.appointed, 18)] as [(GuardianAuthority, Int32)] {
      await expectRefusal(.invalidArgument, "bad_age") { try await put("g1", authority, age, in: world) }
    }
    await world.end()
  }
}
