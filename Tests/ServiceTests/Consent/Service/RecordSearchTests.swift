import Base
import ConsentContract
import ConsentService
import RPC
import StorageTestKit
import TestSupport
import Testing
import Wire

@Suite("Searching records")
struct RecordSearchTests {
  /// Nine subjects: three declined, three withdrew, three consent; at two sites; and one test participant.
  private func open(_ engine: TestEngine) async throws -> World {
    let world = try await World(engine)
    try await world.open()
    for index in 0..<9 {
      let site = index.isMultiple(of: 2) ? "north" : "south"
      world.clock.move(by: .seconds(1))
      guard index % 3 != 0 else {
        let view = try await world.walk(subject: "s\(index)", site: site) { $0.kind == .review }
        _ = try await world.act(view, FlowAction(kind: .disagree))
        continue
      }
      let record = try await world.record(of: try await world.walk(subject: "s\(index)", site: site))
      if index % 3 == 1 {
        _ = try await world.app.records.withdrawConsent(WithdrawConsentRequest(recordID: record.recordID))
      }
    }
    try await world.walk(subject: "tester", test: true)
    return world
  }

  /// All pages of a search, one record at a time.
  private func subjects(_ world: World, _ change: (inout ListRecordsRequest) -> Void) async throws -> [String] {
    var request = ListRecordsRequest(studyID: World.study, pageSize: 1)
    change(&request)
    var found: [String] = []
    repeat {
      let page = try await world.coordinator.records.listRecords(request)
      #expect(page.records.count <= 1)
      found += page.records.map(\.subjectID)
      request.pageToken = page.nextPageToken
    } while !request.pageToken.isEmpty
    return found
  }

  @Test(
    "records are found by subject, document, version, decision, site and date, alone and together",
    arguments: TestEngine.allCases)
  func questions(engine: TestEngine) async throws {
    let world = try await open(engine)
    #expect(try await subjects(world) { _ in } == (0..<9).map { "s\($0)" })
    #expect(try await subjects(world) { $0.subjectID = "s4" } == ["s4"])
    #expect(try await subjects(world) { $0.state = .declined } == ["s0", "s3", "s6"])
    #expect(try await subjects(world) { $0.state = .withdrawn } == ["s1", "s4", "s7"])
    #expect(try await subjects(world) { $0.siteID = "south" } == ["s1", "s3", "s5", "s7"])
    #expect(
      try await subjects(world) {
        $0.siteID = "south"
        $0.state = .declined
      } == ["s3"])
    #expect(try await subjects(world) { $0.documentID = Example.documentID }.count == 9)
    #expect(
      try await subjects(world) {
        $0.documentID = Example.documentID
        $0.documentVersion = 1
        $0.state = .inForce
      } == ["s2", "s5", "s8"])
    #expect(
      try await subjects(world) {
        $0.documentID = Example.documentID
        $0.documentVersion = 2
      } == [])
    let fourth = Example.now + .seconds(4)
    #expect(
      try await subjects(world) {
        $0.decidedFrom = Timestamp(fourth)
        $0.decidedUntil = Timestamp(fourth + .seconds(2))
      } == ["s3", "s4"])
    #expect(try await subjects(world) { $0.test = true } == ["tester"])
    await world.end()
  }

  @Test("a cursor of another search is refused")
  func foreignCursor() async throws {
    let world = try await open(.sqlite)
    let page = try await world.coordinator.records.listRecords(
      ListRecordsRequest(studyID: World.study, pageSize: 1))
    await expectRefusal(.invalidArgument, "bad_page_token") {
      try await world.coordinator.records.listRecords(
        ListRecordsRequest(studyID: World.study, subjectID: "s1", pageToken: page.nextPageToken))
    }
    await world.end()
  }

  @Test("counts are updated with every change and agree with the records", arguments: TestEngine.allCases)
  func counts(engine: TestEngine) async throws {
    let world = try await open(engine)
    try await world.walk(subject: "s2")
    let counts = try await world.coordinator.records.getVersionCounts(
      GetVersionCountsRequest(documentID: Example.documentID, version: 1)
    ).counts
    let sites = ["", "north", "south"].map { SiteCount(siteID: $0, count: 1) }
    #expect(
      counts == VersionCounts(started: 10, completed: 7, declined: 3, withdrawn: 3, inForce: 3, inForceAt: sites))
    let tests = try await world.coordinator.records.getVersionCounts(
      GetVersionCountsRequest(documentID: Example.documentID, version: 1, test: true)
    ).counts
    #expect(tests == VersionCounts(started: 1, completed: 1, inForce: 1, inForceAt: [SiteCount(count: 1)]))
    await world.end()
  }
}
