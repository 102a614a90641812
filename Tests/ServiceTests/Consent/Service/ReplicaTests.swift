import Base
import Bus
import ConsentContract
import ConsentService
import Storage
import StorageTestKit
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

  @Test("an answer changes on every replica after a withdrawal on one", arguments: TestEngine.allCases)
  func invalidation(engine: TestEngine) async throws {
    let world = try await World(engine)
    try await world.open()
    let replica = try await Replica(of: world)
    let record = try await world.record(of: try await world.walk())
    let question = CheckConsentRequest(studyID: World.study, subjectID: "s1", purpose: "research")
    #expect(try await replica.app.records.checkConsent(question).answer?.permitted == true)
    _ = try await world.app.records.withdrawConsent(WithdrawConsentRequest(recordID: record.recordID))
    let answer = try await world.eventually {
      try await replica.app.records.checkConsent(question).answer
    } where: {
      $0?.permitted == false
    }
    #expect(answer?.reason == "withdrawn")
    await replica.end()
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
    #expect(StatementKey.verify(answer.signature, of: answer.statement, publicKey: answer.publicKey))
    #expect(!StatementKey.verify(answer.signature, of: answer.statement + [0], publicKey: answer.publicKey))
    let statement = try ConsentStatement(decoding: answer.statement)
    #expect(statement.answer?.permitted == true && statement.tenant == "t1")
    #expect(statement.expiresAt == Timestamp(Example.now + .seconds(60)))
    await world.end()
  }
}
