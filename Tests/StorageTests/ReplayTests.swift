import Base
import Storage
import StorageTestKit
import Synchronization
import Testing

/// The check replays the log. So it names what somebody altered, removed or added by hand also after the service has
/// changed the same rows, and it can run in steps while the service goes on.
@Suite struct ReplayTests {
  private static let tenant = Tenant.named("a")
  private static let row = "row (g-1) of table 'grants'"

  /// An alteration by hand, and a change by the service after it.
  private struct Case {
    let name: String
    let sql: String
    let finding: String
    let change: @Sendable (Transaction) throws -> Void
  }

  private static let altering = "UPDATE grants SET role = 'admin' WHERE tenant = 'a' AND id = 'g-1'"
  private static let removing = "DELETE FROM grants WHERE tenant = 'a' AND id = 'g-1'"
  private static let adding = "INSERT INTO grants (tenant, id, role) VALUES ('a', 'g-9', 'admin')"

  private static let cases = [
    Case(
      name: "altered, then changed", sql: altering, finding: "\(row) was not as event 1 had left it when event 4",
      change: { try GrantStore.grant("reader", "g-1", $0) }),
    Case(
      name: "altered, then removed", sql: altering, finding: "\(row) was not as event 1 had left it when event 4",
      change: { try GrantStore.revoke("g-1", $0) }),
    Case(
      name: "removed, then made again", sql: removing,
      finding: "\(row) was made anew by event 4, and event 1 had left one: that was removed",
      change: { try GrantStore.grant("other", "g-1", $0) }),
    Case(
      name: "removed, then the same again", sql: removing,
      finding: "\(row) was made anew by event 4, and event 1 had left one: that was removed",
      change: { try GrantStore.grant("writer", "g-1", $0) }),
    Case(
      name: "added, then changed", sql: adding,
      finding:
        "row (g-9) of table 'grants' was there before event 4 changed it, and no event tells of that: it was added",
      change: { try GrantStore.grant("reader", "g-9", $0) }),
    Case(
      name: "added, then removed", sql: adding,
      finding:
        "row (g-9) of table 'grants' was there before event 4 changed it, and no event tells of that: it was added",
      change: { try GrantStore.revoke("g-9", $0) }),
    Case(
      name: "altered to what the service writes next", sql: altering,
      finding: "\(row) is not what event 1 committed to", change: { try GrantStore.grant("admin", "g-1", $0) }),
    Case(
      name: "removed, and the service removes nothing", sql: removing,
      finding: "\(row) is gone, and event 1 committed to it", change: { try GrantStore.revoke("g-1", $0) }),
    Case(
      name: "a list's number given again",
      sql: "UPDATE storage_lists SET count = 1 WHERE tenant = 'a' AND list = 'versions'",
      finding: "row (versions) of table 'storage_lists' is not what event", change: { try GrantStore.revoke("g-8", $0) }
    ),
    Case(
      name: "a list removed, then begun anew",
      sql: "DELETE FROM storage_lists WHERE tenant = 'a' AND list = 'versions'",
      finding: "row (versions) of table 'storage_lists' was made anew by event",
      change: { try $0.add(toList: "versions") }),
  ]

  private func make(_ engine: TestEngine) async throws -> TestDatabase {
    let test = try await GrantStore.open(engine)
    let scope = test.database.scope(Self.tenant)
    for index in 1...2 { try await scope.write { try GrantStore.grant("writer", "g-\(index)", $0) } }
    try await scope.write { transaction in
      for number in 1...3 as ClosedRange<UInt8> { try transaction.add([number], toList: "versions") }
    }
    #expect(try await test.database.check().problems == [])
    return test
  }

  @Test(
    "what was altered by hand is named, whatever the service did with it since", arguments: TestEngine.allCases)
  func followed(engine: TestEngine) async throws {
    for one in Self.cases {
      let test = try await make(engine)
      try await test.location.alter(one.sql, schema: test.schema.name)
      try await test.database.scope(Self.tenant).write { try one.change($0) }
      let problems = try await test.database.check().problems
      #expect(problems.contains { $0.contains(one.finding) }, "\(one.name): \(problems)")
      await test.database.close()
    }
  }

  @Test("a list whose end was altered gives no number, and one whose entries are missing is refused")
  func lists() async throws {
    let test = try await make(.sqlite)
    let scope = test.database.scope(Self.tenant)
    let entries: [[UInt8]] = [[1], [2], [3]]
    try await scope.read { try $0.verify(entries, areList: "versions") }
    for others in [[], [[1], [2]], [[1], [3]], [[1], [3], [2]], entries + [[4]]] as [[[UInt8]]] {
      let error = await #expect(throws: DatabaseError.self) {
        try await scope.read { try $0.verify(others, areList: "versions") }
      }
      #expect(error?.code == .corrupt)
    }
    #expect(try await scope.read { try $0.end(ofList: "versions").count } == 3)
    #expect(try await scope.read { try $0.end(ofList: "others").count } == 0)
    try await test.location.alter("UPDATE storage_lists SET count = 1", schema: test.schema.name)
    let error = await #expect(throws: DatabaseError.self) { try await scope.write { try $0.add(toList: "versions") } }
    #expect(error?.code == .corrupt && error?.message.contains("is not one that this service wrote") == true)
    await test.database.close()
  }

  @Test(
    "a service finds by itself what was altered, lets all its processes know, and says when all is well again",
    arguments: TestEngine.allCases)
  func continuous(engine: TestEngine) async throws {
    let test = try await make(engine)
    let scope = test.database.scope(Self.tenant)
    let other = try await test.reopen()
    let told = Mutex<[String]>([])
    let check = ContinuousCheck(test.database, trusting: []) { tenant, problem in
      told.withLock { $0.append("\(tenant): \(problem)") }
    }
    try await check.restless.pass()
    #expect(test.database.findingsProblem == nil && told.withLock { $0.isEmpty })
    try await test.location.alter(Self.altering, schema: test.schema.name)
    for _ in 0..<2 { try await check.restless.pass() }
    #expect(told.withLock { $0 } == ["a: \(Self.row) is not what event 1 committed to"], "it is told once")
    #expect(test.database.findingsProblem == "the check of the data found a problem")
    let finding = try await scope.read { try $0.events(after: 0, stream: "storage.findings") }
    #expect(finding.count == 1 && finding[0].type == FindingEvent.type)
    try await other.refreshFindings()
    for database in [test.database, other] {
      let error = await #expect(throws: DatabaseError.self) {
        try await database.scope(Self.tenant).read { try $0.requireIntact("storage.rows") }
      }
      #expect(error?.code == .corrupt)
      try await database.scope(Self.tenant).read { try $0.requireIntact("p-1") }
    }
    try await test.location.alter(
      "UPDATE grants SET role = 'writer' WHERE tenant = 'a' AND id = 'g-1'", schema: test.schema.name)
    try await check.restless.pass()
    try await other.refreshFindings()
    for database in [test.database, other] {
      #expect(database.findingsProblem == nil)
      try await database.scope(Self.tenant).read { try $0.requireIntact("storage.rows") }
    }
    await other.close()
    await test.database.close()
  }

  @Test(
    "what was found about a log whose end was altered stays, although no event can tell of it",
    arguments: TestEngine.allCases)
  func alteredEnd(engine: TestEngine) async throws {
    let test = try await make(engine)
    try await test.location.alter("UPDATE storage_event_heads SET last = 2", schema: test.schema.name)
    try await ContinuousCheck(test.database, trusting: []) { _, _ in }.restless.pass()
    let found = test.database.findingsProblem
    #expect(found != nil)
    try await test.database.refreshFindings()
    #expect(test.database.findingsProblem == found)
    await test.database.close()
  }

  @Test("a pass beside a service that changes everything finds nothing", arguments: TestEngine.allCases)
  func beside(engine: TestEngine) async throws {
    let test = try await make(engine)
    let scope = test.database.scope(Self.tenant)
    try await scope.write { transaction in
      for row in 0..<600 { try GrantStore.grant("writer", "h-\(row)", transaction) }
    }
    let signer = GrantStore.signer(test)
    let isOver = Mutex(false)
    let writing = Task {
      defer { isOver.withLock { $0 = true } }
      for index in 0..<400 {
        let row = index * 7 % 650
        if index.isMultiple(of: 30) { try await signer.signAll() }
        try await scope.write { transaction in
          if index % 3 == 0 {
            try GrantStore.revoke("h-\(row)", transaction)
          } else {
            try GrantStore.grant("role \(index)", "h-\(row)", transaction)
          }
          try transaction.add(toList: "versions")
        }
      }
    }
    let check = ContinuousCheck(test.database, trusting: []) { Issue.record("\($0): \($1)") }
    while !isOver.withLock({ $0 }) { try await check.restless.pass() }
    try await writing.value
    #expect(test.database.findingsProblem == nil)
    #expect(try await test.database.check().problems == [])
    await test.database.close()
  }
}
