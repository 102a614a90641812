import Base
import ServiceKit
import ServiceStorage
import Storage
import StorageTestKit
import TestSupport
import Testing

@Suite("Jobs that fail, as operators hear of them", .timeLimit(.minutes(1))) struct JobReportTests {
  struct Failure: Error {}
  struct Outage: Error {}

  @Test("a job that is given up, or fails for long, is counted and logged; one that waits for others is only counted")
  func outcomes() async throws {
    let test = try await TestEngine.sqlite.makeDatabase(
      migrations: NoteStore.migrations, statements: NoteStore.statements)
    var policy = JobPolicy()
    policy.firstDelay = .milliseconds(2)
    policy.longestDelay = .milliseconds(10)
    policy.interval = .milliseconds(10)
    let runner = JobRunner(
      test.database, policy: policy,
      handlers: [
        JobHandler("odd", judging: { _ in .pointless }) { _ in throw Failure() },
        JobHandler("broken") { _ in throw Failure() },
        // After an outage that was longer.
        JobHandler("shaken", judging: { $0 is Outage ? .passing(within: .milliseconds(10)) : .fault }) { job in
          if job.attempt <= 12 { throw Outage() }
          if job.attempt <= 15 { throw Failure() }
        },
        JobHandler("away", judging: { _ in .passing(within: .milliseconds(10)) }) { _ in throw Failure() },
      ])
    let (metrics, capture) = (Metrics(), LogCapture())
    let reports = JobReports(metrics, capture.log(), kinds: runner.kinds, clock: .system)
    func count(_ kind: String, _ outcome: String) -> Int {
      let name = "assent_jobs_failed_total{kind=\"\(kind)\",outcome=\"\(outcome)\"} "
      let line = metrics.exposition.split(separator: "\n").first { $0.hasPrefix(name) }
      return line.flatMap { Int($0.dropFirst(name.count)) } ?? -1
    }
    #expect(count("odd", "given_up") == 0, "it is there before anything fails")
    try await test.database.scope(.named("a")).write { transaction in
      for kind in runner.kinds { try transaction.enqueue(kind, [], id: "\(kind)-1") }
    }
    let running = Task { await runner.run { reports.note($0) } }
    try await eventually(
      "all have failed often",
      count("broken", "stuck") >= 3 && count("away", "again") >= 12 && count("shaken", "again") >= 15)
    #expect(count("odd", "given_up") == 1 && count("odd", "again") == 0)
    #expect(count("broken", "again") == 11 && count("broken", "given_up") == 0)
    #expect(count("shaken", "stuck") == 0)
    #expect(count("away", "stuck") == 0 && count("away", "given_up") == 0)
    running.cancel()
    await running.value
    let (givenUp, stuck) = (
      capture.events(named: "a job was given up"), capture.events(named: "a job fails again and again")
    )
    #expect(givenUp.map(\.level) == [.error] && givenUp.first?["job"] == .text("odd-1"))
    #expect(stuck.first?["kind"] == .text("broken") && stuck.first?["attempts"] == .integer(12))
    #expect(stuck.allSatisfy { $0["kind"] == .text("broken") })
    await test.database.close()
  }
}
