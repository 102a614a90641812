public import Base
public import ServiceKit
public import Storage
internal import Synchronization

/// Counts failed attempts at jobs, and logs those that an operator has to look at.
public final class JobReports: Sendable {
  private let failed: Family<Counter>
  private let log: Log
  private let clock: Base.Clock
  /// Limits the lines in the log, since very many jobs may fail for one reason.
  private let lines: Mutex<LineBudget<String>>

  private enum Outcome: String, CaseIterable {
    /// The job is retried, and nobody has to do anything yet.
    case again
    /// The job is retried, but has failed many times in a row, and not because of an outage.
    case stuck
    case givenUp = "given_up"

    /// With the pauses of `JobPolicy`, this many faults in a row take longer than a quarter of an hour.
    private static let many = 12

    init(_ report: JobReport) {
      switch report.setback {
      case .pointless: self = .givenUp
      case .fault: self = report.faults < Self.many ? .again : .stuck
      case .passing: self = .again
      }
    }
  }

  /// - Parameter kinds: the kinds of jobs that the process runs.
  public init(_ metrics: Metrics, _ log: Log, kinds: [String], clock: Base.Clock) {
    failed = metrics.counters(
      "assent_jobs_failed_total", "Attempts at jobs that failed, by what became of the job.",
      labels: ["kind", "outcome"])
    self.log = log
    self.clock = clock
    lines = Mutex(LineBudget(at: clock.monotonic))
    // The counters exist from the first scrape on: a rate does not see the first count of a series that begins with it.
    for kind in kinds { for outcome in Outcome.allCases { _ = failed.with(kind, outcome.rawValue) } }
  }

  public func note(_ report: JobReport) {
    let outcome = Outcome(report)
    failed.with(report.kind, outcome.rawValue).add()
    guard outcome != .again else { return }
    let now = clock.monotonic
    guard let leftOut = lines.withLock({ $0.take("\(report.kind) \(outcome)", at: now) }) else { return }
    let log = log.with([
      "kind": report.kind, "job": report.id, "tenant": report.tenant.id, "attempts": report.attempt,
      "error": "\(report.failure)", "lines_left_out": leftOut,
    ])
    if outcome == .givenUp {
      log.error("a job was given up")
    } else {
      log.warn("a job fails again and again")
    }
  }
}

extension ServiceHost {
  /// Runs jobs until the process ends. Failed attempts are counted, and logged if an operator has to look at them.
  public func runJobs(_ jobs: JobRunner) async {
    let reports = JobReports(metrics, log, kinds: jobs.kinds, clock: clock)
    let running = Task { await jobs.run { reports.note($0) } }
    await lifecycle.onStop("jobs") {
      running.cancel()
      await running.value
    }
  }
}
