import Base
import ConsentContract
import ConsentDomain
import ConsentService
import RPC
import Storage
import StorageTestKit
import TestSupport
import Testing
import Wire

/// Events that come before a consent ends, and when a session stays unfinished.
@Suite("Reminders") struct ReminderTests {
  /// What was reminded of so far: subject, days and reason.
  private func reminders(_ world: World) async throws -> [String] {
    try await world.events().filter { $0.kind == .consentEnding }.map { "\($0.subjectID) \($0.days) \($0.due.word)" }
  }

  /// Lets a day pass, in which housekeeping runs twice, in two processes.
  private func passDay(_ world: World, _ second: Replica, _ count: Int = 1) async {
    for _ in 0..<count {
      world.clock.move(by: .days(1))
      await world.runPeriodicTasks()
      await world.runPeriodicTasks(of: second.services)
    }
  }

  @Test("a consent's end is told 30, 7 and 1 days ahead, once each, also over restarts", arguments: TestEngine.allCases)
  func validity(engine: TestEngine) async throws {
    let world = try await World(engine)
    var content = Example.content()
    content.settings?.validity = ValidityPeriod(lastsDays: 60)
    try await world.open(content: content)
    try await world.walk()
    try await world.walk(subject: "tester", test: true)
    var second = try await Replica(of: world)
    await passDay(world, second, 29)
    #expect(try await reminders(world) == [])
    await passDay(world, second, 1)
    #expect(try await reminders(world) == ["s1 30 expiry"])
    await second.end()
    second = try await Replica(of: world)
    await passDay(world, second, 23)
    #expect(try await reminders(world) == ["s1 30 expiry", "s1 7 expiry"])
    await passDay(world, second, 20)
    #expect(try await reminders(world) == ["s1 30 expiry", "s1 7 expiry", "s1 1 expiry"])
    await second.end()
    await world.end()
  }

  @Test("after an outage only the last reminder is sent, and none after the end")
  func outage() async throws {
    let world = try await World()
    var content = Example.content()
    content.settings?.validity = ValidityPeriod(lastsDays: 60)
    try await world.open(content: content)
    try await world.walk()
    world.clock.move(by: .days(55))
    await world.runPeriodicTasks()
    #expect(try await reminders(world) == ["s1 7 expiry"])
    world.clock.move(by: .days(10))
    await world.runPeriodicTasks()
    #expect(try await reminders(world) == ["s1 7 expiry"])
    await world.end()
  }

  @Test("a consent that ends later than its reminders were set for is reminded of before its new end")
  func later() async throws {
    let world = try await World()
    var content = Example.content()
    content.settings?.validity = ValidityPeriod(lastsDays: 365)
    try await world.open(content: content)
    try await world.walk()
    content.settings?.reconsent = .byDate
    content.settings?.reconsentBy = Timestamp(Example.now + .days(140))
    let expected = [(335, "s1 30 expiry"), (358, "s1 7 expiry"), (364, "s1 1 expiry")]
    var today = 0
    for day in [100, 105, 110, 133, 139, 140, 334, 335, 357, 358, 363, 364] {
      world.clock.move(by: .days(day - today))
      today = day
      if day == 100 { try await world.publish(content) }
      if day == 105 {
        _ = try await world.publisher.documents.stopDocumentVersion(
          StopDocumentVersionRequest(documentID: Example.documentID, version: 2, reason: "wrong dose"))
      }
      await world.runPeriodicTasks()
      #expect(try await reminders(world) == expected.filter { $0.0 <= day }.map(\.1), "day \(day)")
    }
    await world.end()
  }

  @Test("a version that ends earlier consents by a date reminds those who have not answered")
  func reconsent() async throws {
    let world = try await World()
    try await world.open()
    for subject in ["s1", "s2", "s3"] { try await world.walk(subject: subject) }
    var content = Example.content()
    content.settings?.reconsent = .byDate
    content.settings?.reconsentBy = Timestamp(Example.now + .days(10))
    try await world.publish(content)
    let second = try await Replica(of: world)
    await world.runPeriodicTasks()
    try await world.walk(subject: "s2")
    let history = try await world.app.records.getSubjectHistory(GetSubjectHistoryRequest(subjectID: "s3")).records
    _ = try await world.app.records.withdrawConsent(
      WithdrawConsentRequest(recordID: try #require(history.last).recordID))
    await passDay(world, second, 3)
    #expect(try await reminders(world) == ["s1 7 new_version"], "the one of 30 days was over before")
    await passDay(world, second, 10)
    #expect(try await reminders(world) == ["s1 7 new_version", "s1 1 new_version"])
    await second.end()
    await world.end()
  }

  @Test("an erased subject is not reminded of")
  func erased() async throws {
    let world = try await World()
    var content = Example.content()
    content.settings?.validity = ValidityPeriod(lastsDays: 60)
    try await world.open(content: content)
    try await world.walk()
    let version = GetVersionCountsRequest(documentID: Example.documentID, version: 1)
    #expect(try await world.coordinator.records.getVersionCounts(version).counts?.inForce == 1)
    _ = try await world.admin.records.eraseSubject(EraseSubjectRequest(subjectID: "s1", reason: "asked for"))
    #expect(try await world.coordinator.records.getVersionCounts(version).counts?.inForce == 0)
    world.clock.move(by: .days(31))
    await world.runPeriodicTasks()
    #expect(try await reminders(world) == [])
    await world.end()
  }

  @Test("a session that stays unfinished for as many days as its study says is told once, and one that ended is not")
  func unfinished() async throws {
    let world = try await World()
    try await world.open()
    _ = try await world.admin.studies.updateStudy(
      UpdateStudyRequest(study: ConsentStudy(studyID: World.study, name: "Heart", unfinishedAfterDays: 2)))
    let resting = try await world.walk(subject: "s1") { $0.kind == .sharing }
    try await world.walk(subject: "s2")
    let second = try await Replica(of: world)
    await passDay(world, second)
    #expect(try await world.events().allSatisfy { $0.kind != .sessionUnfinished })
    await passDay(world, second, 3)
    let told = try await world.events().filter { $0.kind == .sessionUnfinished }
    #expect(told.map(\.sessionID) == [resting.sessionID] && told.map(\.days) == [2] && told.first?.actor == "system")
    await expectRefusal(.invalidArgument, "out_of_bounds") {
      try await world.admin.studies.updateStudy(
        UpdateStudyRequest(study: ConsentStudy(studyID: World.study, name: "Heart", unfinishedAfterDays: 366)))
    }
    await second.end()
    await world.end()
  }
}
