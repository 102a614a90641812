import Base
import ConsentContract
import ConsentService
import RPC
import StorageTestKit
import TestSupport
import Testing
import Wire

/// A birth date is one for all studies of a tenant, and is told to nobody who has only one of them.
@Suite("Who learns a birth date", .timeLimit(.minutes(2))) struct BirthDateGuardTests {
  private static let born = CalendarDate(year: 1986, month: 7, day: 13)
  private static let other = CalendarDate(year: 1986, month: 7, day: 14)

  /// A world in which s1 takes part in the heart study, and lung is another study.
  private func world(_ engine: TestEngine = .sqlite) async throws -> (World, heart: SessionView) {
    let world = try await World(engine)
    try await world.open()
    _ = try await world.admin.studies.createStudy(
      CreateStudyRequest(study: ConsentStudy(studyID: "lung", name: "Lung")))
    let publisher = world.client("lou", ["publisher@lung"])
    let draft = try await publisher.flows.createFlow(
      CreateFlowRequest(studyID: "lung", flowID: "forms", definition: Example.forms(Example.form("a"))))
    _ = try await publisher.flows.publishFlowDraft(
      PublishFlowDraftRequest(flowID: "forms", expectedRevision: draft.version?.revision ?? 0))
    return (world, try await start(world.client("pad-heart", kind: .device), "flow", Self.born))
  }

  private func start(_ clients: ConsentClients, _ flow: String, _ date: CalendarDate?) async throws -> SessionView {
    let answer = try await clients.sessions.startSession(
      StartSessionRequest(flowID: flow, subjectID: "s1", clientSchema: 2, birthDate: date))
    return try #require(answer.session)
  }

  private func export(_ clients: ConsentClients) async throws -> String {
    let answer = try await clients.records.exportSubject(ExportSubjectRequest(subjectID: "s1"))
    return String(decoding: answer.content, as: UTF8.self)
  }

  @Test("an export has the birth dates that were stated in the sessions that it has", arguments: TestEngine.allCases)
  func exports(engine: TestEngine) async throws {
    let (world, heart) = try await world(engine)
    let device = world.client("pad-lung", kind: .device)
    let lung = try await start(device, "forms", nil)
    let staff = world.client("carl", ["coordinator@heart"])
    _ = try await staff.sessions.correctBirthDate(
      CorrectBirthDateRequest(studyID: World.study, subjectID: "s1", birthDate: Self.other, reason: "a misread form"))
    let strangers = try await export(device)
    #expect(strangers.contains(lung.sessionID))
    for told in ["1986", heart.sessionID, "misread"] { #expect(!strangers.contains(told), "\(told)") }
    let own = try await export(world.client("s1"))
    for told in ["1986-07-13", "1986-07-14", heart.sessionID, lung.sessionID, "misread"] {
      #expect(own.contains(told), "\(told)")
    }
    let holders = try await export(world.client("pad-heart", kind: .device))
    #expect(holders.contains("1986-07-13") && !holders.contains("misread"))
    await world.end()
  }

  @Test("nobody finds a birth date by trying: each wrong one is on record, and after some none is compared")
  func guessing() async throws {
    let (world, _) = try await world()
    let device = world.client("pad-lung", kind: .device)
    for _ in 0..<5 {
      await expectRefusal(.failedPrecondition, "birth_date_stated") { try await start(device, "forms", Self.other) }
    }
    for date in [Self.other, Self.born] {
      await expectRefusal(.failedPrecondition, "birth_date_guessed") { try await start(device, "forms", date) }
    }
    let denied = try await world.events().filter { $0.kind == .accessDenied && $0.actor == "pad-lung" }
    #expect(!denied.isEmpty && denied.allSatisfy { $0.subjectID == "s1" && $0.studyID == "lung" })
    // A session needs no date, and staff's correction or a day makes room again.
    _ = try await start(device, "forms", nil)
    world.clock.move(by: .seconds(86_401))
    _ = try await start(device, "forms", Self.born)
    await world.end()
  }

  @Test("a correction changes records of all studies, and tells the caller of those that are theirs")
  func correction() async throws {
    let (world, heart) = try await world()
    _ = try await start(world.client("pad-lung", kind: .device), "forms", nil)
    let answer = try await world.client("carla", ["coordinator@lung"]).sessions.correctBirthDate(
      CorrectBirthDateRequest(studyID: "lung", subjectID: "s1", birthDate: Self.other, reason: "a misread form"))
    #expect(answer.endedSessionIDs.count == 1 && !answer.endedSessionIDs.contains(heart.sessionID))
    let ended = try await world.events().filter { $0.kind == .sessionEnded }
    #expect(ended.contains { $0.sessionID == heart.sessionID })
    await world.end()
  }
}
