import Base
import ConsentContract
import RPC
import Storage
import StorageTestKit
import TestSupport
import Testing
import Wire

@Suite("The list of decisions") struct DecisionListTests {
  @Test("has the clock's times, marked where the clock went backwards; a date on paper is no clock")
  func marked() async throws {
    let place = try await DecisionWorld()
    let world = place.world
    _ = try await place.decideForm("s1", allowed: true)
    _ = try await place.paper("s1", signed: Example.now + .seconds(-600))
    world.clock.move(by: .seconds(-60))
    _ = try await place.decideForm("s1", allowed: false)
    world.clock.move(by: .seconds(120))
    try await place.withdraw("s1", ["research"])
    let inspector = world.client("ida", ["inspector@heart"]).records
    var decisions: [ConsentDecision] = []
    var token = ""
    repeat {
      let page = try await inspector.listDecisions(
        ListDecisionsRequest(subjectID: "s1", studyID: World.study, pageSize: 2, pageToken: token))
      #expect(page.decisions.count <= 2)
      decisions += page.decisions
      token = page.nextPageToken
    } while !token.isEmpty
    #expect(decisions.map(\.purpose) == ["contact", "research", "contact", "contact", "research"])
    #expect(decisions.map(\.yes) == [true, true, true, false, false])
    #expect(decisions.map(\.clockBehind) == [false, false, false, true, false])
    #expect(decisions[3].decidedAt == Timestamp(Example.now + .seconds(-60)))
    #expect(decisions.allSatisfy { $0.subjectID == "s1" } && decisions.map(\.number) == [1, 2, 3, 4, 5])
    #expect(try await world.events().contains { $0.actor == "ida" && $0.purpose == "list of decisions" })
    await world.end()
  }

  @Test("has what is on paper where its date belongs, also between a no and a yes that follow each other at once")
  func paper() async throws {
    let place = try await DecisionWorld()
    let world = place.world
    _ = try await place.decide("s1", Example.documentID, agreed: true)
    world.clock.move(by: .seconds(60))
    try await place.withdraw("s1")
    world.clock.move(by: .seconds(60))
    let signed = world.clock.clock.now
    world.clock.move(by: .seconds(60))
    let form = try await place.decideForm("s1", allowed: true)
    let paper = try await place.paper("s1", signed: signed)
    #expect(paper.state == .inForce, "\(paper.history.map(\.attention))")
    try await place.expect("research", of: "s1", permittedBy: paper.recordID, "on paper")
    try await place.expect("contact", of: "s1", permittedBy: form.recordID, "by the form")
    await world.end()
  }

  @Test("is one for all identifiers of a person, and shows nobody what they may not read")
  func merged() async throws {
    let place = try await DecisionWorld()
    let world = place.world
    _ = try await place.decideForm("s1", allowed: true)
    _ = try await place.decideForm("s2", allowed: false)
    try await world.merge("s2", into: "s1")
    let own = try await world.client("s1").records.listDecisions(ListDecisionsRequest(subjectID: "s1")).decisions
    #expect(own.map(\.subjectID) == ["s1", "s2"] && own.map(\.yes) == [true, false])
    await expectRefusal(.permissionDenied, "not_admitted") {
      try await world.client("s3").records.listDecisions(ListDecisionsRequest(subjectID: "s1"))
    }
    let elsewhere = world.client("eva", ["coordinator@lung"]).records
    await expectRefusal(.permissionDenied, "not_admitted") {
      try await elsewhere.listDecisions(ListDecisionsRequest(subjectID: "s1"))
    }
    await world.end()
  }

  @Test("is not given out once somebody has altered it", arguments: ["body = x''", nil])
  func altered(change: String?) async throws {
    let place = try await DecisionWorld()
    let world = place.world
    _ = try await place.decideForm("s1", allowed: true)
    _ = try await place.decideForm("s1", allowed: false)
    let row = "subject_id = 's1' AND number = 1"
    let sql = change.map { "UPDATE decisions SET \($0) WHERE \(row)" } ?? "DELETE FROM decisions WHERE \(row)"
    try await world.test.location.alter(
      TestEngine.sqlite.unguarding("decisions") + sql, schema: world.test.schema.name)
    do {
      _ = try await world.coordinator.records.listDecisions(ListDecisionsRequest(subjectID: "s1"))
      Issue.record("it was given out")
    } catch {
      #expect(error.code == .dataLoss, "\(error)")
    }
    await world.end()
  }
}
