import Base
import ConsentContract
import Storage
import StorageTestKit
import TestSupport
import Testing
import Wire

@Suite("The times of decisions") struct DecisionClockTests {
  @Test("are the clock's, and marked where that went backwards; a date on paper is no clock")
  func marked() async throws {
    let place = try await DecisionWorld()
    let world = place.world
    _ = try await place.decideForm("s1", allowed: true)
    _ = try await place.paper("s1", signed: Example.now + .seconds(-600))
    world.clock.move(by: .seconds(-60))
    _ = try await place.decideForm("s1", allowed: false)
    world.clock.move(by: .seconds(120))
    try await place.withdraw("s1", ["research"])
    let list = Statement(
      "test.decisions",
      "SELECT number, body FROM decisions WHERE tenant = {tenant} AND subject_id = 's1' ORDER BY number")
    let schema = Schema(
      name: world.test.schema.name, migrations: world.test.schema.migrations,
      statements: world.test.schema.statements + [list])
    let reading = try await world.test.reopen(schema: schema, clock: world.clock.clock)
    let decisions = try await reading.scope(.named("t1")).read { snapshot in
      try snapshot.all(list).map { try ConsentDecision(decoding: try $0.get("body")) }
    }
    await reading.close()
    #expect(decisions.map(\.purpose) == ["contact", "research", "contact", "contact", "research"])
    #expect(decisions.map(\.clockBehind) == [false, false, false, true, false])
    #expect(decisions[3].decidedAt == Timestamp(Example.now + .seconds(-60)))
    await world.end()
  }
}
