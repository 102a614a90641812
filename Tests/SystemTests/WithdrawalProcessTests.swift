import Base
internal import Bus
import ConsentContract
import RPC
import StorageTestKit
import Synchronization
import TestSupport
import Testing

/// Replicas of ConsentService as processes: none says yes once a withdrawal is answered, and none says anything while
/// the database hangs.
@Suite(.serialized) struct WithdrawalProcessTests {
  @Test(
    "two processes, under load: no yes after a withdrawal was answered, while one is killed now and then",
    .timeLimit(.minutes(10)), arguments: TestEngine.allCases)
  func withdrawals(engine: TestEngine) async throws {
    let system = try await TestSystem.start()
    let fleet = try await ConsentFleet.start(engine, replicas: 2, on: system)
    let connection = try await system.connect()
    let study = PaperStudy(channel: connection.channel)
    try await study.open()
    let lanes = 4
    let rounds = 6
    let load = Load()
    // Each one while withdrawals are answered, before it and after it.
    let kills = Task {
      defer { load.allowEnd() }
      var found: [Int] = []
      for _ in 0..<2 {
        let next = (found.last ?? 0) + lanes
        try await eventually("\(next) rounds are done", load.rounds) { $0 >= next }
        found.append(load.rounds)
        try await fleet.replaceNext()
      }
      return found
    }
    defer { kills.cancel() }
    let stale = try await withThrowingTaskGroup(of: Int.self) { group in
      for lane in 0..<lanes {
        group.addTask {
          var stale = 0
          var round = 0
          while round < rounds || !load.mayEnd {
            let subject = "s-\(lane)-\(round)"
            _ = try await retrying { _ in try await study.consent(subject) }
            // Both replicas say yes.
            for _ in 0..<10 {
              let isPermitted = try await retrying { _ in try await study.isPermitted(subject) }
              #expect(isPermitted)
            }
            try await retrying { _ in
              do {
                _ = try await study.client(subject, .person).records.withdrawConsent(
                  WithdrawConsentRequest(subjectID: subject, studyID: PaperStudy.study), deadline: .seconds(30),
                  options: CallOptions(idempotencyKey: .given("withdraw-\(subject)")))
              } catch let status as Status where status.message.hasPrefix("not_withdrawable") {}
            }
            for _ in 0..<30 {
              let isPermitted = try await retrying { _ in try await study.isPermitted(subject) }
              if isPermitted { stale += 1 }
            }
            load.noteRound()
            round += 1
          }
          return stale
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(stale == 0)
    let found = try await kills.value
    #expect(found.count == 2 && found[0] < found[1] && found[1] < load.rounds)
    try await connection.close()
    try await fleet.stop()
  }

  /// How many rounds the load has done, and whether it may end.
  private final class Load: Sendable {
    private let done = Atomic(0)
    private let isOver = Atomic(false)

    var rounds: Int { done.load(ordering: .relaxed) }
    var mayEnd: Bool { isOver.load(ordering: .relaxed) }

    func noteRound() { done.add(1, ordering: .relaxed) }
    func allowEnd() { isOver.store(true, ordering: .relaxed) }
  }

  @Test("while the database hangs nobody says anything; then they do again", .timeLimit(.minutes(5)))
  func hungDatabase() async throws {
    let system = try await TestSystem.start()
    let fleet = try await ConsentFleet.start(.postgres, replicas: 2, on: system)
    let connection = try await system.connect()
    let study = PaperStudy(channel: connection.channel)
    try await study.open()
    try await study.consent("s1")
    #expect(try await study.isPermitted("s1"))
    try await fleet.freezeDatabase()
    for _ in 0..<4 {
      let refusal = await #expect(throws: Status.self) { try await study.isPermitted("s1", deadline: .seconds(1)) }
      #expect(refusal?.code == .unavailable || refusal?.code == .deadlineExceeded, "\(String(describing: refusal))")
    }
    try await fleet.thawDatabase()
    let isThereAgain = try await retrying { _ in try await study.isPermitted("s1") }
    #expect(isThereAgain)
    try await connection.close()
    try await fleet.stop()
  }
}
