import Base
import Bus
import ConsentContract
import ConsentService
import RPC
import Storage
import StorageTestKit
import TestSupport
import Testing
import Wire

@Suite("Two replicas on one database")
struct ReplicaTests {
  @Test("two replicas serve the same sessions without a lost or doubled action", arguments: TestEngine.allCases)
  func together(engine: TestEngine) async throws {
    let world = try await World(engine)
    try await world.open()
    let second = try await Replica(of: world)
    world.bus.serve(second.services.handlers)
    let finished = try await withThrowingTaskGroup(of: SessionView.self) { group in
      for index in 0..<12 { group.addTask { try await world.walk(subject: "s\(index)") } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    for view in finished {
      #expect(view.outcome == .completed && view.recordIDs.count == 1)
      let acted = try await world.events().count { $0.sessionID == view.sessionID && $0.kind == .sessionActed }
      #expect(Int64(acted) == view.version - 1, "every action once")
    }
    await second.end()
    await world.end()
  }

  @Test("of two actions on the same version of a session, one is done and the other is told of it")
  func contention() async throws {
    let world = try await World()
    try await world.open()
    let view = try #require(
      try await world.app.sessions.startSession(StartSessionRequest(flowID: "flow", subjectID: "s1", clientSchema: 2))
        .session)
    let outcomes = await withTaskGroup(of: StatusCode.self) { group in
      for _ in 0..<8 {
        group.addTask {
          do {
            _ = try await world.act(view, FlowAction(kind: .next))
            return .ok
          } catch {
            return (error as? Status)?.code ?? .unknown
          }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(outcomes.count { $0 == .ok } == 1)
    #expect(outcomes.count { $0 == .aborted } == 7, "\(outcomes)")
    await world.end()
  }

  private static let question = CheckConsentRequest(studyID: World.study, subjectID: "s1", purpose: "research")

  @Test("once a withdrawal is answered, no replica says yes", arguments: TestEngine.allCases)
  func withdrawal(engine: TestEngine) async throws {
    let world = try await World(engine)
    try await world.open()
    let replica = try await Replica(of: world)
    let record = try await world.record(of: try await world.walk())
    #expect(try await replica.app.records.checkConsent(Self.question).answer?.permitted == true)
    _ = try await world.app.records.withdrawConsent(WithdrawConsentRequest(recordID: record.recordID))
    let answer = try await replica.app.records.checkConsent(Self.question).answer
    #expect(answer?.permitted == false && answer?.reason == "withdrawn")
    await replica.end()
    await world.end()
  }

  @Test(
    "once an answer to a changed sharing choice is there, no replica states the old one", arguments: TestEngine.allCases
  )
  func sharing(engine: TestEngine) async throws {
    let world = try await World(engine)
    try await world.open()
    let replica = try await Replica(of: world)
    let record = try await world.record(of: try await world.walk())
    let before = try await replica.app.records.checkConsent(Self.question).answer?.sharing
    let other: SharingChoice = before == .investigatorOnly ? .wide : .investigatorOnly
    _ = try await world.app.records.updateSharing(UpdateSharingRequest(recordID: record.recordID, sharing: other))
    #expect(try await replica.app.records.checkConsent(Self.question).answer?.sharing == other)
    await replica.end()
    await world.end()
  }

  @Test(
    "under load no replica says yes after a withdrawal was answered, ever", .timeLimit(.minutes(5)),
    arguments: TestEngine.allCases)
  func withdrawalUnderLoad(engine: TestEngine) async throws {
    let world = try await World(engine)
    try await world.open()
    let replicas = [try await Replica(of: world), try await Replica(of: world)]
    let everybody = [world.app] + replicas.map(\.app)
    let subjects = (0..<12).map { "left-\($0)" }
    for subject in subjects { _ = try await world.walk(subject: subject) }
    let stale = try await withThrowingTaskGroup(of: Int.self) { group in
      // Others go through sessions meanwhile, so that there is news all the time.
      for index in 0..<2 {
        group.addTask {
          for number in 0..<4 { try await world.walk(subject: "busy-\(index)-\(number)") }
          return 0
        }
      }
      for (index, subject) in subjects.enumerated() {
        group.addTask {
          let question = CheckConsentRequest(studyID: World.study, subjectID: subject, purpose: "research")
          for app in everybody {
            let before = try await app.records.checkConsent(question).answer
            guard before?.permitted == true else { return 1000 }
          }
          _ = try await everybody[index % everybody.count].records.withdrawConsent(
            WithdrawConsentRequest(subjectID: subject, studyID: World.study))
          var stale = 0
          for _ in 0..<20 {
            for app in everybody {
              let after = try await app.records.checkConsent(question).answer
              if after?.permitted != false { stale += 1 }
            }
          }
          return stale
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(stale == 0)
    for replica in replicas { await replica.end() }
    await world.end()
  }

  @Test("a statement for use offline is signed, and states until when it is valid")
  func statement() async throws {
    let world = try await World()
    try await world.open()
    try await world.walk()
    let answer = try await world.app.records.issueStatement(
      IssueStatementRequest(
        studyID: World.study, subjectID: "s1", purpose: "research", lifetime: ProtobufDuration(.seconds(60))))
    let key = try #require(VerifyingKey(bytes: answer.publicKey))
    #expect(key.verifies(answer.signature, of: answer.statement))
    #expect(!key.verifies(answer.signature, of: answer.statement + [0]))
    let statement = try ConsentStatement(decoding: answer.statement)
    #expect(statement.answer?.permitted == true && statement.tenant == "t1")
    #expect(statement.expiresAt == Timestamp(Example.now + .seconds(60)))
    await world.end()
  }
}
